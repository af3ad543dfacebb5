import { FILE_MARKDOWN_CHARS_MAX } from '#extract/limits.ts';
import { toExtracted, failUnreadableFile } from '#extract/extractor.ts';
import { escapeInline, escapeLineStart, LINK_CONTEXT, PLAIN_CONTEXT } from '#extract/escape.ts';
import type { ExtractInput, ExtractedText, Extractor } from '#extract/extractor.ts';
import { LinkResolver } from '#extract/html/markdown/urls.ts';
import { appendLines, demoteHeadings, createHtmlReader, stripMarkdownMarks } from '#extract/html-in-files.ts';
import type { HtmlReader } from '#extract/html-in-files.ts';
import { formatWrittenDate } from '#extract/written-date.ts';
import { xmlExtractor } from '#extract/xml/xml-extractor.ts';
import { decodeHTML } from 'entities/decode';
import { FEED_ENTRIES_MAX, readJsonFeed, readXmlFeed } from './read-feed.ts';
import type { Feed, FeedEntry, FeedText } from './read-feed.ts';

/** Level of an entry's heading. Headings inside the entry get deeper levels. */
const ENTRY_LEVEL = 2;

/** Extracts RSS, Atom and JSON feeds: title and description, then each entry under a heading that links to it. */
export const feedExtractor: Extractor = { id: 'feed', version: '10', extract: extractFeed };

