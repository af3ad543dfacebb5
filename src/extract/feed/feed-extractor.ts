import { FILE_CHARS_MAX } from '#extract/limits.ts';
import { toExtracted, failUnreadable } from '#extract/extractor.ts';
import { escapeInline, escapeLineStart } from '#extract/escape.ts';
import type { ExtractInput, Extracted, Extractor } from '#extract/extractor.ts';
import { Links } from '#extract/html/markdown/urls.ts';
import { appendLines, demoteHeadings, htmlReader, withoutMarks } from '#extract/html-in-files.ts';
import type { HtmlReader } from '#extract/html-in-files.ts';
import { xmlExtractor } from '#extract/xml/xml-extractor.ts';
import { isJsonObject, parseJson } from '#core/text/json.ts';
import type { JsonObject } from '#core/text/json.ts';
import { childOf, childrenOf, innerXml, parseXml, textOf } from '#extract/xml/tree.ts';
import type { XmlElement } from '#extract/xml/tree.ts';

const PLAIN = { inLink: false, inCell: false };
const IN_LINK = { inLink: true, inCell: false };
/** Headings of an entry's own text stand below the entry's title. */
const ENTRY_LEVEL = 2;

/** RSS, Atom and JSON feeds: title and description, then each entry under a linked heading. */
export const feedExtractor: Extractor = { id: 'feed', version: '3', extract: extractFeed };

