export type Call = readonly [tool: string, args: Record<string, unknown>];
type Act = readonly [name: string, url: string, calls: readonly Call[]];

export const PAY = `<form method="post" action="/sink/pay"><input id="t" name="amount" value="20"><input name="card" autocomplete="cc-number" value="4111"><button id="b">Pay now</button></form>`;

/** Consequential acts, by every kind of input. */
export function consequentialActs(page: (body: string) => string): readonly Act[] {
  const json = (id: string) =>
    `fetch('/sink/${id}', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })`;
  const pay = page(PAY);
  const button = (words: string, more = '') =>
    page(`<button id="b" ${more} onclick="${json('button').replaceAll('"', '&quot;')}">${words}</button>`);
  return [
    ['a click', pay, [['browser_click', { selector: '#b' }]]],
    ['a double click', pay, [['browser_click', { selector: '#b', click_count: 2 }]]],
    ['a middle click', pay, [['browser_click', { selector: '#b', button: 'middle' }]]],
    ['a click with a key held', pay, [['browser_click', { selector: '#b', modifiers: ['Control'] }]]],
    [
      'a click at a point',
      page(`<style>#b { position: absolute; left: 0; top: 60px; width: 200px; height: 40px }</style>${PAY}`),
      [
        ['browser_screenshot', {}],
        ['browser_point', { action: 'click', x: 100, y: 80 }],
      ],
    ],
    ['a double click by the pointer', pay, [['browser_point', { action: 'double_click', selector: '#b' }]]],
    ['a held press', pay, [['browser_point', { action: 'click', selector: '#b', hold_ms: 300 }]]],
    ['Enter in a field', pay, [['browser_type', { selector: '#t', key: 'Enter' }]]],
    ['a text that is submitted', pay, [['browser_type', { selector: '#t', text: '1', submit: true }]]],
    ['a line break in a text', pay, [['browser_type', { selector: '#t', text: '1\n' }]]],
    ['Enter with Control', pay, [['browser_type', { selector: '#t', key: 'Control+Enter' }]]],
    [
      'Tab and Space',
      pay,
      [
        ['browser_click', { selector: '#t' }],
        ['browser_type', { key: 'Tab Tab Space' }],
      ],
    ],
    [
      'Tab and Enter',
      pay,
      [
        ['browser_click', { selector: '#t' }],
        ['browser_type', { key: 'Tab Tab Enter' }],
      ],
    ],
    ['Tab in a text, then Enter', pay, [['browser_type', { selector: '#t', text: '\t\t\n' }]]],
    ['a list of steps', pay, [['browser_do', { steps: ['fill #t = 30', 'click #b'] }]]],
    [
      'a list with a key',
      pay,
      [
        ['browser_do', { steps: ['type "1" into #t and submit'] }],
        ['browser_do', { steps: ['press Enter'] }],
      ],
    ],
    ['the same call ten times', pay, Array.from({ length: 10 }, () => ['browser_click', { selector: '#b' }] as const)],
    ['a script', pay, [['browser_evaluate', { script: 'document.forms[0].submit()' }]]],
    [
      'a button outside its form',
      page(
        `<form id="f" method="post" action="/sink/o"><input type="password" name="p"></form><button id="b" form="f">Next</button>`,
      ),
      [['browser_click', { selector: '#b' }]],
    ],
    [
      'requestSubmit of a control',
      page(
        `<form id="f" method="post" action="/sink/r"><input type="password" name="p" value="x"></form><span id="b" onclick="f.requestSubmit()">Next</span>`,
      ),
      [['browser_click', { selector: '#b' }]],
    ],
    [
      'a label of the button',
      page(
        `<label id="l" for="b">Go on</label><button id="b" onclick="${json('l').replaceAll('"', '&quot;')}">Delete</button>`,
      ),
      [['browser_click', { selector: '#l' }]],
    ],
    [
      'a part of the button',
      page(`<button onclick="${json('p').replaceAll('"', '&quot;')}"><span id="b">Delete all</span></button>`),
      [['browser_click', { selector: '#b' }]],
    ],
    [
      'a card around the button',
      page(
        `<div id="card" style="width:200px;height:60px"><button style="width:200px;height:60px" onclick="${json('card').replaceAll('"', '&quot;')}">Delete</button></div>`,
      ),
      [['browser_click', { selector: '#card' }]],
    ],
    ['a name for readers only', button('', 'aria-label="Delete the file"'), [['browser_click', { selector: '#b' }]]],
    [
      'a name for readers that hides the word',
      button('Pay now', 'aria-label="Next"'),
      [['browser_click', { selector: '#b' }]],
    ],
    [
      'an icon',
      page(
        `<button id="b" onclick="${json('icon').replaceAll('"', '&quot;')}"><i class="icon-trash" style="display:inline-block;width:20px;height:20px"></i></button>`,
      ),
      [['browser_click', { selector: '#b' }]],
    ],
    [
      'a word that a style sheet draws',
      page(
        `<style>#b::before { content: "Pay now" }</style><button id="b" onclick="${json('css').replaceAll('"', '&quot;')}"></button>`,
      ),
      [['browser_click', { selector: '#b' }]],
    ],
    [
      'a link that a script works',
      page(`<a id="b" href="#" onclick="${json('link').replaceAll('"', '&quot;')}">Delete</a>`),
      [['browser_click', { selector: '#b' }]],
    ],
    [
      'an access key',
      page(`<button accesskey="k" onclick="${json('key').replaceAll('"', '&quot;')}">Delete</button>`),
      [['browser_type', { key: 'Alt+k' }]],
    ],
    [
      'the Delete key',
      page(
        `<div id="b" tabindex="0" onkeydown="if (event.key === 'Delete') ${json('del').replaceAll('"', '&quot;')}">File</div>`,
      ),
      [
        ['browser_click', { selector: '#b' }],
        ['browser_type', { key: 'Delete' }],
      ],
    ],
    [
      'a drop on the bin',
      page(
        `<p id="d" draggable="true">File</p><p id="b" ondragover="event.preventDefault()" ondrop="${json('drop').replaceAll('"', '&quot;')}">Delete</p>`,
      ),
      [['browser_point', { action: 'drag', selector: '#d', to_selector: '#b' }]],
    ],
    [
      'a slider',
      page(
        `<div id="d" style="width:300px;height:40px" onpointerup="${json('slide').replaceAll('"', '&quot;')}">Slide to pay</div><p id="e">End</p>`,
      ),
      [['browser_point', { action: 'drag', selector: '#d', to_selector: '#e' }]],
    ],
    [
      'consent to a dialog',
      page(`<button id="b" onclick="if (confirm('Delete?')) ${json('yes').replaceAll('"', '&quot;')}">×</button>`),
      [['browser_click', { selector: '#b', dialog: 'accept' }]],
    ],
    [
      'an upload',
      page(`<input type="file" id="u" onchange="${json('up').replaceAll('"', '&quot;')}">`),
      [['browser_files', { action: 'put', selector: '#u', name: 'x.txt', text: 'x' }]],
    ],
    [
      'a box that accepts terms',
      page(
        `<label><input id="b" type="checkbox" onchange="${json('terms').replaceAll('"', '&quot;')}"> I accept the terms</label>`,
      ),
      [
        ['browser_click', { selector: '#b' }],
        ['browser_fill', { selectors: ['#b'], values: ['true'] }],
      ],
    ],
    [
      'a frame',
      page(`<iframe srcdoc='${PAY}' width="600" height="80"></iframe>`),
      [['browser_click', { selector: 'button "Pay now"' }]],
    ],
    [
      'a shadow tree',
      page(
        `<x-y></x-y><script>document.querySelector('x-y').attachShadow({ mode: 'open' }).innerHTML = '<button id=b>Pay now</button>'; document.querySelector('x-y').shadowRoot.querySelector('button').onclick = () => ${json('shadow')}</script>`,
      ),
      [['browser_click', { selector: 'button "Pay now"' }]],
    ],
    [
      'a form whose fields shadow its members',
      page(
        `<form name="body" method="post" action="/sink/sh"><input type="password" name="elements"><input name="closest"><input name="matches"><input name="getAttribute"><button id="b" name="action">Go</button></form>`,
      ),
      [['browser_click', { selector: '#b' }]],
    ],
    ...['checkbox', 'radio', 'range'].map((type): Act => [
      `Enter in a ${type} of the form`,
      page(PAY.replace('<button', `<input type="${type}" id="k"><button`)),
      [['browser_type', { selector: '#k', key: 'Enter' }]],
    ]),
    [
      'Enter in a list of the form',
      page(PAY.replace('<button', '<select id="k"><option>a</select><button')),
      [['browser_type', { selector: '#k', key: 'Enter' }]],
    ],
    [
      'a word with an element for each letter',
      page(
        `<button id="b" onclick="${json('letters').replaceAll('"', '&quot;')}">${Array.from('Pay now', (letter) => `<i>${letter}</i>`).join('')}</button>`,
      ),
      [['browser_click', { selector: '#b' }]],
    ],
    ['words in Japanese', button('注文を確定する'), [['browser_click', { selector: '#b' }]]],
    ['words in capitals', button('ZAHLUNGSPFLICHTIG BESTELLEN'), [['browser_click', { selector: '#b' }]]],
    ['words with full-width letters', button('Ｐａｙ ｎｏｗ'), [['browser_click', { selector: '#b' }]]],
    [
      'a dialog of the page',
      page(
        `<div role="dialog"><p>Delete everything?</p><button id="b" onclick="${json('dlg').replaceAll('"', '&quot;')}">OK</button></div>`,
      ),
      [['browser_click', { selector: '#b' }]],
    ],
  ];
}
