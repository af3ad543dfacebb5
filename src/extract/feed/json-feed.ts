import { isJsonObject, parseJson } from '#core/json.ts';
import type { JsonObject } from '#core/json.ts';
import { FEED_ENTRIES_MAX } from './limits.ts';
import { NO_TEXT } from './feed.ts';
import type { Feed, FeedEntry, FeedText } from './feed.ts';

/** JSON Feed 1.0 and 1.1 (jsonfeed.org); `null` for anything else. */
export function readJsonFeed(source: string): Feed | null {
  const root = parseJson(source);
  if (!isJsonObject(root) || !Array.isArray(root['items'])) return null;
  const items: unknown[] = root['items'];
  return {
    title: plain(root['title']),
    description: plain(root['description']),
    language: text(root['language']) || null,
    link: text(root['home_page_url']),
    entries: items
      .slice(0, FEED_ENTRIES_MAX)
      .filter(isJsonObject)
      .map((item) => entryOf(item)),
    total: items.length,
  };
}

function entryOf(item: JsonObject): FeedEntry {
  const authors: unknown[] = Array.isArray(item['authors']) ? item['authors'] : [item['author']];
  const html = text(item['content_html']);
  const content = html === '' ? plain(item['content_text']) : { text: html, isHtml: true };
  return {
    title: plain(item['title']),
    link: text(item['url']) || text(item['external_url']),
    date: text(item['date_published']) || text(item['date_modified']),
    authors: authors.flatMap((author) =>
      isJsonObject(author) && text(author['name']) !== '' ? [text(author['name'])] : [],
    ),
    content: content.text === '' ? plain(item['summary']) : content,
  };
}

function plain(value: unknown): FeedText {
  return typeof value === 'string' ? { text: value, isHtml: false } : NO_TEXT;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
