import { whilePinging } from './pings.ts';
import { keepSecret, partOf, VALUE } from './secrets-kit.ts';
import type { Model, Run } from './secrets-kit.ts';
import type { Rig } from './rig.ts';

/** Pages that show a typed value in other forms and places: re-encoded, cut, in file names, while dragged. */

/** A value with letters that many programs write in several ways. None of its parts occurs elsewhere. */
const LETTERS = 'Qüßé-Żywą-7vbN2lmK';

/** Ways in which a page writes the typed text, as an expression of `value`. */
const WRITTEN: Record<string, string> = {
  'taken apart (NFD)': `value.normalize('NFD')`,
  'taken apart and made plain (NFKD)': `value.normalize('NFKD')`,
  'put together (NFC)': `value.normalize('NFD').normalize('NFC')`,
  'in capitals': `value.toUpperCase()`,
  'in capitals of Turkish': `value.toLocaleUpperCase('tr')`,
  'as escape() does': `escape(value)`,
  'as escape() does, twice': `escape(escape(value))`,
  'as encodeURIComponent() does': `encodeURIComponent(value)`,
  'as encodeURIComponent() does, three times': `encodeURIComponent(encodeURIComponent(encodeURIComponent(value)))`,
  'in entities of HTML, as text': `value.replace(/[^]/gu, (letter) => '&#x' + letter.codePointAt(0).toString(16) + ';')`,
  'in code points of scripts': `value.replace(/[^]/gu, (letter) => '\\\\u{' + letter.codePointAt(0).toString(16) + '}')`,
  'in JSON in an address': `encodeURIComponent(JSON.stringify(JSON.stringify(value)))`,
  'in wide letters': `value.replace(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0))`,
  'in base64': `btoa(unescape(encodeURIComponent('me:' + value)))`,
  'in base64, in capitals': `btoa(unescape(encodeURIComponent('me:' + value.toUpperCase())))`,
  'in base64, in small letters': `btoa(unescape(encodeURIComponent('me:' + value.toLowerCase())))`,
  'in base64, taken apart': `btoa(unescape(encodeURIComponent('me:' + value.normalize('NFD'))))`,
  'in base64, as a form': `btoa(new URLSearchParams({ user: value }))`,
  'in base64, as escapes of an address': `btoa('?user=' + encodeURIComponent(value))`,
  'in hex, in small letters': `[...new TextEncoder().encode(value.toLowerCase())].map((byte) => byte.toString(16).padStart(2, '0')).join('')`,
  'without accents': `value.normalize('NFD').replace(/\\p{M}/gu, '')`,
  'without its signs': `value.replace(/[^\\p{L}\\d]/gu, '')`,
  'with other signs': `[...value].join('/')`,
  'with accents on all letters': `[...value].join('\\u0301')`,
  'its first half': `value.slice(0, 9)`,
  'its first half and dots': `value.slice(0, 8) + '\\u2026'`,
  'one letter short': `value.slice(0, -1)`,
};

/** Places that cut a text after this many characters; `text` is put there. */
const CUT: Record<string, { chars: number; on: string; look: readonly [string, Record<string, unknown>] }> = {
  'an attribute': { chars: 300, on: `place.dataset.state = text`, look: ['browser_html', { selector: '#place' }] },
  'a title of an element': { chars: 300, on: `place.title = text`, look: ['browser_html', {}] },
  'the title of the page': { chars: 200, on: `document.title = text`, look: ['browser_snapshot', {}] },
  'the title of the page, which is read': { chars: 200, on: `document.title = text`, look: ['browser_read', {}] },
  'what covers an element': {
    chars: 80,
    on: `over.setAttribute('aria-label', text); over.style.cssText = 'position:fixed;inset:0'`,
    look: ['browser_click', { selector: '#under' }],
  },
  'the options of a list': {
    chars: 60,
    on: `list.options[0].text = text`,
    look: ['browser_fill', { selectors: ['#list'], values: ['none of them'] }],
  },
  'the name of a field': {
    chars: 100,
    on: `asked.setAttribute('aria-label', text)`,
    look: ['browser_click', { selector: '#send' }],
  },
  'a tooltip of an icon': { chars: 40, on: `icon.dataset.tooltip = text`, look: ['browser_snapshot', {}] },
  'the console': { chars: 300, on: `console.log(text)`, look: ['browser_log', { kind: 'console' }] },
  'a dialog': {
    chars: 200,
    on: `setTimeout(() => alert(text), 50)`,
    look: ['browser_wait', { text: 'nothing', timeout_ms: 500 }],
  },
  'an address': {
    chars: 500,
    on: `history.replaceState(0, '', '?' + text.replaceAll(' ', '.'))`,
    look: ['browser_snapshot', {}],
  },
};

const PERIODIC = `${'a'.repeat(499)}b`;