async function extractFeed(input: ExtractInput): Promise<ExtractedText> {
  const source = input.text.trim();
  if (/^\ufeff?\s*\{/.test(source)) {
    const feed = readJsonFeed(source.replace(/^\ufeff/, ''));
    return feed === null ? failUnreadableFile(input, 'the feed is not valid JSON') : write(feed, [], input);
  }
  const read = readXmlFeed(source);
  // XML that is not a feed, such as RDF with other data, is shown as it is.
  if (read === null) return xmlExtractor.extract(input);
  const cuts = read.cut ? ['The feed is too deep or too large: the rest was left out.'] : [];
  return write(read.feed, cuts, input);
}

/**
 * Lists the links of a feed's first `FEED_ENTRIES_MAX` entries in order, as written; empty if `source` is not a feed.
 */
export function feedEntryLinks(source: string): { link: string; date: string }[] {
  const text = source.trim();
  const feed = /^\ufeff?\s*\{/.test(text) ? readJsonFeed(text.replace(/^\ufeff/, '')) : readXmlFeed(text)?.feed;
  return (feed?.entries ?? []).map(({ link, date }) => ({ link, date }));
}

async function write(feed: Feed, cutBefore: readonly string[], input: ExtractInput): Promise<ExtractedText> {
  const cuts = new Set(cutBefore);
  const readHtml = await createHtmlReader(input.pause);
  const reader: HtmlReader = async (html, base) => {
    const read = await readHtml(html, base);
    for (const cut of read.cuts) cuts.add(cut);
    return read;
  };
  const declared = baseIn(feed.base, input.url);
  const base = new LinkResolver(declared ?? input.url).resolve(feed.link) ?? input.url;
  const title = await oneLineOf(titleText(feed.title), reader, base);
  const markdown = title === '' ? [] : [`# ${title}`, ''];
  appendLines(markdown, [...(await blocksOf(feed.description, reader, base)), '']);
  let chars = 0;
  for (const [index, entry] of feed.entries.entries()) {
    if (chars > FILE_MARKDOWN_CHARS_MAX) {
      cuts.add(`The feed's entries after ${index} of ${feed.total} were left out.`);
      break;
    }
    const lines = await entryLines(entry, reader, { feed: base, declared: declared ?? input.url, page: input.url });
    for (const line of lines) chars += line.length;
    appendLines(markdown, [...lines, '']);
  }
  if (feed.total > FEED_ENTRIES_MAX) {
    cuts.add(`The feed has ${feed.total} entries: those after ${FEED_ENTRIES_MAX} were left out.`);
  }
  const language = /^[a-z]{2,3}(?:-[\w-]{1,20})?$/i.test(feed.language ?? '') ? feed.language : null;
  return toExtracted(
    feedExtractor,
    { title: stripMarkdownMarks(title), language, markdown, cuts: [...cuts], strategy: 'feed' },
    input,
  );
}

/**
 * Base URLs for links: the feed's own (`page`), the website it is about (`feed`), and the base it declares
 * (`declared`). The last two are the feed's own URL if it names none.
 */
type Bases = { feed: string; declared: string; page: string };

async function entryLines(entry: FeedEntry, reader: HtmlReader, bases: Bases): Promise<string[]> {
  const own = baseIn(entry.base, bases.declared);
  const links = new LinkResolver(own ?? (bases.declared === bases.page ? bases.feed : bases.declared));
  const link = links.resolve(entry.link);
  const base = own ?? link ?? 'https://feed.invalid/';
  const title = (await oneLineOf(titleText(entry.title), reader, base)) || 'Untitled';
  const heading = link === null || title.includes('](') ? title : `[${title}](${link})`;
  const facts = [formatWrittenDate(entry.date), ...entry.authors, ...entry.facts].filter((fact) => fact !== '');
  const content = await blocksOf(entry.content, reader, baseIn(entry.contentBase, base) ?? base);
  return [
    `## ${heading}`,
    '',
    ...(facts.length === 0 ? [] : [escapeLineStart(escapeInline(facts.join(' · '), PLAIN_CONTEXT)), '']),
    ...(await attachmentLines(entry, { links, link, shown: [title, content.join(' ')] }, reader)),
    ...demoteHeadings(content, ENTRY_LEVEL),
  ];
}

function baseIn(written: string, outer: string): string | null {
  const base = written === '' ? null : URL.parse(written, outer);
  return base !== null && /^https?:$/.test(base.protocol) ? base.href : null;
}

/**
 * @param link the entry's own link. A file with the same URL is not listed, but its description is shown.
 * @param shown texts of the entry. A description that repeats one of them, or that of another file, is left out.
 */
async function attachmentLines(
  { attachments }: FeedEntry,
  { links, link, shown }: { links: LinkResolver; link: string | null; shown: readonly string[] },
  reader: HtmlReader,
): Promise<string[]> {
  const known = new Set(shown.map(withoutSpaces));
  const lines: string[] = [];
  const own: string[] = [];
  for (const { url, facts, description } of attachments) {
    const target = links.resolve(url);
    if (target === null) continue;
    const read = await oneLineOf(description, reader, target);
    const described = known.has(withoutSpaces(read)) ? '' : read;
    known.add(withoutSpaces(read));
    if (target === link) {
      if (described !== '') own.push(escapeLineStart(described), '');
      continue;
    }
    const name = (URL.parse(target)?.pathname ?? '').split('/').at(-1) || 'file';
    const about = facts.filter((fact) => fact !== '').join(', ');
    const said = about === '' ? '' : ` (${escapeInline(about, PLAIN_CONTEXT)})`;
    const text = described === '' ? '' : `: ${described}`;
    lines.push(`- [${escapeInline(name.slice(0, 120), LINK_CONTEXT)}](${target})${said}${text}`);
  }
  return [...own, ...(lines.length === 0 ? [] : ['Attachments:', '', ...lines, ''])];
}

function withoutSpaces(text: string): string {
  return text.replace(/\s+/g, '');
}

const TAG = /<(\/?)([a-z][\w:-]*)(?:[^\w:<>-][^<>]*)?>/gi;
const INLINE = new Set(
  'a abbr b bdi br cite code em font i img kbd mark q s small span strong sub sup tt u var wbr'.split(' '),
);
const VOID = new Set(['br', 'img', 'wbr']);

/**
 * Decides if an RSS title is HTML, because RSS does not declare it: a title is HTML if all its tags are known and
 * closed. If a plain title such as `List<String>` were read as HTML, it would lose a word.
 */
function titleText({ text, isHtml }: FeedText): FeedText {
  if (!isHtml) return { text, isHtml };
  const open: string[] = [];
  for (const [, end, written = ''] of text.matchAll(TAG)) {
    const name = written.toLowerCase();
    if (!INLINE.has(name)) return { text: decodeHTML(text), isHtml: false };
    if (VOID.has(name)) continue;
    if (end === '') open.push(name);
    else if (open.pop() !== name) return { text: decodeHTML(text), isHtml: false };
  }
  const isWhole = open.length === 0 && text.includes('<') && /<[a-z]/i.test(text);
  return isWhole ? { text, isHtml } : { text: decodeHTML(text), isHtml: false };
}

async function blocksOf({ text, isHtml }: FeedText, reader: HtmlReader, base: string): Promise<string[]> {
  if (isHtml && /[<&]/.test(text)) return (await reader(text, base)).markdown;
  return text
    .trim()
    .split('\n')
    .map((line) => escapeLineStart(escapeInline(line.trim(), PLAIN_CONTEXT)));
}

async function oneLineOf({ text, isHtml }: FeedText, reader: HtmlReader, base: string): Promise<string> {
  const flat = text.replace(/\s+/g, ' ').trim();
  if (!isHtml || !/[<&]/.test(flat)) return escapeInline(flat, LINK_CONTEXT);
  const { markdown } = await reader(flat, base);
  return markdown.join(' ').replace(/\s+/g, ' ').replace(/^#+ /, '').trim();
}
