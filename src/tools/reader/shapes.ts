import * as z from 'zod';
import type { OpenResult } from '#reading/opened.ts';
import type { showPage } from '#reading/reader.ts';
import { toReadPageFacts } from '#reading/recently-opened.ts';
import { VIEWPORT_LINES_DEFAULT } from '#tools/limits.ts';

const VIEWPORT_LINES_MAX = 200;
const VIEWPORT_LINES_MIN = 20;

/** Parts of schemas that several reader tools share. */

export const cursorField = z.string();
export const pageCursor = cursorField.describe('Cursor of an opened page, from an earlier result.');
export const uriField = z.string().meta({ format: 'uri' });
export const firstLineInput = z.int().min(0).default(0).describe('First line to show, from 0.');
export const numLinesInput = z
  .int()
  .min(VIEWPORT_LINES_MIN)
  .max(VIEWPORT_LINES_MAX)
  .default(VIEWPORT_LINES_DEFAULT)
  .describe('Number of lines to show.');

export const viewportSchema = z.strictObject({ start: z.int(), end: z.int() });
export const citationField = z.strictObject({ cursor: cursorField, L_start: z.int(), L_end: z.int() });

export const openedPageSchema = z.strictObject({
  cursor: cursorField,
  url: uriField,
  title: z.string().optional(),
  viewport: viewportSchema,
  text: z.string(),
  citation: citationField,
  render: z.string(),
});

export function toOpenedAnswer(opened: OpenResult, shown: Awaited<ReturnType<typeof showPage>>) {
  const { title, ...page } = shown;
  return {
    text: shown.render,
    structured: { ...page, ...(title === null ? {} : { title }) },
    url: shown.url,
    read: [toReadPageFacts(opened, shown.cursor, shown.viewport)],
    cacheHit: opened.origin !== 'fetched',
  };
}
