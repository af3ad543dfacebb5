import { classOf, nearestOf } from '#extract/html/tree.ts';
import type { DomElement } from '#extract/html/tree.ts';

/** How many wrappers around a `pre` may carry the language. */
const ANCESTORS_LOOKED_AT = 4;
/** In a table whose second column holds the code, there are more. */
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
/** Words after `highlight-` and the like that are not languages. */
const NO_LANGUAGE = new Set(
  'none text plain plaintext txt default source nohighlight notranslate wrapper wrap container block code copy dark light line lines body inner content js-code true false undefined auto output toolbar'.split(
    ' ',
  ),
);
/** Languages that may stand as a bare class beside a highlighter's own. */
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

/** The language that a highlighter or author gave a block of code; empty if there is none. */
export function codeLanguage(block: DomElement): string {
  const inner = block.querySelector('code');
  const candidates: DomElement[] = inner === null ? [block] : [inner, block];
  let above = block.parentElement;
  const levels = nearestOf('td', block) === null ? ANCESTORS_LOOKED_AT : ANCESTORS_AROUND_TABLE;
  for (let level = 0; level < levels && above !== null && above.localName !== 'body'; level += 1) {
    candidates.push(above);
    above = above.parentElement;
  }
  for (const [index, candidate] of candidates.entries()) {
    const found = languageOf(candidate, index < 2);
    if (found !== '') return found;
  }
  // GitLab names it only on each line.
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
  // Confluence names the language ("brush") in an attribute of its own.
  const named = BRUSH.exec(`${className} ${element.getAttribute('data-syntaxhighlighter-params') ?? ''}`)?.[1];
  if (named !== undefined) return clean(named);
  for (const match of className.matchAll(new RegExp(PREFIXED, 'gi'))) {
    const found = clean(match[1] ?? '');
    if (found !== '') return found;
  }
  if (isOwn) {
    // Two letters may also name a human language.
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
