import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as pageScripts from '#generated/page-scripts.js';
import { findByRef } from '#browsing/locate/find.ts';
import { findRebuiltElement } from '#browsing/locate/resolve.ts';
import { PageWithRefs } from '#support/page-with-refs.ts';
import { browserWith } from '#support/pretend-sites.ts';
import type { TestBrowser } from '#support/pretend-sites.ts';
import { LISTS_PAGE } from '#support/lists-page.ts';
import { stories } from '#support/stories.ts';

const step = fc.tuple(
  fc.constantFrom(
    'nothing',
    'nothing',
    'reverse',
    'rotate',
    'remove',
    'copy',
    'copyBefore',
    'firstOfEqual',
    'firstOfEqual',
    'edit',
    'add',
    'like',
    'move',
    'filter',
  ),
  fc.nat({ max: 7 }),
  fc.constantFrom('all', 'rows', 'rows', 'each', 'keyed', 'emptied', 'later', 'twice'),
);
const story = fc.record({
  shape: fc.constantFrom('li', 'one', 'div', 'tr'),
  words: fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 4 }),
  /** A look separates two groups of acts. */
  acts: fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 2 }),
});

let browser: TestBrowser;
let page: PageWithRefs;

/** Stories run in parallel, each in a separate document, and one look covers all of them. */
const DOCUMENTS = 20;
const PAGE = `<!doctype html><title>Stories</title>${'<iframe src="/lists" width="300" height="200"></iframe>'.repeat(DOCUMENTS)}`;

beforeAll(async () => {
  browser = await browserWith(({ pathname }) => (pathname === '/lists' ? LISTS_PAGE : PAGE));
  page = new PageWithRefs(await browser.openTab(await browser.openContext(), 'http://site.example/'));
});

afterAll(() => browser.close());

const RUNS = stories(DOCUMENTS);
const UNSEEN_RUNS = stories(200);
const SEED = Date.now() % 1_000_000;

describe('a ref of a redrawn row', () => {
  it(
    'never resolves to another record',
    async () => {
      const counts = { same: 0, anew: 0, refused: 0 };
      const seed = fc.readConfigureGlobal().seed ?? SEED;
      const all = fc.sample(story, { numRuns: RUNS, seed });
      const wrong: unknown[] = [];
      for (let from = 0; from < all.length; from += DOCUMENTS) {
        for (const { how, isRight, of } of await playAll(all.slice(from, from + DOCUMENTS))) {
          counts[how] += 1;
          if (!isRight) wrong.push(of);
        }
        const told = Math.min(from + DOCUMENTS, all.length);
        if (told % 1_000 === 0 || told === all.length)
          console.log(`seed ${seed}, ${told} stories: ${JSON.stringify({ ...counts, wrong: wrong.length })}`);
      }
      expect(wrong, `seed ${seed}`).toEqual([]);
      expect(counts.same).toBeGreaterThan(RUNS / 20);
      expect(counts.anew).toBeGreaterThan(RUNS / 20);
      expect(counts.refused).toBeGreaterThan(RUNS / 20);
    },
    120_000 + RUNS * 3_000,
  );

  it(
    'never resolves to another record after thousands of changes without a view in between',
    async () => {
      const counts = { anew: 0, refused: 0, wrong: 0 };
      const seed = fc.readConfigureGlobal().seed ?? SEED;
      const all = fc.sample(story, { numRuns: UNSEEN_RUNS, seed });
      const played = await inOwnWorld();
      for (let from = 0; from < all.length; from += 100) {
        const found = z.array(z.boolean().nullable()).parse(await played(all.slice(from, from + 100)));
        counts.anew += found.filter((isRight) => isRight !== null).length;
        counts.refused += found.filter((isRight) => isRight === null).length;
        counts.wrong += found.filter((isRight) => isRight === false).length;
      }
      console.log(`seed ${seed}, ${UNSEEN_RUNS} stories: ${JSON.stringify(counts)}`);
      expect(counts.wrong, `seed ${seed}`).toBe(0);
      expect(counts.anew).toBeGreaterThan(UNSEEN_RUNS / 20);
      expect(counts.refused).toBeGreaterThan(UNSEEN_RUNS / 20);
    },
    120_000 + UNSEEN_RUNS * 100,
  );
});

/**
 * Replaces the record of redrawn elements in the page, in our own world. The lists are drawn there, too, so that a
 * story takes no look: the accessibility tree can only add further refusals.
 */
