import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PageWithRefs } from '#support/page-with-refs.ts';
import { browserWith } from '#support/pretend-sites.ts';
import type { TestBrowser } from '#support/pretend-sites.ts';

/** Mail lists that are drawn again as a whole on each act, as applications do that set `innerHTML`. */
const MAIL = `<!doctype html><title>Mail</title><main></main><script>
  const main = document.querySelector('main');
  let rows = [], inner = 0;
  const wrapped = (html, times) => '<div>'.repeat(times) + html + '</div>'.repeat(times);
  const row = ({ id, isStarred }) => '<li>' + wrapped(
    '<input type="checkbox" aria-label="Select"><button aria-label="Star" aria-pressed="' + isStarred + '"></button>' +
    '<a href="/mail/' + id + '">Sender ' + id % 7 + '</a> <span>Subject of message ' + id + '</span> <span>and how it begins</span>' +
    '<button>Archive</button><button>Delete</button>', inner) + '</li>';
  function draw() { main.innerHTML = '<ul>' + rows.map(row).join('') + '</ul>'; }
  function start(count, depth) {
    inner = depth;
    rows = Array.from({ length: count }, (_, id) => ({ id, isStarred: false }));
    draw();
  }
  function star(id) { rows[id].isStarred = !rows[id].isStarred; draw(); }
</script>`;

/** Counts reads of the document in the world of our scripts. */
const COUNT_READS = `(() => {
  self.reads = 0;
  const members = [[Node, 'textContent nodeValue nodeType parentElement parentNode firstChild nextSibling'], [CharacterData, 'data'],
    [Element, 'getAttribute matches localName querySelectorAll'], [TreeWalker, 'nextNode']];
  for (const [{ prototype }, names] of members) for (const name of names.split(' ')) {
    const { get, value } = Object.getOwnPropertyDescriptor(prototype, name);
    Object.defineProperty(prototype, name, get === undefined
      ? { value(...given) { self.reads += 1; return value.apply(this, given); } }
      : { get() { self.reads += 1; return get.call(this); } });
  }
})()`;

let browser: TestBrowser;
let page: PageWithRefs;

beforeAll(async () => {
  browser = await browserWith(() => MAIL);
});

afterAll(() => browser.close());

/** The number of reads when a list is redrawn after a look. */
async function readsOfRedraw(count: number, depth: number, meanwhile = '0'): Promise<number> {
  page = new PageWithRefs(await browser.openTab(await browser.openContext(), 'http://site.example/'));
  await page.run(`start(${count}, ${depth})`);
  await page.snapshot();
  await page.run(meanwhile);
  await inOurWorld(COUNT_READS);
  await page.run('star(3)');
  return Number(await inOurWorld('self.reads'));
}

async function inOurWorld(expression: string): Promise<unknown> {
  const { tab } = page;
  const contextId = await tab.world(tab.main());
  const { result } = await tab.session.send('Runtime.evaluate', { expression, contextId, returnByValue: true });
  return result.value;
}

/** Controls of a row. */
const CONTROLS = 5;
/** Reads for one control of a row: its attributes before and after, its texts, and the parts around it. */
const READS_OF_ONE = 80;

describe('a list that is redrawn as a whole', () => {
  it('takes work proportional to its rows', async () => {
    const few = await readsOfRedraw(48, 0);
    const many = await readsOfRedraw(200, 0);
    expect(few).toBeGreaterThan(48);
    expect(few).toBeLessThan(48 * CONTROLS * READS_OF_ONE);
    expect(many).toBeLessThan(200 * CONTROLS * READS_OF_ONE);
  });

  it('takes little more work if its rows are wrapped in many elements', async () => {
    const wrapped = await readsOfRedraw(48, 15);
    expect(wrapped).toBeLessThan(48 * CONTROLS * READS_OF_ONE * 4);
  });

  it('is not compared completely when it has become very long', async () => {
    const reads = await readsOfRedraw(48, 4, 'start(4000, 4)');
    expect(reads).toBeGreaterThan(1_000);
    expect(reads).toBeLessThan(300_000);
  });

  it.each([48, 200])('keeps the refs of its %i rows', async (count) => {
    page = new PageWithRefs(await browser.openTab(await browser.openContext(), 'http://site.example/'));
    await page.run(`start(${count}, 2)`);
    const ref = await page.refOf('button "Archive"', 7);
    await page.run('star(3)');
    const now = await page.resolve(ref);
    expect(await page.ask(now, `this.closest('li').querySelector('a').pathname`)).toBe('/mail/7');
  });
});
