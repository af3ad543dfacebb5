import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BROWSER_VIEWPORT } from '#core/limits.ts';
import { launchServer } from '#scripts/local/launch.ts';
import { benchChromium } from './browser/chromium.ts';
import { tokens } from './browser/meter.ts';
import { serveSaved } from './browser/pages.ts';
import { chromeDevtools, ours, playwright } from './browser/subjects.ts';
import type { Subject } from './browser/subjects.ts';
import { columns } from './spine/stats.ts';

/**
 * `npm run bench:views -- FOLDER [--count 12] [--skip 0] [--missing]`: compares Periscope's views with those of
 * `@playwright/mcp` and `chrome-devtools-mcp`: the controls with their names, and the text. FOLDER has saved pages, of
 * which the largest are opened. All parts of Periscope's view count. Invisible text is left out: a script in the
 * browser of `@playwright/mcp` lists the texts with rendered boxes. `--missing` prints the items that Periscope's view
 * lacks.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '12' },
    skip: { type: 'string', default: '0' },
    missing: { type: 'boolean', default: false },
  },
});
/** Length of the compared part of a name, because each view cuts names somewhere. */
const PIECE_CHARS = 40;
const SHOWN_PIECES = 12;
const CONTROL =
  /^\s*(?:- )?(?:uid=\S+ )?(link|button|textbox|searchbox|combobox|checkbox|radio|switch|tab|slider|spinbutton|menuitem|listbox|option) "((?:[^"\\]|\\.)*)"/gmu;
/** People see a picture, not its alternative text. */
const PICTURE = /^\s*(?:- )?(?:uid=\S+ )?(?:img|image) .*$/gmu;
const ANY_NAME = /"((?:[^"\\]|\\.)+)"/gu;
/** Matches addresses and states, which are not text. */
const ATTRIBUTE = / [a-z]+="(?:[^"\\]|\\.)*"|^\s*- \/(?:url|placeholder): .*$/gmu;
/** In `@playwright/mcp`: unquoted text after a colon. */
const TEXT = /^\s*- (?:text|[a-z]+(?: \[[^\]]*\])*): (.+)$/gmu;

/** Runs in the page: the texts that are rendered, in any tree, and those of fields and pictures. */
const SEEN_TEXT = `() => {
  const seen = [];
  const look = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (node.nodeType === 1) {
        if (node.shadowRoot !== null) look(node.shadowRoot);
        continue;
      }
      const parent = node.parentElement;
      if (parent === null || !/\\S/.test(node.data)) continue;
      if (/^(?:script|style|noscript|template|option|textarea|title)$/i.test(parent.localName)) continue;
      if (!parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const box = range.getBoundingClientRect();
      if (box.width < 2 || box.height < 2 || box.right + scrollX <= 0 || box.bottom + scrollY <= 0) continue;
      if (!isCut(parent, box)) seen.push(node.data);
    }
  };
  const isCut = (element, box) => {
    for (let at = element; at !== null; at = at.parentElement ?? at.getRootNode().host ?? null) {
      const style = getComputedStyle(at);
      const edge = at.getBoundingClientRect();
      if (/rect\\((?:[01](?:px)?[, ]*){4}\\)/.test(style.clip) || /inset\\((?:[5-9]\\d|100)%/.test(style.clipPath)) return true;
      if (style.display !== 'inline' && /hidden|clip/.test(style.overflowX + style.overflowY) && (edge.width <= 1 || edge.height <= 1)) return true;
      if (style.position === 'fixed') return false;
    }
    return false;
  };
  look(document);
  return seen.join(' ');
}`;

const path = benchChromium();
const [skip, count] = [Number(values.skip), Number(values.count)];
const saved = await serveSaved(positionals[0] ?? join(import.meta.dirname, '../../shared/bench/pages'), skip + count);
if (saved === null) throw new Error('FOLDER has to be a folder of saved pages.');
const home = mkdtempSync(join(tmpdir(), 'periscope-bench-'));
const server = await launchServer({
  home,
  settings: { ALLOWED_PRIVATE_HOSTS: saved.host, CHROMIUM_PATH: path, BUDGET_CALLS_PER_MINUTE: '100000' },
});
const browser = { path, viewport: BROWSER_VIEWPORT };
const own = await ours(server);
const visible = await playwright(browser);
const rivals = [visible, await chromeDevtools(browser)];

