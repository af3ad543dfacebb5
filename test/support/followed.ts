import { introspectWorkflow } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { EditedPage } from './edited-site.ts';
import { callTool, structured } from './mcp-call.ts';
import type { CallOptions } from './mcp-call.ts';

/** Writes a page of an edited site. */
export async function write(url: string, page: EditedPage | string): Promise<void> {
  const body = JSON.stringify(typeof page === 'string' ? { body: page } : page);
  await fetch(url, { method: 'PUT', body });
}

export async function takeAway(url: string): Promise<void> {
  await fetch(url, { method: 'DELETE' });
}

/** Requests to an edited site so far, in order. */
export async function asked(origin: string): Promise<string[]> {
  return (await fetch(`${origin}/asked`)).json();
}

/** Messages posted to an edited site, in order. */
export async function posted(
  origin: string,
): Promise<{ path: string; headers: Record<string, string>; body: string }[]> {
  return (await fetch(`${origin}/posted`)).json();
}

export const page = (title: string, body: string, beside = '') =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><nav>${beside}</nav><main><article><h1>${title}</h1>${body}</article></main></body></html>`;

/** Follows a site, and waits for the end of the first round. */
export async function followed(args: Record<string, unknown>, options?: CallOptions): Promise<Record<string, unknown>> {
  await using rounds = await withoutWaiting();
  const answer = structured(await callTool('modern', 'follow', args, options));
  await ended(rounds);
  return answer;
}

/** Runs the next round of everything that is followed. */
export async function nextRound(): Promise<void> {
  await env.DB.prepare('UPDATE follows SET next_at = 0').run();
  await using rounds = await withoutWaiting();
  const { runHourly } = await import('../../src/scheduled.ts');
  const { createScheduledController } = await import('cloudflare:test');
  await runHourly(createScheduledController(), env);
  await ended(rounds);
}

/** Rounds that neither sleep nor wait between retries. */
export async function withoutWaiting() {
  const rounds = await introspectWorkflow(env.FOLLOW);
  await rounds.modifyAll(async (one) => {
    await one.disableSleeps();
    await one.disableRetryDelays();
  });
  return rounds;
}

export async function ended(rounds: Awaited<ReturnType<typeof withoutWaiting>>): Promise<void> {
  for (const round of await rounds.get()) await round.waitForStatus('complete');
}
