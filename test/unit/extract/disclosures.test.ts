import { describe, expect, it } from 'vitest';
import { read } from './support.ts';

const SEEN = 'Kettles boil water for tea, and good kettles do it quickly.';
const INSIDE = 'Fill the kettle to the upper mark.';

/** Parts that a page holds closed and a person opens by a control with a name. */
const OPENED: Readonly<Record<string, string>> = {
  'the panel that a tab controls': `<div role="tablist"><button role="tab" aria-controls="p2">Linux</button></div><section role="tabpanel" id="p2" aria-hidden="true" hidden>${INSIDE}</section>`,
  'the panel that a tab links to': `<ul><li><a role="tab" href="#p2">Linux</a></li></ul><div id="p2" style="display:none">${INSIDE}</div>`,
  'tab panels without names, one for each tab': `<ul role="tablist"><li role="tab">npm</li><li role="tab">yarn</li></ul><div><div role="tabpanel">One.</div><div role="tabpanel" hidden>${INSIDE}</div></div>`,
  'the panel that a tab labels': `<button role="tab" id="t2"><span>Go</span></button><div role="tabpanel" aria-labelledby="t2" hidden style="display:none">${INSIDE}</div>`,
  'the panel of an accordion': `<h3><button aria-expanded="false" aria-controls="a1">How much water?</button></h3><div id="a1" aria-hidden="true">${INSIDE}</div>`,
  'an accordion without a button': `<span role="button" aria-controls="a1">How much water?</span><div id="a1" style="height:0;transition:height 300ms;overflow:hidden">${INSIDE}</div>`,
  'the part after a button that expands it': `<h3><button aria-expanded="false">How much water</button></h3><div hidden>${INSIDE}</div>`,
  'the part after a button without a heading': `<div class="item"><button type="button" aria-expanded="false"><span>Water</span></button><div class="answer" style="display:none"><p>${INSIDE}</p></div></div>`,
  'the part after a drawn button': `<div role="button" tabindex="0" aria-expanded="false">Water</div><div style="display: none">${INSIDE}</div>`,
  'the answer after a question': `<button class="question">How much water? <i>+</i></button><div class="answer" style="display:none">${INSIDE}</div>`,
  'the part after a button whose label begins like a tool': `<button aria-expanded="false">Share capital and votes</button><div hidden>${INSIDE}</div>`,
  'the answer to a question about a tool': `<button aria-expanded="false">Share this with whom?</button><div class="menu" hidden>${INSIDE}</div>`,
  'a region that its button labels': `<button id="b1">How much water?</button><div role="region" aria-labelledby="b1" style="visibility:hidden;max-height:0px;overflow:hidden">${INSIDE}</div>`,
};

