import { describe, expect, it } from 'vitest';
import { asked, ended, followed, nextRound, page, withoutWaiting, write } from '#support/followed.ts';
import { callTool, structured } from '#support/mcp-call.ts';
import { env } from 'cloudflare:workers';

const words = (text: string) => `<p>${text} And it goes on for a while, as pages do.</p>`;
/** Two attempts at a step that begin and do not end, as when the platform ends the Worker in the middle of them. */
const ENDED = [new Error('ended with the server'), 2] as const;

type Told = { kind: string; url: string; why?: string }[];
const told = async (site: string): Promise<Told> => {
  const all: Told = JSON.parse(JSON.stringify(structured(await callTool('modern', 'changes', {}))['changes']));
  return all.filter(({ url }) => url.startsWith(site));
};

/** A round in which two attempts at a step end with the server. */
async function roundWithEnds(step: string): Promise<void> {
  await env.DB.prepare('UPDATE follows SET next_at = 0').run();
  await using rounds = await withoutWaiting();
  await rounds.modifyAll((one) => one.mockStepError({ name: step }, ...ENDED));
  const { runHourly } = await import('../../../src/scheduled.ts');
  await runHourly({ cron: '', scheduledTime: 0, noRetry: () => undefined }, env);
  await ended(rounds);
}

describe('a page during which the server was ended twice', () => {
  it('is skipped with a reason, also in the next rounds, and tried again in a whole round', async () => {
    const site = 'https://ended-1.acme.dev';
    await write(`${site}/heavy`, page('Heavy', words('The first edition.')));
    await followed({ url: `${site}/heavy` });
    const before = (await asked(site)).length;
    await write(`${site}/heavy`, page('Heavy', words('The second edition.')));
    await roundWithEnds('page 1, read');
    expect(await asked(site)).toHaveLength(before);
    expect(await told(site)).toMatchObject([
      { kind: 'closed', why: expect.stringContaining('crashed the server twice') },
    ]);
    await nextRound();
    expect(await asked(site)).toHaveLength(before);
    await env.DB.prepare(`UPDATE follows SET round = 6 WHERE url LIKE '${site}%'`).run();
    await nextRound();
    expect(await asked(site)).toHaveLength(before + 1);
    expect(await told(site)).toMatchObject([{ kind: 'closed' }, { kind: 'changed' }]);
  });

  it('is distinguished from a page whose site failed', async () => {
    const site = 'https://ended-2.acme.dev';
    await write(`${site}/down`, page('Down', words('It was up.')));
    await followed({ url: `${site}/down` });
    const before = (await asked(site)).length;
    await write(`${site}/down`, { status: 503, body: 'Down.' });
    await nextRound();
    expect(await asked(site)).toHaveLength(before + 12);
    expect(await told(site)).toEqual([]);
  });
});

describe('the page lists of a site during which the server was ended twice', () => {
  it('are skipped with a reason, and the pages of the site are read', async () => {
    const site = 'https://ended-3.acme.dev';
    await write(`${site}/docs/`, page('All', words('The first edition.')));
    await followed({ url: `${site}/docs/`, scope: 'site' });
    await write(`${site}/docs/`, page('All', words('The second edition.')));
    await roundWithEnds('lists of the site');
    expect(await told(site)).toMatchObject([{ kind: 'changed' }]);
    const lists = (await asked(site)).filter((path) => path !== '/docs/').length;
    await nextRound();
    expect((await asked(site)).filter((path) => path !== '/docs/')).toHaveLength(lists);
    const state = structured(await callTool('modern', 'follow', { url: `${site}/docs/`, scope: 'site' }));
    expect(JSON.stringify(state['left_out'])).toContain('crashed the server twice');
  });
});
