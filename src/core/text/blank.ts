/**
 * Matches runs of visible characters. It excludes white space, invisible characters, and the empty Braille cell, which
 * looks like a space. The set is written out, because scripts that run in pages do not include `plain.ts`; a test
 * compares both.
 */
const SEEN =
  /[^\s\u2800\p{Cc}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\ufff9-\ufffb\u{13430}-\u{1345f}]+/gu;

export function isBlank(text: string): boolean {
  return text.search(SEEN) === -1;
}

export function removeBlanks(text: string): string {
  return (text.match(SEEN) ?? []).join('');
}
