import { changeFeedPath, changePath } from '#core/paths.ts';
import { toPlain } from '#core/text/plain.ts';
import { oneLine } from '#core/text/text.ts';
import { TITLE_CHARS_MAX } from '#core/limits.ts';
import type { FollowedChange } from '#storage/library/changes.ts';

const SUMMARY_BLOCKS_MAX = 5;
const BLOCK_CHARS_MAX = 300;
/** The date of a `tag:` address (RFC 4151): the host belonged to the deployment on that day, and it never changes. */
const TAG_DATE = '2026-01-01';

type Feed = { token: string; library: string | null; createdAt: number };

/** The feed of what changed, newest first, for a person who has the link. Pure. */
export function changeFeed(
  rows: readonly FollowedChange[],
  { token, library, createdAt }: Feed,
  origin: string,
): string {
  // A `tag:` address has no port.
  const { hostname: host } = new URL(origin);
  const about = library === null ? 'everything you follow' : oneLine(library, TITLE_CHARS_MAX);
  return atomFeed({
    id: `tag:${host},${TAG_DATE}:changes/feed/${token}`,
    title: `Changes in ${about}`,
    self: origin + changeFeedPath(token),
    updated: rows.reduce((latest, { at }) => Math.max(latest, at), createdAt),
    entries: rows.map((row) => entryOf(row, origin, host)),
  });
}

function entryOf(row: FollowedChange, origin: string, host: string): AtomEntry {
  const { follow, round, key, kind, at } = row;
  const name = oneLine(row.title ?? '', TITLE_CHARS_MAX) || row.url;
  return {
    id: `tag:${host},${TAG_DATE}:changes/${follow}/${round}/${encodeURIComponent(key)}`,
    title: toPlain(`${KINDS[kind]}: ${name}`),
    link: origin + changePath(follow, round, key),
    published: at,
    updated: at,
    summary: toPlain(summaryOf(row)),
  };
}

const KINDS: Record<FollowedChange['kind'], string> = {
  new: 'New page',
  changed: 'Changed',
  moved: 'Moved',
  gone: 'Gone',
  closed: 'Closed',
};

/** Our words, then those of the page. */
function summaryOf({ kind, url, movedTo, problem, blocks }: FollowedChange): string {
  const lines = [
    url,
    ...(kind === 'moved' && movedTo !== null ? [`It moved to ${movedTo}`] : []),
    ...(kind === 'gone' ? ['The site reports that the page no longer exists.'] : []),
    ...(kind === 'closed' && problem !== null ? [problem] : []),
    ...blocks.slice(0, SUMMARY_BLOCKS_MAX).map(blockText),
    ...(blocks.length > SUMMARY_BLOCKS_MAX ? [`And ${blocks.length - SUMMARY_BLOCKS_MAX} more blocks.`] : []),
  ];
  return lines.join('\n');
}

function blockText({ kind, section, words }: FollowedChange['blocks'][number]): string {
  const text = words
    .map((word) =>
      word.kind === 'same'
        ? word.text
        : word.kind === 'gone'
          ? `[- ${word.text.trim()} -] `
          : `[+ ${word.text.trim()} +] `,
    )
    .join('');
  const place = section === null ? '' : ` in “${oneLine(section, TITLE_CHARS_MAX)}”`;
  return `${BLOCKS[kind]}${place}: ${oneLine(text, BLOCK_CHARS_MAX)}`;
}

const BLOCKS: Record<FollowedChange['blocks'][number]['kind'], string> = {
  added: 'New',
  removed: 'Gone',
  changed: 'Changed',
  moved: 'Elsewhere',
};

/** `id`: a `tag:` address that never changes (RFC 4151). Times in ms. Titles and summaries are plain text, of pages too. */
type AtomEntry = {
  id: string;
  title: string;
  link: string;
  published: number;
  updated: number;
  summary: string;
};

type AtomFeed = {
  id: string;
  title: string;
  /** Its own address. */
  self: string;
  updated: number;
  entries: readonly AtomEntry[];
};

/** RFC 4287. */
function atomFeed({ id, title, self, updated, entries }: AtomFeed): string {
  const newest = entries.reduce((latest, entry) => Math.max(latest, entry.updated), updated);
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    element('id', id),
    element('title', title),
    element('updated', timeOf(newest)),
    `<link rel="self" type="application/atom+xml" href="${escaped(self)}"/>`,
    '<author><name>Periscope</name></author>',
    ...entries.map(writeEntry),
    '</feed>',
    '',
  ].join('\n');
}

function writeEntry({ id, title, link, published, updated, summary }: AtomEntry): string {
  return [
    '<entry>',
    element('id', id),
    element('title', title),
    `<link rel="alternate" type="text/html" href="${escaped(link)}"/>`,
    element('published', timeOf(published)),
    element('updated', timeOf(updated)),
    element('summary', summary),
    '</entry>',
  ].join('\n');
}

function element(name: string, text: string): string {
  return `<${name}>${escaped(text)}</${name}>`;
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}

/** What XML 1.0 cannot hold, however it is escaped (§2.2). */
const NO_XML = /[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Text and attribute values alike. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(NO_XML, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
