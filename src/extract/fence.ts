/** A fence around `code` that nothing inside it can close. */
export function fenceLines(code: string, language: string): string[] {
  let longest = 2;
  for (const run of code.matchAll(/^[ \t>]*(`{3,})/gm)) longest = Math.max(longest, (run[1] ?? '').length);
  const marks = '`'.repeat(longest + 1);
  const text = code.endsWith('\n') ? code.slice(0, -1) : code;
  return [marks + language, ...text.split('\n'), marks];
}
