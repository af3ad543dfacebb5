/**
 * Constructs that a script may not name. This is no boundary – a script can spell anything in more ways than a list
 * knows –: the boundary is the session, which holds nothing of anybody else, and the gate before every request of the
 * browser. The list keeps an honest script away from secrets of the page and from code made of text.
 */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/eval\s*\(/u, 'eval'],
  [/(?<![\w$.])eval(?![\w$])/u, 'eval'],
  [/\.eval(?![\w$])/u, 'eval'],
  [/Function\s*\(/u, 'Function('],
  [/(?<![\w$])Function\s*(?:\?\.|[`)\]]|\.\s*(?:call|apply|bind)(?![\w$]))/u, 'Function('],
  [/\.constructor\s*\.\s*constructor(?![\w$])/u, 'Function('],
  [/document\s*(?:\?\s*)?\.\s*cookie/u, 'document.cookie'],
  [
    /(?<![\w$])cookie(?:Store)?(?![\w$])\s*(?:\}|,|:)[^;]{0,200}=\s*(?:document|window|globalThis|self)(?![\w$])/u,
    'document.cookie',
  ],
  [/(?<![\w$])cookieStore(?![\w$])/u, 'document.cookie'],
  [/localStorage/u, 'localStorage'],
  [/sessionStorage/u, 'sessionStorage'],
];

/** What of the script is refused, by the name of the construct; `null` when nothing is. */
export function blockedPattern(script: string): string | null {
  for (const form of spellings(script)) {
    for (const [pattern, name] of PATTERNS) if (pattern.test(form)) return name;
  }
  return null;
}

/** The script as it stands, and as it stands with the usual disguises taken off. */
function spellings(script: string): string[] {
  const decoded = unescaped(script);
  const bare = decoded.replace(/\/\*[\s\S]*?(?:\*\/|$)/gu, ' ').replace(/\/\/[^\n\r\u2028\u2029]*/gu, ' ');
  return [script, decoded, plain(decoded), bare, plain(bare)];
}

/** `\u0065`, `\u{65}` and `\x65` as the characters they stand for; invisible characters gone. */
function unescaped(script: string): string {
  return script
    .replace(
      /\\u\{0*([0-9a-f]{1,6})\}|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})/giu,
      (spelled: string, braced?: string, four?: string, two?: string) => {
        const code = Number.parseInt(braced ?? four ?? two ?? '', 16);
        return code <= 0x10ffff ? String.fromCodePoint(code) : spelled;
      },
    )
    .replace(/\\\r?\n|\p{Cf}/gu, '');
}

/** Texts put together from pieces, members named in brackets, spaces around dots and calls: each in its plain form. */
function plain(script: string): string {
  return script
    .replace(/\s+/gu, ' ')
    .replace(/(['"`])\s*\+\s*(['"`])/gu, '')
    .replace(/\s*(?:\?\.)?\s*\[\s*(['"`])([\w$]+)\1\s*\]/gu, '.$2')
    .replace(/\s*\??\.\s*/gu, '.');
}
