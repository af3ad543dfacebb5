/**
 * Constructs that a script may not use. This is no security boundary, because a script can spell anything in more ways
 * than a list can know. The boundary is the session, which holds nothing of anybody else, and the gate before every
 * request of the browser. The list keeps an honest script away from the secrets of the page and from code that is made
 * of text.
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

/** The name of the construct for which the script is refused; `null` if there is none. */
export function blockedPattern(script: string): string | null {
  for (const form of spellings(script)) {
    for (const [pattern, name] of PATTERNS) if (pattern.test(form)) return name;
  }
  return null;
}

/** The script as it is, and with the usual disguises removed. */
function spellings(script: string): string[] {
  const decoded = unescaped(script);
  const bare = decoded.replace(/\/\*[\s\S]*?(?:\*\/|$)/gu, ' ').replace(/\/\/[^\n\r\u2028\u2029]*/gu, ' ');
  return [script, decoded, plain(decoded), bare, plain(bare)];
}

/** Decodes `\u0065`, `\u{65}` and `\x65`, and removes invisible characters. */
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

/** Joins concatenated strings, turns bracket access into dot access, and removes spaces around dots and calls. */
function plain(script: string): string {
  return script
    .replace(/\s+/gu, ' ')
    .replace(/(['"`])\s*\+\s*(['"`])/gu, '')
    .replace(/\s*(?:\?\.)?\s*\[\s*(['"`])([\w$]+)\1\s*\]/gu, '.$2')
    .replace(/\s*\??\.\s*/gu, '.');
}
