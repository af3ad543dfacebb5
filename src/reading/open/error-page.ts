import { mainLines } from '#core/document/document.ts';
import { PeriscopeError } from '#core/failures/failure.ts';
import type { RunWithCpuLock } from '#core/flow/turns.ts';
import { redactText, redactUrl } from '#core/secrets/secret-addresses.ts';
import { createFence, oneLine } from '#core/text/text.ts';
import type { ExtractedText } from '#extract/extractor.ts';
import { HttpError } from '#net/fetch/load.ts';
import type { ErrorResponsePage } from '#net/fetch/load.ts';
import { LineNormalizer } from '#reading/cite/quote-text.ts';
import { extractWithCpuLock } from './extract-page.ts';
import { listWebLinks } from './markdown-twin.ts';

/** Maximum characters quoted from an error page. The cause of the error is at its beginning. */
const WORDS_CHARS_MAX = 600;
/**
 * Characters read before secrets are redacted. More than are quoted, because a secret that is cut off would not be
 * recognized.
 */
const READ_CHARS_MAX = 8_000;
/** Maximum links listed from an error page, such as a link to the page's new URL. */
const LINKS_MAX = 8;
const LINK_TEXT_CHARS_MAX = 80;
const LINK_URL_CHARS_MAX = 300;

/** Words of default error pages, which only repeat the status. A text of such words alone is not quoted. */
const STATUS_WORDS =
  /\b(?:http|error|status|page|not found|forbidden|gone|bad request|internal server error|bad gateway|service (?:temporarily )?unavailable|gateway time-?out|too many requests|(?:nginx|openresty|apache|cloudflare|microsoft-iis)(?:\/[\d.]+)?|\d{3})\b|[\s:.!–—-]+/gi;

/**
 * Adds the first words and links of the error page to the failure. The page is extracted like any other, but not
 * stored.
 */
export async function quoteErrorPage(
  error: HttpError,
  signal: AbortSignal,
  inTurn: RunWithCpuLock,
): Promise<HttpError> {
  const { failure, page, isPrivate } = error;
  const read = page === null ? null : await readErrorPage(page, signal, inTurn);
  if (page === null || read === null) return error;
  const secrets = page.addresses.flatMap(secretsOf);
  const links = linkLines(read, page, secrets);
  const words = wordsOf(mainLines(read), secrets);
  if (links.length === 0 && words.join(' ').replace(STATUS_WORDS, '').trim() === '') return error;
  const text = [...words, ...links].join('\n');
  const { open, close } = await createFence(text);
  return new HttpError({ ...failure, quoted: `${open}\n${text}\n${close}` }, null, isPrivate);
}

async function readErrorPage(
  page: ErrorResponsePage,
  signal: AbortSignal,
  inTurn: RunWithCpuLock,
): Promise<ExtractedText | null> {
  const { kind, text, finalUrl } = page;
  try {
    const input = { kind, text, url: finalUrl, bytes: new Uint8Array(), mode: 'readable' } as const;
    return await extractWithCpuLock(input, signal, inTurn);
  } catch (error) {
    if (error instanceof PeriscopeError && error.failure.code === 'extract_failed') return null;
    throw error;
  }
}

/** Returns the parts of a URL that `redactUrl` removes, because error pages often repeat the URL in their text. */
function secretsOf(url: string): string[] {
  const parts = (text: string) => text.split(/[/?&;=#]/);
  const shown = new Set(parts(redactUrl(url)));
  return parts(url).filter((part) => !shown.has(part));
}

function wordsOf(lines: readonly string[], secrets: readonly string[]): string[] {
  const form = new LineNormalizer('read');
  const read: string[] = [];
  let chars = 0;
  for (const line of lines) {
    const text = form.take(line).trimEnd();
    if (text.trim() !== '') read.push(text.slice(0, READ_CHARS_MAX));
    chars += text.length;
    if (chars > READ_CHARS_MAX) break;
  }
  const words: string[] = [];
  let left = WORDS_CHARS_MAX;
  for (const line of redactText(read.join('\n'), secrets).split('\n')) {
    words.push(line.length <= left ? line : oneLine(line, Math.max(1, left)));
    left -= line.length + 1;
    if (left < 0) break;
  }
  return words.filter((line) => line !== '');
}

/** Lists the links of the main part. If the main part has none, lists the links of the whole page, menus included. */
function linkLines(read: ExtractedText, page: ErrorResponsePage, secrets: readonly string[]): string[] {
  const linksIn = (lines: readonly string[]) =>
    listWebLinks(lines).filter(({ url }) => url !== page.finalUrl && url.length <= LINK_URL_CHARS_MAX);
  const ofMain = linksIn(mainLines(read));
  const links = ofMain.length > 0 ? ofMain : linksIn(read.lines);
  return [
    ...links.slice(0, LINKS_MAX).map(({ url, text }) => {
      const name = redactText(oneLine(text, LINK_TEXT_CHARS_MAX), secrets);
      const address = redactText(url, secrets);
      return name === '' ? `- ${address}` : `- ${name}: ${address}`;
    }),
    ...(links.length > LINKS_MAX ? ['- …'] : []),
  ];
}
