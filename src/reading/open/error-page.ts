import { mainLines } from '#core/document.ts';
import { PeriscopeError } from '#core/failures/failure.ts';
import type { InTurn } from '#core/flow/turns.ts';
import { redactText, redactUrl } from '#core/secrets/secret-addresses.ts';
import { fenceFor, oneLine } from '#core/text/text.ts';
import { HttpError } from '#net/fetch/load.ts';
import type { ErrorPage } from '#net/fetch/load.ts';
import { LineForm } from '#reading/cite/quote-text.ts';
import { extractInTurn } from './extract-page.ts';
import { linksOf } from './markdown-twin.ts';

/** Of what an error page says: what happened stands at its beginning. */
const WORDS_CHARS_MAX = 600;
/** Of its text before secrets are taken out, so that a secret is never cut to a part that nobody knows as one. */
const READ_CHARS_MAX = 8_000;
/** Links of its main part, such as to where a page has moved. */
const LINKS_MAX = 8;
const LINK_TEXT_CHARS_MAX = 80;
const LINK_URL_CHARS_MAX = 300;

/** The same error, with the first words and links of its page. They are read as those of any page, and not stored. */
export async function withWordsOfPage(error: HttpError, signal: AbortSignal, inTurn: InTurn): Promise<HttpError> {
  const { failure, page, isPrivate } = error;
  const lines = page === null ? [] : await readableLines(page, signal, inTurn);
  if (page === null || lines.length === 0) return error;
  const secrets = page.addresses.flatMap(secretsOf);
  const text = [...wordsOf(lines, secrets), ...linkLines(lines, page, secrets)].join('\n');
  if (text === '') return error;
  const { open, close } = await fenceFor(text);
  return new HttpError({ ...failure, quoted: `${open}\n${text}\n${close}` }, null, isPrivate);
}

async function readableLines(page: ErrorPage, signal: AbortSignal, inTurn: InTurn): Promise<readonly string[]> {
  const { kind, text, url } = page;
  try {
    const input = { kind, text, url, bytes: new Uint8Array(), mode: 'readable' } as const;
    return mainLines(await extractInTurn(input, signal, inTurn));
  } catch (error) {
    if (error instanceof PeriscopeError && error.failure.code === 'extract_failed') return [];
    throw error;
  }
}

/** Those parts of an address that are not shown. An error page likes to repeat the address. */
function secretsOf(url: string): string[] {
  const parts = (text: string) => text.split(/[/?&;=#]/);
  const shown = new Set(parts(redactUrl(url)));
  return parts(url).filter((part) => !shown.has(part));
}

function wordsOf(lines: readonly string[], secrets: readonly string[]): string[] {
  const form = new LineForm('read');
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

function linkLines(lines: readonly string[], page: ErrorPage, secrets: readonly string[]): string[] {
  const links = linksOf(lines).filter(({ url }) => url !== page.url && url.length <= LINK_URL_CHARS_MAX);
  return [
    ...links.slice(0, LINKS_MAX).map(({ url, text }) => {
      const name = redactText(oneLine(text, LINK_TEXT_CHARS_MAX), secrets);
      const address = redactText(url, secrets);
      return name === '' ? `- ${address}` : `- ${name}: ${address}`;
    }),
    ...(links.length > LINKS_MAX ? ['- …'] : []),
  ];
}
