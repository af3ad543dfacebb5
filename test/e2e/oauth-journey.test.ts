import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser, pageOf } from '#support/oauth-browser.ts';
import { HostMemory } from '#support/oauth-client.ts';
import { startRealBrowser } from '#support/real-browser.ts';
import type { RealBrowser } from '#support/real-browser.ts';
import { sharedServer } from '#support/shared.ts';
import type { SharedServer } from '#support/shared.ts';

/** The way from a pasted URL to an answered call, as the official clients go it, with a person who signs in and allows in Chromium. */

const CALLBACK = 'http://localhost:39871/callback';
const INFO = { name: 'periscope-test', version: '1.0.0' };

let server: SharedServer;
let chromium: RealBrowser;

beforeAll(async () => {
  [server, chromium] = await Promise.all([sharedServer(), startRealBrowser()]);
});
afterAll(() => chromium?.close());

/** A client on its way in: connecting either works or sends the person somewhere. */
type Journey = {
  toolNames: () => Promise<string[]>;
  /** Calls a tool. @returns the text of its result */
  call: (name: string, args: Record<string, unknown>) => Promise<string>;
  /** Hands the client what its callback address was called with. */
  finish: (answer: URL) => Promise<void>;
};

/** The v1 client refreshes its token when permissions are missing, and then gives up. */
const GENERATIONS: { kind: string; stepsUp: boolean; start: (mcpUrl: string, host: HostMemory) => Journey }[] = [
  {
    kind: 'v2 SDK, 2026-07-28',
    stepsUp: true,
    start: (mcpUrl, host) => journeyV2(mcpUrl, host, { pin: '2026-07-28' }),
  },
  { kind: 'v2 SDK, 2025 era', stepsUp: true, start: (mcpUrl, host) => journeyV2(mcpUrl, host, 'legacy') },
  { kind: 'v1 SDK', stepsUp: false, start: journeyV1 },
];

function journeyV2(mcpUrl: string, host: HostMemory, mode: 'legacy' | { pin: string }): Journey {
  const transport = () => new TransportV2(new URL(mcpUrl), { authProvider: host.provider(CALLBACK) });
  let last = transport();
  const using = async <T>(use: (client: ClientV2) => Promise<T>): Promise<T> => {
    const client = new ClientV2(INFO, { versionNegotiation: { mode } });
    last = transport();
    await client.connect(last);
    try {
      return await use(client);
    } finally {
      await client.close();
    }
  };
  return {
    toolNames: () => using(async (client) => (await client.listTools()).tools.map((tool) => tool.name)),
    call: (name, args) => using(async (client) => JSON.stringify(await client.callTool({ name, arguments: args }))),
    // The whole query: this client checks `iss` (RFC 9207) before it looks at anything else.
    finish: (answer) => last.finishAuth(answer.searchParams),
  };
}

function journeyV1(mcpUrl: string, host: HostMemory): Journey {
  const transport = () => new TransportV1(new URL(mcpUrl), { authProvider: host.provider(CALLBACK) });
  let last = transport();
  const using = async <T>(use: (client: ClientV1) => Promise<T>): Promise<T> => {
    const client = new ClientV1(INFO);
    last = transport();
    await client.connect(last);
    try {
      return await use(client);
    } finally {
      await client.close();
    }
  };
  return {
    toolNames: () => using(async (client) => (await client.listTools()).tools.map((tool) => tool.name)),
    call: (name, args) => using(async (client) => JSON.stringify(await client.callTool({ name, arguments: args }))),
    finish: (answer) => last.finishAuth(answer.searchParams.get('code') ?? ''),
  };
}

/**
 * The person, in Chromium: opens the page the client names, signs in if asked to, ticks what is to be ticked, and allows.
 * @returns where the browser went then
 */
async function person(page: URL | undefined, scopes: readonly string[] = []): Promise<URL> {
  if (page === undefined) throw new Error('the client sent nobody anywhere');
  await chromium.goTo(page.href);
  if (await isThere('form[action="/sign-in"]')) {
    await chromium.type('passphrase', server.passphrase);
    await chromium.click('form[action="/sign-in"] button');
  }
  expect(await chromium.see(`document.querySelector('h1').textContent`)).toBe(
    'Give access to a program on your computer?',
  );
  expect(await chromium.see(`document.querySelector('.claimed').textContent`)).toContain('The official client');
  for (const scope of scopes) await chromium.click(`input[name=scope][value="${scope}"]`);
  await chromium.click('button[value=allow]');
  return new URL(await chromium.address());
}

