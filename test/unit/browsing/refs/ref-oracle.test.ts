import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findByRef } from '#browsing/target/find.ts';
import { browserWith } from '#support/pretend-sites.ts';
import type { TestBrowser } from '#support/pretend-sites.ts';
import { PageWithRefs } from '#support/page-with-refs.ts';

/**
 * A list that behaves as badly as lists on the web do. Each slot shows one record; which one, only the page's own
 * scripts know (`secretOf`): it is nowhere in the document. Labels of different records differ, names of buttons do not.
 */
const LIST_PAGE = `<!doctype html><title>List</title><main><div id="list"></div><div id="pane"><div><h2></h2></div><p>Shown beside the list.</p><button class="b">Archive</button></div></main><p id="status" role="status"></p><script>
  const secrets = new WeakMap();
  let lastRecord = 0;
  const fresh = () => ({ record: ++lastRecord, likes: 0 });
  const make = {
    li: () => slot('li', 'span'),
    div: () => slot('div', 'div'),
    nested: () => slot('section', 'div'),
    card: () => slot('section', 'h3'),
  };
  let shape = 'li';
  function slot(outer, inner) {
    const element = document.createElement(outer);
    const label = document.createElement(inner);
    const box = document.createElement(inner === 'h3' ? 'div' : inner);
    box.innerHTML = '<button class="b">Delete</button> <button class="l">Like</button> <a href="/open" class="o">Open</a> <input aria-label="Amount">';
    element.append(label, shape === 'nested' ? wrap(box) : box);
    return element;
  }
  function wrap(box) { const outer = document.createElement('div'); outer.append(box); return outer; }
  function show(element, record) {
    secrets.set(element, record);
    element.firstChild.textContent = 'Record ' + record.record;
    // A link is bound to where it leads: one of a lone record that leads to the same place is the same.
    if (mayBeAlone()) element.querySelector('a').href = '/open/' + record.record;
  }
  const slots = () => [...list.querySelectorAll('ul > li, #list > div, #list > section')];
  const host = () => list.querySelector('ul') ?? list;
  function start(kind, count) {
    shape = kind;
    list.innerHTML = kind === 'li' ? '<ul></ul>' : '';
    for (let n = 0; n < (mayBeAlone() ? count : count + 1); n += 1) insert(n);
  }
  function insert(at) { const made = make[shape](); show(made, fresh()); host().insertBefore(made, slots()[at] ?? null); }
  // A lone record that has no heading and is no list item has nothing that tells it from the next (decision 0010).
  const mayBeAlone = () => shape === 'li' || shape === 'card';
  const mayGo = () => mayBeAlone() || slots().length > 2;
  function remove(at) { if (mayGo()) slots()[at]?.remove(); }
  function recycle() { for (const element of slots()) show(element, fresh()); }
  function recycleOne(at) { const element = slots()[at]; if (element) show(element, fresh()); }
  function sortKeyed() { for (const element of slots().reverse()) host().append(element); }
  function sortUnkeyed() { const all = slots(); const records = all.map((element) => secrets.get(element)).reverse(); all.forEach((element, n) => show(element, records[n])); }
  function redraw() { for (const element of slots()) { const made = make[shape](); show(made, secrets.get(element)); element.replaceWith(made); } }
  function like(at) { const button = slots()[at]?.querySelector('.l'); if (button) button.textContent = button.textContent === 'Like' ? 'Unlike' : 'Like'; }
  function openOther() { secrets.set(pane, fresh()); pane.querySelector('h2').textContent = 'Record ' + secrets.get(pane).record; }
  function type(at) { const input = slots()[at]?.querySelector('input'); if (input) input.value += 'x'; }
  function tell() { document.querySelector('#status').textContent += '.'; }
  function rob(from, to) { const button = slots()[from]?.querySelector('.b'); const box = slots()[to]?.querySelector('a')?.parentNode; if (button && box) box.prepend(button); }
  openOther();
  let kept = null;
  function detach(at) { if (!mayGo()) return; kept = slots()[at] ?? null; kept?.remove(); }
  function attachChanged() { if (kept) { show(kept, fresh()); host().append(kept); } }
  function attach() { if (kept) host().append(kept); }
  function secretOf(element) {
    const slot = element.closest('li, #list > div, #list > section, #pane');
    return slot === null ? 'none' : secrets.get(slot).record + ' ' + element.localName + (element.className || '');
  }
</script>`;

const place = fc.nat({ max: 4 });
const step = fc.oneof(
  fc.constantFrom(
    'recycle()',
    'sortKeyed()',
    'sortUnkeyed()',
    'redraw()',
    'tell()',
    'attach()',
    'attachChanged()',
    'openOther()',
  ),
  fc
    .tuple(fc.constantFrom('insert', 'remove', 'recycleOne', 'like', 'type', 'detach'), place)
    .map(([name, at]) => `${name}(${at})`),
  fc.tuple(place, place).map(([from, to]) => `rob(${from}, ${to})`),
  fc.constant('SNAPSHOT'),
  fc.constant('location.reload()'),
);
const story = fc.record({
  shape: fc.constantFrom('li', 'div', 'nested', 'card'),
  count: fc.integer({ min: 1, max: 4 }),
  steps: fc.array(step, { minLength: 1, maxLength: 8 }),
});

let browser: TestBrowser;
let page: PageWithRefs;

beforeAll(async () => {
  browser = await browserWith(() => LIST_PAGE);
  page = new PageWithRefs(await browser.openTab(await browser.openContext(), 'http://site.example/'));
});

afterAll(() => browser.close());

describe('any ref, whatever the page does', () => {
  it('leads to the element it was minted for, or nowhere', async () => {
    let led = 0;
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(story, async ({ shape, count, steps }) => {
        const minted = new Map<string, unknown>();
        await page.run(`start('${shape}', ${count})`);
        await note(minted);
        for (const next of steps) {
          if (next === 'location.reload()') await reload();
          else if (next === 'SNAPSHOT') await note(minted);
          else await page.run(next);
          const found = await Promise.all([...minted].map(async ([ref, secret]) => [secret, await secretBehind(ref)]));
          for (const [secret, now] of found) {
            if (now === null) refused += 1;
            else {
              led += 1;
              expect(now).toBe(secret);
            }
          }
        }
      }),
      { numRuns: 40 },
    );
    expect(led).toBeGreaterThan(20);
    expect(refused).toBeGreaterThan(20);
  }, 120_000);
});

/** Takes a snapshot and remembers what every ref in it stands for. */
async function note(minted: Map<string, unknown>): Promise<void> {
  const text = await page.text();
  for (const [ref] of text.matchAll(/@e\d+/g)) {
    if (!minted.has(ref)) minted.set(ref, await secretBehind(ref));
  }
}

async function secretBehind(ref: string): Promise<unknown> {
  const target = page.refs.look(ref);
  const element = target === null ? 'gone' : await findByRef(target, page.tab);
  return typeof element === 'string' ? null : page.ask(element, 'secretOf(this)');
}

async function reload(): Promise<void> {
  const before = page.tab.main().loaderId;
  await page.tab.session.send('Page.reload');
  while (page.tab.main().loaderId === before) await new Promise((resolve) => setTimeout(resolve, 5));
  while ((await page.run('typeof secretOf')) !== 'function') await new Promise((resolve) => setTimeout(resolve, 5));
}
