import { createServer } from 'node:http';
import { connect } from 'node:net';
import { Browser, leftTo, pageOf, formFields } from '#support/oauth-browser.ts';
import { startOrigin } from '#support/origin.ts';
import type { Origin, RouteTable } from '#support/origin.ts';
import { startProvider } from '#support/provider-port.ts';
import { startServer } from '#support/server.ts';
import type { TestServer } from '#support/server.ts';
import { at, Caller, textOf } from './wire.ts';

/**
 * The target: the built Worker under `npm start` with its own data, its owner and three more users from a provider; two
 * sites whose pages the attacker writes; and traps on private ports, which nothing may reach.
 */
export type Rig = {
  server: TestServer;
  origin: string;
  port: number;
  /** The owner on this machine, with `LOCAL_ACCESS_TOKEN`. */
  local: Caller;
  owner: Someone;
  ana: Someone;
  bob: Someone;
  carla: Someone;
  site: Site;
  /** A second origin. */
  other: Site;
  traps: Trap;
  passphrase: string;
  close: () => Promise<void>;
};

export type Someone = { name: string; browser: Browser; caller: Caller };

/** A site whose pages are written while it runs. */
export type Site = Origin & { routes: RouteTable; page: (path: string, body: string, headers?: Headers_) => string };
type Headers_ = Record<string, string>;

export const PASSPHRASE = 'nine herons beside the ferry';
export const SIGN_IN_KEY = 'KpT2hRw9vLx4mQz7bNc3dFg8sJy6aEu1tVoXiB5qWkY';

/** Short, because attacks with old tokens wait for its end. */
export const REFRESH_GRACE_MS = 2_000;

const SETTINGS = {
  REFRESH_GRACE_SECONDS: String(REFRESH_GRACE_MS / 1_000),
  OWNER_PASSPHRASE: PASSPHRASE,
  SIGN_IN_KEY,
  BUDGET_CALLS_PER_MINUTE: '100000',
  BUDGET_CALLS_PER_DAY: '1000000',
  BUDGET_SEARCHES_PER_DAY: '100000',
  MAX_SESSIONS_PER_CLIENT: '40',
  MAX_SESSIONS: '60',
  // Every page is requested again, so that answers show the site's current text.
  CACHE_TTL_SECONDS: '0',
};

/** @param inspectorPort port at which the Worker's heap can be inspected */
export async function startRig(inspectorPort?: number): Promise<Rig> {
  const person: Record<string, unknown> = {};
  const provider = await startProvider(person);
  const site = await startSite();
  const other = await startSite();
  const settings = {
    ...SETTINGS,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.clientId,
    OIDC_CLIENT_SECRET: provider.clientSecret,
    // The first user in the list is also an owner.
    ALLOWED_USERS: 'boss@acme.dev, ana@acme.dev, bob@acme.dev, carla@acme.dev',
    // The machine's name makes it another site.
    ALLOWED_PRIVATE_HOSTS: `${site.host},${other.host},localhost:${new URL(other.url).port}`,
  };
  const server = await startServer(settings, inspectorPort);
  const { origin, port } = new URL(server.mcpUrl);
  const number = Number(port);
  const local = new Caller(number, server.token);
  const arrive = async (name: string): Promise<Someone> => {
    Object.assign(person, { sub: `sub-${name}`, email: `${name}@acme.dev`, email_verified: true });
    const browser = await signedInElsewhere(origin);
    return { name, browser, caller: new Caller(number, await makeToken(browser, origin, name, PERSONS_SCOPES)) };
  };
  const ownersBrowser = await signedInAsOwner(origin);
  const ownersToken = await makeToken(ownersBrowser, origin, 'owner', [...PERSONS_SCOPES, 'cache:purge']);
  const traps = await setTraps();
  return {
    server,
    origin,
    port: number,
    local,
    owner: { name: 'owner', browser: ownersBrowser, caller: new Caller(number, ownersToken) },
    ana: await arrive('ana'),
    bob: await arrive('bob'),
    carla: await arrive('carla'),
    site,
    other,
    traps,
    passphrase: PASSPHRASE,
    close: async () => {
      traps.close();
      await site.close();
      await other.close();
      provider.close();
      await server.close();
    },
  };
}

const PERSONS_SCOPES = ['web:read', 'cite:share', 'browser:use', 'browser:evaluate'];

