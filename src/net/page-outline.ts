import { CHALLENGE_SCAN_CHARS_MAX, CHALLENGE_TEXT_CHARS_MAX, LOGIN_TEXT_CHARS_MAX } from './limits.ts';

/** What tells a wall from a page: how much a person would see, and what the markup around it says. */
export type PageOutline = {
  title: string;
  /** Visible text, folded; a little more than {@link CHALLENGE_TEXT_CHARS_MAX} characters at most. */
  text: string;
  /** Characters of visible text outside links, labels, buttons, page headers, footers and menus. */
  proseChars: number;
  /** Tags and scripts without the visible text, so that a page that *writes about* a wall is not taken for one. */
  markup: string;
  /** A visible password field outside page headers, footers and menus. */
  asksPassword: boolean;
};

/** `noscript` is not among them: forum software keeps the whole thread in it. */
const RAW_ELEMENTS = new Set(['script', 'style', 'template', 'svg', 'textarea', 'iframe', 'title']);
const CHROME = new Set(['header', 'nav', 'footer', 'aside']);
const CONTROLS = new Set(['a', 'label', 'button', 'select', 'option', 'legend']);
/** Starting one of these ends any link or control that was never closed. */
const BLOCKS = new Set(['p', 'div', 'li', 'td', 'th', 'h1', 'h2', 'h3', 'article', 'section', 'main', 'form']);
const HIDDEN = /\sstyle\s*=\s*["'][^"'<>]*display\s*:\s*none|\shidden(?=[\s=/>])/i;
const TAG = /<(\/?)([a-zA-Z][a-zA-Z0-9-]*)/y;

type State = {
  outline: PageOutline;
  chrome: number;
  controls: number;
  isHiddenForm: boolean;
  markup: string[];
  text: string[];
  chars: number;
};

/**
 * One pass over HTML, without building a tree; `null` as soon as there is too much of it to be a wall. Linear, no
 * back-tracking.
 */
export function outlinePage(html: string): PageOutline | null {
  if (html.length > CHALLENGE_SCAN_CHARS_MAX) return null;
  const outline: PageOutline = { title: '', text: '', proseChars: 0, markup: '', asksPassword: false };
  const state: State = { outline, chrome: 0, controls: 0, isHiddenForm: false, markup: [], text: [], chars: 0 };
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open < 0) {
      addText(state, html.slice(at));
      break;
    }
    addText(state, html.slice(at, open));
    if (state.chars > CHALLENGE_TEXT_CHARS_MAX && outline.proseChars > LOGIN_TEXT_CHARS_MAX) return null;
    at = readMarkup(state, html, open);
  }
  outline.text = state.text.join(' ');
  outline.markup = state.markup.join('');
  return outline;
}

/** Reads what starts with `<` and returns where reading goes on. */
function readMarkup(state: State, html: string, open: number): number {
  if (html.startsWith('<!--', open)) return after(html, '-->', open + 4);
  TAG.lastIndex = open;
  const tag = TAG.exec(html);
  if (tag === null)
    return html.startsWith('<!', open) || html.startsWith('<?', open) ? after(html, '>', open) : open + 1;
  const name = (tag[2] ?? '').toLowerCase();
  const isEnd = tag[1] === '/';
  const end = tagEnd(html, open);
  const source = html.slice(open, end);
  state.markup.push(source);
  if (!isEnd && RAW_ELEMENTS.has(name) && !source.endsWith('/>')) return readRaw(state, html, name, end);
  enter(state, name, isEnd);
  if (name === 'form') state.isHiddenForm = !isEnd && HIDDEN.test(source);
  if (name === 'input' && isPasswordField(source) && state.chrome === 0 && !state.isHiddenForm) {
    state.outline.asksPassword = true;
  }
  return end;
}

/** A bracket in quotes does not end a tag. */
const QUOTED_VALUE_OR_END = /=[\t\n\f\r ]*(?:"[^"]*"|'[^']*')|>/g;

function tagEnd(html: string, open: number): number {
  QUOTED_VALUE_OR_END.lastIndex = open;
  for (let found = QUOTED_VALUE_OR_END.exec(html); found !== null; found = QUOTED_VALUE_OR_END.exec(html)) {
    if (found[0] === '>') return QUOTED_VALUE_OR_END.lastIndex;
  }
  return html.length;
}

function isPasswordField(source: string): boolean {
  return /\btype\s*=\s*["']?password\b/i.test(source) && !HIDDEN.test(source);
}

function readRaw(state: State, html: string, name: string, start: number): number {
  const closing = new RegExp(`</${name}`, 'gi');
  closing.lastIndex = start;
  const end = closing.exec(html)?.index ?? html.length;
  const content = html.slice(start, end);
  if (name === 'title' && state.outline.title === '') state.outline.title = fold(content);
  else state.markup.push(content);
  return end;
}

function enter(state: State, name: string, isEnd: boolean): void {
  if (CHROME.has(name)) state.chrome = isEnd ? Math.max(0, state.chrome - 1) : state.chrome + 1;
  if (CONTROLS.has(name)) state.controls = isEnd ? Math.max(0, state.controls - 1) : state.controls + 1;
  else if (!isEnd && BLOCKS.has(name)) state.controls = 0;
}

function addText(state: State, source: string): void {
  const text = fold(source);
  if (text === '') return;
  if (state.chrome === 0 && state.controls === 0) state.outline.proseChars += text.length;
  if (state.chars > CHALLENGE_TEXT_CHARS_MAX) return;
  state.text.push(text);
  state.chars += text.length;
}

function fold(source: string): string {
  return source
    .replace(/&(?:nbsp|#160);/g, ' ')
    .replace(/&(?:#39|#x27|apos|rsquo|#8217);|’/g, "'")
    .replace(/\s+/g, ' ')
    .trim();
}

function after(html: string, mark: string, from: number): number {
  const at = html.indexOf(mark, from);
  return at < 0 ? html.length : at + mark.length;
}
