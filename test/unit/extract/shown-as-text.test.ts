import { describe, expect, it } from 'vitest';
import { markdownOf, read } from './support.ts';

const SEEN = 'Kettles boil water for tea, and good kettles do it quickly.';

describe('a form', () => {
  const form = (fields: string) => markdownOf(`<form>${fields}</form>`);

  it('shows each field with its label, kind, limits and value', async () => {
    expect(await form('<label for="n">Name</label> <input id="n" required value="Ada" placeholder="Jane">')).toBe(
      'Name [text field, required, placeholder “Jane”, value “Ada”]',
    );
    expect(await form('<label>Age <input type="number" min="18" max="99"></label>')).toBe(
      'Age [number field, from 18, up to 99]',
    );
    expect(await form('<input aria-label="Search the shop" type="search">')).toBe('Search the shop [search field]');
    expect(await form('<label>Note <textarea>two\nlines</textarea></label>')).toBe(
      'Note [text area, value “two lines”]',
    );
    expect(await form('<input type="file" accept=".pdf" title="Bill"> <input type="submit" value="Send">')).toBe(
      'Bill [file field, takes .pdf] Send',
    );
  });

  it('shows options, their groups, and the selected ones', async () => {
    const groups = '<optgroup label="Green"><option>Sencha<option>Matcha</optgroup><option selected>Assam</option>';
    expect(await form(`<label>Tea <select>${groups}</select></label>`)).toBe(
      'Tea [one of: Green (Sencha; Matcha); Assam (chosen)]',
    );
    expect(await form('<select multiple><option>a<option selected>b</select>')).toBe('[any of: a; b (chosen)]');
    expect(await form('<select><option>a<option>b</select>')).toBe('[one of: a (chosen); b]');
    const disabled = '<optgroup label="Old" disabled><option>a</optgroup><option disabled>b';
    expect(await form(`<select>${disabled}<option>c</select>`)).toBe('[one of: Old (a); b; c (chosen)]');
    expect(await form('<select size="4"><option>a<option>b</select>')).toBe('[one of: a; b]');
    expect(
      await form('<label><input type="radio" checked> Small</label> <label><input type="checkbox"> With milk</label>'),
    ).toBe('◉ Small ☐ With milk');
    const list = '<datalist id="l"><option value="red"><option value="blue"></datalist>';
    expect(await form(`<label>A <input list="l"></label> <label>B <input list="l"></label>${list}`)).toBe(
      'A [text field, suggests: red; blue] B [text field, suggests what a field above does]',
    );
  });

  it('never shows the value of a private field', async () => {
    const text = await form(
      '<input type="password" value="kelp"><input name="cvc" value="kelp"><textarea name="otp">kelp</textarea>' +
        '<select autocomplete="cc-exp-month"><option>1<option selected>2</select><input type="hidden" value="kelp">',
    );
    expect(text).toBe('[password field] [text field] [text area] [one of: 1; 2]');
  });

  it('reports how many options it omits', async () => {
    const many = Array.from({ length: 400 }, (_, at) => `<option>c${at}</option>`).join('');
    const text = (await form(`<label>City <select>${many}</select></label>`)).replaceAll('\n', ' ');
    expect(text).toContain('c299; and 100 more that are left out here]');
    expect(text).not.toContain('c300');
    // The chosen option may be among the omitted ones.
    expect(text).not.toContain('(chosen)');
  });

  it('leaves room for the rest of the page when it has endless options', async () => {
    const lists = `<select>${'<option>a'.repeat(290)}</select>`.repeat(60);
    expect(await markdownOf(`<form>${lists}</form><p>${SEEN}</p>`)).toContain(SEEN);
  });

  it('does not let page text end a field', async () => {
    expect(await form('<label>a <input value="](javascript:x) [b](/c) **d**"></label>')).toBe(
      'a [text field, value “\\](javascript:x) \\[b\\](/c) \\*\\*d\\*\\*”]',
    );
  });

  it('is shown inside table cells', async () => {
    const row = '<tr><th>Size</th><td><select><option>a|b<option>c</select></td></tr>';
    expect(await markdownOf(`<table>${row}</table>`)).toContain('| Size | [one of: a\\|b (chosen); c] |');
  });

  it('shows a field outside a form by its label, and omits menu switches', async () => {
    expect(await markdownOf('<p>Sort by <select><option>price</select></p>')).toBe('Sort by [one of: price (chosen)]');
    expect(await markdownOf(`<p>${SEEN}</p><input type="checkbox" id="m"><label for="m">Menu</label>`)).not.toMatch(
      /☐/,
    );
  });
});

