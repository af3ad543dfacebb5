import { redactUrl } from '#core/secrets/secret-addresses.ts';
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

/** Returns the facts of a fetch as JSON, with credentials in URLs redacted. */
export function toFetchMetadataJson({
  snapshot,
  document,
  isPrivate,
}: Pick<OpenResult, 'snapshot' | 'document' | 'isPrivate'>): Record<string, unknown> {
  const { meta } = snapshot;
  return {
    snapshot: snapshot.key,
    visible_to: isPrivate ? 'you' : 'everyone',
    url: redactUrl(snapshot.canonicalUrl),
    final_url: redactUrl(snapshot.finalUrl),
    document_url: typeof meta.documentUrl === 'string' ? redactUrl(meta.documentUrl) : null,
    mode: snapshot.mode,
    title: document.title,
    document: document.id,
    lines: document.lineCount,
    rest_from_line: document.restStart,
    bytes: document.byteCount,
    cuts: document.cuts,
    fetched_at: new Date(snapshot.fetchedAt).toISOString(),
    validated_at: new Date(snapshot.validatedAt).toISOString(),
    etag: snapshot.etag,
    last_modified: snapshot.lastModified,
    status: meta.status,
    headers: meta.headers,
    media_type: meta.mediaType,
    charset: meta.charset,
    language: meta.language,
    redirects: meta.redirects.map(({ url, status }) => ({ url: redactUrl(url), status })),
    robots: meta.robots,
    noindex: meta.noindex,
    preferences: meta.preferences ?? null,
    timings_ms: { fetch: Math.round(meta.timings.fetchMs), extract: Math.round(meta.timings.extractMs) },
    rendering: meta.rendering ?? null,
    extractor: meta.extractor,
    siteconfig: meta.siteconfig,
    llms_txt: meta.llmsTxt,
    markdown_twin: meta.markdownTwin === null ? null : redactUrl(meta.markdownTwin),
    needs_scripts: meta.needsScripts,
    explanation: meta.explanation,
  };
}
