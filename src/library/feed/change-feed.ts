import { escapeUTF8 } from 'entities/escape';
import { followedPageChangePath, PATHS } from '#core/paths.ts';
import { sanitizeText } from '#core/text/plain.ts';
import { oneLine } from '#core/text/text.ts';
import { TITLE_CHARS_MAX } from '#core/limits.ts';
import type { FollowedChange } from '#storage/library/changes.ts';
import type { ChangedBlock } from '#storage/library/round-pages.ts';

const SUMMARY_BLOCKS_MAX = 5;
/** The date in `tag:` URIs (RFC 4151): a day on which the host belonged to the deployment. It never changes. */
const TAG_DATE = '2026-01-01';

type Feed = { token: string; library: string | null; createdAt: number };

/** Writes the Atom feed of changes, newest first, for anyone who has the feed's link. */
export function changeFeed(
  rows: readonly FollowedChange[],
  { token, library, createdAt }: Feed,
  origin: string,
): string {
  // `tag:` URIs have a host without port.
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

/** Returns a permanent `tag:` URI (RFC 4151) for the change that one check found in one page. */
export function changeId(
  { follow, round, key }: Pick<FollowedChange, 'follow' | 'round' | 'key'>,
  host: string,
): string {
  return `tag:${host},${TAG_DATE}:changes/${follow}/${round}/${encodeURIComponent(key)}`;
}

function entryOf(row: FollowedChange, origin: string, host: string): AtomEntry {
  const { follow, round, key, kind, at } = row;
  return {
    id: changeId(row, host),
    title: sanitizeText(`${CHANGE_KIND_LABELS[kind]}: ${getPageTitleOrUrl(row)}`),
    link: origin + followedPageChangePath(follow, round, key),
    published: at,
    updated: at,
    summary: sanitizeText(summaryOf(row)),
  };
}

function summaryOf({ kind, url, movedTo, problem, blocks }: FollowedChange): string {
  const lines = [
    url,
    ...(kind === 'moved' && movedTo !== null ? [`It moved to ${movedTo}`] : []),
    ...(kind === 'gone' ? ['The site reports that the page no longer exists.'] : []),
    ...(kind === 'closed' && problem !== null ? [problem] : []),
    ...blocks.slice(0, SUMMARY_BLOCKS_MAX).map(summarizeBlock),
    ...(blocks.length > SUMMARY_BLOCKS_MAX ? [`And ${blocks.length - SUMMARY_BLOCKS_MAX} more blocks.`] : []),
  ];
  return lines.join('\n');
}

/** An entry of the feed. Titles and summaries are plain text. */
type AtomEntry = {
  /** Permanent `tag:` URI (RFC 4151). */
  id: string;
  title: string;
  link: string;
  /** Unix time in ms. */
  published: number;
  /** Unix time in ms. */
  updated: number;
  summary: string;
};

type AtomFeed = {
  id: string;
  title: string;
  self: string;
  updated: number;
  entries: readonly AtomEntry[];
};

/** Writes an Atom feed (RFC 4287). */
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

/** Characters that XML 1.0 cannot contain, even escaped (§2.2). */
const NO_XML = /[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function escaped(text: string): string {
  return escapeUTF8(text.toWellFormed().replace(NO_XML, ''));
}

const BLOCK_CHARS_MAX = 300;

export const CHANGE_KIND_LABELS: Record<FollowedChange['kind'], string> = {
  new: 'New page',
  changed: 'Changed',
  moved: 'Moved',
  gone: 'Gone',
  closed: 'Closed',
};

export function getPageTitleOrUrl({ title, url }: { title: string | null; url: string }): string {
  return oneLine(title ?? '', TITLE_CHARS_MAX) || url;
}

const NEAR_WORDS = 3;

/** Shortens unchanged words to the three before and after each change. */
export function trimUnchangedWords(words: ChangedBlock['words']): ChangedBlock['words'] {
  return words.map((part, at) =>
    part.kind === 'same'
      ? { ...part, text: nearWords(part.text, { after: at > 0, before: at < words.length - 1 }) }
      : part,
  );
}

function nearWords(text: string, beside: { after: boolean; before: boolean }): string {
  const words = text.split(/(?<=\s)(?=\S)/);
  const first = beside.after ? words.slice(0, NEAR_WORDS) : [];
  const last = beside.before ? words.slice(-NEAR_WORDS) : [];
  return first.length + last.length >= words.length ? text : [...first, '… ', ...last].join('');
}

/**
 * Summarizes a block in one line, with removed and added words. Only the first words are the server's; all others are
 * page text.
 */
export function summarizeBlock({ kind, section, words }: ChangedBlock): string {
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
  const shown = oneLine(text, BLOCK_CHARS_MAX);
  return `${BLOCK_KINDS[kind]}${place}${shown === '' ? '' : `: ${shown}`}`;
}

const BLOCK_KINDS: Record<ChangedBlock['kind'], string> = {
  added: 'New',
  removed: 'Gone',
  changed: 'Changed',
  moved: 'Moved',
};

function changeFeedPath(token: string): string {
  return `${PATHS.changesFeed}/${token}`;
}
