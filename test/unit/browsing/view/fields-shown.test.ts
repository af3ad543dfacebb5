import { describe, expect, it } from 'vitest';
import { recordedPages } from '#support/recorded/recorded-pages.ts';

let body = '';

const pages = recordedPages(
  'view/fields-shown',
  () => `<!doctype html><meta charset="utf-8"><title>T</title><body>${body}`,
);

function openPage(html: string) {
  body = html;
  return pages.open('http://site.example/');
}

async function shown(html: string): Promise<string[]> {
  return (await (await openPage(html)).text()).split('\n');
}

describe('the value of a field', () => {
  it('keeps its line breaks', async () => {
    expect(await shown('<textarea aria-label="Notes">one\ntwo</textarea>')).toEqual([
      '@e1 textbox "Notes" = "one⏎two"',
    ]);
    expect(await shown('<div contenteditable role="textbox" aria-label="Text"><p>one</p><p>two</p></div>')).toEqual([
      '@e1 textbox "Text" = "one⏎two"',
    ]);
  });

  it.each([
    [
      'among its text',
      '<p><span contenteditable="false" style="position:absolute;pointer-events:none">Say it</span><span>\uFEFF<br></span></p>',
      '',
    ],
    ['as a widget', '<div><b contenteditable="false" style="user-select:none">Say it</b><br></div>', ''],
    ['in an attribute of its first line', '<p data-placeholder="Say it"><br></p>', ''],
    ['in an attribute of its own', '<p><br></p>', 'data-placeholder="Say it"'],
  ])('is not the placeholder that an editor stores %s', async (_, inner, attribute) => {
    const editor = `<div contenteditable role="textbox" aria-label="Message" ${attribute}>${inner}</div>`;
    expect(await shown(editor)).toEqual(['@e1 textbox "Message" (placeholder "Say it")']);
  });

  it('is shown next to a part that cannot be edited', async () => {
    const editor =
      '<div contenteditable role="textbox" aria-label="Message">To <b contenteditable="false" style="user-select:none">Ada</b></div>';
    expect(await shown(editor)).toEqual(['@e1 textbox "Message" = "To Ada"']);
  });

  it('is a short number even if Chromium stores a long one', async () => {
    expect(await shown('<meter value="0.7"></meter>')).toEqual(['meter = 0.7 (0–1)']);
  });
});

describe('the options of a list', () => {
  it('are those that the browser shows', async () => {
    const html = `<select aria-label="A"><option hidden selected>Pick<option>one<option style="display: none">two
      <optgroup hidden label="g"><option>three</optgroup><option>four</select>`;
    expect(await shown(html)).toEqual(['@e1 combobox "A" = "Pick" of "one" "four"']);
  });

  it('are marked as disabled only as long as they are', async () => {
    const page =
      await openPage(`<script>const later = () => document.querySelectorAll('.later').forEach((one) => { one.disabled = false; });</script>
      <select aria-label="A" class="later" disabled><option>one<option disabled>two</select>
      <fieldset class="later" disabled><select aria-label="B"><option>one</select><select aria-label="C" multiple><option>one</select></fieldset>
      <select aria-label="D"><option disabled class="later">one<optgroup class="later" label="g" disabled><option>two</optgroup><option aria-disabled="true">three</select>`);
    expect((await page.text()).split('\n')).toEqual([
      '@e1 combobox "A" = "one" of "one" "two" disabled',
      '@e2 combobox "B" = "one" of "one" disabled',
      '@e3 listbox "C" of "one" disabled',
      '@e4 combobox "D" = "three" of "one" (disabled) "two" (disabled) "three" (disabled)',
    ]);
    await page.run('later()');
    expect((await page.text()).split('\n')).toEqual([
      '@e1 combobox "A" = "one" of "one" "two" (disabled)',
      '@e2 combobox "B" = "one" of "one"',
      '@e3 listbox "C" of "one"',
      '@e4 combobox "D" = "three" of "one" "two" "three" (disabled)',
    ]);
  });

  it('of a drawn list are shown where its field owns the list, with groups that are lists themselves', async () => {
    const group = (name: string, ...options: string[]) =>
      `<li role="group" aria-label="${name}"><strong>${name}</strong><ul>${options.map((one) => `<li role="option"${one === 'Malta' ? ' aria-disabled="true"' : ''}>${one}</li>`).join('')}</ul></li>`;
    const list = `<style>li { list-style: none }</style><ul role="listbox" id="list">${group('North', 'Norway', 'Sweden')}${group('South', 'Spain', 'Malta')}</ul>`;
    const field =
      '<div role="combobox" tabindex="0" aria-label="Land" aria-expanded="true" aria-owns="list">None</div>';
    const page = await openPage(field + list);
    expect((await page.text()).split('\n')).toEqual([
      '@e1 combobox "Land" = "None" expanded',
      ' @e2 listbox',
      '  group "North"',
      '   @e3 option "Norway"',
      '   @e4 option "Sweden"',
      '  group "South"',
      '   @e5 option "Spain"',
      '   @e6 option "Malta" disabled',
    ]);
    expect((await page.resolve('option "Spain"')).name).toBe('');
  });

  it('do not hide the text of a list that has none', async () => {
    const list = '<div role="listbox" id="list"><div>No results for Xy</div></div>';
    const field = '<input role="combobox" aria-label="Land" aria-expanded="true" aria-controls="list">';
    expect(
      await shown(
        `${field}${list}<div role="combobox" tabindex="0" aria-label="Port" aria-expanded="true" aria-owns="menu"></div><ul role="menu" id="menu"><li style="list-style: none">Loading ports</li></ul>`,
      ),
    ).toEqual([
      'menu',
      ' Loading ports',
      '@e1 combobox "Land" expanded',
      '@e2 listbox',
      ' No results for Xy',
      '@e3 combobox "Port" expanded',
    ]);
  });

  it('are listed for a list with its own style', async () => {
    const style = '<style>select, ::picker(select) { appearance: base-select }</style>';
    const list =
      '<select aria-label="A"><button><selectedcontent></selectedcontent></button><option>one<option>two</select>';
    expect(await shown(style + list)).toEqual(['@e1 combobox "A" = "one" of "one" "two"']);
  });
});

describe('a box without a name', () => {
  it('is named by the words next to it, and found by them', async () => {
    const page = await openPage(
      '<div><span><input type="checkbox"></span><span>Act on it</span></div><p><input type="checkbox"> Plain<br><input type="checkbox"> Other</p>',
    );
    expect((await page.text()).split('\n').filter((line) => line.startsWith('@'))).toEqual([
      '@e1 checkbox (beside "Act on it")',
      '@e2 checkbox (beside "Plain")',
      '@e3 checkbox (beside "Other")',
    ]);
    for (const [target, place] of [
      ['"Act on it"', 0],
      ['checkbox "Other"', 2],
    ] as const) {
      const found = await page.resolve(target);
      expect(await page.ask(found, `[...document.querySelectorAll('input')].indexOf(this)`)).toBe(place);
    }
  });

  it('is named by the words before it, where labels are placed there', async () => {
    const lines = await shown('<p>First <input type="radio"> Second <input type="radio"></p>');
    expect(lines.join('\n')).toContain('radio (beside "Second")');
    expect(lines.join('\n')).toContain('radio (beside "First")');
  });

  it('is not identified by words that may belong to another', async () => {
    const lines = await shown('<p>Send <input type="checkbox"> daily</p>');
    expect(lines.join('\n')).not.toContain('beside');
  });
});