describe('a frame', () => {
  it('is named with its address', async () => {
    expect(
      await markdownOf('<p>a</p><iframe src="/v" title="A film"></iframe><iframe src="https://b.example/x"></iframe>'),
    ).toBe('a\n\n[Frame: A film](https://docs.example/v)\n\n[Frame: b.example](https://b.example/x)');
    expect(await markdownOf('<frameset><frame src="/menu" name="menu"><frame src="/main"></frameset>')).toBe(
      '[Frame: menu](https://docs.example/menu)\n\n[Frame: docs.example](https://docs.example/main)',
    );
  });

  it('is not named if it only counts visitors', async () => {
    const pixel =
      '<iframe src="/p" width="1" height="1"></iframe><iframe src="/q" hidden></iframe><iframe src="about:blank"></iframe>';
    expect(await markdownOf(`<p>a</p>${pixel}`)).toBe('a');
  });

  it('is replaced by its inline document, once', async () => {
    const { lines, cuts } = await read(
      'html',
      `<p>a</p><iframe srcdoc="<h2>Form</h2><p>b &amp;amp; c</p><iframe srcdoc='<p>deep</p>'></iframe>"></iframe><p>d</p>`,
    );
    expect(lines.join('\n')).toBe('a\n\n## Form\n\nb & c\n\nd');
    expect(cuts).toEqual(['A frame inside a frame was left out.']);
  });

  it('is cut when its document is endless, and a note reports this', async () => {
    const { lines, cuts } = await read(
      'html',
      `<iframe srcdoc="${'<b>x</b> '.repeat(40_000)}"></iframe><p>${SEEN}</p>`,
    );
    expect(lines.join('\n')).toContain(SEEN);
    expect(cuts).toEqual([
      'Documents in frames of more than 200000 characters were cut.',
      'Documents in frames are too large: some of their content was left out.',
    ]);
  });
});

describe('an element with a name but no text', () => {
  it('is shown by its name', async () => {
    expect(await markdownOf('<p>On <a href="/g" aria-label="GitHub"><i></i></a>.</p>')).toBe(
      'On [GitHub](https://docs.example/g).',
    );
    expect(await markdownOf('<svg role="img"><title>Sales</title><desc>from 3 to 9</desc><text>9</text></svg>')).toBe(
      '![Sales: from 3 to 9]() 9',
    );
    expect(await markdownOf('<p>Rated <svg aria-label="4 of 5 stars"><path/></svg></p>')).toBe(
      'Rated ![4 of 5 stars]()',
    );
    const cells = '<td><span role="img" aria-label="yes"></span></td><td><svg><title>no</title></svg></td>';
    expect(await markdownOf(`<table><tr><th>a</th><th>b</th></tr><tr>${cells}</tr></table>`)).toContain('| yes | no |');
  });

  it('is followed by its labels, in the order of the source, when it is a drawing', async () => {
    const svg =
      '<title>A flow</title><g><text x="1">Load</text></g><text><tspan x="0">one</tspan><tspan x="0">two</tspan></text><text>H<tspan dy="2">2</tspan>O</text>';
    expect(await markdownOf(`<p>a</p><figure><svg viewBox="0 0 9 9">${svg}</svg></figure><p>b</p>`)).toBe(
      'a\n\n![A flow]()\n\nLoad · one two · H2O\n\nb',
    );
    const html = '<div xmlns="http://www.w3.org/1999/xhtml"><span class="nodeLabel">Start <b>here</b></span></div>';
    expect(await markdownOf(`<svg><g><foreignObject>${html}</foreignObject></g><text>End</text></svg>`)).toBe(
      'Start here · End',
    );
    const flow = '<svg><text>Start</text><text>End</text></svg>';
    expect(await markdownOf(`<p>The path ${flow} is short.</p>`)).toBe('The path Start · End is short.');
    expect(await markdownOf(`<p>a<svg><text>x</text></svg>b, <svg><text>y</text></svg>, c</p>`)).toBe('a x b, y, c');
    const icon = '<svg viewBox="0 0 24 24"><text>i</text></svg>';
    expect(await markdownOf(`<h2>Tea ${icon}</h2><p>Read ${icon} this</p>`)).toBe('## Tea\n\nRead this');
    const both = '<switch><foreignObject><p>One</p></foreignObject><text>One</text></switch>';
    expect(await markdownOf(`<p>a</p><svg>${both}<switch><g><text>Two</text></g><text>2</text></switch></svg>`)).toBe(
      'a\n\nOne · Two',
    );
    expect(await markdownOf('<p>Rated <svg><text>4 of 5</text></svg> stars</p>')).toBe('Rated 4 of 5 stars');
    expect(await markdownOf('<p><a href="/g"><svg><text>Docs</text></svg></a></p>')).toBe(
      '[Docs](https://docs.example/g)',
    );
    const cells = '<td>1</td><td><svg><text>9</text><text>8</text></svg></td>';
    expect(await markdownOf(`<table><tr><th>a</th><th>b</th></tr><tr>${cells}</tr></table>`)).toContain(
      '| 1 | 9 · 8 |',
    );
    expect(await markdownOf('<p>a</p><svg width="16" height="16"><text>i</text></svg>')).toBe('a');
  });

  it('has a limited number of labels when it is a drawing', async () => {
    const text = await markdownOf(`<svg>${'<text>a</text>'.repeat(5_000)}</svg>`);
    expect(text.match(/a/g)).toHaveLength(300);
  });

  it('has its pronunciation in parentheses when it is a word with ruby text', async () => {
    expect(await markdownOf('<p><ruby>東京<rp>(</rp><rt>とうきょう</rt><rp>)</rp></ruby>へ</p>')).toBe(
      '東京(とうきょう)へ',
    );
  });
});

