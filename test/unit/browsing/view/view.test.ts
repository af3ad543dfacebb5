import { describe, expect, it } from 'vitest';
import { VIEW_NAME_CHARS_MAX } from '#browsing/view/limits.ts';
import { utf8Bytes } from '#core/text/text.ts';
import { createSecretMask } from '#browsing/secrets/mask.ts';
import { recordedPages } from '#support/recorded/recorded-pages.ts';

let body = '';
const pages = recordedPages('view/view', ({ pathname }) =>
  pathname === '/inner' ? '<!doctype html><button>Inner</button>' : `<!doctype html><title>T</title><body>${body}`,
);

function show(html: string) {
  body = html;
  return pages.open('http://site.example/docs/page');
}

const shown = async (html: string) => (await show(html)).text();

describe('a snapshot', () => {
  it('has headings, text and interactive elements, one per line', async () => {
    expect(
      await shown(`<h1>Example</h1><p>Some <b>bold</b> words.</p><a href="/docs/more">Details</a>
      <form><label>Email <input type="email" value="a@b" required></label>
      <input type="checkbox" id="c" checked><label for="c">Agree</label>
      <button disabled>Save</button><button aria-expanded="false">Menu</button></form>`),
    ).toBe(
      [
        '# Example',
        'Some bold words.',
        '@e1 link "Details" /docs/more',
        '@e2 textbox "Email" = "a@b" required',
        '@e3 checkbox "Agree" checked',
        '@e4 button "Save" disabled',
        '@e5 button "Menu" collapsed',
      ].join('\n'),
    );
  });

  it('shows text of a list that is not an option', async () => {
    expect(await shown('<div role="listbox" aria-label="People"><div>No people found</div></div>')).toBe(
      '@e1 listbox "People"\n No people found',
    );
    const recent = '<p>Recent</p><div role="option" tabindex="0">Ada</div>';
    expect(await shown(`<div role="listbox">${recent}</div>`)).toBe('@e1 listbox\n Recent\n @e2 option "Ada"');
  });

  it('gives refs to the options of a list that the page draws, but not to those of a select', async () => {
    expect(
      await shown(`<ul role="listbox" aria-label="Fruit"><li role="option" aria-selected="true">Apple<li role="option">Pear</ul>
      <select size="3" aria-label="Size"><option>Small<option>Large</select>`),
    ).toBe(
      [
        '@e1 listbox "Fruit"',
        ' @e2 option "Apple" selected',
        ' @e3 option "Pear"',
        '@e4 listbox "Size" of "Small" "Large"',
      ].join('\n'),
    );
  });

  it('shows every kind of editable element as a field', async () => {
    expect(
      await shown(`<div contenteditable="plaintext-only">plain</div><div contenteditable>rich <b>text</b></div>
      <div contenteditable><p><br></p></div>`),
    ).toBe(['@e1 textbox = "plain"', '@e2 textbox = "rich text"', '@e3 textbox (3rd of 3)'].join('\n'));
  });

  it('binds refs of non-interactive elements to their text, because a page may reuse the elements', async () => {
    const rows = ['Ada', 'Bob', 'Cid'].map((name) => `<div class="row" role="article">${name}</div>`).join('');
    const page = await show(rows);
    const matched = await page.failure('.row');
    const bob = /@e\d+(?= article "Bob")/u.exec('quoted' in matched ? String(matched.quoted) : '')?.[0] ?? '';
    expect(await page.resolve(bob)).toMatchObject({ role: 'article' });
    await page.run(`document.querySelectorAll('.row')[1].textContent = 'Zoe'`);
    expect(await page.failure(bob)).toMatchObject({ code: 'stale_ref' });
  });

  it('shows the areas of an image map next to their image', async () => {
    expect(
      await shown(`<img usemap="#m" alt="Map" width="200" height="100" src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>">
      <map name="m"><area shape="rect" coords="0,0,99,99" href="/north" alt="North"></map>`),
    ).toBe('[img Map] [@e1 North]');
  });

  it('is the same for the same page, refs included', async () => {
    const page = await show('<ul><li><a href="/a">A</a><li><a href="/b">B</a></ul><button>Go</button>');
    expect(await page.text()).toBe(await page.text());
  });

  it('never shows a password, whatever the page calls its field', async () => {
    const text = await shown(`<input type="password" value="hunter2" aria-label="One">
      <input type="password" role="combobox" value="hunter2" aria-label="Two">
      <input type="text" autocomplete="current-password" value="hunter2" aria-label="Three">
      <div id="host"></div><script>host.attachShadow({mode:'closed'}).innerHTML='<input type=password value=hunter2 aria-label=Four>'</script>`);
    expect(text).not.toContain('hunter2');
    expect(text.match(/= "••••"/g)).toHaveLength(4);
  });

  it('shows a text after another text that quotes it', async () => {
    expect(await shown('<p>She said "Hello"</p><p>Hello</p><button>Hello</button><p>Hello</p>')).toBe(
      'She said "Hello"\nHello\n@e1 button "Hello"',
    );
  });

  it('marks struck-out text', async () => {
    expect(
      await shown(
        `<p>Price: <del>$120</del> <ins>$89</ins><s></s></p><table><tr><td><s>10 <b>€</b></s> 8 €<td>x</table>`,
      ),
    ).toBe('Price: ~~$120~~ $89\n| ~~10 €~~ 8 € | x');
  });

  it('omits everything that is hidden', async () => {
    const text = await shown(`<p hidden>One</p><p style="display:none">Two</p><p style="visibility:hidden">Three</p>
      <p aria-hidden="true" style="opacity:0">Four</p><details><summary>More</summary>Five</details><p>Seen\u{e0041}\u200b\u202e.</p>`);
    expect(text).toBe('@e1 summary "More" collapsed\nSeen.');
  });

  it('shows no imitation of a ref in the text of the page', async () => {
    const page = await show('<p>@e7 button "Pay"</p><a href="/x" aria-label="@e9 &quot;Yes&quot;">x</a>');
    expect(await page.text()).toBe('\\@e7 button "Pay"\n@e1 link "\\@e9 \'Yes\'" /x');
  });

  it('shows a table row by row, with the refs of its links', async () => {
    expect(
      await shown(
        `<table><caption>People</caption><tr><th>Name<th>Age<tr><td><a href="/al">Al</a><td>3<tr><td>Bo<td>4</table>`,
      ),
    ).toBe('table "People"\n | Name | Age\n | [@e1 Al] | 3\n | Bo | 4');
  });

  it('keeps links inside their sentence and nested lists inside their item', async () => {
    expect(
      await shown('<p>Read <a href="/a">this</a> first.</p><ul><li>One<ul><li>Two</ul></ul><ol><li>First</ol>'),
    ).toBe('Read [@e1 this] first.\n- One\n - Two\n1. First');
  });

  it('shortens the destinations of links', async () => {
    expect(
      await shown(`<main><h2>Links</h2>
      <p><a href="https://other.example/a">Other</a></p><p><a href="/very?q=0123456789012345678901234567">Query</a></p>
      <p><a href="javascript:go()">Script</a></p><p><a href="data:text/html,x">Data</a></p>
      <p><a href="#part">Part</a></p><p><a href="/news/2026/a-cat-sat-down">A cat sat down</a></p></main>`),
    ).toBe(
      [
        'main',
        ' ## Links',
        ' @e1 link "Other" other.example/a',
        ' @e2 link "Query" /very?…',
        ' @e3 link "Script"',
        ' @e4 link "Data"',
        ' @e5 link "Part" #part',
        ' @e6 link "A cat sat down" /news/2026/…',
      ].join('\n'),
    );
  });

  it('gives refs to elements that react to clicks without a role', async () => {
    const text = await shown(`<div onclick="1">By handler</div><div style="cursor:pointer"><span>By pointer</span></div>
      <div tabindex="0">By focus</div><div contenteditable aria-label="Note">Text</div><div>Nothing</div>`);
    expect(text.split('\n')).toEqual([
      '@e1 clickable "By handler"',
      '@e2 clickable "By pointer"',
      '@e3 clickable "By focus"',
      '@e4 textbox "Note" = "Text"',
      'Nothing',
    ]);
  });

  it('gives stable refs to parts of a line that look clickable', async () => {
    const page = await show(`<p>Go <span style="cursor:pointer">here</span> or <em style="cursor:pointer">there</em></p>
      <table><tr><td>Ada<td><span style="cursor:pointer" id="edit">Edit</span> it</table>`);
    const text = await page.text();
    expect(text.split('\n')).toEqual([
      'Go [@e1 clickable "here"] or [@e2 emphasis "there"]',
      '| Ada | [@e3 clickable "Edit"] it',
    ]);
    expect(await page.text()).toBe(text);
    expect(await page.ask(await page.resolve('@e3'), 'this.id')).toBe('edit');
  });

  it.each([
    [
      'a link and a button',
      '<p>Have an account? <a href="/in">Sign in</a> or <button>continue as guest</button>.</p>',
      ['Have an account? [@e1 Sign in] or [@e2 button "continue as guest"].'],
    ],
    [
      'no text after its button',
      '<ul><li>Kittiwake <button>Rename</button> <button>Sell</button></ul>',
      ['- Kittiwake', ' @e1 button "Rename"', ' @e2 button "Sell"'],
    ],
    [
      'two buttons',
      '<div>Sort by <button>Date</button>, <button>Name</button> or <button>Size</button></div>',
      ['Sort by [@e1 button "Date"], [@e2 button "Name"] or [@e3 button "Size"]'],
    ],
    [
      'a block of its own after it',
      '<div>Are you sure?<div><button>Delete</button></div></div>',
      ['Are you sure?', '@e1 button "Delete"'],
    ],
    [
      'a button with a state',
      '<p>Follow the port <button aria-pressed="true">Follow</button> by mail</p>',
      ['Follow the port', '@e1 button "Follow" pressed', 'by mail'],
    ],
    [
      'a field and a button',
      '<p>Search for <input aria-label="Words"> <button>Go</button> or browse</p>',
      ['Search for', '@e1 textbox "Words"', '@e2 button "Go"', 'or browse'],
    ],
  ])('shows a sentence with %s', async (_, html, lines) => {
    expect((await shown(html)).split('\n')).toEqual(lines);
  });

  it('marks the disabled options of a select', async () => {
    const select = '<select aria-label="Pier"><option>East<option disabled>West (full)</select>';
    expect(await shown(select)).toContain('of "East" "West (full)" (disabled)');
  });

  it('lists the choices of a select and says how many are left out', async () => {
    const options = Array.from({ length: 40 }, (_, at) => `<option>${at}`).join('');
    expect(await shown(`<select aria-label="N">${options}</select>`)).toMatch(
      /^@e1 combobox "N" = "0" of "0" .* "30" \+9$/,
    );
  });

  it('marks the current item of a set', async () => {
    expect(await shown('<nav><a href="/a">A</a><a href="/b" aria-current="page">B</a></nav>')).toContain(
      '"B" current /b',
    );
  });

  it('shows same-site and cross-site frames inside the element that embeds them', async () => {
    const page = await show(
      '<h1>Top</h1><iframe title="Near" src="/inner"></iframe><iframe title="Far" src="http://other.example/inner"></iframe><p>End</p>',
    );
    expect(await page.text()).toBe(
      '# Top\n@e1 iframe "Near"\n @e2 button "Inner"\n@e3 iframe "Far"\n @e4 button "Inner"\nEnd',
    );
  });

  it('with interactive elements only, includes the headings above them and no text', async () => {
    const page = await show(
      '<h1>A</h1><p>Words</p><button>One</button><h2>Empty</h2><p>Words</p><h2>B</h2><a href="/x">Two</a>',
    );
    expect(await page.text({ interactiveOnly: true })).toBe('# A\n@e1 button "One"\n## B\n@e2 link "Two"');
  });

  it('of a target includes only the content of the target', async () => {
    const page = await show('<p>Out</p><form id="f" aria-label="Pay"><p>In</p><button>Pay now</button></form>');
    const text = await page.text({ target: '#f' });
    expect(text).toContain('button "Pay now"');
    expect(text).not.toContain('Out');
    const ref = /@e\d+/.exec(text)?.[0] ?? '';
    expect(await page.text({ target: ref })).toBe(`${ref} button "Pay now"`);
  });

  it('gives every named element a ref when it is not compact', async () => {
    const page = await show('<h1>Title</h1><img alt="A cat" src="data:,"><button>Go</button>');
    const text = await page.text({ compact: false });
    expect(text).toMatch(/@e\d+ # Title/);
    expect(text).toMatch(/@e\d+ img "A cat"/);
  });

  it('shows no empty name when a name is only a glyph of an icon font', async () => {
    expect(await shown('<button>\ue001</button><a href="/more">\ue002</a>')).toBe('@e1 button\n@e2 link /more');
  });

  it('gives the length of a field that is shown in part, and the call that reads it', async () => {
    const words = 'kelp '.repeat(80).trim();
    const text =
      await shown(`<textarea aria-label="Long">${words}</textarea><textarea aria-label="Short">kelp</textarea>
      <input aria-label="Secret" type="password" value="${words}">`);
    expect(text.split('\n')).toEqual([
      `@e1 textbox "Long" = "${words.slice(0, 299)}…" (399 characters: browser_read {"selector":"@e1"})`,
      '@e2 textbox "Short" = "kelp"',
      '@e3 textbox "Secret" = "••••"',
    ]);
  });

  it('keeps the spaces at both ends of the value of a field', async () => {
    const text = await shown(
      '<input aria-label="Both" value="  kelp "><textarea aria-label="Spaces">   </textarea><input aria-label="None">',
    );
    expect(text.split('\n')).toEqual([
      '@e1 textbox "Both" = "  kelp "',
      '@e2 textbox "Spaces" = "   "',
      '@e3 textbox "None"',
    ]);
  });

  it('separates words that the page separates by a line break, an inline box or space around them', async () => {
    expect(
      (
        await shown(`<p>one<br>two</p><p>Issue<span style="display:inline-block;margin-left:4px">open</span>now</p>
        <p>Owner<span style="margin-left:8px">ada</span><b style="padding:4px">low</b>urgent</p>
        <p>un<b>believ</b>able</p><div style="display:flex"><span>#53</span><span>type</span></div>`)
      ).split('\n'),
    ).toEqual(['one two', 'Issue open now', 'Owner ada low urgent', 'unbelievable', '#53 type']);
  });

  it('shows a grid row by row, whatever elements its cells are', async () => {
    expect(
      (
        await shown(`<div role="grid"><div role="row"><div role="gridcell"><p>Ada</p></div><div role="gridcell"><h3>12</h3></div></div>
        <div role="row"><div role="gridcell">Bob <button>Edit</button></div><div role="gridcell"><p>13</p><p>14</p></div></div></div>`)
      ).split('\n'),
    ).toEqual(['| Ada | 12', '| Bob [@e1 button "Edit"] | 13 14']);
  });

  it('cuts a very long text and a very long name, and counts the omitted characters', async () => {
    const text = await shown(`<p>${'word '.repeat(500)}</p><button>${'name '.repeat(100)}</button>`);
    const [words = '', name = ''] = text.split('\n');
    expect(words).toMatch(/^(?:word )+(?:w|wo|wor|word)?… \(\+499 characters: browser_read\)$/u);
    expect(name).toMatch(/^@e1 button "(?:name )+\w*…"$/u);
    expect(name.length).toBe('@e1 button ""'.length + VIEW_NAME_CHARS_MAX);
  });
});

describe('a long snapshot', () => {
  const many = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => `<p>Line ${from + at}</p><button>Do ${from + at}</button>`).join('');

  it('is paged within its budget, and the pages together are the whole', async () => {
    const page = await show(many(0, 150));
    const whole = await page.text({ maxBytes: 60_000 });
    const parts: string[] = [];
    let after: string | undefined;
    do {
      const part = await page.snapshot({ maxBytes: 1_000, after });
      expect(utf8Bytes(part.text)).toBeLessThanOrEqual(1_000);
      expect(part.total).toBe(300);
      parts.push(part.text);
      after = part.next ?? undefined;
    } while (after !== undefined);
    expect(parts.length).toBeGreaterThan(3);
    expect(parts.join('\n')).toBe(whole);
  });

  it('begins near the focus when the focus is beyond the limit, and omits nothing else', async () => {
    const words = Array.from({ length: 60 }, (_, at) => `<p>Comment ${at} says something</p>`).join('');
    const page = await show(`<h1>Talk</h1>${words}<h2>Reply</h2><input aria-label="Your words focused">
      <input aria-label="Name"><button>Send</button>`);
    const budget = { maxBytes: 1_000 };
    expect(await page.text(budget)).toMatch(/^# Talk\nComment 0/u);
    await page.run('document.querySelectorAll("input")[1].focus()');
    const first = await page.snapshot(budget);
    expect(first.text.split('\n').slice(0, 8)).toEqual([
      '(around the focus, further down the page:)',
      ' Comment 59 says something',
      ' ## Reply',
      ' @e1 textbox "Your words focused"',
      ' @e2 textbox "Name" focused',
      ' @e3 button "Send"',
      '(the page from its beginning:)',
      '# Talk',
    ]);
    expect(utf8Bytes(first.text)).toBeLessThanOrEqual(1_000);
    let view = first;
    const lines = first.text.split('\n').slice(7);
    while (view.next !== null) {
      view = await page.snapshot({ ...budget, after: view.next });
      lines.push(...view.text.split('\n'));
    }
    expect(lines.join('\n')).toBe(await page.text());
  });

  it('continues after the last line shown when lines were added before it', async () => {
    const page = await show(many(0, 100));
    const first = await page.snapshot({ maxBytes: 1_000 });
    await page.run('document.body.insertAdjacentHTML("afterbegin", "<p>New</p><p>Newer</p>")');
    const second = await page.snapshot({ maxBytes: 1_000, after: first.next ?? '' });
    const last = /\d+(?=\D*$)/.exec(first.text)?.[0];
    expect(/\d+(?=\D*(?:\n|$))/.exec(second.text.replaceAll(/@e\d+ /g, ''))?.[0]).toMatch(
      new RegExp(`^(?:${last}|${Number(last) + 1})$`),
    );
  });
});

describe('a snapshot of a page with a secret', () => {
  it.each([
    ['behind a bold beginning', '<b>Hunter2-</b>and-more'],
    ['in bold from its third letter on', 'Hu<b>nter2-and-more</b>'],
    ['struck out from its third letter on', 'Hu<s>nter2-and-more</s>'],
    ['where it may be broken', 'Hunter2-<wbr>and-<wbr>more'],
    ['on two lines', 'Hunter2-<br>and-more'],
    ['beside what looks like a tag', '&lt;&gt; <b>Hunter2-</b>and-more'],
  ])('shows no part of it %s', async (_, words) => {
    const page = await show(`<p>Welcome back, ${words} of this page</p><p>and more</p>`);
    const hide = createSecretMask(['Hunter2-and-more']);
    page.tab.connection.mask = () => hide;
    const text = await page.text();
    expect(text).toMatch(/^Welcome back, (?:<> )?•••• of this page\nand more$/);
  });
});
