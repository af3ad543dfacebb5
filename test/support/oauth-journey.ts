import { exports } from 'cloudflare:workers';
import { MCP_URL } from './mcp-call.ts';
import { Browser, leftTo, pageOf } from './oauth-browser.ts';
import type { Shown, Visit } from './oauth-browser.ts';

/** Sign-in and consent against the whole Worker, step by step, as done by a raw client and a user's browser. */

export const ORIGIN = 'http://localhost';
export const PASSPHRASE = 'a passphrase made for tests only';
export const REDIRECT = 'https://client.acme.dev/callback';

export type Client = { id: string; secret?: string; redirect: string };
export type Tokens = { access_token: string; refresh_token: string; scope: string; client: Client };

export function personsBrowser(): Browser {
  return new Browser(ORIGIN, (url, init) => exports.default.fetch(url, init));
}

export async function register(metadata: Record<string, unknown> = {}): Promise<Client> {
  const redirect = REDIRECT;
  const response = await exports.default.fetch(`${ORIGIN}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'A test client',
      redirect_uris: [redirect],
      token_endpoint_auth_method: 'none',
      ...metadata,
    }),
  });
  const answer = await response.json<{ client_id: string; client_secret?: string; redirect_uris: string[] }>();
  const { client_id: id, client_secret: secret, redirect_uris: redirects } = answer;
  return { id, redirect: redirects[0] ?? redirect, ...(secret === undefined ? {} : { secret }) };
}

/** @param changes parameters to replace, or to leave out with `null` */
export async function authorizationRequest(
  client: Client,
  changes: Record<string, string | null> = {},
): Promise<{ url: string; verifier: string }> {
  const verifier = 'v'.repeat(64);
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const challenge = btoa(String.fromCharCode(...new Uint8Array(digest)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
  const parameters: Record<string, string | null> = {
    response_type: 'code',
    client_id: client.id,
    redirect_uri: client.redirect,
    scope: 'web:read',
    state: 'the-state',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    resource: MCP_URL,
    ...changes,
  };
  const given = Object.entries(parameters).flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
  return { url: `${ORIGIN}/authorize?${new URLSearchParams(given).toString()}`, verifier };
}

/** Signs in on the sign-in page. @returns the next page or redirect */
export async function signIn(browser: Browser, url: string, passphrase = PASSPHRASE): Promise<Visit> {
  const visit = await browser.get(url);
  if (visit.page === null || !visit.page.html.includes('action="/sign-in"')) return visit;
  return browser.submit(visit.page, '/sign-in', { passphrase });
}

/** The consent page of a request, after the sign-in. */
export async function consentPage(browser: Browser, url: string): Promise<Shown> {
  return pageOf(await signIn(browser, url));
}

export function allow(browser: Browser, page: Shown, changes: Record<string, string | string[] | null> = {}) {
  return browser.submit(page, '/authorize', { decision: 'allow', ...changes });
}

export async function tokenRequest(fields: Record<string, string>, path = '/token', headers = {}): Promise<Response> {
  return exports.default.fetch(ORIGIN + path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  });
}

export function codeFields(client: Client, code: string, verifier: string): Record<string, string> {
  return {
    grant_type: 'authorization_code',
    client_id: client.id,
    redirect_uri: client.redirect,
    code,
    code_verifier: verifier,
    resource: MCP_URL,
    ...(client.secret === undefined ? {} : { client_secret: client.secret }),
  };
}

/** @throws if the exchange is refused */
export async function exchange(client: Client, code: string, verifier: string): Promise<Tokens> {
  return tokens(client, await tokenRequest(codeFields(client, code, verifier)));
}

export async function refresh({ client, refresh_token }: Tokens, more: Record<string, string> = {}): Promise<Tokens> {
  return tokens(
    client,
    await tokenRequest({ grant_type: 'refresh_token', client_id: client.id, refresh_token, ...more }),
  );
}

async function tokens(client: Client, response: Response): Promise<Tokens> {
  const answer = await response.json<Tokens & { error?: string }>();
  if (!response.ok) throw new Error(`${response.status} ${answer.error}`);
  return { ...answer, client };
}

/** The complete flow: request, sign-in, consent, exchange. */
export async function connect(browser: Browser, client: Client, scope = 'web:read'): Promise<Tokens> {
  const { url, verifier } = await authorizationRequest(client, { scope });
  const left = leftTo(await allow(browser, await consentPage(browser, url)));
  return exchange(client, left.searchParams.get('code') ?? '', verifier);
}
