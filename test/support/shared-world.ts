import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { findFreePort } from '#scripts/local/port.ts';
import { startChromium } from './chromium-process.ts';
import type { ChromiumProcess } from './chromium-process.ts';
import { startProvider } from './provider-port.ts';
import { startServer } from './server.ts';
import type { TestServer } from './server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address at which `shared.ts` asks this process for the server and the browsers. */
    sharedWorld: string;
  }
}

export type SharedServerFacts = {
  mcpUrl: string;
  /** `LOCAL_ACCESS_TOKEN`, the owner's token. */
  token: string;
  passphrase: string;
  home: string;
  issuer: string;
  providerSecret: string;
  /** The ending of all e-mail addresses that may sign in. */
  people: string;
  sessionsPerPerson: number;
  /** `LIVE_CHECK_KEY`. */
  checkKey: string;
};

const PEOPLE = '@people.acme.dev';
const CHECK_KEY = 'a-key-for-the-check-of-the-built-worker';
const PASSPHRASE = 'twelve plovers along the tide line';
/** More than all files together use. No port is reused, so no page of one file is in the cache for another. */
const SITE_PORTS = 40;
/** Small, because the test of this limit starts this many browsers at once. Files close the sessions they open. */
const SESSIONS_PER_PERSON = 4;

/**
 * Global setup of the end-to-end tests: one `npm start` for all files that need only an account of their own, and one
 * Chromium per worker for the users in the tests. Each starts when a file first asks for it.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const ports = await distinctPorts(SITE_PORTS);
  const unused = [...ports];
  let server: Promise<TestServer> | null = null;
  let provider: Awaited<ReturnType<typeof startProvider>> | null = null;
  const browsers = new Map<string, Promise<ChromiumProcess>>();

  async function startShared(): Promise<TestServer> {
    provider = await startProvider({});
    return startServer({
      ALLOWED_PRIVATE_HOSTS: ports.flatMap((port) => [`127.0.0.1:${port}`, `localhost:${port}`]).join(','),
      OWNER_PASSPHRASE: PASSPHRASE,
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: provider.clientId,
      OIDC_CLIENT_SECRET: provider.clientSecret,
      ALLOWED_USERS: PEOPLE,
      MAX_SESSIONS_PER_CLIENT: String(SESSIONS_PER_PERSON),
      CACHE_TTL_SECONDS: '0',
      LIVE_CHECK_KEY: CHECK_KEY,
    });
  }

  const answers: Record<string, (asked: URLSearchParams) => Promise<unknown>> = {
    '/server': async () => {
      server ??= startShared();
      const { mcpUrl, token, home } = await server;
      const facts: SharedServerFacts = {
        mcpUrl,
        token,
        home,
        passphrase: PASSPHRASE,
        issuer: provider?.issuer ?? '',
        providerSecret: provider?.clientSecret ?? '',
        people: PEOPLE,
        sessionsPerPerson: SESSIONS_PER_PERSON,
        checkKey: CHECK_KEY,
      };
      return facts;
    },
    '/output': async () => (await server)?.output() ?? '',
    '/site-port': async () => {
      const port = unused.shift();
      if (port === undefined) throw new Error(`All ${SITE_PORTS} ports for sites are taken: raise SITE_PORTS.`);
      return port;
    },
    '/browser': async (asked) => {
      const worker = asked.get('worker') ?? '';
      const browser = browsers.get(worker) ?? startChromium();
      browsers.set(worker, browser);
      return (await browser).url;
    },
  };
  const door = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://door');
    const answer = answers[pathname]?.(searchParams) ?? Promise.reject(new Error(`no ${pathname}`));
    answer.then(
      (value) => response.end(JSON.stringify(value)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  const address = door.address();
  project.provide('sharedWorld', `http://127.0.0.1:${isPort(address) ? address.port : 0}`);

  return async () => {
    door.closeAllConnections();
    door.close();
    for (const browser of browsers.values()) await (await browser).close();
    await (await server)?.close();
    provider?.close();
  };
}

function isPort(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}

async function distinctPorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await findFreePort());
  return [...ports];
}
