import type { Bomb } from './bombs.ts';
import { repeated } from './bombs.ts';
import type { Rig } from './rig.ts';
import { at, textOf } from './wire.ts';
import type { Answer } from './wire.ts';

/** Inputs that once took quadratic time or worse, and similar ones: opened, compared, or asked for. */

let count = 0;

function servedAt({ site }: Rig, body: string, type = 'text/html'): string {
  const path = `/growing/${(count += 1)}`;
  site.routes[path] = (_request, response) => void response.writeHead(200, { 'content-type': type }).end(body);
  return site.url + path;
}

const PAGES: Readonly<Record<string, () => string>> = {
  'comments without an end in a style': () => `<p style="${repeated('/* ', 300_000)}">x</p>`,
  'translations without an end in a style': () => `<p style="transform:${repeated('translate(', 300_000)}">x</p>`,
  'zeros in a style': () => `<p style="font:${repeated('0', 300_000)}x">x</p>`,
  'no-break spaces in code': () => `<p><code>a${repeated('\u00a0', 400_000)}b</code></p>`,
  'a picture that is named like an arrow': () => `<p>x <img alt="go" src="/next${'1'.repeat(60)}x.gif"></p>`,
  'cells that span rows and columns': () =>
    `<table class="wikitable">${repeated('<tr><td rowspan="99" colspan="9">x<td>y', 200_000)}</table>`,
  'headings of one name': () => repeated('<h2>Name</h2><p>text</p>', 1_000_000),
  'digits behind each other': () => `<p>${repeated('1', 1_000_000)} ago</p>`,
  'an inventory of no-break spaces': () => `<h1>${repeated('a\u00a0- ', 500_000)}</h1>`,
};

const opened = (name: string, make: () => string): Bomb => ({
  name: `growing: ${name}`,
  prepare: async (rig) => {
    const url = servedAt(rig, make());
    return async () => [await rig.ana.caller.call('open_url', { url })];
  },
});

const compared = (name: string, make: (version: number) => string): Bomb => ({
  name: `compared: ${name}`,
  prepare: async (rig) => {
    const cursors: string[] = [];
    for (const version of [1, 2]) {
      const answer = await rig.local.call('open_url', { url: servedAt(rig, make(version), 'text/markdown') });
      cursors.push(textOf(at(answer.structured, 'cursor')));
    }
    return async () => [await rig.local.call('changes', { cursors })];
  },
});

/** Different words in each text and each version. */
const words = (length: number, seed: number) =>
  Array.from({ length }, (_, place) => ((place * 7_919 + seed * 31) % 46_656).toString(36)).join(' ');

const SELECTORS = [
  `a[b$/${'**//'.repeat(40)}`,
  `a[b$/${'**//'.repeat(490)}`,
  `x" in row${' '.repeat(1_900)}"`,
  `${'button "a" in '.repeat(130)}x`,
  `text=${'a in row '.repeat(200)}"`,
  ':is('.repeat(450),
  `:has(${'*'.repeat(900)})`,
];

/** Calls on one page in a browser, one after the other. */
const inBrowser = (
  name: string,
  page: () => string,
  asks: (caller: Rig['ana']['caller']) => Promise<Answer[]>,
): Bomb => ({
  name: `in a browser: ${name}`,
  prepare: async (rig) => {
    await rig.ana.caller.call('browser_navigate', { url: servedAt(rig, page()) });
    return () => asks(rig.ana.caller);
  },
});

const looks = (caller: Rig['ana']['caller']) =>
  Promise.all(['browser_snapshot', 'browser_read'].map((tool) => caller.call(tool, {})));

export const GROWING: readonly Bomb[] = [
  ...Object.entries(PAGES).map(([name, make]) => opened(name, make)),
  compared('counters', (version) => `${repeated('day ago - - - ', 100_000)}${version}\n`),
  compared('200 paragraphs of 2,000 words', (version) =>
    Array.from({ length: 200 }, (_, place) => words(2_000, version * 100_000 + place * 17)).join('\n\n'),
  ),
  inBrowser(
    'selectors that can be read in many ways',
    () => '<button>a</button>',
    async (caller) => {
      const answers: Answer[] = [];
      for (const selector of SELECTORS) answers.push(await caller.call('browser_click', { selector }));
      return answers;
    },
  ),
  inBrowser('20,000 buttons of one name', () => repeated('<button>a</button>', 360_000), looks),
  inBrowser(
    '400 rows in each other, with a button each',
    () => '<div role="row"><button>a</button>'.repeat(400),
    looks,
  ),
  inBrowser('20,000 choices', () => `<select>${repeated('<option>a</option>', 360_000)}</select>`, looks),
  inBrowser(
    'a name of a megabyte',
    () => `<button aria-label='${repeated('a "b" nth=1 ', 1_000_000)}'>x</button>`,
    looks,
  ),
  inBrowser('a text of one letter', () => `<p>${repeated('a', 1_000_000)}</p>`, looks),
];
