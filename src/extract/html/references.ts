const REFERENCE = /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(nbsp|quot|apos|gt|rsquo|lsquo|rdquo|ldquo|mdash|ndash|hellip));/gi;
const NAMED: Readonly<Record<string, string>> = {
  nbsp: '\u00a0',
  quot: '"',
  apos: "'",
  gt: '>',
  rsquo: '’',
  lsquo: '‘',
  rdquo: '”',
  ldquo: '“',
  mdash: '—',
  ndash: '–',
  hellip: '…',
};
const LESS_THAN = 0x3c;
const AMPERSAND = 0x26;

/**
 * Decodes character references whose characters mean nothing to HTML. The DOM would make a text node of each, and whole
 * pages are written in references. References that HTML interprets, or that stand for other characters than they say
 * (WHATWG HTML §13.2.5.80), are left to the parser.
 */
export function decodePlainReferences(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    REFERENCE,
    (whole, hex: string | undefined, decimal: string | undefined, name: string | undefined) => {
      if (name !== undefined) return NAMED[name] ?? whole;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return isPlain(code) ? String.fromCodePoint(code) : whole;
    },
  );
}

function isPlain(code: number): boolean {
  if (code === LESS_THAN || code === AMPERSAND || code < 0x20 || code > 0x10_ffff) return false;
  return !(code >= 0x7f && code <= 0x9f) && !(code >= 0xd800 && code <= 0xdfff);
}
