import { describe, expect, it } from 'vitest';
import { waitFor } from '#browsing/locate/wait-for.ts';
import { recordedPages } from '#support/recorded/recorded-pages.ts';

const ICON = '<svg width="16" height="16"><circle cx="8" cy="8" r="6"/></svg>';

/** A post of a feed whose buttons have only icons and counts, so that no two posts look alike to a reader of names. */
function post(id: string, author: string, words: string, counts: readonly string[], follows = ''): string {
  const [likes = '', comments = ''] = counts;
  const button = (name: string, count = '') =>
    `<button class="act ${id}-${name}">${ICON}<span>${count}</span></button>`;
  return `<div class="post"><div><div class="face">${author.slice(0, 1)}</div><div><div><span>${author}</span>${follows}</div><div>3d ago</div></div>
    <div><button class="more ${id}-more">${ICON}</button></div></div><div>${words}</div>
    <div>${button('like', likes)}${button('comment', comments)}${button('keep')}</div></div>`;
}

const FEED = [
  post('cy', 'Cy Dunn', 'The ferry runs again.', ['21', '4'], '<button class="cy-follow">Follow</button>'),
  post('ada', 'Ada Byrne', 'We planted forty trees.', ['143']),
  post('bo', 'Bo Eng', 'The bridge is open.', ['98', '7']),
  post('ed', 'Ed Fox', 'Rain until Monday.', []),
].join('');
const ORDERS = ['17', '18', '19']
  .map(
    (at) =>
      `<tr><td><a href="/o${at}">Order ${at}</a><td><button class="o${at} open">Open</button><button class="o${at} cut">Cut</button>`,
  )
  .join('');
const SITES: Record<string, string> = {
  'feed.example': `<h1>Feed</h1><div>${FEED}</div>`,
  'orders.example': `<table>${ORDERS}</table><label>Email <input class="first"></label><label>Email <input class="second"></label>
    <button class="one">Save changes</button><button class="two">Save changes</button>`,
  // The names of these records are links, so that nothing but the names of controls tells the records apart.
  'links.example': `<div>${['Meta', 'Orchid']
    .map(
      (name) =>
        `<div><a href="/${name}">${name}</a><a href="/${name}/n">${name} news</a><a href="/${name}/j">${name} jobs</a><button class="${name}">${ICON}</button></div>`,
    )
    .join('')}</div>`,
  // Two records without a container of their own.
  'flat.example': `<div><p>Ann</p><div><button class="a1">Call Ann</button><button>Mail Ann</button></div>
    <p>Bob</p><div><button class="b1">Call Bob</button><button>Mail Bob</button></div></div>`,
  'ticks.example': `<div>${['Ann', 'Bob']
    .map(
      (name, at) => `<div><p>${name}</p><input type="checkbox" aria-label="Paid"${at === 0 ? ' checked' : ''}></div>`,
    )
    .join('')}</div>`,
  // Toolbars beside a table say nothing about one of its rows.
  'tables.example': ['May', 'June']
    .map(
      (name) =>
        `<div><div><button>Add to ${name}</button><button>Print ${name}</button></div><table><tr><td>Order ${name}<td><button class="${name}">Pay ${name}</button></table></div>`,
    )
    .join(''),
};

const pages = recordedPages(
  'locate/nth-and-in',
  ({ hostname }) => `<!doctype html><title>P</title>${SITES[hostname] ?? ''}`,
);
const on = (host: string) => pages.open(`http://${host}.example/`);
const found = async (host: string, target: string) => {
  const page = await on(host);
  return page.ask(await page.resolve(target), 'this.className');
};
const failure = async (host: string, target: string) => (await on(host)).failure(target);

describe('a role without a name in a row', () => {
  it.each([
    ['button in "Ada Byrne" nth=1', 'more ada-more'],
    ['button in "Ada Byrne" nth=2', 'act ada-like'],
    ['button in "Ada Byrne" nth=3', 'act ada-comment'],
    ['button nth=4 in "Ada Byrne"', 'act ada-keep'],
    ['button nth=4 in "Bo Eng"', 'act bo-keep'],
    ['button nth=4 in "Ed Fox"', 'act ed-keep'],
    ['button nth=5 in "Cy Dunn"', 'act cy-keep'],
    ['button "143" in "Ada Byrne"', 'act ada-like'],
    ['button "98" in "Bo Eng"', 'act bo-like'],
  ])('counts the elements that have no name, too: %s', async (target, name) => {
    expect(await found('feed', target)).toBe(name);
  });

  it('lists all of them', async () => {
    expect(await failure('feed', 'button in "Ada Byrne"')).toMatchObject({
      problem: expect.stringContaining('matches 4 elements'),
    });
  });

  it.each([
    ['links', 'button in "Orchid"', 'Orchid'],
    ['links', 'button in "Meta"', 'Meta'],
    ['tables', 'button in "Order June"', 'June'],
  ])('is not found in the record beside it: %s, %s', async (host, target, name) => {
    expect(await found(host, target)).toBe(name);
  });

  it.each(['button in "Bob"', 'button in "Ann"'])(
    'matches none of the toolbars of records that have no container: %s',
    async (target) => {
      expect(await failure('flat', `${target} nth=3`)).toMatchObject({ code: 'element_not_found' });
    },
  );
});