async function extractFeed(input: ExtractInput): Promise<Extracted> {
  const source = input.text.trim();
  if (/^\ufeff?\s*\{/.test(source)) {
    const feed = readJsonFeed(source.replace(/^\ufeff/, ''));
    return feed === null ? failUnreadable(input, 'the feed is not valid JSON') : write(feed, [], input);
  }
  const read = readXmlFeed(source);
  // XML that is labelled as a feed or looks like one, but is something else, such as other RDF.
  if (read === null) return xmlExtractor.extract(input);
  const cuts = read.cut ? ['The feed is too deep or too large: the rest was left out.'] : [];
  return write(read.feed, cuts, input);
}

/** Where the entries of a feed lead, in its order, as they are written. Empty for what is no feed. */
export function feedLinks(source: string): { link: string; date: string }[] {
  const text = source.trim();
  const feed = /^\ufeff?\s*\{/.test(text) ? readJsonFeed(text.replace(/^\ufeff/, '')) : readXmlFeed(text)?.feed;
  return (feed?.entries ?? []).map(({ link, date }) => ({ link, date }));
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
  appendLines(markdown, [...(await blocksOf(feed.description, reader, base)), '']);
  let chars = 0;
  for (const [index, entry] of feed.entries.entries()) {
    if (chars > FILE_CHARS_MAX) {
      cuts.add(`The feed's entries after ${index} of ${feed.total} were left out.`);
      break;
    }
    const lines = await entryLines(entry, reader, new Links(base));
    for (const line of lines) chars += line.length;
    appendLines(markdown, [...lines, '']);
  }
  if (feed.total > FEED_ENTRIES_MAX) {
    cuts.add(`The feed has ${feed.total} entries: those after ${FEED_ENTRIES_MAX} were left out.`);
  }
  const language = /^[a-z]{2,3}(?:-[\w-]{1,20})?$/i.test(feed.language ?? '') ? feed.language : null;
  return toExtracted(
    feedExtractor,
    { title: withoutMarks(title), language, markdown, cuts: [...cuts], strategy: 'feed' },
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
    ...demoteHeadings(content, ENTRY_LEVEL),
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

/** JSON Feed 1.0 and 1.1 (jsonfeed.org); `null` for anything else. */
function readJsonFeed(source: string): Feed | null {
  const root = parseJson(source);
  if (!isJsonObject(root) || !Array.isArray(root['items'])) return null;
  const items: unknown[] = root['items'];
  return {
    title: plain(root['title']),
    description: plain(root['description']),
    language: stringOf(root['language']) || null,
    link: stringOf(root['home_page_url']),
    entries: items
      .slice(0, FEED_ENTRIES_MAX)
      .filter(isJsonObject)
      .map((item) => entryOf(item)),
    total: items.length,
  };
}

function entryOf(item: JsonObject): FeedEntry {
  const authors: unknown[] = Array.isArray(item['authors']) ? item['authors'] : [item['author']];
  const html = stringOf(item['content_html']);
  const content = html === '' ? plain(item['content_text']) : { text: html, isHtml: true };
  return {
    title: plain(item['title']),
    link: stringOf(item['url']) || stringOf(item['external_url']),
    date: stringOf(item['date_published']) || stringOf(item['date_modified']),
    authors: authors.flatMap((author) =>
      isJsonObject(author) && stringOf(author['name']) !== '' ? [stringOf(author['name'])] : [],
    ),
    content: content.text === '' ? plain(item['summary']) : content,
  };
}

function plain(value: unknown): FeedText {
  return typeof value === 'string' ? { text: value, isHtml: false } : NO_TEXT;
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** RSS 0.9 to 2.0, RSS 1.0 (RDF) and Atom 1.0 (RFC 4287); `null` for anything else. */
function readXmlFeed(source: string): { feed: Feed; cut: boolean } | null {
  const { document, cut } = parseXml(source);
  const feed = atomOf(document) ?? rssOf(document);
  return feed === null ? null : { feed, cut };
}

function rssOf(document: XmlElement): Feed | null {
  const root = childOf(document, 'rss', 'RSS', 'rdf:RDF', 'RDF');
  const channel = childOf(root, 'channel');
  if (root === undefined || (channel === undefined && childOf(root, 'item') === undefined)) return null;
  const items = [...childrenOf(channel, 'item'), ...childrenOf(root, 'item')];
  return {
    title: htmlOf(childOf(channel, 'title')),
    description: htmlOf(childOf(channel, 'description', 'itunes:summary')),
    language: words(childOf(channel, 'language', 'dc:language')) || null,
    link: words(childOf(channel, 'link')),
    entries: items.slice(0, FEED_ENTRIES_MAX).map(rssEntry),
    total: items.length,
  };
}

function rssEntry(item: XmlElement): FeedEntry {
  const guid = childOf(item, 'guid');
  const permalink = guid?.attributes['isPermaLink'] === 'false' ? '' : words(guid);
  const enclosure = childOf(item, 'enclosure')?.attributes['url'] ?? '';
  const link = words(childOf(item, 'link')) || hrefOf(childrenOf(item, 'atom:link')) || permalink || enclosure;
  return {
    title: htmlOf(childOf(item, 'title', 'itunes:title', 'dc:title')),
    link,
    date: words(childOf(item, 'pubDate', 'dc:date', 'atom:published', 'atom:updated')),
    authors: childrenOf(item, 'dc:creator', 'author', 'itunes:author').map(words).slice(0, 5),
    content: htmlOf(childOf(item, 'content:encoded', 'description', 'itunes:summary', 'media:description')),
  };
}

function atomOf(document: XmlElement): Feed | null {
  const root = childOf(document, 'feed', 'atom:feed');
  if (root === undefined) return null;
  const prefix = root.name === 'atom:feed' ? 'atom:' : '';
  const entries = childrenOf(root, `${prefix}entry`);
  return {
    title: atomText(childOf(root, `${prefix}title`)),
    description: atomText(childOf(root, `${prefix}subtitle`)),
    language: root.attributes['xml:lang'] ?? null,
    link: hrefOf(childrenOf(root, `${prefix}link`)),
    entries: entries.slice(0, FEED_ENTRIES_MAX).map((entry) => atomEntry(entry, prefix)),
    total: entries.length,
  };
}

function atomEntry(entry: XmlElement, prefix: string): FeedEntry {
  const content = atomText(childOf(entry, `${prefix}content`));
  const described = childOf(childOf(entry, 'media:group'), 'media:description');
  const summary = childOf(entry, `${prefix}summary`);
  return {
    title: atomText(childOf(entry, `${prefix}title`)),
    link: hrefOf(childrenOf(entry, `${prefix}link`)),
    date: words(childOf(entry, `${prefix}published`, `${prefix}updated`)),
    authors: childrenOf(entry, `${prefix}author`)
      .map((author) => words(childOf(author, `${prefix}name`)))
      .slice(0, 5),
    content: content.text.trim() === '' ? atomText(summary ?? described) : content,
  };
}

/** RFC 4287 §3.1: plain text, HTML as text, or XHTML as elements. */
function atomText(element: XmlElement | undefined): FeedText {
  if (element === undefined) return NO_TEXT;
  const type = element.attributes['type'] ?? 'text';
  if (type === 'xhtml' || type.endsWith('+xml')) return { text: innerXml(element), isHtml: true };
  return { text: textOf(element), isHtml: type === 'html' || type === 'text/html' };
}

function hrefOf(links: readonly XmlElement[]): string {
  const alternate = links.find(({ attributes }) => (attributes['rel'] ?? 'alternate') === 'alternate') ?? links[0];
  return alternate?.attributes['href'] ?? '';
}

/** RSS does not say what is HTML, so everything may be. */
function htmlOf(element: XmlElement | undefined): FeedText {
  return { text: textOf(element), isHtml: true };
}

function words(element: XmlElement | undefined): string {
  return textOf(element).replace(/\s+/g, ' ').trim();
}

/** The common form of all feed formats. */
type Feed = {
  title: FeedText;
  description: FeedText;
  language: string | null;
  link: string;
  entries: FeedEntry[];
  /** Entries that the feed holds, whether they are shown or not. */
  total: number;
};

type FeedText = { text: string; isHtml: boolean };

type FeedEntry = {
  title: FeedText;
  link: string;
  /** As it is written. */
  date: string;
  authors: string[];
  content: FeedText;
};

const NO_TEXT: FeedText = { text: '', isHtml: false };

/** Feeds hold 10 to 100 entries; archives hold more. */
export const FEED_ENTRIES_MAX = 300;