function isThere(selector: string): Promise<boolean> {
  return chromium.see<boolean>(`document.querySelector(${JSON.stringify(selector)}) !== null`);
}

async function nobodyIsSignedIn(): Promise<void> {
  await chromium.goTo(new URL('/console/tokens', server.mcpUrl).href);
  if (await isThere('form[action="/sign-out"]')) await chromium.click('form[action="/sign-out"] button');
}

describe.each(GENERATIONS)('a pasted URL in the $kind', ({ start, stepsUp }) => {
  const host = new HostMemory();
  let journey: Journey;

  beforeAll(async () => {
    journey = start(server.mcpUrl, host);
    await nobodyIsSignedIn();
  });

  it('leads from a 401 through sign-in and consent to the tools', async () => {
    await expect(journey.toolNames()).rejects.toThrow(/unauthorized/i);
    expect(host.registrations).toBe(1);
    expect(host.sentTo?.searchParams.get('resource')).toBe(server.mcpUrl);
    expect(host.sentTo?.searchParams.get('code_challenge_method')).toBe('S256');
    const answer = await person(host.sentTo);
    expect(answer.origin + answer.pathname).toBe(CALLBACK);
    expect(answer.searchParams.get('iss')).toBe(new URL(server.mcpUrl).origin);
    expect(host.isOurState(answer)).toBe(true);
    await journey.finish(answer);
    expect(await journey.toolNames()).toEqual(expect.arrayContaining(['search', 'open_url', 'web_open']));
  });

  it('stays connected without the user when the access token has expired', async () => {
    const before = host.tokensKept;
    host.expireAccess();
    host.sentTo = undefined;
    expect(await journey.toolNames()).toContain('open_url');
    expect(host.sentTo).toBeUndefined();
    expect(host.tokensKept?.access_token).not.toBe(before?.access_token);
    expect(host.tokensKept?.refresh_token).not.toBe(before?.refresh_token);
  });

  it('gets the missing scope when it calls a tool without permission', async () => {
    expect(await journey.toolNames()).not.toContain('cache_purge');
    const call = () => journey.call('cache_purge', { domain: 'nobody-was-here.acme.dev' });
    await expect(call()).rejects.toThrow(stepsUp ? /unauthorized/i : /403/);
    if (!stepsUp) return;
    const asked = host.lastAsked();
    const scopes = asked.searchParams.get('scope')?.split(' ');
    expect(scopes).toEqual(expect.arrayContaining(['web:read', 'cache:purge']));
    await journey.finish(await person(asked, ['cache:purge']));
    expect(await call()).toContain('nothing to remove');
  });

  it('asks the user again when the connection was ended, and then works again', async () => {
    const revoked = await fetch(new URL('/revoke', server.mcpUrl), {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ token: host.tokensKept?.refresh_token ?? '', client_id: host.clientId() }).toString(),
    });
    expect(revoked.status).toBe(200);
    host.sentTo = undefined;
    await expect(journey.toolNames()).rejects.toThrow(/unauthorized/i);
    await journey.finish(await person(host.sentTo));
    expect(await journey.toolNames()).toContain('open_url');
  });
});

describe('the output of the server', () => {
  it('contains no passphrase, code or token after its first lines, refusals included', async () => {
    const browser = new Browser(new URL(server.mcpUrl).origin, (url, init) => fetch(url, init));
    const page = pageOf(await browser.get(new URL('/sign-in', server.mcpUrl).href));
    await browser.submit(page, '/sign-in', { passphrase: `${server.passphrase} and another` });
    await fetch(server.mcpUrl, { method: 'POST', headers: { authorization: 'Bearer o_x:y:guessed-token' } });
    const printed = async () => (await server.output()).split('One JSON line per call follows.')[1] ?? '';
    await expect.poll(printed).toContain('sign_in_failed');
    const log = await printed();
    expect(log).not.toContain('guessed-token');
    expect(log).not.toContain(server.passphrase);
    expect(log).not.toMatch(/o_[\w-]{22}:/);
    expect(log).not.toContain(server.token);
  });
});
