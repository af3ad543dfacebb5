/** `id`: a `tag:` address that never changes (RFC 4151). Times in ms. Titles and summaries are plain text, of pages too. */
export type AtomEntry = {
  id: string;
  title: string;
  link: string;
  published: number;
  updated: number;
  summary: string;
};

export type AtomFeed = {
  id: string;
  title: string;
  /** Its own address. */
  self: string;
  updated: number;
  entries: readonly AtomEntry[];
};

/** RFC 4287. */
export function atomFeed({ id, title, self, updated, entries }: AtomFeed): string {
  const newest = entries.reduce((latest, entry) => Math.max(latest, entry.updated), updated);
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    element('id', id),
    element('title', title),
    element('updated', timeOf(newest)),
    `<link rel="self" type="application/atom+xml" href="${escaped(self)}"/>`,
    '<author><name>Periscope</name></author>',
    ...entries.map(entryOf),
    '</feed>',
    '',
  ].join('\n');
}

function entryOf({ id, title, link, published, updated, summary }: AtomEntry): string {
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
