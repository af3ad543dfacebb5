import { setTimeout as sleep } from 'node:timers/promises';
import { StopError } from '#scripts/local/stop-error.ts';

/** A new address takes a moment until every place knows it. */
const TRIES = 30;
const PAUSE_MS = 2_000;
/** Of the reason that `/healthz` gives. */
const WHY_CHARS_MAX = 300;

/** Whether a deployment answers as a client needs it. @throws {StopError} naming what does not */
export async function checkLive(
  origin: string,
  { pauseMs = PAUSE_MS, ask = fetch }: { pauseMs?: number; ask?: typeof fetch } = {},
): Promise<void> {
  await waitUntilAlive(origin, pauseMs, ask);
  const challenge = await ask(`${origin}/mcp`, { method: 'POST', headers: { 'user-agent': 'Claude-User' } });
  await challenge.body?.cancel();
  if (challenge.status !== 401 || challenge.headers.get('www-authenticate') === null) {
    throw new StopError(
      `${origin}/mcp answers HTTP ${challenge.status} instead of 401. If your domain challenges bots, let /mcp, /token, /register and /.well-known/* through.`,
    );
  }
  const metadata = await ask(`${origin}/.well-known/oauth-protected-resource/mcp`);
  const { resource } = metadata.ok ? await metadata.json<{ resource?: string }>() : {};
  if (resource !== `${origin}/mcp`) {
    throw new StopError(
      `The metadata names ${resource ?? 'nothing'} instead of ${origin}/mcp. If the Worker has a domain of its own, deploy with it: npm run deploy -- --domain periscope.example.com`,
    );
  }
}

async function waitUntilAlive(origin: string, pauseMs: number, ask: typeof fetch): Promise<void> {
  let last = 'nothing';
  for (let n = 0; n < TRIES; n += 1) {
    if (n > 0) await sleep(pauseMs);
    try {
      const answer = await ask(`${origin}/healthz`);
      const text = await answer.text();
      if (answer.status === 200 && text.includes('"ok"')) return;
      // The Worker's own words for a setting that is wrong; waiting mends nothing.
      if (text.startsWith('Configuration: ')) throw new StopError(text);
      last = answer.status === 503 ? `HTTP 503: ${text.slice(0, WHY_CHARS_MAX)}` : `HTTP ${answer.status}`;
    } catch (error) {
      if (error instanceof StopError) throw error;
    }
  }
  throw new StopError(
    `${origin}/healthz did not give the expected answer; the last answer was ${last}. Try it in a browser in a few minutes.`,
  );
}