describe('a shadow root', () => {
  it('shows the content of its host in its slots', async () => {
    expect(
      await markdownOf(
        '<x-card><template shadowrootmode="open"><h2><slot name="t">No title</slot></h2><slot></slot><p>end</p></template><p>first</p><span slot="t">Title</span><p>second</p></x-card>',
      ),
    ).toBe('## Title\n\nfirst\n\nsecond\n\nend');
    expect(await markdownOf('<x-a><template shadowrootmode="open"><p><slot>Fallback</slot></p></template></x-a>')).toBe(
      'Fallback',
    );
  });

  it('passes slotted content to a shadow root inside it', async () => {
    const inner =
      '<x-b><template shadowrootmode="open"><blockquote><slot></slot></blockquote></template><slot></slot></x-b>';
    expect(await markdownOf(`<x-a><template shadowrootmode="open">${inner}</template><p>text</p></x-a>`)).toBe(
      '> text',
    );
  });
});

describe('a tab panel', () => {
  it('begins with the label of its tab', async () => {
    const tabs =
      '<div role="tablist"><button role="tab" id="t1">npm</button><button role="tab" aria-controls="p2">yarn</button></div>';
    const panels =
      '<div role="tabpanel" aria-labelledby="t1"><pre>npm i</pre></div><div role="tabpanel" id="p2" hidden><pre>yarn add</pre></div>';
    expect(await markdownOf(tabs + panels)).toBe(
      'npm yarn\n\n**npm**\n\n```\nnpm i\n```\n\n**yarn**\n\n```\nyarn add\n```',
    );
  });

  it('begins with the label even if only its style makes it a tab panel', async () => {
    const labels = '<div class="tabbed-labels"><label for="a">Linux</label><label for="b">macOS</label></div>';
    const blocks =
      '<div class="tabbed-content"><div class="tabbed-block"><p>apt</p></div><div class="tabbed-block"><p>brew</p></div></div>';
    expect(await markdownOf(`<div class="tabbed-set">${labels}${blocks}</div>`)).toBe(
      'Linux macOS\n\n**Linux**\n\napt\n\n**macOS**\n\nbrew',
    );
  });
});

describe('hidden parts that the user can choose', () => {
  const choice =
    '<label>System <select><option value="linux">Linux</option><option value="mac">macOS</option></select></label>';
  const parts =
    '<div><div id="os-linux" hidden><p>Use apt.</p></div><div id="os-mac" style="display:none"><p>Use brew.</p></div></div>';

  it('are in the rest of the page, each with the control that shows it', async () => {
    const html = `<article><h1>Kettles</h1>${`<p>${SEEN}</p>`.repeat(5)}${choice}${parts}<p>Last words.</p></article>`;
    const { lines, restStart = 0 } = await read('html', html, 'readable');
    expect(lines.slice(0, restStart).join('\n')).not.toContain('Use');
    expect(lines.slice(restStart + 1).join('\n')).toBe(
      '**Not shown until chosen: Linux**\n\nUse apt.\n\n**Not shown until chosen: macOS**\n\nUse brew.',
    );
  });

  it.each([
    [
      'radio buttons',
      '<label><input type="radio" value="linux"> Linux</label><label><input type="radio" value="mac"> macOS</label>',
    ],
    ['tabs', '<ul class="nav-tabs"><li><a href="#os-linux">Linux</a></li><li><a href="#os-mac">macOS</a></li></ul>'],
  ])('may be chosen by %s', async (_, controls) => {
    const text = await markdownOf(`<p>${SEEN}</p><form>${controls}</form>${parts}`);
    expect(text).toContain('**Not shown until chosen: macOS**\n\nUse brew.');
  });

  it('are counted when there are too many', async () => {
    const many = Array.from({ length: 60 }, (_, at) => `<div id="os-mac" hidden>part ${at}</div>`).join('');
    const { lines, cuts } = await read('html', `<p>${SEEN}</p>${choice}${many}`);
    expect(lines.join('\n')).not.toContain('part 1');
    expect(cuts).toEqual(['More than 50 hidden parts wait for a choice: some were left out.']);
  });
});

describe('the target of a redirect within a page', () => {
  it('is shown when the page is read', async () => {
    const html = `<meta http-equiv="refresh" content="30;url=/next"><p>${`${SEEN} `.repeat(20)}</p>`;
    expect((await markdownOf(html)).split('\n').at(-1)).toBe(
      '[This page sends its readers on to this address](https://docs.example/next)',
    );
  });
});