export function layForms({ site }: Rig): void {
  const page = (path: string, on: string, body = '') =>
    site.page(
      path,
      `<!doctype html><title>Form</title><input id="user">${body}<p id="said"></p>
      <script>user.addEventListener('input', () => { const { value } = user; ${on} })</script>`,
    );
  for (const [at, written] of Object.values(WRITTEN).entries()) page(`/written-${at}`, `said.textContent = ${written}`);
  const parts = `<div id="place">x</div><select id="list"><option>1</select><form onsubmit="return false"><input id="asked" required>
    <button id="send">Send</button></form><button id="under">Under</button><div id="over"></div><button id="icon"></button>`;
  for (const [at, { chars, on }] of Object.values(CUT).entries()) {
    for (const letters of SHOWN)
      page(
        `/cut-${at}-${letters}`,
        `const text = '. '.repeat(${chars}).slice(0, ${chars - letters - 1}) + ' ' + value + ' end'; ${on}`,
        parts,
      );
  }
  page(
    '/line',
    `said.textContent = 'Welcome ' + value + ' again'`,
    '<style>#said { font: 20px monospace; margin: 0; position: absolute; top: 100px; left: 0; white-space: nowrap }</style>',
  );
  page(
    '/saves',
    `save.download = 'backup-' + value + '.txt'; save.href = URL.createObjectURL(new Blob(['x']))`,
    '<a id="save">Save</a>',
  );
  site.page(
    '/many-letters',
    `<!doctype html><title>Letters</title><p>${'a'.repeat(200_000)}</p><p>${'a\u00a0'.repeat(100_000)}</p>`,
  );
}

/** Letters of the value before the cut. */
const SHOWN = [5, 9];

async function typed(model: Model, url: string, secret = 'secret:bank'): Promise<void> {
  await model.go(url);
  await model.must('browser_fill', { selectors: ['#user'], values: [secret] });
}

export const FORMS: Record<string, Run> = {
  ...Object.fromEntries(
    Object.keys(WRITTEN).map((name, at): [string, Run] => [
      `a page that shows it ${name}`,
      async (model, { ana, site }) => {
        await keepSecret(ana, 'letters', [site.url], LETTERS);
        await typed(model, `${site.url}/written-${at}`, 'secret:letters');
        await model.lookAround();
        return lettersTold(model);
      },
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(CUT).flatMap(
      (
        [
          name,
          {
            look: [tool, args],
          },
        ],
        at,
      ) =>
        SHOWN.map((letters): [string, Run] => [
          `a cut in ${name}, ${letters} letters behind its beginning`,
          async (model, { site }) => {
            await typed(model, `${site.url}/cut-${at}-${letters}`);
            await model.ask(tool, args);
            await model.lookAround();
            return model.knows();
          },
        ]),
    ),
  ),
  'the name of a file that a page saves': async (model, { site }) => {
    await typed(model, `${site.url}/saves`);
    await model.ask('browser_click', { selector: '#save' });
    await model.ask('browser_files');
    return model.knows();
  },
  'drags over a line that shows it': async (model, { site }) => {
    await typed(model, `${site.url}/line`);
    for (const [from, to] of [
      [12, 200],
      [110, 200],
      [150, 300],
      [250, 400],
      [200, 30],
    ] as const) {
      await model.ask('browser_screenshot');
      await model.ask('browser_point', { action: 'drag', x: from, y: 110, to_x: to, to_y: 110 });
    }
    return model.knows();
  },
  'a value of 500 equal letters, and a page of them': async (model, { ana, bob, site }) => {
    await keepSecret(ana, 'periodic', [site.url], PERIODIC);
    await typed(model, `${site.url}/name`, 'secret:periodic');
    await model.go(`${site.url}/many-letters`);
    const { waits } = await whilePinging(bob.caller, () => model.lookAround());
    return waits.own > PING_MS_MAX ? `another person waited ${Math.round(waits.own)} ms` : null;
  },
};

/** The Worker's own time, for two texts of 100 KB to 400 KB in each of seven looks. */
const PING_MS_MAX = 3_000;

/** Finds parts of the value in any of its letters, also as bytes. */
function lettersTold(model: Model): string | null {
  for (const text of model.told.flatMap((one) => [one, ...bytesTold(one)])) {
    const found = partOf(
      text.normalize('NFKD').replace(/\p{M}/gu, ''),
      LETTERS.normalize('NFKD').replace(/\p{M}/gu, ''),
    );
    if (found !== null) return `it is told “${found}”`;
  }
  return model.knows(VALUE);
}

/** Texts that are in hex or base64, with the escapes of addresses decoded. */
function bytesTold(text: string): string[] {
  const runs = text.match(/[\w+/-]{12,}/g) ?? [];
  const decoded = runs.flatMap((run) => [Buffer.from(run, 'base64').toString(), Buffer.from(run, 'hex').toString()]);
  const unescaped = (one: string) =>
    one.replaceAll(/(?:%[\da-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString());
  return [...decoded, ...decoded.map(unescaped)];
}
