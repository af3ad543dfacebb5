/** The text that a user reads out: the nth different match, or the pattern's group in it. */
export function found(text: string, pattern: RegExp, index = 0): string {
  const all = [...text.matchAll(new RegExp(pattern, 'g'))].map(([whole, group]) => group ?? whole);
  const one = [...new Set(all)][index];
  if (one === undefined) throw new Error(`There is no ${pattern} (${index}) in:\n${text}`);
  return one;
}
