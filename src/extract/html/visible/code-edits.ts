import { isBlank } from '#core/text/blank.ts';
import { DomText, elementsInside, isBelow, isElement, isText, nextAfter, nextInside } from '#extract/html/tree.ts';
import type { DomElement, DomNode } from '#extract/html/tree.ts';

const CODE: ReadonlySet<string> = new Set(['pre', 'code', 'kbd', 'samp', 'tt']);
export const EDIT_TAGS: ReadonlySet<string> = new Set(['del', 's', 'strike', 'ins']);

type Edit = { element: DomElement; isAtStart: boolean; isAtEnd: boolean };

/**
 * Marks deleted and inserted text in code: whole lines with `-` and `+`, other text as `[-old-]` and `{+new+}`. Code
 * without deleted text is unchanged. Linear in the tree.
 */
export function markEditsInCode(body: DomElement): void {
  /** The last code block, to skip code blocks inside it. */
  let last: DomElement | null = null;
  for (const pre of elementsInside(body, CODE)) {
    if (last !== null && isBelow(pre, last)) continue;
    last = pre;
    const edits = editsIn(pre);
    if (edits.every(({ element }) => element.localName === 'ins')) continue;
    // In a line of text, code has no lines of its own.
    if (pre.localName !== 'pre') for (const edit of edits) edit.isAtEnd = false;
    for (const edit of edits) if (!isSignedLine(edit.element, pre)) markEdit(edit);
  }
}

/** True for a line that has its sign already, because the edit is all of its text. */
function isSignedLine(element: DomElement, pre: DomElement): boolean {
  let at: DomElement = element;
  while (at.previousSibling === null && at.nextSibling === null && at.parentNode !== null && at.parentNode !== pre)
    at = at.parentNode;
  const { previousSibling: before, nextSibling: after } = at;
  const isSign =
    before !== null && isText(before) && before.previousSibling === null && /^[-+]$/.test(before.textContent);
  return isSign && (after === null || isBlank(after.textContent)) && at.parentNode !== pre;
}

function editsIn(pre: DomElement): Edit[] {
  const edits: Edit[] = [];
  let before = '\n';
  let open: Edit | null = null;
  for (let node = nextInside(pre, pre); node !== null;) {
    const isEdit = isElement(node) && EDIT_TAGS.has(node.localName);
    const text = isEdit ? [...nodesInside(node)].map(codeOf).join('') : codeOf(node);
    if (open !== null && text !== '') {
      open.isAtEnd ||= text.startsWith('\n');
      open = null;
    }
    if (isElement(node) && isEdit && text !== '') {
      open = { element: node, isAtStart: (before + text.charAt(0)).includes('\n'), isAtEnd: text.endsWith('\n') };
      edits.push(open);
    }
    before = text.at(-1) ?? before;
    node = isEdit ? nextAfter(pre, node) : nextInside(pre, node);
  }
  if (open !== null) open.isAtEnd = true;
  return edits;
}

function* nodesInside(element: DomNode): Generator<DomNode> {
  for (let node = element.firstChild; node !== null; node = nextInside(element, node)) yield node;
}

/** Returns the code that a node itself adds, without the nodes inside it. */
function codeOf(node: DomNode): string {
  if (isText(node)) return node.textContent;
  return isElement(node) && node.localName === 'br' ? '\n' : '';
}

function markEdit({ element, isAtStart, isAtEnd }: Edit): void {
  const isInserted = element.localName === 'ins';
  if (!isAtStart || !isAtEnd) {
    element.insertBefore(new DomText(isInserted ? '{+' : '[-'), element.firstChild);
    element.append(new DomText(isInserted ? '+}' : '-]'));
    return;
  }
  const sign = isInserted ? '+' : '-';
  let before = '\n';
  for (const node of nodesInside(element)) {
    const text = codeOf(node);
    if (isText(node)) node.textContent = text.replace(before === '\n' ? /^(?=.)/gm : /(?<=\n)(?=.)/g, sign);
    before = text.at(-1) ?? before;
  }
}
