import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as pageScripts from '#generated/page-scripts.js';
import { findByRef } from '#browsing/locate/find.ts';
import { inPlaceOf } from '#browsing/locate/resolve.ts';
import { PageWithRefs } from '#support/page-with-refs.ts';
import { browserWith } from '#support/pretend-sites.ts';
import type { TestBrowser } from '#support/pretend-sites.ts';
import { stories } from '#support/stories.ts';

/**
 * Lists that are redrawn as by frameworks: their data changes, and rows are re-created. Several records may have the
 * same words; only the page's own scripts know which one a row shows (`recordOf`).
 */
const LISTS_PAGE = `<!doctype html><title>Lists</title><main></main><script>
  const main = document.querySelector('main');
  const WORDS = ['Milk', 'Bread', 'Tea', 'Salt'];
  const LISTS = ['Today', 'Later'];
  const rows = new WeakMap();
  let last = 0, records = [], hidden = '', shape = 'li', made = new Map();
  const fresh = (word, list) => ({ id: ++last, words: WORDS[word % WORDS.length], list, liked: false });
  function start(kind, words) {
    shape = kind; hidden = ''; made = new Map();
    records = words.map((word, at) => fresh(word, kind === 'one' ? 0 : at % 2));
    draw('all');
  }
  const OUTER = { li: 'li', one: 'li', div: 'div', tr: 'tr' };
  function row(record) {
    const element = document.createElement(OUTER[shape]);
    const cell = () => document.createElement(shape === 'tr' ? 'td' : shape === 'div' ? 'div' : 'span');
    const label = cell(), box = cell();
    box.innerHTML = '<button class="delete">Delete</button> <button class="like"></button> <a href="/open">Open</a> <input aria-label="Amount">';
    element.append(label, ' ', box);
    fill(element, record);
    return element;
  }
  function fill(element, record) {
    rows.set(element, record.id);
    element.firstChild.textContent = record.words;
    element.querySelector('.like').textContent = record.liked ? 'Unlike' : 'Like';
  }
  const shown = (list) => records.filter((record) => record.list === list && (hidden === '' || !record.words.includes(hidden)));
  function hosts() {
    main.innerHTML = LISTS.slice(0, shape === 'one' ? 1 : 2).map((name) => '<section><h2>' + name + '</h2>' +
      (shape === 'tr' ? '<table><tbody class="host"></tbody></table>' : shape === 'div' ? '<div class="host"></div>' : '<ul class="host"></ul>') + '</section>').join('');
  }
  const allHosts = () => [...document.querySelectorAll('.host')];
  function draw(how) {
    if (how === 'twice') { draw('rows'); draw('rows'); }
    if (how === 'all') hosts();
    if (how === 'rows' || how === 'all' || how === 'emptied')
      allHosts().forEach((host, list) => host.replaceChildren(...shown(list).map(row)));
    if (how === 'each')
      allHosts().forEach((host, list) => {
        const wanted = shown(list);
        while (host.children.length > wanted.length) host.lastChild.remove();
        wanted.forEach((record, at) => { const one = row(record); if (host.children[at]) host.children[at].replaceWith(one); else host.append(one); });
      });
    if (how === 'keyed') {
      const byId = new Map([...document.querySelectorAll('.host > *')].map((element) => [rows.get(element), element]));
      allHosts().forEach((host, list) => host.replaceChildren(...shown(list).map((record) => {
        const element = byId.get(record.id) ?? made.get(record.id) ?? row(record);
        made.set(record.id, element); fill(element, record); return element;
      })));
    }
  }
  const at = (n) => (records.length === 0 ? 0 : n % records.length);
  const deeds = {
    nothing() {}, reverse() { records.reverse(); }, rotate() { records.push(...records.splice(0, 1)); },
    remove(n) { records.splice(at(n), 1); },
    copy(n) { const one = records[at(n)]; if (one) records.splice(n % 2 ? at(n) + 1 : records.length, 0, { ...one, id: ++last }); },
    copyBefore(n) { const one = records[at(n)]; if (one) records.splice(at(n), 0, { ...one, id: ++last }); },
    firstOfEqual() { const one = records.findIndex((record, place) => records.some((other, later) => later > place && other.words === record.words && other.list === record.list)); if (one !== -1) records.splice(one, 1); },
    edit(n) { const one = records[at(n)]; if (one) one.words = WORDS[n % WORDS.length]; },
    add(n) { records.push(fresh(n, n % 2)); },
    like(n) { const one = records[at(n)]; if (one) one.liked = !one.liked; },
    move(n) { const one = records[at(n)]; if (one && shape !== 'one') one.list = 1 - one.list; },
    filter(n) { hidden = hidden === '' ? WORDS[n % WORDS.length] : ''; },
  };
  const task = () => new Promise((done) => { const { port1, port2 } = new MessageChannel(); port1.onmessage = done; port2.postMessage(0); });
  async function play(steps) {
    for (const [deed, n, how] of steps) {
      deeds[deed](n);
      if (how === 'emptied') for (const host of allHosts()) host.replaceChildren();
      if (how === 'emptied' || how === 'later') await task();
      draw(how === 'later' ? 'rows' : how);
      await task();
    }
  }
  function recordOf(element) { return rows.get(element.closest('.host > *')) + ' ' + element.localName + element.className; }
</script>`;

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

  it.each<[string, string[], unknown[][], boolean]>([
    ['leads to the new row when all are drawn again', ['Milk', 'Tea'], [['nothing', 0, 'rows']], true],
    ['leads to the new row when others have come and gone', ['Milk', 'Tea', 'Salt'], [['remove', 2, 'rows']], true],
    ['leads to the new row in another order', ['Milk', 'Tea'], [['reverse', 0, 'rows']], true],
    ['leads there again and again', ['Milk', 'Tea'], Array.from({ length: 5 }, () => ['nothing', 0, 'all']), true],
    ['leads to the new row when all are drawn twice at once', ['Milk', 'Tea'], [['nothing', 0, 'twice']], true],
    ['is refused when the row reads otherwise', ['Milk', 'Tea'], [['edit', 2, 'rows']], false],
    ['is refused when its row has gone', ['Milk', 'Tea'], [['remove', 0, 'rows']], false],
    ['is refused when two rows read the same', ['Milk', 'Milk'], [['nothing', 0, 'rows']], false],
    ['is refused when the first of two equal rows has gone', ['Milk', 'Milk'], [['remove', 0, 'rows']], false],
    [
      'is refused when a copy came and the row itself went, unseen',
      ['Milk', 'Tea'],
      [
        ['copy', 0, 'rows'],
        ['remove', 0, 'rows'],
      ],
      false,
    ],
    ['is refused when the list was empty for a moment', ['Milk', 'Tea'], [['nothing', 0, 'emptied']], false],
  ])('%s', async (_, words, steps, isThere) => {
    const places = words.map((word) => ['Milk', 'Bread', 'Tea', 'Salt'].indexOf(word));
    await start([{ shape: 'one', words: places }]);
    const meant: Meant = new Map();
    await look(meant);
    const [[ref, record] = []] = meant;
    if (ref === undefined) throw new Error('no ref was given');
    await play([steps]);
    const found = await follow([ref]);
    expect(found).toEqual([isThere ? { how: 'anew', now: record } : { how: 'refused', now: null }]);
  });
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
      const replacedBy = ${pageScripts.replacedBy};
      const found = [];
      for (const { shape, words, acts } of ${JSON.stringify(all)}) {
        start(shape, words);
        await task();
        self.periscopeReplaced.left = 1e6;
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
      const anew = target === null || found !== 'gone' ? null : await inPlaceOf(target, page.tab, page.refs);
      return anew === null ? { how: 'refused', now: null } : { how: 'anew', now: await recordIn(anew.element) };
    }),
  );
}
