import { withTimeout } from '#core/flow/abort.ts';
import { findFailure } from '#core/failures/failure.ts';
import { SECOND_MS } from '#core/limits.ts';
import { hmacSha256, oneLine, toHex } from '#core/text/text.ts';
import type { Fetch } from './fetch/fetch-port.ts';
import { checkUrl } from './fetch/gate.ts';
import type { AddressGateDeps } from './fetch/gate.ts';

/** Time limit in ms for the response to a webhook. No tool call waits for the response. */
const WEBHOOK_MS = 10 * SECOND_MS;

export type WebhookDeps = AddressGateDeps & { fetch: Fetch; now: () => number };

/** A webhook's message. Slack and others show `text`. `id` is the same for each attempt to send the message. */
export type WebhookMessage = { text: string; id?: string; [more: string]: unknown };

/**
 * Sends a message as signed JSON. The header `X-Periscope-Signature` is the HMAC-SHA-256 of `TIMESTAMP.BODY` with the
 * secret. The URL passes the same gate as fetches. Redirects are not followed, and only the response's status is read.
 * @throws {PeriscopeError} as the gate does, and `timeout`
 * @throws errors of `fetch`
 */
export async function sendWebhook(
  { url, secret }: { url: string; secret: string },
  message: WebhookMessage,
  deps: WebhookDeps,
): Promise<number> {
  const body = JSON.stringify(message);
  const timestamp = String(Math.floor(deps.now() / SECOND_MS));
  const signature = toHex(await hmacSha256(secret, `${timestamp}.${body}`));
  return withTimeout(WEBHOOK_MS, async (signal) => {
    await checkUrl(url, deps, signal);
    const answer = await deps.fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': deps.policy.userAgent,
        'x-periscope-timestamp': timestamp,
        'x-periscope-signature': `v1=${signature}`,
      },
      body,
      redirect: 'manual',
      cache: 'no-store',
      signal,
    });
    await answer.body?.cancel();
    return answer.status;
  });
}

/**
 * Formats untrusted text of a model or a user as code in a chat message, so that it cannot become a mention, a link or
 * another line. Some chats, such as Slack, turn bare URLs into links; others, such as Mattermost, read `@all` as a
 * mention.
 */
export function formatAsChatCode(text: string): string {
  const words = oneLine(text, CHAT_TEXT_CHARS_MAX).replaceAll('`', "'");
  return `\`${words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}\``;
}

/** Maximum characters of a text quoted in a chat message. Enough for a user's e-mail addresses and name. */
const CHAT_TEXT_CHARS_MAX = 300;

const OK_MIN = 200;
const OK_MAX = 299;

/**
 * Sends a webhook and returns one word for the log, the health check and the console: `sent`, or the reason for the
 * failure. The word contains neither the webhook's URL, which is a secret, nor its response, which is untrusted.
 */
export async function recordWebhookOutcome(send: () => Promise<number>): Promise<string> {
  try {
    const status = await send();
    return status >= OK_MIN && status <= OK_MAX ? WEBHOOK_SENT : `http_${status}`;
  } catch (error) {
    return findFailure(error)?.code ?? 'not_reached';
  }
}

export const WEBHOOK_SENT = 'sent';
