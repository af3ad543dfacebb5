import { classOf, isAllText, nearestOf } from '#extract/html/tree.ts';
import type { DomElement } from '#extract/html/tree.ts';

/** Line numbers, copy buttons, hover cards and the like: drawn inside a block of code, but not part of it. */
const IN_CODE =
  /(?:^|\s)(?:linenos?|linenodiv|line-numbers?(?:-rows)?|lnt?|lineno-?\w*|gutter|rouge-gutter|hljs-ln-(?:numbers|n)|LineNr|blob-num\S*|CodeMirror-(?:gutter|linenumber)\S*|react-syntax-highlighter-line-number|cm-gutters?|copy(?:-?btn|-?button|-to-clipboard\S*)?|copybtn|clipboard-copy|btn-copy|code-copy\S*|toolbar(?:-item)?|header-anchor|language-id|twoslash-(?:popup|meta|error-line|completion)\S*)(?:\s|$)/;
const TAGS_IN_CODE = new Set(['button', 'clipboard-copy', 'input', 'img', 'rp', 'rt']);

/** The same, drawn next to a block of code. */
const NEXT_TO_CODE =
  /(?:^|\s)(?:cm-gutters|ace_gutter|CodeMirror-gutters?|CodeMirror-gutter-wrapper|line-numbers-wrapper|linenodiv|copybtn|btn-copy|clipboard-copy|zeroclipboard-container|copy-to-clipboard-button|code-copy\S*|copy-code\S*)(?:\s|$)/;
const NUMBERS = /(?:^|[\s-])(?:line-?num|linenos?|gutter)/i;
const ONLY_NUMBERS = /^[\d\s]+$/;
const MAY_HOLD_NUMBERS = new Set(['div', 'pre', 'span', 'td']);

/** Whether an element inside a block of code is something that highlighters add. */
export function isBesideCode(element: DomElement): boolean {
  const className = classOf(element);
  // On the code itself, such names ask the highlighter to draw numbers.
  if (element.localName === 'code') return false;
  return (
    TAGS_IN_CODE.has(element.localName) ||
    (className !== '' && IN_CODE.test(className)) ||
    (element.localName === 'td' && element.hasAttribute('data-line-number') && element.firstChild === null)
  );
}

/** The same for an element outside a block of code. */
export function isNextToCode(element: DomElement): boolean {
  const className = classOf(element);
  if (className === '') return element.localName === 'pre' && isNumberColumn(element);
  if (NEXT_TO_CODE.test(className)) return true;
  const name = element.localName;
  if (className === 'toolbar') return isClassed(element.parentElement, 'code-toolbar');
  // VitePress shows the language in a corner of the block.
  if (name === 'span' && className === 'lang') return element.nextElementSibling?.localName === 'pre';
  if (!MAY_HOLD_NUMBERS.has(name)) return false;
  if (NUMBERS.test(className) && isAllText(element, ONLY_NUMBERS)) return true;
  return name === 'pre' && isNumberColumn(element);
}

/** The column of line numbers for which some highlighters use a `pre` of its own. */
function isNumberColumn(element: DomElement): boolean {
  const cell = nearestOf('td', element);
  if (cell === null || !isAllText(element, ONLY_NUMBERS)) return false;
  return (cell.nextElementSibling?.querySelector('pre, code') ?? null) !== null;
}

function isClassed(element: DomElement | null, name: string): boolean {
  return element !== null && classOf(element).split(/\s+/).includes(name);
}
