import { sentJson, stringsIn } from './wire.ts';
import type { Answer } from './wire.ts';

/** Text that no result may contain, whatever the page is. */

/** Invisible characters, each of them between two letters, where a joiner joins nothing. */
export const UNSEEN: readonly string[] = Array.from(
  '\u0000\u0001\u0007\u0008\u000b\u000c\u001b\u007f\u0080\u0085\u009b\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5' +
    '\u180b\u180e\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2064\u2066' +
    '\u2067\u2068\u2069\u206a\u206f\u3164\ufe00\ufe0e\ufe0f\ufeff\uffa0\ufff9\ufffb\ufffe\uffff' +
    '\u{1bca0}\u{1d173}\u{13430}\u{e0001}\u{e0041}\u{e007f}\u{e0100}\u{e01ef}\u{e0fff}\u{1fffe}',
);

/** A text with all of them in it. */
export const ALL_UNSEEN = UNSEEN.map((character) => `a${character}b`).join('');
/** The same without the characters that HTML itself refuses. */
export const HTML_UNSEEN = UNSEEN.filter((character) => character !== '\u0000')
  .map((one) => `a${one}b`)
  .join('');

const NEVER =
  /[[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2028\u2029\ufff9-\ufffb\u{13430}-\u{1345f}]--[\t\n]]/v;

/** An invisible character in an answer, with the beginning of its field; `null` if there is none. */
export function unseenIn(answer: Answer): string | null {
  const strings = [...stringsIn(answer.structured), answer.text, ...bodyStrings(answer)];
  for (const text of strings) {
    const found = NEVER.exec(text);
    if (found === null) continue;
    const code = (found[0].codePointAt(0) ?? 0).toString(16).padStart(4, '0');
    return `U+${code} in ${JSON.stringify(text.slice(Math.max(0, found.index - 20), found.index + 10))}`;
  }
  return null;
}

function bodyStrings({ body }: Answer): string[] {
  try {
    return stringsIn(JSON.parse(sentJson(body)));
  } catch {
    return [];
  }
}

/** An end mark that a page could hope to pass off as ours. */
export const FORGED_MARK = '0123456789abcdef';

const NOT_CLOSED = ' (a mark that is never closed)';

/** The part of a text that is in our own words: without numbered lines of a viewport and text between the marks. */
export function ours(text: string): string {
  let rest = text;
  let own = '';
  for (;;) {
    const open = /⟦([0-9a-f]{16})/.exec(rest);
    const mark = open?.[1];
    if (open === null || mark === undefined || mark === FORGED_MARK) return own + withoutLines(rest);
    own += withoutLines(rest.slice(0, open.index));
    const close = rest.indexOf(`${mark}⟧`, open.index + 1 + mark.length);
    if (close === -1) return own + NOT_CLOSED;
    rest = rest.slice(close + mark.length + 1);
  }
}

function withoutLines(text: string): string {
  return text.replace(/^L\d+: .*$/gm, '');
}

/** A page's word inside our own words. An address counts as one word, because its site chose it. */
export function inOurVoice(answer: Answer, word: string): string | null {
  const own = ours(answer.text).replace(/https?:\/\/[^\s"<>]+/g, 'ADDRESS');
  const place = own.indexOf(word);
  return place === -1 ? null : `in our voice: ${JSON.stringify(own.slice(Math.max(0, place - 40), place + 40))}`;
}

const RESULT_BYTES_MAX = 1_000_000;
const TEXT_BYTES_MAX = 75_000;
/** RFC 9110 §15.5.14. */
const TOO_LARGE = 413;

/** Rules for every answer. */
export function always(answer: Answer): string | null {
  // A call above the size limit is refused before any tool, with this error.
  if (answer.status === TOO_LARGE && answer.body.includes('"request_too_large"')) return null;
  if (answer.status !== 200) return `HTTP ${answer.status}`;
  if (answer.isError && answer.text.startsWith('Error internal')) return `internal error: ${answer.text.slice(0, 120)}`;
  if (Buffer.byteLength(answer.body) > RESULT_BYTES_MAX) return `a result of ${Buffer.byteLength(answer.body)} bytes`;
  if (Buffer.byteLength(answer.text) > TEXT_BYTES_MAX) return `a text of ${Buffer.byteLength(answer.text)} bytes`;
  if (ours(answer.text).endsWith(NOT_CLOSED)) return 'page text whose closing mark is missing';
  return unseenIn(answer);
}
