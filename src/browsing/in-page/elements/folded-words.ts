/** Normalizes text for comparison: ignores case, line breaks, runs of spaces and invisible characters. */
export function foldText(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/gu, '')
    .replace(/[\s\u2800]+/gu, ' ')
    .trim()
    .toLowerCase();
}
