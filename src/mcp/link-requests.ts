import * as z from 'zod';
import type { LinkToOpen } from '#tools/define-tool.ts';

/**
 * Requests to open a link, for clients of the 2025-11-25 revision, without server state. Such a client declares in
 * `initialize` that it opens links, later calls a tool, and answers the server's question by another request. The
 * session id, which the client repeats, records that it opens links. The id of the question, which the answer repeats,
 * names the browser session. Neither id grants a permission.
 */
const ASKED_SINCE = '2025-11-25';
const OPENS_LINKS = 'opens-links.';
const OPENS_NONE = 'client.';
const QUESTION_ID = 'link';

const initializes = z.object({ method: z.literal('initialize') });
const initializesWithLinks = z.object({
  params: z.object({
    protocolVersion: z.string(),
    capabilities: z.object({ elicitation: z.object({ url: z.object({}) }) }),
  }),
});

/** Returns a session id for an `initialize` message; `null` for others. */
export function sessionIdForInitialize(message: unknown): string | null {
  if (!initializes.safeParse(message).success) return null;
  const { success, data } = initializesWithLinks.safeParse(message);
  // Revisions are dates, so they sort as text.
  const asks = success && data.params.protocolVersion >= ASKED_SINCE;
  return (asks ? OPENS_LINKS : OPENS_NONE) + crypto.randomUUID();
}

export function canOpenLinks(headers: Headers): boolean {
  const isOurs = headers.get('mcp-session-id')?.startsWith(OPENS_LINKS) === true;
  return isOurs && headers.get('mcp-protocol-version') === ASKED_SINCE;
}

export function createLinkRequest({ url, message, session }: LinkToOpen) {
  const elicitationId = crypto.randomUUID();
  return {
    jsonrpc: '2.0',
    id: [QUESTION_ID, elicitationId, session].join(' '),
    method: 'elicitation/create',
    params: { mode: 'url', message, url, elicitationId },
  } as const;
}

const answers = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.string(),
  result: z.object({ action: z.enum(['accept', 'decline', 'cancel']) }),
});

/** Parses the user's answer to a question of this server, with its session; `null` for other messages. */
export function parseLinkAnswer(message: unknown): { session: string; isDeclined: boolean } | null {
  const { success, data } = answers.safeParse(message);
  if (!success) return null;
  const [kind, , session] = data.id.split(' ');
  return kind === QUESTION_ID && session !== undefined
    ? { session, isDeclined: data.result.action === 'decline' }
    : null;
}
