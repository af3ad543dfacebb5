import { oneLine } from '#core/text.ts';

/** Longer fields are cut before anything else is done with them; a hundred times what is shown. */
const FIELD_CHARS_MAX = 40_000;

/** One visible line of at most `maxChars`: no control, zero-width, bidi or tag characters. */
export function plainLine(text: string, maxChars: number): string {
  return oneLine(text.slice(0, FIELD_CHARS_MAX), maxChars);
}

// A tag ends at the first `>`: values in these fields are short and quote none. `[^<>]` keeps it linear.
const TAG = /<(?:\/?[a-z][^<>]*|!--[^<>]*--)>/gi;
const REFERENCE = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}\d?));/gi;
const NAMED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: ' ',
    ndash: '–',
    mdash: '—',
    lsquo: '‘',
    rsquo: '’',
    ldquo: '“',
    rdquo: '”',
    laquo: '«',
    raquo: '»',
    hellip: '…',
    middot: '·',
    bull: '•',
    copy: '©',
    reg: '®',
    trade: '™',
    euro: '€',
    pound: '£',
    deg: '°',
    times: '×',
    rarr: '→',
    larr: '←',
  }),
);
const CODE_POINT_MAX = 0x10ffff;

/** The text of a short HTML fragment: tags go first, then references are read once, so escaped markup stays text. */
export function textOfHtml(html: string): string {
  return html
    .slice(0, FIELD_CHARS_MAX)
    .replace(TAG, '')
    .replace(REFERENCE, (whole, decimal: string | undefined, hex: string | undefined, name: string | undefined) => {
      if (name !== undefined) return NAMED.get(name.toLowerCase()) ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      return code > 0 && code <= CODE_POINT_MAX ? String.fromCodePoint(code) : '';
    });
}
