import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { CompleteRequestParams, CompleteResult, McpServer } from '@modelcontextprotocol/server';
import { COMPLETION_VALUES_MAX } from '#core/limits.ts';
import { recentPagesLike } from '#reading/recent-pages.ts';
import type { RecentPage } from '#reading/recent-pages.ts';
import { isPrompt } from './prompts.ts';
import { CACHE_TEMPLATE, META_TEMPLATE } from './resource-uris.ts';
import { runQuietly } from './run-request.ts';
import type { CallEnvironment } from './run-tool.ts';

/** Completes snapshot hashes and addresses from what this subject opened lately: by a hash's start, or by a name. */
export function serveCompletions({ server }: McpServer, env: CallEnvironment): void {
  server.setRequestHandler('completion/complete', ({ params }, context) => {
    const field = fieldOf(params);
    if (field === null) return { completion: { values: [], hasMore: false } };
    return runQuietly('completion/complete', context, env, () => complete(field, params.argument.value, env));
  });
}

/** What of a page is asked for; `null` for an argument that cannot be completed. */
function fieldOf({ ref, argument }: CompleteRequestParams): 'snapshot' | 'url' | null {
  if (ref.type === 'ref/prompt') {
    if (!isPrompt(ref.name)) throw unknown('prompt');
    return argument.name === 'snapshot' || argument.name === 'url' ? argument.name : null;
  }
  if (ref.uri !== CACHE_TEMPLATE && ref.uri !== META_TEMPLATE) throw unknown('resource template');
  return argument.name === 'sha256' ? 'snapshot' : null;
}

function unknown(what: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no such ${what}.`);
}

async function complete(
  field: keyof Pick<RecentPage, 'snapshot' | 'url'>,
  typed: string,
  { principal, services }: CallEnvironment,
): Promise<CompleteResult> {
  const pages = await recentPagesLike(typed, principal.subject, services);
  const values = [...new Set(pages.map((page) => page[field]))];
  return { completion: { values, total: values.length, hasMore: pages.length >= COMPLETION_VALUES_MAX } };
}