export function newBrowser(origin: string): Browser {
  return new Browser(origin, (url, init) => fetch(url, init));
}

export async function signedInAsOwner(origin: string): Promise<Browser> {
  const browser = newBrowser(origin);
  const page = pageOf(await browser.get(`${origin}/console/tokens`));
  pageOf(await browser.submit(page, '/sign-in', { passphrase: PASSPHRASE }));
  return browser;
}

export async function signedInElsewhere(origin: string): Promise<Browser> {
  const browser = newBrowser(origin);
  const page = pageOf(await browser.get(`${origin}/console/tokens`));
  const away = leftTo(await browser.submit(page, '/sign-in/upstream', { way: 'oidc' }));
  const back = (await fetch(away, { redirect: 'manual' })).headers.get('location') ?? '';
  pageOf(await browser.get(back));
  return browser;
}

/** Makes an access token in the console, as a user does. */
export async function makeToken(
  browser: Browser,
  origin: string,
  name: string,
  scope: readonly string[],
): Promise<string> {
  const page = pageOf(await browser.get(`${origin}/console/tokens`));
  const form = formFields(page.html, '/console/tokens').find(([field]) => field === 'form')?.[1] ?? '';
  const made = pageOf(
    await browser.post('/console/tokens', [
      ['form', form],
      ['name', name],
      ['days', '7'],
      ...scope.map((one): [string, string] => ['scope', one]),
    ]),
  );
  const token = /psc_[\w-]{43}/.exec(made.html)?.[0];
  if (token === undefined) throw new Error(`no token was made: ${made.status}`);
  return token;
}

async function startSite(): Promise<Site> {
  const routes: RouteTable = {};
  const origin = await startOrigin(routes);
  return {
    ...origin,
    routes,
    page: (path, body, headers = {}) => {
      const [route = path] = path.split('?');
      routes[route] = (_request, response) =>
        void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body);
      return origin.url + path;
    },
  };
}

/** Listeners on this machine that count connections. */
export type Trap = {
  /** Listening ports on 127.0.0.1 and, if available, on [::1]; web ports if they are free. */
  ports: readonly number[];
  /** Connections since the last check. */
  arrived: () => string[];
  close: () => void;
};

const WEB_PORTS = [8080, 8443, 80, 443];

export async function setTraps(): Promise<Trap> {
  let said: string[] = [];
  const opened: { close: () => void }[] = [];
  const ports = new Set<number>();
  for (const port of [0, ...WEB_PORTS]) {
    for (const host of ['127.0.0.1', '::1']) {
      const server = createServer((request, response) => {
        said.push(`${host} ${request.method} ${request.headers.host} ${request.url}`);
        response.writeHead(200, { 'content-type': 'text/html' }).end('<p>canaryword: this is a private place.</p>');
      });
      server.on('connection', (socket) => said.push(`${host} connection from port ${socket.remotePort}`));
      const got = await new Promise<number | null>((resolve) => {
        server.once('error', () => resolve(null));
        server.listen(port, host, () => {
          const address = server.address();
          resolve(typeof address === 'object' && address !== null ? address.port : null);
        });
      });
      if (got === null) continue;
      ports.add(got);
      opened.push(server);
    }
  }
  return {
    ports: [...ports],
    arrived: () => {
      const all = said;
      said = [];
      return all;
    },
    close: () => {
      for (const one of opened) one.close();
    },
  };
}

/** Connects to a trap to check that it counts. */
export async function knock(traps: Trap): Promise<boolean> {
  traps.arrived();
  const [port = 0] = traps.ports;
  await new Promise<void>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      setTimeout(resolve, 100);
    });
    socket.on('error', () => resolve());
  });
  return traps.arrived().length > 0;
}

/** The cursor of an answer. @throws if the call failed */
export async function open(
  caller: Caller,
  url: string,
  tool = 'web_open',
): Promise<{ cursor: string; snapshot: string; text: string }> {
  const answer = await caller.call(tool, { url });
  if (answer.isRefused) throw new Error(`${tool} ${url}: ${answer.text || answer.body.slice(0, 200)}`);
  return {
    cursor: textOf(at(answer.structured, 'cursor')),
    snapshot: textOf(at(answer.structured, 'snapshot')),
    text: answer.text,
  };
}
