import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LaunchedServer } from '#scripts/local/launch.ts';
import { findFreePort } from '#scripts/local/port.ts';
import { NEEDLE } from '../spine/pages.ts';
import { RpcClient } from '../spine/rpc.ts';

/** Kinds of calls: another part of the client's page, a stored page, a word in its page, a new page. */
export type Kind = 'scroll' | 'stored' | 'find' | 'new';

/** A client with its own page. */
export type Client = { call: (kind: Kind, random: () => number) => Promise<unknown>; close: () => void };

/** A server that reads pages, and the way a model would use it. */
export type Subject = {
  name: string;
  /** @param page the address of the client's own page; `next` returns a new one */
  connect: (page: string, next: () => string) => Promise<Client>;
  close: () => Promise<void>;
};

export function ours(server: LaunchedServer): Subject {
  return {
    name: 'periscope',
    connect: async (page, next) => {
      const rpc = new RpcClient(server);
      const open = (url: string) => rpc.callTool('open_url', { url });
      const { structuredContent, content } = await open(page);
      const { cursor } = structuredContent;
      const lines = Number(/^Lines \d+–\d+ of (\d+)/m.exec(content[0]?.text ?? '')?.[1]);
      return {
        call: (kind, random) => {
          if (kind === 'scroll') return rpc.callTool('scroll', { cursor, loc: Math.floor(random() * lines) });
          if (kind === 'find') return rpc.callTool('find', { cursor, pattern: NEEDLE });
          return open(kind === 'stored' ? page : next());
        },
        close: () => rpc.close(),
      };
    },
    close: () => server.stop(),
  };
}

/** As much text as Periscope's first view. */
const VIEW_CHARS = 4_000;
const PAGE_CHARS = 30_000;
const READY_MS_MAX = 30_000;

/**
 * `mcp-searxng`, which also reads pages over Streamable HTTP, without sign-in and with its pages in memory. It cannot
 * search in a page, so it shows another part of the page instead, which is less work.
 */
export async function searxng(): Promise<Subject> {
  const program = join(import.meta.dirname, '../rivals/node_modules/mcp-searxng/dist/cli.js');
  if (!existsSync(program)) throw new Error('it is not installed in bench/rivals');
  const port = await findFreePort();
  const child = spawn(process.execPath, [program], {
    stdio: 'ignore',
    env: {
      ...process.env,
      SEARXNG_URL: 'http://127.0.0.1:9',
      MCP_HTTP_HOST: '127.0.0.1',
      MCP_HTTP_PORT: String(port),
      MCP_HTTP_ALLOW_PRIVATE_URLS: 'true',
      // The highest rate limit that it can be set to.
      MCP_RATE_WINDOW_MS: '1000',
      MCP_RATE_INIT_MAX: '10000',
      MCP_RATE_SESSION_MAX: '10000',
      MCP_TOOL_RATE_WINDOW_MS: '1000',
      MCP_TOOL_RATE_MAX: '10000',
      ...Object.fromEntries(IN_FLIGHT.map((name) => [name, '256'])),
    },
  });
  await answering(port);
  return {
    name: 'mcp-searxng',
    connect: async (page, next) => {
      const rpc = new RpcClient({ port, token: '' });
      const read = (url: string, startChar: number) =>
        rpc.callTool('web_url_read', { url, startChar, maxLength: VIEW_CHARS });
      await read(page, 0);
      return {
        call: (kind, random) => {
          if (kind === 'new') return read(next(), 0);
          return read(page, kind === 'stored' ? 0 : Math.floor(random() * PAGE_CHARS));
        },
        close: () => rpc.close(),
      };
    },
    close: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill();
      await ended;
    },
  };
}

const IN_FLIGHT = [
  'MCP_TOOL_MAX_IN_FLIGHT',
  'MCP_HTTP_STATELESS_MAX_IN_FLIGHT',
  'MCP_HTTP_STATELESS_MAX_IN_FLIGHT_PER_IP',
];

async function answering(port: number): Promise<void> {
  const end = Date.now() + READY_MS_MAX;
  for (;;) {
    const isUp = await fetch(`http://127.0.0.1:${port}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return;
    if (Date.now() > end) throw new Error('mcp-searxng does not start');
    await sleep(100);
  }
}
