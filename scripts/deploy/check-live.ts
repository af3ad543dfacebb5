import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { StopError } from '#scripts/local/stop-error.ts';
import { parseJson } from './cloudflare-api.ts';

/** Cloudflare: a certificate typically takes up to 15 minutes. Until then, a new address refuses connections. */
const WAIT_MS = 15 * 60_000;
const PAUSE_MS = 2_000;
/** Time limit of one request. Some networks silently drop requests to an unknown name. */
const ASK_MS = 10_000;
/** Interval of the lines that say what the command waits for. */
const TELL_MS = 60_000;
/** Longest part of an answer that is shown. */
const WHY_CHARS_MAX = 300;

const metadataSchema = z.object({ resource: z.string() });

export type LiveCheckOptions = {
  /** Longest wait for a new address. */
  waitMs?: number;
  pauseMs?: number;
  ask?: typeof fetch;
};

/**
 * Checks that a deployment answers clients correctly. Waits for a new address.
 * @throws {StopError} that names the wrong answer
 */
export async function checkLive(origin: string, options: LiveCheckOptions = {}): Promise<void> {
  const { ask = fetch } = options;
  await waitUntilAlive(origin, options);
  const challenge = await answerOf(ask, `${origin}/mcp`, { method: 'POST', headers: { 'user-agent': 'Claude-User' } });
  if (challenge.status !== 401 || challenge.headers.get('www-authenticate') === null) {
    throw new StopError(
      `${origin}/mcp answers HTTP ${challenge.status} instead of 401. If your domain challenges bots, let /mcp, /token, /register and /.well-known/* through. ${AGAIN}`,
    );
  }
  const metadata = await answerOf(ask, `${origin}/.well-known/oauth-protected-resource/mcp`);
  const { success, data } = metadataSchema.safeParse(parseJson(metadata.text));
  const named = success ? data.resource : 'nothing';
  if (named !== `${origin}/mcp`) {
    throw new StopError(
      `The metadata names ${named} instead of ${origin}/mcp. If the Worker has a domain of its own, deploy with it: npm run deploy -- --domain periscope.example.com`,
    );
  }
}

const AGAIN = 'Then run npm run deploy again.';

type Answer = { status: number; headers: Headers; text: string };

async function waitUntilAlive(
  origin: string,
  { waitMs = WAIT_MS, pauseMs = PAUSE_MS, ask = fetch }: LiveCheckOptions,
): Promise<void> {
  const start = performance.now();
  let told = start;
  for (;;) {
    const last = await lookOnce(origin, ask);
    if (last === null) return;
    const now = performance.now();
    if (now - start > waitMs) {
      throw new StopError(
        `${origin}/healthz did not answer as expected in ${minutes(waitMs)}; the last try: ${last}. A new address can take longer, because its certificate is made first. Open ${origin}/healthz in a browser later. If it says ok, Periscope is ready, and nothing needs to be deployed again.`,
      );
    }
    if (now - told > TELL_MS) {
      told = now;
      console.log(`Waiting for ${origin}, for up to ${minutes(waitMs)}. The last try: ${last}.`);
    }
    await sleep(pauseMs);
  }
}

/** @returns why it does not answer yet, or `null` if it does */
async function lookOnce(origin: string, ask: typeof fetch): Promise<string | null> {
  try {
    const { status, text } = await answerOf(ask, `${origin}/healthz`);
    if (status === 200 && text.includes('"ok"')) return null;
    // The Worker reports a wrong setting in its own words. Waiting does not help.
    if (text.startsWith('Configuration: ')) throw new StopError(`It refuses to work. ${text} Correct it. ${AGAIN}`);
    return status === 503 ? `HTTP 503: ${text.slice(0, WHY_CHARS_MAX)}` : `HTTP ${status}`;
  } catch (error) {
    if (error instanceof Unreachable) return error.reason;
    throw error;
  }
}

/** The address gives no answer at all. */
class Unreachable extends StopError {
  readonly reason: string;
  constructor(url: string, cause: unknown) {
    const reason = `no connection (${codeOf(cause) ?? 'no reason was given'})`;
    super(`${url} cannot be reached: ${reason}. ${AGAIN}`);
    this.reason = reason;
  }
}

/** @throws {Unreachable} */
async function answerOf(ask: typeof fetch, url: string, init: RequestInit = {}): Promise<Answer> {
  try {
    const answer = await ask(url, { ...init, signal: AbortSignal.timeout(ASK_MS) });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  } catch (error) {
    throw new Unreachable(url, error);
  }
}

/** The innermost error code, such as ENOTFOUND, or ERR_SSL_... while there is no certificate. */
function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { cause } = error;
  const inner = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof inner === 'string' ? inner : error.message;
}

function minutes(ms: number): string {
  const count = Math.max(1, Math.round(ms / 60_000));
  return count === 1 ? 'a minute' : `${count} minutes`;
}
