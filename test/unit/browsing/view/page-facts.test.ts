import { describe, expect, it } from 'vitest';
import { recordedPages } from '#support/recorded/recorded-pages.ts';

let body = '';
const pages = recordedPages('view/page-facts', () => `<!doctype html><title>T</title><body>${body}`);

async function shown(html: string): Promise<string> {
  body = html;
  return (await pages.open('http://site.example/')).text();
}

describe('a fact that only the DOM provides', () => {
  it('is found next to forms whose fields shadow the browser’s own members', async () => {
    const text =
      await shown(`<form><input name="getAttribute" aria-label="One"><input name="parentNode" aria-label="Two">
      <input name="matches" aria-label="Three" type="password" value="hunter2"></form><div onclick="1">Go</div>`);
    expect(text.split('\n')).toEqual([
      '@e1 textbox "One"',
      '@e2 textbox "Two"',
      '@e3 textbox "Three" = "••••"',
      '@e4 clickable "Go"',
    ]);
  });

  it('marks a current password field and a clickable element', async () => {
    const text = await shown(
      '<input type="password" value="hunter2" aria-current="step" aria-label="One"><div onclick="1">Go</div>',
    );
    expect(text).toBe('@e1 textbox "One" = "••••" current\n@e2 clickable "Go"');
  });

  it('includes the hovered and the focused element', async () => {
    body = `<style>body { margin: 0 } div { height: 40px; cursor: pointer }</style><div>One</div><div></div><div>Two</div>
      <input value="Ada" aria-label="Name" aria-current="step"><button data-tooltip="Copy"></button>`;
    const page = await pages.open('http://site.example/');
    const text = await page.text();
    await page.tab.session.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: 60, y: 20 });
    await page.run('document.querySelector("input").focus()');
    expect(await page.text()).toBe(text.replace(' current', ' focused current'));
    expect(text).toContain('clickable "Two"');
    expect(text).toContain('button (tooltip "Copy")');
  });

  it('gives no ref to a hidden part, even if another element takes its name from it', async () => {
    const text = await shown(`<div id="name" style="display:none">Save <span style="cursor:pointer">it</span></div>
      <button aria-labelledby="name">x</button>`);
    expect(text).toBe('@e1 button "Save it"');
  });
});

describe('text that is invisible', () => {
  it.each([
    ['without size', 'font-size:0'],
    ['transparent', 'opacity:0'],
    ['clipped', 'position:absolute;clip:rect(0,0,0,0)'],
    ['cut away', 'clip-path:inset(100%)'],
    ['in no box', 'height:0;overflow:hidden'],
    ['moved out of its box', 'text-indent:-9999px'],
    ['moved off the page', 'position:absolute;left:-9999px'],
  ])('is in no view: %s', async (_, style) => {
    expect(
      await shown(`<p>Seen</p><p style="${style}">Hidden</p><div style="${style}"><p><b>Hidden, too</b></p></div>
      <table><tr><td>Cell<td><div style="${style}">Hidden</div></table><h2 style="${style}">Hidden</h2>`),
    ).toBe('Seen\nCell');
  });

  it('is left out of shadow trees, and of visible text around it', async () => {
    const text = await shown(`<p>One <span style="font-size:0">hidden</span> two</p><div id="host"></div>
      <script>document.all.host.attachShadow({ mode: 'open' }).innerHTML = '<p>Three</p><p style="opacity:0">hidden</p>'</script>`);
    expect(text).toBe('One two\nThree');
  });

  it('is shown if the page fades it in on scrolling', async () => {
    expect(await shown('<p style="margin-top:3000px;opacity:0">Below</p>')).toBe('Below');
  });

  it('is shown if it is the short alternative to a picture or to text hidden from assistive technology', async () => {
    const hidden = 'position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)';
    const long = 'words '.repeat(20);
    expect(
      (
        await shown(`<div><span style="${hidden}">$12.99</span><span aria-hidden="true">12<sup>99</sup></span></div>
        <div style="background:url(/stars.png)"><span style="${hidden}">4 of 5 stars</span></div>
        <p style="text-indent:-9999px;background:url(/logo.png)">Acme</p>
        <div style="background:url(/stars.png)"><span style="${hidden}">${long}</span></div>`)
      ).split('\n'),
    ).toEqual(['$12.99', '4 of 5 stars', 'Acme']);
  });

  it('is not shown because the page has something for eyes only elsewhere, nor many times beside one', async () => {
    const unseen = [
      'opacity:0',
      'position:absolute;left:-9999px',
      'font-size:0',
      'position:absolute;clip:rect(0,0,0,0)',
    ];
    const hidden = unseen.map((style, at) => `<p style="${style}">Hidden ${at}</p>`).join('');
    const star = '<span aria-hidden="true">*</span>';
    expect(await shown(`<h1>Shop</h1><p>Price</p>${hidden}<p>End</p>${star}`)).toBe('# Shop\nPrice\nEnd');
    const beside = Array.from({ length: 9 }, (_, at) => `<span style="${unseen[3]}">Beside ${at}</span>${star}`).join(
      '',
    );
    expect((await shown(`<div>${beside}</div>`)).match(/Beside/g)).toHaveLength(2);
  });

  it('still names the controls it labels', async () => {
    const hidden = 'position:absolute;clip:rect(0,0,0,0)';
    expect(
      await shown(`<button><i></i><span style="${hidden}">Close</span></button>
      <label style="opacity:0">Size <input></label><div onclick="1" style="opacity:0">Remove</div>`),
    ).toBe('@e1 button "Close"\n@e2 textbox "Size"\n@e3 clickable "Remove"');
  });
});

describe('a control that a style sheet draws', () => {
  it('is named by the text or picture of its style, and otherwise by its class', async () => {
    const text = await shown(`<style>
      .mark { display: inline-block; width: 20px; height: 20px }
      .x { content: url(/marks/x.png) } .o { background: url("/marks/o.svg?v=2") }
      .t::before { content: '✕' } .glyph::before { content: '\\e900' }
      .s1, .s2 { background: url(/img/sprite.png) }
    </style>${['x', 'o', 't', 'glyph icn-flag', 's1', 's2'].map((one) => `<div onclick="1" class="mark ${one}"></div>`).join('')}
    <div onclick="1" class="mark plain"></div>`);
    expect(text.split('\n').map((line) => line.replace(/^@e\d+ /u, ''))).toEqual([
      'img (icon "x")',
      'clickable (icon "o")',
      'clickable "✕"',
      'clickable (class "icn-flag")',
      'clickable (class "s1")',
      'clickable (class "s2")',
      'clickable (class "plain")',
    ]);
  });

  it('shows its state by its class, with or without a picture', async () => {
    const text = await shown(`<style>.on { background: green } div { width: 40px; height: 20px }</style>
    <div class="switch" onclick="1"></div><div class="switch on" onclick="1"></div>
    <button class="icon-btn mark-btn"></button><button class="icon-btn mark-btn saved"></button>`);
    expect(text.split('\n').map((line) => line.replace(/^@e\d+ /u, ''))).toEqual([
      'clickable (class "switch")',
      'clickable (class "on")',
      'button (class "mark-btn")',
      'button (class "saved")',
    ]);
  });

  it('is recognised when only a listener shows that it reacts', async () => {
    const text =
      await shown(`<style>span { display: inline-block; width: 20px; height: 20px } .x { content: url(/marks/x.png) }</style>
    <div><span class="x"></span><span></span></div><script>
    for (const one of document.querySelectorAll('span')) one.addEventListener('click', () => {})</script>`);
    expect(text).toBe('@e1 img (icon "x")\n@e2 clickable');
  });
});
