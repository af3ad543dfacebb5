import type { Document } from '#core/document.ts';
import { fenceFor } from '#core/fence.ts';
import { toPlain } from '#core/plain.ts';
import { oneLine } from '#core/text.ts';
import type { Snapshot } from '#storage/snapshots.ts';
import { DOCUMENT_URL_CHARS_MAX } from './limits.ts';
import type { OpenRequest } from './opened.ts';
import { renderNotes } from './render-page.ts';

/** Our own words on what the text is not. */
export async function pageNotes(document: Document, snapshot: Snapshot): Promise<string[]> {
  const { markdownTwin, documentUrl } = snapshot.meta;
  const twin = markdownTwin === null ? [] : [`This is the text of the page's Markdown version: ${markdownTwin}`];
  const scripted = await documentUrlNotes(documentUrl ?? null);
  return [...twin, ...renderNotes(snapshot), ...scripted, ...rangeNotes(snapshot), ...document.cuts];
}

/** Names the address that scripts of the page put in place of its own. They chose it, so it stands in a fence. */
export async function documentUrlNotes(documentUrl: string | null): Promise<string[]> {
  if (documentUrl === null) return [];
  const shown = toPlain(oneLine(documentUrl, DOCUMENT_URL_CHARS_MAX));
  const { open, close } = await fenceFor(shown);
  return [`${DOCUMENT_URL_NOTE}\n${open}\n${shown}\n${close}`];
}

const DOCUMENT_URL_NOTE =
  'A script of the page shows it under another address, which the site did not answer from, so the page is stored, cited and shared under the URL above. The other address:';

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
