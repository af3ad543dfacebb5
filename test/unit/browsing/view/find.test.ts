import { beforeAll, describe, expect, it } from 'vitest';
import { PeriscopeError } from '#core/failures/failure.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import { findLines, compileFinder } from '#browsing/view/find.ts';
import type { OutlineLine } from '#browsing/view/view-line.ts';
import type { PageWithRefs } from '#support/page-with-refs.ts';
import { recordedPages } from '#support/recorded/recorded-pages.ts';
import type { RecordedTab } from '#support/recorded/recorded-tab.ts';

const people = ['Ada', 'Bob', 'Cid'].map(
  (name) => `<li>${name} wrote <button>Open</button><button>Delete</button></li>`,
);
const PAGE = `<h2>Inbox</h2><ul>${people.join('')}</ul><h2>Plans</h2>
  <table><tr><td>Zoe<td>Plan 2026<td><button>Edit</button><tr><td>Yan<td>None<td><button>Edit</button></table>
  <textarea aria-label="Program">${Array.from({ length: 90 }, (_, n) => `let part${n} = ${n};`).join('\n')}</textarea>
  <p>${'Many words. '.repeat(60)}The needle is here.</p><div onclick="1"><p>Yam soup</p><p>Zucchini</p></div>`;

let page: PageWithRefs<RecordedTab>;
const documentOf = (body: string) => `<!doctype html><title>T</title><body>${body}</body>`;
let body = '';
const pages = recordedPages('view/find', ({ pathname }) => documentOf(pathname === '/' ? PAGE : body));

beforeAll(async () => {
  page = await pages.open('http://site.example/');
});

const element = (parent: AxElement | null): AxElement => ({
  document: { frameId: 'F', loaderId: 'L' },
  backendNodeId: 1,
  role: 'generic',
  name: '',
  value: '',
  description: '',
  url: '',
  properties: new Map(),
  labels: [],
  notes: [],
  ignored: false,
  parent,
  children: [],
});

const bare = async (find: string) => (await page.text({ find })).replaceAll(/@e\d+ /gu, '').split('\n');

async function foundOn(html: string, options: { find: string; context?: number }): Promise<string[]> {
  body = html;
  const other = await pages.open('http://site.example/other');
  return (await other.text(options)).split('\n').map((line) => line.trim().replaceAll(/@e\d+ /gu, ''));
}

