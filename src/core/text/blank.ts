/**
 * Matches runs of visible characters: no white space, no invisible characters, and no empty Braille cell, which looks
 * like a space. The characters are written out here to keep in-page scripts small. A test compares them with
 * `plain.ts`.
 */
const SEEN =
  /[^\s\u2800\p{Cc}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\ufff9-\ufffb\u{13430}-\u{1345f}]+/gu;

export function isBlank(text: string): boolean {
  return text.search(SEEN) === -1;
}

export function removeBlanks(text: string): string {
  return (text.match(SEEN) ?? []).join('');
}
