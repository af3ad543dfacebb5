import { REPLACED_TAGS, classOf, elementsInside, isAllText, isElement, isText } from '#extract/html/tree.ts';
import { nearestByTag, nextAfter, nextInside } from '#extract/html/tree.ts';
import type { DomElement, DomNode } from '#extract/html/tree.ts';
import { sanitizeText } from '#core/text/plain.ts';
import type { NamedAnchor } from './blocks.ts';
import { anchorName } from './blocks.ts';

const LINE_TAGS = new Set(['div', 'li', 'tr', 'p', 'pre', 'x-line']);
const TABLE_TAGS = new Set(['table', 'tbody', 'thead', 'tr']);

/** Matches the classes of editors and highlighters that show code without a `pre`, or with one `pre` per line. */
const CODE_CONTAINERS =
  /(?:^|\s)(?:CodeMirror-code|cm-content|view-lines|ace_text-layer|syntaxhighlighter|js-file-line-container)(?:\s|$)/;
/** Matches the classes of renderers that write spaces in code as no-break spaces, which would break copied code. */
const NO_BREAK_SPACES = /(?:^|\s)(?:view-lines|syntaxhighlighter)(?:\s|$)/;

export function isCodeContainer(element: DomElement): boolean {
  const name = element.localName;
  if (name === 'pre') return true;
  if (name === 'code') return isCodeBlock(element);
  const className = classOf(element);
  return className !== '' && CODE_CONTAINERS.test(className);
}

function isCodeBlock(code: DomElement): boolean {
  const className = classOf(code);
  if (!/(?:^|\s)(?:hljs|lang(?:uage)?-\S+|block)(?:\s|$)/.test(className)) return false;
  return (code.textContent ?? '').trim().includes('\n');
}

/**
 * Returns the text of a code block, without line numbers and buttons but otherwise unchanged. Linear, no recursion.
 * @param names receives the link targets inside the block, with their lines
 */
export function codeText(block: DomElement, names: NamedAnchor[] = []): string {
  const root = codeIn(block);
  const collected = new CodeLines(root, names);
  let node: DomNode | null = root.firstChild;
  while (node !== null) {
    const descend = collected.enter(node);
    if (descend && node.firstChild !== null) {
      node = node.firstChild;
      continue;
    }
    if (descend) collected.leaveEmpty(node);
    while (node !== root && node.nextSibling === null && node.parentNode !== null) {
      node = node.parentNode;
      if (node !== root) collected.leave(node);
    }
    if (node === root) break;
    node = node.nextSibling;
  }
  // Normalised before the length of the fence is chosen, because the normalised text may contain a longer fence.
  const code = sanitizeText(collected.text());
  return NO_BREAK_SPACES.test(classOf(root)) ? code.replaceAll('\u00a0', ' ') : code;
}

const CODE: ReadonlySet<string> = new Set(['code']);

/**
 * Returns the only `code` in a `pre`, if it has several lines and other text, such as a label, is in separate blocks;
 * otherwise the `pre` itself.
 */
function codeIn(pre: DomElement): DomElement {
  const [code, second] = pre.localName === 'pre' ? [...elementsInside(pre, CODE)] : [];
  if (code === undefined || second !== undefined || !code.textContent.trim().includes('\n')) return pre;
  for (
    let node = nextInside(pre, pre);
    node !== null;
    node = node === code ? nextAfter(pre, node) : nextInside(pre, node)
  ) {
    if (isText(node) && node.textContent.trim() !== '' && !isInBlock(node, pre)) return pre;
  }
  return code;
}

function isInBlock(text: DomNode, pre: DomElement): boolean {
  for (let at = text.parentNode; at !== null && at !== pre; at = at.parentNode) {
    if (at.localName === 'div' || at.localName === 'button') return true;
  }
  return false;
}

class CodeLines {
  private readonly parts: string[] = [];
  private readonly isPre: boolean;
  private endsLine = true;
  private line = 0;
  private readonly names: NamedAnchor[];

  constructor(root: DomElement, names: NamedAnchor[]) {
    this.names = names;
    this.isPre = root.localName === 'pre' || root.localName === 'code';
  }

  text(): string {
    return this.parts.join('');
  }

  /** Adds the text of a node. Returns true if the children of the node are also code. */
  enter(node: DomNode): boolean {
    if (isText(node)) {
      const text = node.textContent ?? '';
      if (!this.isLayout(node, text)) this.add(text);
      return false;
    }
    if (!isElement(node)) return false;
    const name = anchorName(node);
    if (name !== null) this.names.push({ name, line: this.line });
    if (isCodeDecoration(node)) return false;
    if (node.localName === 'br') {
      this.add('\n');
      return false;
    }
    if (LINE_TAGS.has(node.localName) && !this.endsLine) this.add('\n');
    return true;
  }

  leave(node: DomNode): void {
    if (isElement(node) && LINE_TAGS.has(node.localName) && !this.endsLine) this.add('\n');
  }

