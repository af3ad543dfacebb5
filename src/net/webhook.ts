import { withTimeout } from '#core/flow/abort.ts';
import { SECOND_MS } from '#core/limits.ts';
import { oneLine, toHex } from '#core/text/text.ts';
import type { Fetch } from './fetch/fetch-port.ts';
import { gate } from './fetch/gate.ts';
import type { GateDeps } from './fetch/gate.ts';

/** A receiver has to answer within this time. Nobody waits for it. */
const WEBHOOK_MS = 10 * SECOND_MS;

export type WebhookDeps = GateDeps & { fetch: Fetch; now: () => number };

/**
 * Sends `{"text": …}`, as Slack and others take it, signed: `X-Periscope-Signature` is the HMAC-SHA-256 of
 * `TIMESTAMP.BODY` with the secret. The address passes the gate of fetches; redirects are not followed, and nothing of
 * the answer but its status is read.
 * @throws {PeriscopeError} what the gate throws, and `timeout`
 */
export async function sendWebhook(
  { url, secret, text }: { url: string; secret: string; text: string },
  deps: WebhookDeps,
): Promise<number> {
  const body = JSON.stringify({ text });
  const timestamp = String(Math.floor(deps.now() / SECOND_MS));
  const signature = await signatureOf(secret, timestamp, body);
  return withTimeout(WEBHOOK_MS, async (signal) => {
    await gate(url, deps, signal);
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

async function signatureOf(secret: string, timestamp: string, body: string): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign']);
  return toHex(await crypto.subtle.sign('HMAC', key, encoder.encode(`${timestamp}.${body}`)));
}

/**
 * Words of a model or a person in a message of a chat, set as code: what would be a mention, a link or another line there
 * is text, also where the chat takes bare addresses for links, as Slack does, or `@all` for a mention, as Mattermost does.
 */
export function chatText(text: string): string {
  const words = oneLine(text, CHAT_TEXT_CHARS_MAX).replaceAll('`', "'");
  return `\`${words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}\``;
}

/** The addresses of a person, and their name at a provider. */
const CHAT_TEXT_CHARS_MAX = 300;
