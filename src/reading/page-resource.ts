import { utf8Bytes } from '#core/text/text.ts';
import type { DocumentStore } from '#storage/pages/documents.ts';
import type { OpenResult } from './opened.ts';
import { toPageMarkdown } from '#reading/open/open-whole.ts';
import { writeFrontmatter, writePageResult } from './page-result.ts';
import { REST_DESCRIPTION } from './result-text.ts';

/**
 * Writes a page as an MCP resource: frontmatter and whole Markdown lines of the main part. This server's notes, such as
 * how to continue, are in the frontmatter, because a resource has no other place for them.
 * @param goOn describes how to continue from a line that is not shown
 */
export async function writePageResource(
  opened: OpenResult,
  goOn: (line: number) => string,
  budgetBytes: number,
  documents: DocumentStore,
): Promise<string> {
  const whole = toPageMarkdown(opened, documents);
  const { lineCount, restStart } = whole;
  const mainCount = restStart ?? lineCount;
  const cutNote = (end: number) => `Lines 0 to ${end} of ${mainCount}; ${goOn(end + 1)}`;
  const aside =
    restStart === null ? [] : [`Lines ${restStart} to ${lineCount - 1} are ${REST_DESCRIPTION}; ${goOn(restStart)}`];
  const reserve = utf8Bytes(frontmatterNotes([...whole.notes, ...aside, cutNote(lineCount)]).join('\n')) + 1;
  const room = { textBytes: Infinity, markdownBytes: budgetBytes - reserve };
  const result = await writePageResult(whole, { cursor: null, status: [] }, room);
  const { end } = result.shown;
  const notes = [...whole.notes, ...(end + 1 < mainCount ? [cutNote(end)] : []), ...aside];
  const head = writeFrontmatter(whole);
  return withNotes(head, notes) + result.markdown.slice(head.length);
}

const FRONTMATTER_END = '\n---';

function withNotes(head: string, notes: readonly string[]): string {
  if (notes.length === 0) return head;
  return [head.slice(0, -FRONTMATTER_END.length), ...frontmatterNotes(notes), '---'].join('\n');
}

function frontmatterNotes(notes: readonly string[]): string[] {
  return ['notes:', ...notes.map((note) => `  - ${JSON.stringify(note)}`)];
}