describe('a search on a live page', () => {
  it('shows the matching lines of a long value, wherever it is cut', async () => {
    expect(await page.text({ find: 'part7' })).toMatch(
      /@e\d+ textbox "Program" \(of 90 lines, line 8: "let part7 = 7;", line 71: "let part70 = 70;",.*, and 6 more\)/u,
    );
    expect(await page.text({ find: '/part8[12] =/' })).toMatch(
      /\(of 90 lines, line 82: "let part81 = 81;", line 83: "let part82 = 82;"\)/u,
    );
  });

  it('shows only the match with its row, its controls and the heading above', async () => {
    expect(await bare('BOB')).toEqual(['## Inbox', '- Bob wrote', ' button "Open"', ' button "Delete"']);
  });

  it('takes a regular expression between slashes', async () => {
    expect(await bare('/plan \\d+/i')).toEqual(['## Plans', '| Zoe | Plan 2026 | [button "Edit"]']);
  });

  it('searches the text that a view would cut', async () => {
    expect((await bare('needle is'))[1]).toMatch(/^…? ?.*The needle is here\.$/u);
  });

  it('gives refs that resolve to the elements shown', async () => {
    const ref = /@e\d+(?= button "Delete")/u.exec(await page.text({ find: 'cid' }))?.[0] ?? '';
    expect(await page.ask(await page.resolve(ref), 'this.parentElement.textContent')).toContain('Cid');
  });

  it('shows the controls nearest to the match in a large row', async () => {
    const items = Array.from({ length: 40 }, (_, at) => `<p>Word ${at}.</p><button>Act ${at}</button>`).join('');
    const row = `<ul><li>${items}</li><li><button>Act 1</button></li><li><button>Act 2</button></li></ul>`;
    body = row;
    const large = await pages.open('http://site.example/other');
    const found = (await large.text({ find: 'word 20.' })).replaceAll(/@e\d+ /gu, '').split('\n');
    expect(found.filter((line) => line.includes('button')).map((line) => line.trim())).toEqual(
      [16, 17, 18, 19, 20, 21, 22, 23].map((at) => `button "Act ${at}"`),
    );
  });

  it('includes all checkboxes of a large row, however far away they are', async () => {
    const hovered = ['Archive', 'Delete', 'Snooze', 'Mute', 'Move', 'Print', 'Reply', 'Forward', 'Label'];
    const row = `<li><input type="checkbox" aria-label="Select"><button aria-pressed="true">Star</button><p>From Ada</p><p>Tides</p>
      ${hovered.map((name) => `<button>${name}</button>`).join('')}<p>Low water at noon</p></li>`;
    const found = await foundOn(`<ul>${row}<li><button>Star</button><p>Other</p></li></ul>`, { find: 'low water' });
    expect(found).toContain('checkbox "Select"');
    expect(found).toContain('button "Star" pressed');
  });

  it('shows the first words of a large row, which say what it is about', async () => {
    const notes = ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven'].map((word) => `<p>${word}</p>`).join('');
    const row = (name: string) =>
      `<li><h3>${name}</h3><p>For Ada</p>${notes}<p>Paid by ${name}</p><button>Open</button></li>`;
    const found = await foundOn(`<ul>${row('Order 17')}${row('Order 18')}</ul>`, { find: 'paid by order 18' });
    expect(found).toEqual(['### Order 18', 'For Ada', 'Paid by Order 18', 'button "Open"']);
  });

  it('shows the other texts of a row that is made of boxes, and nothing around a paragraph', async () => {
    const row = (...cells: string[]) => `<div>${cells.map((cell) => `<div>${cell}</div>`).join('')}</div>`;
    const long = 'The harbour opens at dawn, and the first boats leave with the ebb before the sun is over the mole.';
    const html = `<h2>Orders</h2><div>${row('Order 17', 'Ada', 'Paid')}${row('Order 18', 'Bob', 'Open')}</div>
      <h2>Notes</h2><div><div><p>${long}</p><p>Ask Cid.</p></div><div><p>${long}</p><p>Ask Dan.</p></div></div>`;
    expect(await foundOn(html, { find: 'paid' })).toEqual(['## Orders', 'Order 17', 'Ada', 'Paid']);
    expect(await foundOn(html, { find: 'ask dan' })).toEqual(['## Notes', 'Ask Dan.']);
  });

  it('shows the heading above a card without a name', async () => {
    const card = (name: string) => `<div draggable="true">${name} <button>Open</button><button>Delete</button></div>`;
    const html = `<h2>Doing</h2><div>${card('Sails')}</div><h2>Done</h2><div>${card('Ropes')}${card('Masts')}</div>`;
    expect((await foundOn(html, { find: 'masts' }))[0]).toBe('## Done');
  });

  it('shows the field that a label or a value belongs to, and no other', async () => {
    const field = (name: string, value: string) =>
      `<div><div>${name} <button>Edit</button></div><div>${value}</div></div>`;
    const html = `<div><div>Allow landing</div><label><input type="checkbox" checked><span></span></label></div>
      <h3>Times</h3>${field('Mast', '9 m')}${field('Due date', 'None')}${field('Built', '1998')}`;
    expect(await foundOn(html, { find: 'allow' })).toEqual([
      'Allow landing',
      'checkbox (beside "Allow landing") checked',
    ]);
    expect(await foundOn(html, { find: 'due' })).toEqual(['### Times', '- Due date', 'button "Edit"', 'None']);
    expect(await foundOn(html, { find: '1998' })).toEqual(['### Times', '- Built', 'button "Edit"', '1998']);
  });

  it('shows the requested number of lines around a match', async () => {
    const html = Array.from({ length: 9 }, (_, at) => `<p>Line ${at}</p>`).join('');
    expect(await foundOn(html, { find: 'line 4' })).toEqual(['Line 4']);
    expect(await foundOn(html, { find: 'line 4', context: 2 })).toEqual([2, 3, 4, 5, 6].map((at) => `Line ${at}`));
    expect(await foundOn(html, { find: 'line 0', context: 1 })).toEqual(['Line 0', 'Line 1']);
  });

  it('finds nothing in the words that this server adds to describe an element', async () => {
    const html = `<i onclick="1"></i><i onclick="1"></i><textarea aria-label="Log">${'kelp '.repeat(60)}</textarea>`;
    expect(await foundOn(html, { find: '/of \\d/' })).toEqual(['']);
    expect(await foundOn(html, { find: 'browser_read' })).toEqual(['']);
    expect(await foundOn(html, { find: 'kelp' })).toHaveLength(1);
  });

  it('reads each line of a large page only a few times, however many lines match', () => {
    let reads = 0;
    const root = element(null);
    const rows = [element(root), element(root)];
    const lines = Array.from({ length: 4_000 }, (_, at): OutlineLine => {
      const inside = element(rows[at % 2_000 < 1_000 ? 0 : 1] ?? root);
      return {
        depth: 1,
        parts: [`bird ${at}`],
        kind: at % 3 === 0 ? 'element' : 'text',
        get within() {
          reads += 1;
          return inside;
        },
      };
    });
    const found = findLines(lines, compileFinder('bird'), (part) => rows.includes(part));
    expect(found).toHaveLength(lines.length);
    expect(reads).toBeLessThan(10 * lines.length);
  });

  it('shows nothing when nothing matches', async () => {
    expect(await page.snapshot({ find: 'nobody' })).toMatchObject({ text: '', total: 0, next: null });
  });

  it.each(['', '  ', '/(/', `/${'a'.repeat(300)}/`])('refuses %j', async (find) => {
    const error = await page.snapshot({ find }).catch((thrown: unknown) => thrown);
    expect(error instanceof PeriscopeError && error.failure).toMatchObject({ code: 'invalid_argument', field: 'find' });
  });
});

