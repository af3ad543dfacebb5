/**
 * What a person sees: neither space, nor a Braille cell without dots, which is drawn as one, nor what is never shown. A
 * literal, so that scripts in pages can have it; a test holds that `plain.ts` judges every character in the same way.
 */
const SEEN =
  /[^\s\u2800\p{Cc}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\ufff9-\ufffb\u{13430}-\u{1345f}]+/gu;

/** Whether a person sees nothing of a text. In pages, too. */
export function isBlank(text: string): boolean {
  return text.search(SEEN) === -1;
}

/** What a person sees of a text, without any space. */
export function withoutBlanks(text: string): string {
  return (text.match(SEEN) ?? []).join('');
}