describe('a position after the last match', () => {
  it.each([
    ['feed', 'button nth=5 in "Ada Byrne"', 4],
    ['feed', '.ada-more nth=2', 1],
    ['feed', '.act nth=13', 12],
    ['feed', '.act nth=4 in "Bo Eng"', 3],
    ['orders', 'button "Open" nth=4', 3],
    ['orders', 'text=Open nth=9', 3],
    ['orders', 'button nth=0', 8],
  ])('reports the number of matches and lists them: %s, %s', async (host, target, matches) => {
    const failed = await failure(host, target);
    expect(failed).toMatchObject({ code: 'element_not_found', matches });
    const refs = 'alike' in failed ? failed.alike?.match(/@e\d+ /gu) : null;
    expect(refs).toHaveLength(Math.min(matches, 10));
  });
});

describe('a CSS selector', () => {
  it.each([
    ['feed', '.act nth=3', 'act cy-keep'],
    ['feed', 'button.act   nth=4', 'act ada-like'],
    ['feed', '.act nth=3 in "Ada Byrne"', 'act ada-keep'],
    ['feed', '.act in "Bo Eng" nth=2', 'act bo-comment'],
    ['feed', '.more in "Ed Fox"', 'more ed-more'],
    ['feed', '.post > div:last-child > button nth=6', 'act ada-keep'],
    ['orders', '.open in row "Order 18"', 'o18 open'],
    ['orders', '[class~="cut"] in the row with "Order 19"', 'o19 cut'],
    ['orders', 'button.open in "Order 17"', 'o17 open'],
    ['orders', 'input nth=2', 'second'],
    ['orders', 'tr button nth=3', 'o18 open'],
    ['orders', 'a in "Order 18"', ''],
    ['orders', 'td nth=1 in "Order 18"', ''],
  ])('takes a position and words of a row: %s, %s', async (host, target, name) => {
    expect(await found(host, target)).toBe(name);
  });

  it('that matches several elements of a row lists them', async () => {
    expect(await failure('feed', '.act in "Bo Eng"')).toMatchObject({
      problem: expect.stringContaining('matches 3 elements'),
    });
  });

  it.each([
    ['feed', '.more', ['Ada Byrne', 'Bo Eng', 'Cy Dunn', 'Ed Fox']],
    ['orders', '.open', ['Order 17', 'Order 18', 'Order 19']],
    ['ticks', 'input', ['Ann', 'Bob']],
    ['ticks', 'checkbox "Paid"', ['Ann', 'Bob']],
  ])('that matches several records tells which record each match belongs to: %s, %s', async (host, target, records) => {
    const failed = await failure(host, target);
    const lines = 'quoted' in failed ? (failed.quoted?.match(/@e\d+ .*/gu) ?? []) : [];
    expect(lines).toHaveLength(records.length);
    for (const record of records) expect(lines).toContainEqual(expect.stringMatching(`in: .*${record}`));
  });

  it('matches nothing outside of the row', async () => {
    expect(await failure('orders', '.open in row "Order 20"')).toMatchObject({ code: 'element_not_found' });
    expect(await failure('orders', '.first in row "Order 17"')).toMatchObject({ code: 'element_not_found' });
  });

  it('that is invalid is refused with a position, too', async () => {
    expect(await failure('orders', '..open nth=2')).toMatchObject({ problem: expect.stringContaining('is neither') });
    expect(await failure('orders', '..open in "Order 17"')).toMatchObject({
      problem: expect.stringContaining('is neither'),
    });
  });

  it.each([
    ['.open >> nth=2', 'nth=3'],
    ['button "Open" >> nth=0', 'nth=1'],
    ['.open>>nth=-1', 'nth=1'],
  ])('is refused with a position that counts from 0: %s', async (target, form) => {
    expect(await failure('orders', target)).toMatchObject({
      code: 'invalid_argument',
      problem: expect.stringContaining('>> nth='),
      hint: expect.stringContaining(form),
    });
  });
});

describe('a wait for a CSS selector', () => {
  const isSeen = async (value: string, isGone: boolean) => {
    const page = await on('orders');
    const { tab, refs } = page;
    const tabs = { tab, byId: () => tab };
    return waitFor({ kind: 'selector', value, isGone }, tabs, refs, 0, AbortSignal.timeout(25_000));
  };

  it.each(['.open nth=3', '.open in row "Order 18"', 'button in "Order 17"', 'tr button nth=6'])(
    'ends when an element at this position, or in this row, is seen: %s',
    async (value) => {
      expect(await isSeen(value, false)).toMatchObject({ alreadySo: true });
    },
  );

  it.each(['.open nth=4', '.open in row "Order 20"', '.first in row "Order 18"'])(
    'ends when none is there, if it is to go away: %s',
    async (value) => {
      expect(await isSeen(value, true)).toMatchObject({ alreadySo: true });
    },
  );
});

describe('a position after words without a role', () => {
  it.each([
    ['Email nth=2', 'second'],
    ['"Email" nth=1', 'first'],
    ['Save changes nth=2', 'two'],
  ])('selects one of the elements with this label: %s', async (target, name) => {
    expect(await found('orders', target)).toBe(name);
  });
});
