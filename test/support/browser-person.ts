import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { TestClient, ToolResult } from './mcp-clients.ts';

/** Shared parts of the end-to-end tests of browser sessions: calls, refs, and browser processes. */

export type Call = (tool: string, args?: Record<string, unknown>) => Promise<ToolResult>;

/** Calls a tool on one session. @throws when the tool returns an error */
export function onSession(client: TestClient, session: string): Call {
  return async (tool, args = {}) => {
    const result = await client.call(tool, { session, ...args });
    if (result.isError) throw new Error(`${tool} ${JSON.stringify(args)}: ${result.text}`);
    return result;
  };
}

/** The ref before the first line that has `label`, such as `button "Next"`. @throws with the snapshot */
export function refOf({ text }: ToolResult, label: string): string {
  const line = text.split('\n').find((one) => one.includes(label) && /@e\d/.test(one)) ?? '';
  const ref = line.slice(0, line.indexOf(label)).match(/@e\d+/g)?.at(-1);
  if (ref === undefined) throw new Error(`There is no ${label} in:\n${text}`);
  return ref;
}

/** Process ids of the browsers that this process has started, directly or through other processes. */
export async function browserProcesses(): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,args='], { maxBuffer: 50_000_000 });
  const all = stdout.split('\n').flatMap((line) => {
    const [, pid, parent, args = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), args }];
  });
  const parents = new Map(all.map(({ pid, parent }) => [pid, parent]));
  const isOurs = (pid: number): boolean => {
    for (let at = parents.get(pid) ?? 0; at > 1; at = parents.get(at) ?? 0) if (at === process.pid) return true;
    return false;
  };
  const isBrowser = (args: string) => args.includes('--user-data-dir=') && !args.includes('--type=');
  return all.filter(({ pid, args }) => isBrowser(args) && isOurs(pid)).map(({ pid }) => pid);
}