type Held = { controls: number; controlsHeld: number; chars: number; charsHeld: number };
/** In texts over 2,000 characters, the rest is only counted. */
const COUNTED = /\(\+(\d+) characters: browser_read\)/gu;
const rows: string[][] = [];
const sums = { counted: 0, own: 0, smaller: 0, controls: 0, controlsHeld: 0, chars: 0, charsHeld: 0 };
try {
  for (const page of saved.paths.slice(skip)) {
    const view = await wholeView(own, saved.url + page);
    const others = [];
    for (const rival of rivals) others.push(await wholeView(rival, saved.url + page));
    const seen = squeezed((await visible.call({ tool: 'browser_evaluate', args: { function: SEEN_TEXT } })).text);
    const held = heldOf(others, squeezed(view), seen, page);
    const smaller = Math.min(...others.map(tokens));
    const counted = [...view.matchAll(COUNTED)].reduce((sum, [, chars]) => sum + Number(chars), 0);
    sums.counted += counted;
    rows.push([
      page.slice(1),
      `${held.controlsHeld} of ${held.controls}`,
      share(held.charsHeld, held.chars),
      String(counted),
      String(tokens(view)),
      String(smaller),
    ]);
    sums.own += tokens(view);
    sums.smaller += smaller;
    for (const key of ['controls', 'controlsHeld', 'chars', 'charsHeld'] as const) sums[key] += held[key];
  }
} finally {
  for (const subject of [own, ...rivals]) await subject.close();
  await server.stop();
  await saved.close();
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}
console.log(
  columns([
    [
      '',
      'controls of either that are in ours',
      'text',
      'characters counted',
      'tokens of all our parts',
      'tokens of the smaller rival',
    ],
    ...rows,
    [
      'together',
      `${sums.controlsHeld} of ${sums.controls}`,
      share(sums.charsHeld, sums.chars),
      String(sums.counted),
      String(sums.own),
      `${sums.smaller} (ratio ${(sums.own / sums.smaller).toFixed(2)})`,
    ],
  ]),
);

function share(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)} %`;
}

async function wholeView(subject: Subject, url: string): Promise<string> {
  await subject.call(subject.navigate(url));
  let whole = '';
  for (let next: ReturnType<Subject['snapshot']> | null = subject.snapshot(); next !== null;) {
    const { text } = await subject.call(next);
    whole += `${text}\n`;
    next = subject.more?.(text) ?? null;
  }
  return whole;
}

/** Items that the others show, each once, and the part of them that is in Periscope's view. */
function heldOf(others: readonly string[], view: string, seen: string, page: string): Held {
  const [controls, pieces] = [new Set<string>(), new Set<string>()];
  for (const other of others) {
    for (const [, , name = ''] of other.matchAll(CONTROL))
      controls.add(squeezed(unescaped(name)).slice(0, PIECE_CHARS));
    const withoutAttributes = other.replaceAll(PICTURE, '').replaceAll(ATTRIBUTE, '');
    for (const pattern of [ANY_NAME, TEXT]) {
      for (const [, text = ''] of withoutAttributes.matchAll(pattern))
        for (const piece of piecesOf(unescaped(text))) if (seen.includes(piece)) pieces.add(piece);
    }
  }
  controls.delete('');
  const missing = {
    controls: [...controls].filter((one) => !view.includes(one)),
    text: [...pieces].filter((one) => !view.includes(one)),
  };
  if (values.missing) {
    console.log(`${page}: controls ${JSON.stringify(missing.controls.slice(0, SHOWN_PIECES))}`);
    console.log(`${page}: text ${JSON.stringify(missing.text.slice(0, SHOWN_PIECES))}`);
  }
  const lengthOf = (list: readonly string[]) => list.reduce((sum, one) => sum + one.length, 0);
  const chars = lengthOf([...pieces]);
  return {
    controls: controls.size,
    controlsHeld: controls.size - missing.controls.length,
    chars,
    charsHeld: chars - lengthOf(missing.text),
  };
}

function piecesOf(text: string): string[] {
  const whole = squeezed(text);
  return Array.from({ length: Math.ceil(whole.length / PIECE_CHARS) }, (_, at) =>
    whole.slice(at * PIECE_CHARS, (at + 1) * PIECE_CHARS),
  );
}

/** Compares only letters and numbers, because views write spaces and signs differently. */
function squeezed(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(["\\])/gu, '$1');
}
