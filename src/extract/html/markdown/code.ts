import { isElement, isText } from '#extract/html/dom.ts';
import type { DomElement, DomNode } from '#extract/html/dom.ts';
import { toPlain } from '#extract/plain.ts';

/** Line numbers, copy buttons and the like: drawn beside code, no part of it. */
const NOT_CODE =
  /(?:^|\s)(?:linenos?|linenodiv|line-numbers?(?:-rows)?|lnt?|lineno-?\w*|gutter|rouge-gutter|hljs-ln-(?:numbers|n)|LineNr|blob-num\S*|CodeMirror-(?:gutter|linenumber)\S*|react-syntax-highlighter-line-number|cm-gutters?|copy(?:-?btn|-?button|-to-clipboard\S*)?|copybtn|clipboard-copy|btn-copy|code-copy\S*|toolbar(?:-item)?|header-anchor)(?:\s|$)/;
const LINE_TAGS = new Set(['div', 'li', 'tr', 'p', 'x-line']);
const SKIPPED_TAGS = new Set(['button', 'clipboard-copy', 'input', 'img', 'rp', 'rt']);

const CODE_CONTAINERS = /(?:^|\s)(?:CodeMirror-code|cm-content|view-lines|ace_text-layer)(?:\s|$)/;

/** Elements that are a block of code without being a `pre`. */
export function isCodeContainer(element: DomElement): boolean {
  const name = element.localName;
  if (name === 'pre') return true;
  if (name === 'code') return isCodeBlock(element);
  const className = element.getAttribute('class');
  return className !== null && className !== '' && CODE_CONTAINERS.test(className);
}

/** A `code` of several lines outside a `pre` that a highlighter marks as a block. */
function isCodeBlock(code: DomElement): boolean {
  const className = code.getAttribute('class') ?? '';
  if (!/(?:^|\s)(?:hljs|lang(?:uage)?-\S+|block)(?:\s|$)/.test(className)) return false;
  return (code.textContent ?? '').trim().includes('\n');
}

/** Whether the element is what highlighters draw beside code. */
export function isBesideCode(element: DomElement): boolean {
  const className = element.getAttribute('class');
  return (
    SKIPPED_TAGS.has(element.localName) ||
    (className !== null && className !== '' && NOT_CODE.test(className)) ||
    (element.localName === 'td' && element.hasAttribute('data-line-number') && element.firstChild === null)
  );
}

/** The text of a code block as it stands, without line numbers and buttons. Linear, without recursion. */
export function codeText(root: DomElement): string {
  const parts: string[] = [];
  let endsLine = true;
  const add = (text: string) => {
    if (text === '') return;
    parts.push(text);
    endsLine = text.endsWith('\n');
  };
  let node: DomNode | null = root.firstChild;
  while (node !== null) {
    let descend = false;
    if (isText(node)) add(node.textContent ?? '');
    else if (isElement(node)) {
      if (node.localName === 'br') add('\n');
      else if (!isBesideCode(node)) {
        if (LINE_TAGS.has(node.localName) && !endsLine) add('\n');
        descend = true;
      }
    }
    if (descend && node.firstChild !== null) {
      node = node.firstChild;
      continue;
    }
    if (descend && isElement(node) && LINE_TAGS.has(node.localName)) endEmptyLine(node, add);
    while (node !== root && node.nextSibling === null && node.parentNode !== null) {
      node = node.parentNode;
      if (node !== root && isElement(node) && LINE_TAGS.has(node.localName) && !endsLine) add('\n');
    }
    if (node === root) break;
    node = node.nextSibling;
  }
  // Before the fence is chosen: a line end or fence that appears later could end it.
  return toPlain(parts.join(''));
}

function endEmptyLine(element: DomElement, add: (text: string) => void): void {
  if (element.firstChild === null) add('\n');
}