  leaveEmpty(node: DomNode): void {
    if (isElement(node) && LINE_TAGS.has(node.localName)) this.add('\n');
  }

  /** True for white space that browsers do not render: between table rows, or between the lines of an editor. */
  private isLayout(node: DomNode, text: string): boolean {
    if (text.trim() !== '') return false;
    const parent = node.parentNode;
    if (parent === null || !isElement(parent)) return false;
    if (TABLE_TAGS.has(parent.localName)) return true;
    return !this.isPre && text.includes('\n') && holdsLines(node);
  }

  private add(text: string): void {
    if (text === '') return;
    this.parts.push(text);
    this.endsLine = text.endsWith('\n');
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.line += 1;
  }
}

function holdsLines(node: DomNode): boolean {
  let line = node.nextSibling ?? node.parentNode?.firstChild ?? null;
  if (line !== null && isText(line)) line = line.nextSibling;
  return line !== null && isElement(line) && LINE_TAGS.has(line.localName);
}

const ANCESTORS_LOOKED_AT = 4;
/** Number of ancestors searched for a language if the code is in a table, where more elements wrap it. */
const ANCESTORS_AROUND_TABLE = 7;
const LANGUAGE_ATTRIBUTES = [
  'data-lang',
  'data-language',
  'data-code-language',
  'data-enlighter-language',
  'data-syntax',
  'data-mode',
];
const BRUSH = /(?:^|[\s;"])brush:\s*['"]?([\w+#.-]+)/i;
const PREFIXED =
  /(?:^|\s)(?:language|lang|highlight-source|highlight-text|highlight|src|code-block-lang|syntax|sourceCode-lang|codehilite-lang)[-:_]([\w+#.-]+)/i;
const HIGHLIGHTER_WITH_NAME =
  /(?:^|\s)(?:hljs|sourceCode|syntaxhighlighter|prettyprint|src|rust-example-rendered|codehilite|shiki|CodeMirror)(?:\s|$)/;
/** Words that are not languages, although they follow a class prefix, such as `highlight-wrapper`. */
const NO_LANGUAGE = new Set(
  'none text plain plaintext txt default source nohighlight notranslate wrapper wrap container block code copy dark light line lines body inner content js-code true false undefined auto output toolbar'.split(
    ' ',
  ),
);
/** Languages recognised as a plain class, such as `python`, if another class names a highlighter. */
const NAMES = new Set(
  (
    'bash sh shell zsh fish powershell ps1 bat batch console shell-session c cpp c++ csharp cs c# objective-c objc java kotlin scala groovy clojure ' +
    'javascript js jsx typescript ts tsx json json5 jsonc yaml yml toml ini xml html css scss sass less python py python3 pycon ruby rb erb rust rs go ' +
    'golang swift dart php perl lua r julia haskell hs elixir ex erlang erl elm ocaml ml fsharp f# lisp scheme racket sql mysql pgsql postgresql plsql graphql ' +
    'dockerfile docker makefile make cmake nginx apache diff patch http markdown md latex tex vim viml protobuf proto zig nim solidity wasm asm nasm ' +
    'x86asm vue svelte astro handlebars twig jinja django terraform hcl matlab octave fortran cobol pascal delphi vbnet vb basic tcl awk sed properties csv svg regex mermaid'
  ).split(' '),
);
const ALIASES: Readonly<Record<string, string>> = {
  'html-basic': 'html',
  ipython3: 'python',
  ipython: 'python',
  python3: 'python',
  javascripts: 'javascript',
};

/** Returns the language that the page declares for a code block; an empty string without one. */
export function codeLanguage(block: DomElement): string {
  const inner = block.querySelector('code');
  const candidates: DomElement[] = inner === null ? [block] : [inner, block];
  let above = block.parentElement;
  const levels = nearestByTag('td', block) === null ? ANCESTORS_LOOKED_AT : ANCESTORS_AROUND_TABLE;
  for (let level = 0; level < levels && above !== null && above.localName !== 'body'; level += 1) {
    candidates.push(above);
    above = above.parentElement;
  }
  for (const [index, candidate] of candidates.entries()) {
    const found = languageOf(candidate, index < 2);
    if (found !== '') return found;
  }
  // GitLab declares the language on each line of the code instead of the block.
  return namedLanguage(block.querySelector('span.line[lang]')?.getAttribute('lang') ?? '');
}

function namedLanguage(raw: string): string {
  const name = clean(raw);
  return NAMES.has(name) ? name : '';
}

function languageOf(element: DomElement, isOwn: boolean): string {
  for (const name of LANGUAGE_ATTRIBUTES) {
    const found = clean(element.getAttribute(name) ?? '');
    if (found !== '') return found;
  }
  const className = classOf(element);
  // Confluence declares the language in its own attribute, as `brush: java`.
  const named = BRUSH.exec(`${className} ${element.getAttribute('data-syntaxhighlighter-params') ?? ''}`)?.[1];
  if (named !== undefined) return clean(named);
  for (const match of className.matchAll(new RegExp(PREFIXED, 'gi'))) {
    const found = clean(match[1] ?? '');
    if (found !== '') return found;
  }
  if (isOwn) {
    // `cs` may mean Czech or C#. A code of two letters is a programming language only next to a highlighter's class.
    const lang = namedLanguage(element.getAttribute('lang') ?? '');
    if (lang.length > 2 || (lang !== '' && HIGHLIGHTER_WITH_NAME.test(className))) return lang;
  }
  const bare = isOwn || HIGHLIGHTER_WITH_NAME.test(className);
  if (!bare) return '';
  const word = className
    .toLowerCase()
    .split(/\s+/)
    .find((token) => NAMES.has(token));
  return word === undefined ? '' : clean(word);
}

function clean(raw: string): string {
  const name = raw.trim().toLowerCase();
  if (!/^[a-z][\w+#.-]{0,30}$/.test(name) || NO_LANGUAGE.has(name)) return '';
  return ALIASES[name] ?? name;
}

/** Matches the classes of elements inside a code block that are not code: line numbers, copy buttons, hover cards. */
const IN_CODE =
  /(?:^|\s)(?:linenos?|linenodiv|line-numbers?(?:-rows)?|lnt?|lineno-?\w*|gutter|rouge-gutter|hljs-ln-(?:numbers|n)|LineNr|blob-num\S*|CodeMirror-(?:gutter|linenumber)\S*|react-syntax-highlighter-line-number|cm-gutters?|copy(?:-?btn|-?button|-to-clipboard\S*)?|copybtn|clipboard-copy|btn-copy|code-copy\S*|toolbar(?:-item)?|header-anchor|language-id|ttc|twoslash-(?:popup|meta|error-line|completion)\S*)(?:\s|$)/;
const COPY_LABEL = /(?:^|\s)cop(?:y|ied)[-_](?:label|text|message|state|tooltip)(?:\s|$)/;
/** Tag name given to a table cell that contains only the number of a line of code. */
export const LINE_NUMBER_TAG = 'x-line-number';
const TAGS_IN_CODE = new Set(['button', 'clipboard-copy', 'img', 'rp', 'rt', LINE_NUMBER_TAG, ...REPLACED_TAGS]);

/** Matches the classes of elements next to a code block that are not content: line numbers, copy buttons. */
const NEXT_TO_CODE =
  /(?:^|\s)(?:cm-gutters|ace_gutter|CodeMirror-gutters?|CodeMirror-gutter-wrapper|line-numbers-wrapper|linenodiv|copybtn|btn-copy|clipboard-copy|zeroclipboard-container|copy-to-clipboard-button|code-copy\S*|copy-code\S*)(?:\s|$)/;
const NUMBERS = /(?:^|[\s-])(?:line-?num|linenos?|gutter)/i;
const ONLY_NUMBERS = /^[\d\s]+$/;
const MAY_HOLD_NUMBERS = new Set(['div', 'pre', 'span', 'td']);

/** True for an element inside a code block that is not code, such as a line number or a copy button. */
export function isCodeDecoration(element: DomElement): boolean {
  const className = classOf(element);
  // On `code` itself, a class such as `line-numbers` only tells the highlighter to show line numbers.
  if (element.localName === 'code') return false;
  return (
    TAGS_IN_CODE.has(element.localName) ||
    (className !== '' && (IN_CODE.test(className) || COPY_LABEL.test(className))) ||
    (element.localName === 'td' && element.hasAttribute('data-line-number') && element.firstChild === null)
  );
}

export function isCodeControl(element: DomElement): boolean {
  const className = classOf(element);
  if (className === '') return element.localName === 'pre' && isNumberColumn(element);
  if (NEXT_TO_CODE.test(className)) return true;
  const name = element.localName;
  if (className === 'toolbar') return isClassed(element.parentElement, 'code-toolbar');
  // VitePress shows the language of a code block in a `span` before the block.
  if (name === 'span' && className === 'lang') return element.nextElementSibling?.localName === 'pre';
  if (!MAY_HOLD_NUMBERS.has(name)) return false;
  if (NUMBERS.test(className) && isAllText(element, ONLY_NUMBERS)) return true;
  return name === 'pre' && isNumberColumn(element);
}

/** True for a `pre` that contains only the line numbers of the code in the next table cell. */
function isNumberColumn(element: DomElement): boolean {
  const cell = nearestByTag('td', element);
  if (cell === null || !isAllText(element, ONLY_NUMBERS)) return false;
  return (cell.nextElementSibling?.querySelector('pre, code') ?? null) !== null;
}

function isClassed(element: DomElement | null, name: string): boolean {
  return element !== null && classOf(element).split(/\s+/).includes(name);
}
