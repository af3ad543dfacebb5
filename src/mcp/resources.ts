import { ResourceNotFoundError } from '@modelcontextprotocol/server';
import type {
  McpServer,
  ProtocolError,
  ReadResourceResult,
  Resource,
  ServerContext,
} from '@modelcontextprotocol/server';
import { describeFailure } from '#core/failures/describe-failure.ts';
import { fail } from '#core/failures/failure.ts';
import type { Failure } from '#core/failures/failure.ts';
import { RESULT_TEXT_BYTES_MAX } from '#core/limits.ts';
import { sanitizeJson } from '#core/text/plain.ts';
import { redactUrl } from '#core/secrets/secret-addresses.ts';
import { openSnapshotWithoutCursor } from '#reading/open/cached-snapshots.ts';
import { writePageResource } from '#reading/page-resource.ts';
import { listRecentPages } from '#reading/recently-opened.ts';
import type { RecentPage } from '#reading/recently-opened.ts';
import { CACHE_RESOURCE_TEMPLATE, cacheUri, META_RESOURCE_TEMPLATE } from './resource-uris.ts';
import { toProtocolError, runUnlogged, runRequest } from '#mcp/run/run-other-request.ts';
import type { CallEnvironment } from '#mcp/run/run-tool.ts';
import type { OpenResult } from '#reading/opened.ts';

/** A stored page as a protocol resource: its Markdown (`cache`), or its fetch metadata (`meta`). */
type ResourceAddress = { kind: 'cache' | 'meta'; snapshot: string };

/**
 * Serves stored pages as resources: any page by its snapshot hash, and a list of the pages that the subject opened
 * recently. Uses the SDK's low-level handlers, because its resource templates cannot return a list page by page.
 */
export function serveResources({ server }: McpServer, env: CallEnvironment): void {
  server.setRequestHandler('resources/list', ({ params }, context) =>
    runUnlogged('resources/list', context, env, () => listRecent(params?.cursor, env)),
  );
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [...TEMPLATES] }));
  server.setRequestHandler('resources/read', ({ params }, context) => read(params.uri, context, env));
}

const MARKDOWN = 'text/markdown';
const JSON_TYPE = 'application/json';

const TEMPLATES = [
  {
    uriTemplate: CACHE_RESOURCE_TEMPLATE,
    name: 'cached_page',
    title: 'Stored page',
    description: 'A page as it was stored: frontmatter and Markdown, by the snapshot hash that web_open returns.',
    mimeType: MARKDOWN,
  },
  {
    uriTemplate: META_RESOURCE_TEMPLATE,
    name: 'fetch_metadata',
    title: 'Fetch metadata of a stored page',
    description: 'The record of how a page was fetched: status, headers, redirects, robots.txt, timings, extraction.',
    mimeType: JSON_TYPE,
  },
] as const;

async function listRecent(cursor: string | undefined, { principal, services }: CallEnvironment) {
  const { pages, next } = await listRecentPages(indexOf(cursor), principal.subject, services);
  return { resources: pages.map(resourceOf), ...(next === null ? {} : { nextCursor: String(next) }) };
}

/** Parses a list cursor: a row number, opaque to clients. */
function indexOf(cursor: string | undefined): number | null {
  if (cursor === undefined) return null;
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  return fail({
    code: 'invalid_argument',
    field: 'cursor',
    problem: 'is not one that resources/list returned',
    hint: 'Call resources/list without a cursor.',
  });
}

function resourceOf({ snapshot, name, url, fetchedAt }: RecentPage): Resource {
  return {
    uri: cacheUri(snapshot),
    name,
    description: redactUrl(url),
    mimeType: MARKDOWN,
    annotations: { lastModified: new Date(fetchedAt).toISOString() },
  };
}

function read(uri: string, context: ServerContext, env: CallEnvironment): Promise<ReadResourceResult> {
  const { principal, services } = env;
  const work = async () => {
    const address = parseResourceUri(uri);
    if (address === null) fail({ code: 'unknown_snapshot' });
    const { kind, snapshot } = address;
    const opened = await openSnapshotWithoutCursor(snapshot, principal.subject, services);
    const goOn = (line: number) => `continue with cache_get {"snapshot":"${snapshot}"}, then scroll to line ${line}`;
    const contents =
      kind === 'meta'
        ? { uri, mimeType: JSON_TYPE, text: JSON.stringify(sanitizeJson(toFetchMetadataJson(opened)), null, 2) }
        : {
            uri,
            mimeType: MARKDOWN,
            text: await writePageResource(opened, goOn, RESULT_TEXT_BYTES_MAX, services.documents),
          };
    const { document, shownUrl: url } = opened;
    const shown = { url, title: document.title, cursor: null, documentId: document.id, lines: null };
    return { result: { contents: [contents] }, url, read: [shown], cacheHit: true };
  };
  return runRequest('resources/read', context, env, work, (failure) => notFound(uri, failure));
}

function notFound(uri: string, failure: Failure): ProtocolError {
  if (failure.code !== 'unknown_snapshot') return toProtocolError(failure);
  const { message, hint } = describeFailure(failure);
  return new ResourceNotFoundError(uri, `${message} ${hint}`);
}

/** Parses a resource URI; `null` for a URI that this server does not use. */
function parseResourceUri(uri: string): ResourceAddress | null {
  const [, kind, snapshot] = /^resource:\/\/(cache|meta)\/([0-9a-f]{64})$/.exec(uri) ?? [];
  if (snapshot === undefined) return null;
  return { kind: kind === 'meta' ? 'meta' : 'cache', snapshot };
}

/** Returns the facts of a fetch as JSON, with credentials in URLs redacted. */
function toFetchMetadataJson({
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
