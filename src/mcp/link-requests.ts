import * as z from 'zod';
import type { LinkToOpen } from '#tools/define-tool.ts';

/**
 * Asking a person over the protocol to open a link, with clients of the 2025-11-25 revision. They say what they can do in a
 * request that is over by the time a tool is called, and answer in another one. Nothing is kept between these requests: the
 * session id, which a client repeats with each of them, says whether it opens links and tells clients apart, and the id of
 * our question, which comes back with the answer, names the browser session. Neither grants anything.
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

/** For a client that initialises; `null` for any other message. */
export function sessionIdFor(message: unknown): string | null {
  if (!initializes.safeParse(message).success) return null;
  const { success, data } = initializesWithLinks.safeParse(message);
  // Revisions are dates, so they sort as text.
  const asks = success && data.params.protocolVersion >= ASKED_SINCE;
  return (asks ? OPENS_LINKS : OPENS_NONE) + crypto.randomUUID();
}

/** Whether the client behind a request has said that it opens links. */
export function opensLinks(headers: Headers): boolean {
  const isOurs = headers.get('mcp-session-id')?.startsWith(OPENS_LINKS) === true;
  return isOurs && headers.get('mcp-protocol-version') === ASKED_SINCE;
}

/** The question, as a message of the protocol. */
export function linkRequest({ url, message, session }: LinkToOpen) {
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

/** What a person said to a question of ours, and the session it was about; `null` for any other message. */
export function answerToLink(message: unknown): { session: string; isDeclined: boolean } | null {
  const { success, data } = answers.safeParse(message);
  if (!success) return null;
  const [kind, , session] = data.id.split(' ');
  return kind === QUESTION_ID && session !== undefined
    ? { session, isDeclined: data.result.action === 'decline' }
    : null;
}
