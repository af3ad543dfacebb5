import type { Document } from '#core/document.ts';
import type { Snapshot } from '#storage/snapshots.ts';
import { renderNotes } from './render-page.ts';

/** Our own words on what the text is not. */
export function pageNotes(document: Document, snapshot: Snapshot): string[] {
  const { markdownTwin } = snapshot.meta;
  const twin = markdownTwin === null ? [] : [`This is the text of the page's Markdown version: ${markdownTwin}`];
  return [...twin, ...renderNotes(snapshot), ...document.cuts];
}
