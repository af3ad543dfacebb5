import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ParkedState } from '#browsing/park/sealed-state.ts';
import { readSealingSecret } from '#core/secrets/sealed.ts';
import { unsealState, sealState } from '#browsing/park/sealed-state.ts';
import { stories } from '#support/stories.ts';

const SECRET = 'secret of the tests that is long enough';

describe('a sealed session', () => {
  it('is opened unchanged, whatever strings it contains', async () => {
    await fc.assert(
      fc.asyncProperty(anyState(), fc.string(), async (state, sessionId) => {
        const sealed = await sealState(SECRET, sessionId, state);
        expect(await unsealState(SECRET, sessionId, sealed)).toEqual(state);
      }),
      { numRuns: stories(20) },
    );
  });

  it('opens for no other session and with no other secret', async () => {
    const sealed = await sealState(SECRET, 'one', EMPTY);
    expect(await unsealState(SECRET, 'two', sealed)).toBeNull();
    expect(await unsealState(`${SECRET}!`, 'one', sealed)).toBeNull();
    expect(await unsealState(SECRET, 'one', sealed)).toEqual(EMPTY);
  });

  it('does not open after a change of a single bit', async () => {
    const sealed = await sealState(SECRET, 'one', EMPTY);
    for (let at = 0; at < sealed.byteLength; at += 1) {
      const changed = sealed.slice();
      changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8));
      expect(await unsealState(SECRET, 'one', changed), `byte ${at}`).toBeNull();
    }
  });

  it('does not open when it was cut short', async () => {
    const sealed = await sealState(SECRET, 'one', EMPTY);
    for (const length of [0, 1, 28, 29, 44, sealed.byteLength - 1]) {
      expect(await unsealState(SECRET, 'one', sealed.slice(0, length))).toBeNull();
    }
  });

  it('does not open if the sealed data is not the state of a session', async () => {
    const sealed = await sealState(SECRET, 'one', { ...EMPTY, version: 2 } as never);
    expect(await unsealState(SECRET, 'one', sealed)).toBeNull();
  });

  it('never has the same bytes twice, and reveals nothing of its content', async () => {
    const state: ParkedState = {
      ...EMPTY,
      tabs: [{ id: 't1', url: 'https://a.example/', title: 'x', scroll: NOWHERE }],
    };
    const [one, two] = await Promise.all([sealState(SECRET, 's', state), sealState(SECRET, 's', state)]);
    expect(one).not.toEqual(two);
    expect(new TextDecoder('latin1').decode(one)).not.toContain('a.example');
  });
});

describe('the secret that sessions are sealed with', () => {
  it('is SESSION_SECRET, or else the passphrase; without both there is none', () => {
    expect(readSealingSecret({ SESSION_SECRET: 'x'.repeat(32), OWNER_PASSPHRASE: 'y'.repeat(12) })).toContain('xxx');
    expect(readSealingSecret({ SESSION_SECRET: undefined, OWNER_PASSPHRASE: 'y'.repeat(12) })).toContain('yyy');
    expect(readSealingSecret({ SESSION_SECRET: undefined, OWNER_PASSPHRASE: undefined })).toBeNull();
  });
});

const NOWHERE = { x: 0, y: 0 };
const EMPTY: ParkedState = { version: 1, tabs: [], cookies: [], areas: [], lost: [] };

/** Strings of any UTF-16 units: pages keep packed bytes in storage, lone surrogates among them. */
function anyState(): fc.Arbitrary<ParkedState> {
  const text = fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 })
    .map((units) => String.fromCharCode(...units));
  const tab = fc.record({
    id: fc.string(),
    url: fc.webUrl(),
    title: text,
    scroll: fc.record({ x: fc.integer(), y: fc.integer() }),
  });
  const area = fc.record({
    tabId: fc.option(fc.string()),
    key: text,
    origins: fc.array(text, { minLength: 1, maxLength: 3 }),
    entries: fc.array(fc.tuple(text, text), { maxLength: 5 }),
  });
  return fc.record({
    version: fc.constant(1 as const),
    tabs: fc.array(tab, { maxLength: 3 }),
    cookies: fc.constant([]),
    areas: fc.array(area, { maxLength: 4 }),
    lost: fc.constant([]),
  });
}
