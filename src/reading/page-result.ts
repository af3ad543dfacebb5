import type { Viewport } from '#core/document.ts';
import { fenceFor } from '#core/fence.ts';
import { utf8Bytes } from '#core/text.ts';
import { linksOf } from './markdown-links.ts';
import type { PageLink } from './markdown-links.ts';

/** A whole page as one result: frontmatter and Markdown from the top, as far as the budget goes. */
export type PageResult = {
  url: string;
  title: string | null;
  /** Frontmatter and lines. */
  markdown: string;
  shown: Viewport;
  totalLines: number;
  links: PageLink[];
  /** The same as one text block, page text inside a fence. */
  text: string;
};

/** A text to show whole: a stored document, or an extraction that is stored nowhere. */
export type WholeText = {
  /** What `URL:` and `source:` say. */
  source: string;
  title: string | null;
  lineCount: number;
  fetchedAt: number | null;
  extractor: string;
  siteconfig: string | null;
  /** Our own words on what the text is not. */
  notes: readonly string[];
  chunks: AsyncIterable<{ lines: readonly string[] }> | Iterable<{ lines: readonly string[] }>;
};

/**
 * @param facts the cursor to go on with, or `null` when there is none, and what to say above the page
 * @param budgetBytes for the text block
 */
export async function pageResult(
  whole: WholeText,
  facts: { cursor: string | null; status: readonly string[] },
  budgetBytes: number,
): Promise<PageResult> {
  const { source, title, lineCount } = whole;
  const head = frontmatter(whole);
  const above = [`URL: ${source}`, ...facts.status, ...whole.notes.map((note) => `Note: ${note}`)];
  const lines = await linesWithin(budgetBytes - utf8Bytes([...above, head].join('\n')) - FRAME_BYTES, whole.chunks);
  const shown = { start: 0, end: lines.length - 1 };
  const markdown = `${head}\n${lines.join('\n')}`;
  const fence = await fenceFor(`${source}\n${markdown}`);
  const text = [
    ...above,
    `Lines 0–${shown.end} of ${lineCount}:`,
    fence.open,
    markdown,
    fence.close,
    ...goOn(facts.cursor, shown.end, lineCount),
  ].join('\n');
  return { url: source, title, markdown, shown, totalLines: lineCount, links: linksOf(lines), text };
}

/** YAML between two rules. Text of the page is quoted as a JSON string, which YAML reads as it is. */
export function frontmatter({ title, source, fetchedAt, extractor, siteconfig }: Omit<WholeText, 'chunks'>): string {
  return [
    '---',
    `title: ${title === null ? 'null' : JSON.stringify(title)}`,
    `source: ${source}`,
    ...(fetchedAt === null ? [] : [`fetched_at: ${new Date(fetchedAt).toISOString()}`]),
    `extractor: ${extractor}`,
    `siteconfig: ${siteconfig ?? 'none'}`,
    '---',
  ].join('\n');
}

/** The two marks, the line count and the way on. */
const FRAME_BYTES = 300;

async function linesWithin(budgetBytes: number, chunks: WholeText['chunks']): Promise<string[]> {
  const kept: string[] = [];
  let left = budgetBytes;
  for await (const { lines } of chunks) {
    for (const line of lines) {
      left -= utf8Bytes(line) + 1;
      if (left < 0 && kept.length > 0) return kept;
      kept.push(line);
    }
  }
  return kept;
}

function goOn(cursor: string | null, end: number, lineCount: number): string[] {
  if (end + 1 >= lineCount) return ['This is the whole page.'];
  if (cursor === null) return [`Cut after line ${end} of ${lineCount} to stay in size.`];
  return [`Cut after line ${end} to stay in size. Go on: scroll {"cursor":"${cursor}","loc":${end + 1}}`];
}