async function inOwnWorld() {
  const { tab } = page;
  const [frame = tab.main()] = tab.frames().slice(1);
  await page.snapshot();
  const contextId = await tab.world(frame);
  const evaluate = async (expression: string): Promise<unknown> => {
    const asked = { expression, contextId, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await frame.session.send('Runtime.evaluate', asked);
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description);
    return result.value;
  };
  await evaluate(LISTS_PAGE.split('<script>')[1]?.replace('</script>', '') ?? '');
  return (all: readonly Story[]) =>
    evaluate(`(async () => {
      const replacedBy = ${pageScripts.findReplacementElement};
      const found = [];
      for (const { shape, words, acts } of ${JSON.stringify(all)}) {
        start(shape, words);
        await task();
        self[Symbol.for('periscope')].replaced.left = 1e6;
        const meant = [...document.querySelectorAll('.delete')].map((button) => [button, recordOf(button)]);
        await play(acts.flat());
        for (const [button, record] of meant) {
          if (button.isConnected) continue;
          const now = replacedBy.call(button);
          found.push(now === null ? null : recordOf(now) === record);
        }
      }
      return found;
    })()`);
}

type Story = typeof story extends fc.Arbitrary<infer T> ? T : never;
/** The record that each ref stood for when it was created. */
type Meant = Map<string, unknown>;
type Followed = { how: 'same' | 'anew' | 'refused'; now: unknown };

async function playAll(all: readonly Story[]) {
  const meant: Meant = new Map();
  const results: { how: Followed['how']; isRight: boolean; of: unknown }[] = [];
  await start(all);
  await look(meant);
  const documents = page.tab.frames().map(({ id }) => id);
  for (let act = 0; act < 2; act += 1) {
    await play(all.map(({ acts }) => acts[act] ?? []));
    const known = [...meant];
    const places = known.map(([ref]) => documents.indexOf(page.refs.current(ref)?.frameId ?? '') - 1);
    const followed = await follow(known.map(([ref]) => ref));
    for (const [at, { how, now }] of followed.entries()) {
      const [, record] = known[at] ?? [];
      const isRight = how === 'refused' || now === record;
      results.push({ how, isRight, of: { act, record, now, story: all[places[at] ?? -1] } });
    }
    await look(meant);
  }
  return results;
}

/** Uses a new table of refs, so that earlier stories are unknown. */
function start(all: readonly Pick<Story, 'shape' | 'words'>[]): Promise<unknown> {
  page = new PageWithRefs(page.tab);
  return page.run(`${JSON.stringify(all)}.forEach(({ shape, words }, at) => frames[at].start(shape, words))`);
}

function play(acts: readonly unknown[]): Promise<unknown> {
  return page.run(`Promise.all(${JSON.stringify(acts)}.map((steps, at) => frames[at].play(steps))).then(() => 0)`);
}

/** Gives every element a ref, and notes which record each new ref stands for. */
async function look(meant: Meant): Promise<void> {
  await page.snapshot();
  const given = page.refs.ofTab(page.tab.id).filter(({ ref, target }) => target.name === 'Delete' && !meant.has(ref));
  await Promise.all(
    given.map(async ({ ref, target }) => {
      const frame = page.tab.frame(target.frameId);
      const record = frame === null ? null : await recordIn({ frame, backendNodeId: target.backendNodeId });
      if (typeof record === 'string') meant.set(ref, record);
    }),
  );
}

/** For a removed element, no record is known any more. */
function recordIn(at: Parameters<typeof page.ask>[0]): Promise<unknown> {
  return page.ask(at, 'this.isConnected ? recordOf(this) : null').catch(() => null);
}

async function follow(given: readonly string[]): Promise<Followed[]> {
  const targets = given.map((ref) => page.refs.current(ref));
  const same = await Promise.all(
    targets.map(async (target) => (target === null ? 'renamed' : findByRef(target, page.tab))),
  );
  await page.snapshot();
  return Promise.all(
    targets.map(async (target, at): Promise<Followed> => {
      const found = same[at] ?? 'gone';
      if (typeof found !== 'string') return { how: 'same', now: await recordIn(found) };
      const anew = target === null || found !== 'gone' ? null : await findRebuiltElement(target, page.tab, page.refs);
      return anew === null ? { how: 'refused', now: null } : { how: 'anew', now: await recordIn(anew.element) };
    }),
  );
}