/** Parts that only look so. */
const CLOSED: Readonly<Record<string, string>> = {
  'a panel that nothing controls': `<button aria-controls="a2">How much water?</button><div id="a1" hidden>${INSIDE}</div>`,
  'a panel whose control has no text': `<button aria-controls="a1" aria-label="Open"></button><p>Water.</p><div id="a1" hidden>${INSIDE}</div>`,
  'a panel whose control is hidden': `<button aria-controls="a1" hidden>How much water?</button><div id="a1" hidden>${INSIDE}</div>`,
  'a panel that stands before its control': `<div id="a1" hidden>${INSIDE}</div><button aria-controls="a1">How much water?</button>`,
  'a tab panel beyond the tabs': `<b role="tab">npm</b><div role="tabpanel">One.</div><div role="tabpanel" hidden>${INSIDE}</div>`,
  'a part after another button': `<button>Send</button><div hidden>${INSIDE}</div>`,
  'a part that is not next to its button': `<button aria-expanded="false">Water</button><p>Water.</p><div hidden>${INSIDE}</div>`,
  'a part after a button and text': `<div><button aria-expanded="false">Water</button></div> and <div hidden>${INSIDE}</div>`,
  'a part after a row of buttons': `<div><button aria-expanded="false">Water</button><button>Tea</button></div><div hidden>${INSIDE}</div>`,
  'a second part after a button': `<button aria-expanded="false">Water</button><div hidden>Some.</div><div hidden>${INSIDE}</div>`,
  'the part of a button that shares': `<button aria-expanded="false">Share</button><div hidden><p>${INSIDE}</p></div>`,
  'the part of a button that shares the page': `<h3><button aria-expanded="false"> Share this article </button></h3><div hidden>${INSIDE}</div>`,
  'the part of a search': `<button aria-expanded="false">Search</button><div hidden>${INSIDE}</div>`,
  'a part that is called a popup': `<button aria-expanded="false">Water</button><div class="tea-popup" hidden>${INSIDE}</div>`,
  'the part of a button that is called a menu': `<button class="menu-toggle" aria-expanded="false">Water</button><div hidden>${INSIDE}</div>`,
  'a part after a hidden button': `<button aria-expanded="false" hidden>Water</button><div hidden>${INSIDE}</div>`,
  'a part after a button that opens a menu': `<button aria-expanded="false" aria-haspopup="true">Water</button><div hidden>${INSIDE}</div>`,
  'a dialog': `<button aria-controls="a1">Cookies</button><div id="a1" role="dialog" hidden>${INSIDE}</div>`,
  'a menu': `<button aria-haspopup="true" aria-controls="a1">Menu</button><div id="a1" hidden>${INSIDE}</div>`,
  'a menu of a header': `<header><button aria-controls="a1">Menu</button><div id="a1" hidden>${INSIDE}</div></header>`,
  'what is labelled by a heading': `<h2 id="h1">Water</h2><div aria-labelledby="h1" hidden>${INSIDE}</div>`,
  'what is hidden within an opened panel': `<button aria-controls="a1">How much water?</button><div id="a1" hidden><p>Some.</p><p hidden>${INSIDE}</p></div>`,
  'a panel off the screen': `<button aria-controls="a1">How much water?</button><div id="a1" hidden style="position:absolute;left:-9999px">${INSIDE}</div>`,
  'a panel without colour': `<button aria-controls="a1">How much water?</button><div id="a1" hidden style="color:transparent">${INSIDE}</div>`,
  'a panel without size': `<button aria-controls="a1">How much water?</button><div id="a1" style="display:none;font-size:0">${INSIDE}</div>`,
};

function page(part: string): string {
  return `<main><h1>Kettles</h1><p>${SEEN}</p>${part}</main>`;
}

async function textOf(part: string): Promise<string> {
  return (await read('html', page(part))).lines.join('\n');
}

describe('a closed part', () => {
  for (const [way, part] of Object.entries(OPENED)) {
    it(`is read when a control of the page opens it: ${way}`, async () => {
      expect(await textOf(part)).toContain(INSIDE);
    });
  }

  for (const [way, part] of Object.entries(CLOSED)) {
    it(`is not read: ${way}`, async () => {
      const text = await textOf(part);
      expect(text).toContain(SEEN);
      expect(text).not.toContain(INSIDE);
    });
  }
});

describe('a colour', () => {
  it('hides text by its alpha alone', async () => {
    for (const colour of ['rgb(0, 0, 0)', 'rgb(255,0,0)', 'hsl(0, 100%, 0%)', 'rgba(0,0,0,1)', 'rgb(0 0 0)'])
      expect(await textOf(`<p style="color: ${colour}">${INSIDE}</p>`)).toContain(INSIDE);
    for (const colour of ['rgba(0, 0, 0, 0)', 'rgb(0 0 0 / 0)', 'rgb(0 0 0 / 0%)', 'hsla(0, 100%, 50%, 0.0)'])
      expect(await textOf(`<p style="color: ${colour}">${INSIDE}</p>`)).not.toContain(INSIDE);
  });
});

describe('adjacent elements with names and no text between them', () => {
  it('are separated', async () => {
    const parts = '<span class="price">$20</span><span class="old">$30</span><span class="n">(120)</span>';
    expect(await textOf(`<p>${parts}</p>`)).toContain('$20 $30 (120)');
    expect(await textOf('<p><b class="a">Done.</b><span class="b">Next thing</span></p>')).toContain('Next thing');
  });

  it('are kept together in a signature', async () => {
    const piece = (name: string, text: string) => `<span class="${name}"><span class="pre">${text}</span></span>`;
    const signature = [
      piece('descclassname', 'asyncio.'),
      piece('descname', 'run'),
      piece('sig-paren', '('),
      piece('n', 'debug'),
      piece('o', '='),
      piece('default', 'None'),
      piece('sig-paren', ')'),
    ];
    expect(await textOf(`<p>${signature.join('')}</p>`)).toContain('asyncio.run(debug=None)');
  });
});