describe('a target given as a role and a name, or as a text', () => {
  it('resolves to the element with this name', async () => {
    expect(await page.resolve('button "edit" nth=2')).toMatchObject({ role: 'button', name: 'Edit' });
    expect(await page.ask(await page.resolve('text=Bob wrote'), 'this.localName')).toBe('li');
  });

  it('resolves to the text itself inside a part that reacts as a whole', async () => {
    expect(await page.ask(await page.resolve('text=zucchini'), 'this.textContent')).toBe('Zucchini');
    expect(await page.ask(await page.resolve('text=Yam'), 'this.localName')).toBe('p');
  });

  it('is refused when several elements match it, and the error lists them with their refs', async () => {
    const failure = await page.failure('button "Delete"');
    expect(failure).toMatchObject({ code: 'invalid_argument', problem: expect.stringContaining('matches 3 elements') });
    expect('quoted' in failure && failure.quoted?.match(/@e\d+ button "Delete"/gu)).toHaveLength(3);
  });

  it.each(['button "Gone"', 'text=Gone'])('is not found when no element has this name: %s', async (target) => {
    expect(await page.failure(target)).toEqual({
      code: 'element_not_found',
      target,
      near: undefined,
      count: 0,
      word: undefined,
    });
  });

  it.each(['button "Delete" nth=9', 'button "Delete" nth=0'])(
    'is not found when fewer elements match than nth asks for: %s',
    async (target) => {
      const failure = await page.failure(target);
      expect(failure).toMatchObject({ code: 'element_not_found' });
      expect('alike' in failure && failure.alike?.match(/@e\d+ button "Delete" in: /gu)).toHaveLength(3);
    },
  );
});
