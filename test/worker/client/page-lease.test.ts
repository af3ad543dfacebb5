import { partNamed } from '#core/objects.ts';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { PageLeaseResult } from '#client/pace/pace.ts';

const lease = (name: string) => partNamed(env.PACE, name, 'page');
const tokenOf = ({ token }: PageLeaseResult): string => {
  if (token === null) throw new Error('it is not their turn');
  return token;
};

describe('the lease on fetching a page', () => {
  it('belongs to one caller, and the others get the outcome', async () => {
    const first = tokenOf(await lease('one').take());
    const others = Promise.all([lease('one').take(), lease('one').take(5_000)]);
    await lease('one').finish(first, { kind: 'stored' });
    expect(await others).toEqual(Array.from({ length: 2 }, () => ({ token: null, outcome: { kind: 'stored' } })));
    expect((await lease('one').take()).token).not.toBeNull();
  });

  it("also passes to callers that have waited long enough; the first one to store the page ends everybody's wait", async () => {
    const gone = tokenOf(await lease('slow').take());
    const tired = tokenOf(await lease('slow').take(30));
    const patient = lease('slow').take(5_000);
    await lease('slow').finish(tired, { kind: 'stored' });
    expect((await patient).outcome).toEqual({ kind: 'stored' });
    // The first holder is too late to end the lease of the second.
    const next = tokenOf(await lease('slow').take());
    await lease('slow').finish(gone, { kind: 'stored' });
    expect((await lease('slow').take(30)).token).not.toBeNull();
    await lease('slow').finish(next, { kind: 'stored' });
  });

  it('is returned at once to its holder, who asks again after a lost answer', async () => {
    expect(await lease('lost').take(5_000, 'mine')).toEqual({ token: 'mine', outcome: null });
    expect(await lease('lost').take(5_000, 'mine')).toEqual({ token: 'mine', outcome: null });
    const other = lease('lost').take(5_000, 'theirs');
    await lease('lost').finish('mine', { kind: 'stored' });
    expect(await other).toEqual({ token: null, outcome: { kind: 'stored' } });
  });

  it('lasts while one caller still fetches, even if another one has gone', async () => {
    const first = tokenOf(await lease('two').take());
    const second = tokenOf(await lease('two').take(30));
    const patient = lease('two').take(5_000);
    await lease('two').finish(first, { kind: 'gone' });
    await lease('two').finish(second, { kind: 'private' });
    expect((await patient).outcome).toEqual({ kind: 'private' });
  });
});
