import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { TestClient, ToolResult } from './mcp-clients.ts';
import { Browser, leftTo, pageOf } from './oauth-browser.ts';
import { HostMemory } from './oauth-client.ts';

/** What end-to-end tests of browser sessions share: calling, finding refs, other people, and the browsers' processes. */

export type Call = (tool: string, args?: Record<string, unknown>) => Promise<ToolResult>;

/** Calls of one client on one session; an error is thrown. */
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

const CALLBACK = 'http://localhost:39874/callback';

/** An access token of the person at the provider, over sign-in there and consent here. */
export async function tokenOverProvider(mcpUrl: string): Promise<string> {
  const host = new HostMemory();
  const transport = new StreamableHTTPClientTransport(new URL(mcpUrl), { authProvider: host.provider(CALLBACK) });
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(transport).catch(() => undefined); // refused, and sends the person to sign in
  const browser = new Browser(new URL(mcpUrl).origin, (url, init) => fetch(url, init));
  const page = pageOf(await browser.get(host.lastAsked().href));
  const away = leftTo(await browser.submit(page, '/sign-in/upstream', { way: 'oidc' }));
  const back = (await fetch(away, { redirect: 'manual' })).headers.get('location') ?? '';
  const consent = pageOf(await browser.get(back));
  await transport.finishAuth(leftTo(await browser.submit(consent, '/authorize', { decision: 'allow' })).searchParams);
  return host.tokensKept?.access_token ?? '';
}

/** Process ids of the browsers that this process has started, through whatever stands in between. */
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
