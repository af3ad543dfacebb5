import type { Cut } from '#core/page-texts.ts';
import { cutBetween } from './cut.ts';

/** The selection of the document, or of the field that has the focus, with what stands around it: a part of a secret is none. */
export function selectedText(charsMax: number): Cut {
  const selection = document.getSelection();
  const text = selection?.toString() ?? '';
  const [before, behind] = around(selection, text);
  return cutBetween(before + text + behind, before.length, before.length + Math.min(text.length, charsMax));
}

function around(selection: Selection | null, text: string): [before: string, behind: string] {
  const field = document.activeElement;
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) {
    const { value, selectionStart: start, selectionEnd: end } = field;
    if (start !== null && end !== null && value.slice(start, end) === text)
      return [value.slice(0, start), value.slice(end)];
  }
  if (selection === null || selection.rangeCount === 0) return ['', ''];
  const { startContainer, startOffset, endContainer, endOffset } = selection.getRangeAt(0);
  const root = startContainer.getRootNode();
  const before = document.createRange();
  before.setStart(root, 0);
  before.setEnd(startContainer, startOffset);
  const behind = document.createRange();
  behind.selectNodeContents(root);
  behind.setStart(endContainer, endOffset);
  return [before.toString(), behind.toString()];
}
