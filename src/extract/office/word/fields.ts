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
