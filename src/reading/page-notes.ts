import type { Document } from '#core/document.ts';
import type { Snapshot } from '#storage/snapshots.ts';
import type { OpenRequest } from './opened.ts';
import { renderNotes } from './render-page.ts';

/** Our own words on what the text is not. */
export function pageNotes(document: Document, snapshot: Snapshot): string[] {
  const { markdownTwin } = snapshot.meta;
  const twin = markdownTwin === null ? [] : [`This is the text of the page's Markdown version: ${markdownTwin}`];
  return [...twin, ...renderNotes(snapshot), ...rangeNotes(snapshot), ...document.cuts];
}

/**
 * Says that the requested site config had no effect, because the page has none of its places or is not HTML.
 * @param used the site config that read the page, or `null`
 */
export function siteConfigNotes({ siteconfig, mode }: Pick<OpenRequest, 'siteconfig' | 'mode'>, used: string | null) {
  if (siteconfig === undefined || used !== null || mode === 'raw') return [];
  return [`siteconfig had no effect: ${siteconfig} matched nothing on this page, so the page was read without it.`];
}

/** Which pages of a long PDF these are, and how to get at the others. */
function rangeNotes({ finalUrl, meta: { pages } }: Snapshot): string[] {
  if (pages === undefined || (pages.first === 1 && pages.last === pages.total)) return [];
  const call = (page: number) => `open_url ${JSON.stringify({ url: `${finalUrl}#page=${page}` })}`;
  const before = pages.first === 1 ? [] : [`Those before: ${call(1)}.`];
  const after = pages.last === pages.total ? [] : [`Those after: ${call(pages.last + 1)}.`];
  return [[`These are pages ${pages.first} to ${pages.last} of ${pages.total}.`, ...before, ...after].join(' ')];
}
