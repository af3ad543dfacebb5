import { HOPS, HOPS_OF_CALLS } from '#scripts/docs/hops.ts';
import type { HopsOfCall } from '#scripts/docs/hops.ts';
import { callTool } from './mcp-call.ts';
import { serverWith } from './server-with.ts';

/** For the tests that count the round trips of calls. */

declare module 'vitest' {
  interface TaskMeta {
    /** Read by `npm run bench:hops`. */
    hops?: HopsOfCall & { call: string };
  }
}

export type CountedCall = [
  what: string,
  tool: string,
  args: () => Record<string, unknown>,
  keep?: (answer: Record<string, unknown>) => void,
];

/** True if the calls of this tool are counted with a browser. */
export function needsBrowser(tool: string): boolean {
  return tool === 'view_image' || tool.startsWith('browser_');
}

/** A Worker that treats a stored page as fresh, as deployments do. */
const send = serverWith({ CACHE_TTL_SECONDS: '3600' });

export async function makeCall([, tool, args, keep]: CountedCall, token: string, query = ''): Promise<void> {
  const answer = await callTool('modern', tool, args(), { token, query, send });
  if (answer.result === undefined || answer.result.isError === true) throw new Error(JSON.stringify(answer));
  keep?.(answer.result.structuredContent ?? {});
}

/** Trips above those in the table of `docs/storage.md`. */
export function excess(what: string, { all, inRow }: HopsOfCall): string[] {
  const stated = HOPS_OF_CALLS[what] ?? { all: {}, inRow: {} };
  return HOPS.flatMap((hop) => [
    ...((all[hop] ?? 0) > (stated.all[hop] ?? 0) ? [`${hop}: ${all[hop]}`] : []),
    ...((inRow[hop] ?? 0) > (stated.inRow[hop] ?? 0) ? [`${hop} in a row: ${inRow[hop]}`] : []),
  ]);
}
