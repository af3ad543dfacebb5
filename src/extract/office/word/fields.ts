import { descendantsOf, firstNamedChild, textOf } from '#extract/xml/tree.ts';
import type { XmlElement } from '#extract/xml/tree.ts';
import { isWordFlagSet } from './numbering.ts';

/** Matches marks of fields, and texts. */
const TOKENS = /<w:fldChar[^<>]*>|<w:t(?:\s[^<>]*)?>[^<]*<\/w:t>/g;
const MARK = /^<w:fldChar\s/;
const TYPE = /\sw:fldCharType\s*=\s*["'](begin|separate|end)["']/;
const BEGIN = /\sw:fldCharType\s*=\s*["']begin/g;

/**
 * Removes texts in the instructions of fields, such as the page number in `IF { PAGE } = 1`: mammoth would write the
 * result of the inner field. Linear.
 */
export function removeInstructionTexts(paragraph: string): string {
  if (!paragraph.includes('w:fldCharType') || (paragraph.match(BEGIN)?.length ?? 0) < 2) return paragraph;
  /** One entry per open field: true before its result. */
  const open: boolean[] = [];
  let instructions = 0;
  return paragraph.replace(TOKENS, (token) => {
    if (!MARK.test(token)) return instructions > 0 ? '' : token;
    const type = TYPE.exec(token)?.[1];
    if (type === 'begin') {
      open.push(true);
      instructions += 1;
    } else if (type !== undefined) {
      if (open.pop() === true) instructions -= 1;
      if (type === 'separate') open.push(false);
    }
    return token;
  });
}

/**
 * Returns the placeholder text that an empty form field within a line shows, such as `Choose an item.` It is written in
 * brackets, so that it does not look like a value.
 */
export function placeholderIn(control: XmlElement): XmlElement | null {
  const shown = firstNamedChild(firstNamedChild(control, 'w:sdtPr'), 'w:showingPlcHdr');
  const content = firstNamedChild(control, 'w:sdtContent');
  if (shown === undefined || !isWordFlagSet(shown) || content === undefined) return null;
  const hasText = descendantsOf(content, 'w:t').some((text) => textOf(text).trim() !== '');
  return hasText && descendantsOf(content, 'w:p').length === 0 ? content : null;
}
