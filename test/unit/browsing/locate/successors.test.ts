import { describe, expect, it } from 'vitest';
import type { PageWithRefs } from '#support/page-with-refs.ts';
import { recordedPages } from '#support/recorded/recorded-pages.ts';
import type { RecordedTab } from '#support/recorded/recorded-tab.ts';

const ROWS = Array.from(
  { length: 26 },
  (_, at) => `<tr><td>Order ${at}<td><button>Open</button><button class="x">×</button></tr>`,
);
const PAGES: Record<string, string> = {
  '/rows': `<h1>All orders</h1><table id="t">${ROWS.join('')}</table>`,
  '/icons': `<h1>All tasks</h1><ul>${['Milk', 'Bread'].map((name) => `<li>${name} <input type="checkbox"></li>`).join('')}</ul>`,
  '/bare': `<h1>All parts</h1><div><p>One</p><div>Two</div></div><div id="bare" style="cursor: pointer; width: 9px; height: 9px"></div>`,
  '/one': `<h1>All of it</h1><button id="buy">Buy</button><button>Cancel</button><p>More to read</p>`,
};

describe('a stale ref', () => {
  const pages = recordedPages(
    'locate/successors',
    ({ pathname }) => `<!doctype html><title>S</title>${PAGES[pathname] ?? ''}`,
  );
  const open = (path: string) => pages.open(`http://site.example${path}`);
  /** The elements that the failure lists, without the page. */
  const listed = async (page: PageWithRefs<RecordedTab>, ref: string) => {
    const failure = await page.failure(ref);
    expect(failure).toMatchObject({ code: 'stale_ref' });
    expect(JSON.stringify(failure)).not.toContain('All o');
    return {
      ofRole: 'ofRole' in failure,
      lines: 'alike' in failure ? (failure.alike ?? '').split('\n').slice(1, -1) : [],
    };
  };

  it('with many similar elements first lists those of its own row, and their number', async () => {
    const page = await open('/rows');
    const ref = await page.refOf('button "Open"', 20);
    // Redrawn at another place, so it may be another element.
    await page.run('t.insertAdjacentHTML("beforeend", t.rows[20].outerHTML)');
    await page.run('t.rows[20].remove()');
    const { lines } = await listed(page, ref);
    expect(lines[0]).toMatch(/^@e\d+ button "Open" in: Order 20/u);
    expect(lines).toHaveLength(11);
    expect(lines.at(-1)).toBe('(16 more)');
  });

  it('of a row with new content first lists its element as it is now', async () => {
    const page = await open('/rows');
    const ref = await page.refOf('button "Open"', 3);
    await page.run('(t.rows[3].cells[0].textContent = "Order 99")');
    const { lines } = await listed(page, ref);
    expect(lines[0]).toMatch(/^@e\d+ button "Open" in: Order 99/u);
  });

  it('of a clickable element lists only elements that can be clicked', async () => {
    const page = await open('/bare');
    const ref = await page.refOf('clickable');
    await page.run('bare.remove()');
    expect((await listed(page, ref)).lines).toEqual([]);
  });

  it('without a name lists nameless elements of its role, with their rows', async () => {
    const page = await open('/icons');
    const ref = await page.refOf('checkbox');
    await page.run(
      '(() => { const [first] = document.querySelectorAll("li"); first.replaceWith(Object.assign(document.createElement("li"), { innerHTML: "Eggs <input type=checkbox>" })); })()',
    );
    const { lines } = await listed(page, ref);
    expect(lines.join('\n')).toMatch(/checkbox.* in: Eggs\n.*checkbox.* in: Bread/u);
  });

  it('lists elements of its role if none has its name, and nothing if there are none', async () => {
    const page = await open('/one');
    const ref = await page.refOf('button "Buy"');
    await page.run('(buy.textContent = "Sold")');
    const [now, other] = (await listed(page, ref)).lines;
    expect([now, other]).toEqual([
      expect.stringMatching(/button "Sold"$/u),
      expect.stringMatching(/button "Cancel"$/u),
    ]);
    await page.run('buy.remove()');
    expect(await listed(page, ref)).toMatchObject({
      ofRole: true,
      lines: [expect.stringMatching(/button "Cancel"$/u)],
    });
    await page.run('document.querySelector("button").remove()');
    expect(await listed(page, ref)).toEqual({ ofRole: false, lines: [] });
    expect(await listed(page, '@e987')).toEqual({ ofRole: false, lines: [] });
  });
});
