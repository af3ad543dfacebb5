import { elementsInside } from './tree.ts';
import type { DomDocument, DomElement } from './tree.ts';

/** A page that only sends on is small; the scripts of larger ones are not read. */
const SMALL_CHARS_MAX = 30_000;
/** "You are being redirected" and its like, in several languages. */
const TEXT_CHARS_MAX = 300;
const METAS: ReadonlySet<string> = new Set(['meta']);

type ParsedPage = { document: DomDocument; textChars: number; html: string; base: string };

/**
 * The one address to which a page sends its readers by itself: by `meta refresh` (HTML §4.2.5.3), or by a script when there is
 * next to nothing to read. `null` for a page that stays, or that renews itself.
 * @param page.base what its links are resolved against
 * @param url of the page
 */
export function onwardAddress({ document, textChars, html, base }: ParsedPage, url: string): string | null {
  const refresh = refreshIn(document.head, base, url);
  if (refresh !== null || textChars > TEXT_CHARS_MAX || html.length > SMALL_CHARS_MAX) return refresh;
  return byScript(html, base, url);
}

/** The parts of `5; url='next.html'`. */
const CONTENT = /^\s*(?:\d{1,6})?(?:\.[\d.]*)?\s*[;,\s]\s*(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|([^]*))/i;

function refreshIn(head: DomElement, base: string, page: string): string | null {
  for (const meta of elementsInside(head, METAS)) {
    if (meta.getAttribute('http-equiv')?.trim().toLowerCase() !== 'refresh') continue;
    const [, ...given] = CONTENT.exec(meta.getAttribute('content') ?? '') ?? [];
    return addressOf(given.find((one) => one !== undefined)?.trim() ?? '', base, page);
  }
  return null;
}

function addressOf(target: string, base: string, page: string): string | null {
  if (target === '') return null;
  const address = URL.parse(target, base);
  if (address === null || !/^https?:$/.test(address.protocol)) return null;
  const own = URL.parse(page);
  address.hash = '';
  if (own !== null) own.hash = '';
  return own?.href === address.href ? null : address.href;
}

const COMMENT = /<!--[^]*?(?:-->|$)/g;
const SCRIPT = /<script\b([^>]*)>([^]*?)(?:<\/script|$)/gi;
const STRING_OR_COMMENT = /("(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*')|\/\*[^]*?(?:\*\/|$)|\/\/[^\n]*/g;
const MAY_GO = /\blocation\s*(?:\.\s*href\s*)?=(?!=)|\blocation\s*\.\s*(?:replace|assign)\s*\(/;
/** A place where a script goes to another page; strings stand as numbers in quotes. */
const GOES = /\blocation\s*(?:(?:\.\s*href\s*)?=(?!=)|\.\s*(?:replace|assign)\s*\()(?:\s*"(\d+)"(?!\s*[+.[]))?/g;
function byScript(html: string, base: string, page: string): string | null {
  if (!MAY_GO.test(html)) return null;
  let code = '';
  for (const [, attributes = '', source = ''] of html.replace(COMMENT, '').matchAll(SCRIPT)) {
    if (/\bsrc\s*=/i.test(attributes) || /type\s*=\s*["']?(?!text\/javascript|module)[a-z]/i.test(attributes)) continue;
    code += `${source}\n`;
  }
  const strings: string[] = [];
  const plain = code.replace(STRING_OR_COMMENT, (_, text: string | undefined) =>
    text === undefined ? ' ' : `"${strings.push(unquoted(text)) - 1}"`,
  );
  const targets = [...plain.matchAll(GOES)].map(([, at]) => (at === undefined ? '' : (strings[Number(at)] ?? '')));
  const [target = ''] = targets;
  return targets.every((other) => other === target) ? addressOf(target, base, page) : null;
}

/** The text of a string in JavaScript; empty when it has escapes that no address needs. */
function unquoted(literal: string): string {
  const text = literal.slice(1, -1).replaceAll('\\/', '/');
  return text.includes('\\') ? '' : text;
}
