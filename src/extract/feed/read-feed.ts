import { isJsonObject, parseJson } from '#core/text/json.ts';
import type { JsonObject } from '#core/text/json.ts';
import { firstNamedChild, namedChildren, innerXml, parseXml, textOf } from '#extract/xml/tree.ts';
import type { XmlElement } from '#extract/xml/tree.ts';

/** Reads JSON Feed 1.0 and 1.1 (jsonfeed.org); `null` for anything else. */
export function readJsonFeed(source: string): Feed | null {
  const root = parseJson(source);
  if (!isJsonObject(root) || !Array.isArray(root['items'])) return null;
  const items: unknown[] = root['items'];
  return {
    title: plain(root['title']),
    description: plain(root['description']),
    language: stringOf(root['language']) || null,
    link: stringOf(root['home_page_url']),
    base: '',
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
    facts: listOf(item['tags'])
      .filter((tag) => typeof tag === 'string')
      .slice(0, CATEGORIES_MAX),
    attachments: listOf(item['attachments'])
      .filter(isJsonObject)
      .slice(0, ATTACHMENTS_MAX)
      .map((one) => ({
        url: stringOf(one['url']),
        facts: [stringOf(one['mime_type']), seconds(one['duration_in_seconds'])],
        description: plain(one['title']),
      })),
    content: content.text.trim() === '' ? plain(item['summary']) : content,
    base: '',
    contentBase: '',
  };
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Formats seconds as `31:20` or `1:02:03`; an empty string if they are not a positive number. */
function seconds(value: unknown): string {
  const total = Math.trunc(Number(value));
  if (!(total > 0) || !Number.isFinite(total)) return '';
  const two = (number: number) => String(number).padStart(2, '0');
  const [hours, minutes] = [Math.floor(total / 3_600), Math.floor((total % 3_600) / 60)];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(total % 60)}` : `${minutes}:${two(total % 60)}`;
}

function plain(value: unknown): FeedText {
  return typeof value === 'string' ? { text: value, isHtml: false } : NO_TEXT;
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Reads RSS 0.9 to 2.0, RSS 1.0 (RDF) and Atom 1.0 (RFC 4287); `null` for anything else. */
export function readXmlFeed(source: string): { feed: Feed; cut: boolean } | null {
  const { document, cut } = parseXml(source);
  const feed = atomOf(document) ?? rssOf(document);
  return feed === null ? null : { feed, cut };
}

function rssOf(document: XmlElement): Feed | null {
  const root = firstNamedChild(document, 'rss', 'RSS', 'rdf:RDF', 'RDF');
  const channel = firstNamedChild(root, 'channel');
  if (root === undefined || (channel === undefined && firstNamedChild(root, 'item') === undefined)) return null;
  const items = [...namedChildren(channel, 'item'), ...namedChildren(root, 'item')];
  return {
    title: htmlOf(firstNamedChild(channel, 'title')),
    description: htmlOf(firstNamedChild(channel, 'description', 'itunes:summary')),
    language: words(firstNamedChild(channel, 'language', 'dc:language')) || null,
    link: words(firstNamedChild(channel, 'link')),
    base: channel?.attributes['xml:base'] ?? root.attributes['xml:base'] ?? '',
    entries: items.slice(0, FEED_ENTRIES_MAX).map(rssEntry),
    total: items.length,
  };
}

function rssEntry(item: XmlElement): FeedEntry {
  const guid = firstNamedChild(item, 'guid');
  const permalink = guid?.attributes['isPermaLink'] === 'false' ? '' : words(guid);
  const enclosure = firstNamedChild(item, 'enclosure')?.attributes['url'] ?? '';
  const link =
    words(firstNamedChild(item, 'link')) || hrefOf(namedChildren(item, 'atom:link')) || permalink || enclosure;
  const title = firstWithText(item, 'title', 'itunes:title', 'dc:title', 'media:title') ?? inGroup(item, 'media:title');
  const content = firstWithText(item, 'content:encoded', 'description', 'itunes:summary');
  return {
    title: htmlOf(title),
    link,
    date: words(firstNamedChild(item, 'pubDate', 'dc:date', 'atom:published', 'atom:updated')),
    authors: namedChildren(item, 'dc:creator', 'author', 'itunes:author').map(words).slice(0, 5),
    facts: [
      durationOf(words(firstNamedChild(item, 'itunes:duration'))),
      ...namedChildren(item, 'category').map(words).slice(0, CATEGORIES_MAX),
    ],
    attachments: mediaOf(item, namedChildren(item, 'enclosure')),
    content: content === undefined ? mediaText(describedMedia(item)) : htmlOf(content),
    base: item.attributes['xml:base'] ?? '',
    contentBase: '',
  };
}

const CATEGORIES_MAX = 10;
const ATTACHMENTS_MAX = 10;

function firstWithText(element: XmlElement, ...names: readonly string[]): XmlElement | undefined {
  return names.flatMap((name) => namedChildren(element, name)).find((one) => textOf(one).trim() !== '');
}

function durationOf(written: string): string {
  return /^\d+$/.test(written) ? seconds(written) : written;
}

function inGroup(entry: XmlElement, name: string): XmlElement | undefined {
  return firstNamedChild(firstNamedChild(entry, 'media:group'), name);
}

/** Returns the description (Media RSS) of an entry as a whole, rather than of one of its files. */
function describedMedia(entry: XmlElement): XmlElement | undefined {
  return firstWithText(entry, 'media:description') ?? inGroup(entry, 'media:description');
}

/** Reads a text of Media RSS. Many feeds write HTML without declaring it. */
function mediaText(element: XmlElement | undefined): FeedText {
  return { text: textOf(element), isHtml: element?.attributes['type'] !== 'plain' };
}

/** Type of the players that video sites list in their feeds. Browsers no longer show them. */
const FLASH = 'application/x-shockwave-flash';

function mediaOf(entry: XmlElement, enclosures: readonly XmlElement[]): FeedAttachment[] {
  const groups = [entry, ...namedChildren(entry, 'media:group')];
  const elements = [
    ...enclosures,
    ...groups.flatMap((group) => namedChildren(group, 'media:content')),
    ...namedChildren(entry, 'podcast:transcript'),
  ];
  const byUrl = new Map<string, FeedAttachment>();
  for (const element of elements.slice(0, ATTACHMENTS_MAX)) {
    const { attributes } = element;
    if (attributes['type'] === FLASH && !enclosures.includes(element)) continue;
    const url = attributes['url'] ?? attributes['href'] ?? '';
    const facts = [attributes['type'] ?? attributes['medium'] ?? '', durationOf(attributes['duration'] ?? '')];
    const description = mediaText(firstWithText(element, 'media:description', 'media:title'));
    const known = byUrl.get(url);
    if (known?.description.text === '') known.description = description;
    if (url !== '' && known === undefined) byUrl.set(url, { url, facts, description });
  }
  return [...byUrl.values()];
}

function atomOf(document: XmlElement): Feed | null {
  const root = firstNamedChild(document, 'feed', 'atom:feed');
  if (root === undefined) return null;
  const prefix = root.name === 'atom:feed' ? 'atom:' : '';
  const entries = namedChildren(root, `${prefix}entry`);
  return {
    title: atomText(firstNamedChild(root, `${prefix}title`)),
    description: atomText(firstNamedChild(root, `${prefix}subtitle`)),
    language: root.attributes['xml:lang'] ?? null,
    link: hrefOf(namedChildren(root, `${prefix}link`)),
    base: root.attributes['xml:base'] ?? '',
    entries: entries.slice(0, FEED_ENTRIES_MAX).map((entry) => atomEntry(entry, prefix)),
    total: entries.length,
  };
}

function atomEntry(entry: XmlElement, prefix: string): FeedEntry {
  const written = firstNamedChild(entry, `${prefix}content`);
  const content = atomText(written);
  const summary = atomText(firstNamedChild(entry, `${prefix}summary`));
  const links = namedChildren(entry, `${prefix}link`);
  return {
    title: atomText(firstNamedChild(entry, `${prefix}title`)),
    link: hrefOf(links),
    date: words(firstNamedChild(entry, `${prefix}published`, `${prefix}updated`)),
    authors: namedChildren(entry, `${prefix}author`)
      .map((author) => words(firstNamedChild(author, `${prefix}name`)))
      .slice(0, 5),
    facts: namedChildren(entry, `${prefix}category`)
      .map(({ attributes }) => attributes['label'] ?? attributes['term'] ?? '')
      .slice(0, CATEGORIES_MAX),
    attachments: mediaOf(
      entry,
      links.filter(({ attributes }) => attributes['rel'] === 'enclosure'),
    ),
    content: [content, summary].find(({ text }) => text.trim() !== '') ?? atomText(describedMedia(entry)),
    base: entry.attributes['xml:base'] ?? '',
    contentBase: written?.attributes['xml:base'] ?? '',
  };
}

/** Reads a text of Atom (RFC 4287 §3.1): plain, escaped HTML, or XHTML elements. */
function atomText(element: XmlElement | undefined): FeedText {
  if (element === undefined) return NO_TEXT;
  const type = element.attributes['type'] ?? 'text';
  if (type === 'xhtml') return { text: innerXml(contentDiv(element) ?? element), isHtml: true };
  if (type.endsWith('+xml')) return { text: innerXml(element), isHtml: true };
  return { text: textOf(element), isHtml: type === 'html' || type === 'text/html' };
}

/** Returns the `div` around XHTML, which is not part of the text. */
function contentDiv({ children }: XmlElement): XmlElement | undefined {
  const inside = children.filter((child) => typeof child !== 'string' || child.trim() !== '');
  const [only] = inside;
  const isDiv = inside.length === 1 && typeof only === 'object' && /(?:^|:)div$/.test(only.name);
  return isDiv ? only : undefined;
}

function hrefOf(links: readonly XmlElement[]): string {
  const alternate = links.find(({ attributes }) => (attributes['rel'] ?? 'alternate') === 'alternate') ?? links[0];
  return alternate?.attributes['href'] ?? '';
}

/** Returns the text of an RSS element as HTML, because RSS does not declare the type of its texts. */
function htmlOf(element: XmlElement | undefined): FeedText {
  return { text: textOf(element), isHtml: true };
}

function words(element: XmlElement | undefined): string {
  return textOf(element).replace(/\s+/g, ' ').trim();
}

export type Feed = {
  title: FeedText;
  description: FeedText;
  language: string | null;
  link: string;
  /** Base URL for links as the feed declares it; empty if it does not. */
  base: string;
  entries: FeedEntry[];
  /** Number of all entries in the feed, including those beyond `FEED_ENTRIES_MAX`. */
  total: number;
};

export type FeedText = { text: string; isHtml: boolean };

export type FeedEntry = {
  title: FeedText;
  link: string;
  date: string;
  authors: string[];
  /** The categories of the entry. In RSS, the length of the recording comes first. */
  facts: string[];
  attachments: FeedAttachment[];
  content: FeedText;
  base: string;
  contentBase: string;
};

/** A file to which an entry links, such as a podcast episode. `facts` are its media type and length. */
type FeedAttachment = { url: string; facts: string[]; description: FeedText };

const NO_TEXT: FeedText = { text: '', isHtml: false };

/** Maximum entries extracted from a feed. Most feeds have 10 to 100; archives have more. */
export const FEED_ENTRIES_MAX = 300;
