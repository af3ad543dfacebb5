import { oneLine, percentEncode } from '#core/text/text.ts';
import { STRIKE_MARK } from '#core/text/visible-text.ts';
import { findStruckRanges } from '#extract/lines/protected.ts';

type Cited = {
  quote: string;
  title: string | null;
  url: string;
  /** Time at which the page was fetched, in ms since 1970. */
  fetchedAt: number;
  link: string;
};

/**
 * Maximum words of a quote that a text fragment contains in full. For a longer quote, the fragment has only the first
 * and last words, because any change of the page between them would break the full text.
 */
const WHOLE_WORDS_MAX = 8;
const END_WORDS = 4;
const TITLE_CHARS_MAX = 200;
const KEY_CHARS_MAX = 24;

/** Returns the page's URL with a text fragment, by which browsers scroll to the quote. */
export function textFragmentLink(url: string, quote: string): string {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol) || parsed.hash.includes(':~:')) return url;
  const fragment = textFragment(quote);
  return fragment === ''
    ? url
    : `${parsed.href}${parsed.hash === '' && !parsed.href.endsWith('#') ? '#' : ''}${fragment}`;
}

/**
 * Builds a text fragment. A short line is used in full. Otherwise the fragment has the first words of the first line
 * and the last words of the last line, because a term of a fragment must not span two blocks of a page.
 */
function textFragment(quote: string): string {
  const lines = quote.split('\n').map((line) =>
    withoutStrikes(line)
      .split(/\s+/)
      .filter((word) => word !== ''),
  );
  const filled = lines.filter((words) => words.length > 0);
  const [first, last] = [filled[0] ?? [], filled.at(-1) ?? []];
  if (first.length === 0) return '';
  const isShort = filled.length === 1 && first.length <= WHOLE_WORDS_MAX;
  const ends = isShort ? [first] : [first.slice(0, END_WORDS), last.slice(-END_WORDS)];
  return `:~:text=${ends.map((words) => fragmentWords(words.join(' '))).join(',')}`;
}

/** Removes the marks of struck-out text. A `~~` without a second one, as in the code `~~x`, is text. */
function withoutStrikes(line: string): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of findStruckRanges(line)) {
    parts.push(line.slice(at, start), line.slice(start + STRIKE_MARK.length, end - STRIKE_MARK.length));
    at = end;
  }
  return parts.join('') + line.slice(at);
}

/**
 * Percent-encodes words for a text fragment. Dashes are also encoded, because they have a meaning in text fragments.
 */
function fragmentWords(words: string): string {
  return encodeURIComponent(words.toWellFormed()).replaceAll('-', '%2D');
}

export function asMarkdown({ quote, title, url, fetchedAt, link }: Cited): string {
  const quoted = quote.split('\n').map((line) => `> ${markdownText(line)}`.trimEnd());
  const name = markdownText(oneLine(title ?? '', TITLE_CHARS_MAX)) || markdownText(hostOf(url));
  const source = /^https?:/.test(url) ? `[${name}](${markdownAddress(textFragmentLink(url, quote))})` : name;
  return [...quoted, '>', `> ${source}, [read ${dayOf(fetchedAt)}](${markdownAddress(link)})`].join('\n');
}

export function asBibtex({ title, url, fetchedAt, link }: Cited): string {
  const host = hostOf(url);
  const day = dayOf(fetchedAt);
  const key = `${host.replace(/[^a-z0-9]+/gi, '').slice(0, KEY_CHARS_MAX) || 'page'}${day.replaceAll('-', '')}`;
  return [
    `@misc{${key},`,
    `  title = {${bibtexText(oneLine(title ?? '', TITLE_CHARS_MAX) || host)}},`,
    `  howpublished = {\\url{${bibtexAddress(url)}}},`,
    `  urldate = {${day}},`,
    `  note = {Quoted at \\url{${bibtexAddress(link)}}}`,
    '}',
  ].join('\n');
}

export function hostOf(url: string): string {
  return URL.parse(url)?.host || url;
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

function markdownText(text: string): string {
  return text.replace(/[\\`*_[\]<>#|~&]/g, '\\$&');
}

function markdownAddress(url: string): string {
  return url.replace(/[()<>\\\s]/g, percentEncode);
}

/**
 * Replacements for characters in BibTeX. A brace becomes a command: BibTeX counts braces even after a backslash, so an
 * escaped brace in a title would end the field.
 */
const BIBTEX: Record<string, string> = {
  '\\': '\\textbackslash ',
  '~': '\\textasciitilde ',
  '^': '\\textasciicircum ',
  '{': '\\textbraceleft ',
  '}': '\\textbraceright ',
};

function bibtexText(text: string): string {
  return text.replace(/[\\{}~^&%$#_]/g, (mark) => BIBTEX[mark] ?? `\\${mark}`);
}

function bibtexAddress(url: string): string {
  return url.replace(/[{}\\\s]/g, percentEncode);
}
