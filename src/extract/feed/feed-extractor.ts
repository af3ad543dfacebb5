import { FILE_CHARS_MAX } from '#extract/limits.ts';
import { FEED_ENTRIES_MAX } from './limits.ts';
import { asExtracted, unreadable } from '#extract/as-extracted.ts';
import { escapeInline, escapeLineStart } from '#extract/escape.ts';
import type { ExtractInput, Extracted, Extractor } from '#extract/extractor.ts';
import { Links } from '#extract/html/markdown/urls.ts';
import { append, demote, htmlReader, plainOf } from '#extract/read-html.ts';
import type { HtmlReader } from '#extract/read-html.ts';
import { xmlExtractor } from '#extract/xml/xml-extractor.ts';
import type { Feed, FeedEntry, FeedText } from './feed.ts';
import { readJsonFeed } from './json-feed.ts';
import { readXmlFeed } from './xml-feed.ts';

const PLAIN = { inLink: false, inCell: false };
const IN_LINK = { inLink: true, inCell: false };
/** Headings of an entry's own text stand below the entry's title. */
const ENTRY_LEVEL = 2;

/** RSS, Atom and JSON feeds: title and description, then each entry under a linked heading. */
export const feedExtractor: Extractor = { id: 'feed', version: '2', extract: extractFeed };

async function extractFeed(input: ExtractInput): Promise<Extracted> {
  const source = input.text.trim();
  if (/^\ufeff?\s*\{/.test(source)) {
    const feed = readJsonFeed(source.replace(/^\ufeff/, ''));
    return feed === null ? unreadable(input, 'the feed is not valid JSON') : write(feed, [], input);
  }
  const read = readXmlFeed(source);
  // XML that is labelled as a feed or looks like one, but is something else, such as other RDF.
  if (read === null) return xmlExtractor.extract(input);
  const cuts = read.cut ? ['The feed is too deep or too large: the rest was left out.'] : [];
  return write(read.feed, cuts, input);
}

async function write(feed: Feed, cutBefore: readonly string[], input: ExtractInput): Promise<Extracted> {
  const cuts = new Set(cutBefore);
  const readHtml = await htmlReader(input.pause);
  const reader: HtmlReader = async (html, base) => {
    const read = await readHtml(html, base);
    for (const cut of read.cuts) cuts.add(cut);
    return read;
  };
  const links = new Links(input.url);
  const base = links.resolve(feed.link) ?? input.url;
  const title = await oneLineOf(feed.title, reader, base);
  const markdown = title === '' ? [] : [`# ${title}`, ''];
  append(markdown, [...(await blocksOf(feed.description, reader, base)), '']);
  let chars = 0;
  for (const [index, entry] of feed.entries.entries()) {
    if (chars > FILE_CHARS_MAX) {
      cuts.add(`The feed's entries after ${index} of ${feed.total} were left out.`);
      break;
    }
    const lines = await entryLines(entry, reader, new Links(base));
    for (const line of lines) chars += line.length;
    append(markdown, [...lines, '']);
  }
  if (feed.total > FEED_ENTRIES_MAX) {
    cuts.add(`The feed has ${feed.total} entries: those after ${FEED_ENTRIES_MAX} were left out.`);
  }
  const language = /^[a-z]{2,3}(?:-[\w-]{1,20})?$/i.test(feed.language ?? '') ? feed.language : null;
  return asExtracted(
    feedExtractor,
    { title: plainOf(title), language, markdown, cuts: [...cuts], strategy: 'feed' },
    input,
  );
}

async function entryLines(entry: FeedEntry, reader: HtmlReader, links: Links): Promise<string[]> {
  const link = links.resolve(entry.link);
  const base = link ?? 'https://feed.invalid/';
  const title = (await oneLineOf(entry.title, reader, base)) || 'Untitled';
  const heading = link === null || title.includes('](') ? title : `[${title}](${link})`;
  const facts = [dateOf(entry.date), ...entry.authors].filter((fact) => fact !== '');
  const content = await blocksOf(entry.content, reader, base);
  return [
    `## ${heading}`,
    '',
    ...(facts.length === 0 ? [] : [escapeLineStart(escapeInline(facts.join(' · '), PLAIN)), '']),
    ...demote(content, ENTRY_LEVEL),
  ];
}

/** `2026-05-04 12:30 UTC` if the date can be read; otherwise as it is written. */
function dateOf(written: string): string {
  const time = Date.parse(written);
  if (Number.isNaN(time)) return written.slice(0, 60);
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

async function blocksOf({ text, isHtml }: FeedText, reader: HtmlReader, base: string): Promise<string[]> {
  if (isHtml && /[<&]/.test(text)) return (await reader(text, base)).markdown;
  return text
    .trim()
    .split('\n')
    .map((line) => escapeLineStart(escapeInline(line.trim(), PLAIN)));
}

async function oneLineOf({ text, isHtml }: FeedText, reader: HtmlReader, base: string): Promise<string> {
  const flat = text.replace(/\s+/g, ' ').trim();
  if (!isHtml || !/[<&]/.test(flat)) return escapeInline(flat, IN_LINK);
  const { markdown } = await reader(flat, base);
  return markdown.join(' ').replace(/\s+/g, ' ').replace(/^#+ /, '').trim();
}
