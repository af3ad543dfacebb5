import { FEED_ENTRIES_MAX } from './limits.ts';
import { childOf, childrenOf, innerXml, parseXml, textOf } from '#extract/xml/tree.ts';
import type { XmlElement } from '#extract/xml/tree.ts';
import { NO_TEXT } from './feed.ts';
import type { Feed, FeedEntry, FeedText } from './feed.ts';

/** RSS 0.9 to 2.0, RSS 1.0 (RDF) and Atom 1.0 (RFC 4287); `null` for anything else. */
export function readXmlFeed(source: string): { feed: Feed; cut: boolean } | null {
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
    title: html(childOf(channel, 'title')),
    description: html(childOf(channel, 'description', 'itunes:summary')),
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
    title: html(childOf(item, 'title', 'itunes:title', 'dc:title')),
    link,
    date: words(childOf(item, 'pubDate', 'dc:date', 'atom:published', 'atom:updated')),
    authors: childrenOf(item, 'dc:creator', 'author', 'itunes:author').map(words).slice(0, 5),
    content: html(childOf(item, 'content:encoded', 'description', 'itunes:summary', 'media:description')),
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
function html(element: XmlElement | undefined): FeedText {
  return { text: textOf(element), isHtml: true };
}

function words(element: XmlElement | undefined): string {
  return textOf(element).replace(/\s+/g, ' ').trim();
}
