import { createHash } from 'node:crypto';
import { leftTo, pageOf } from '#support/oauth-browser.ts';
import type { Browser, Shown } from '#support/oauth-browser.ts';
import { at, send, textOf } from './wire.ts';
import type { Reply } from './wire.ts';

/** A registered client, and the separate steps from its request to its tokens. */
export type Client = { id: string; redirect: string };

export const CALLBACK = 'https://client.acme.dev/callback';
const VERIFIER = 'v'.repeat(64);

export type Door = { origin: string; port: number };

export async function register({ port }: Door, metadata: unknown = {}): Promise<Reply> {
  const standard = { client_name: 'A client', redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' };
  const isObject = typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata);
  const body = JSON.stringify(isObject ? { ...standard, ...metadata } : metadata);
  return send(port, { method: 'POST', path: '/register', headers: { 'content-type': 'application/json' }, body });
}

export async function newClient(door: Door): Promise<Client> {
  const reply = await register(door);
  const id = textOf(at(JSON.parse(reply.body), 'client_id'));
  if (id === '') throw new Error(`no client was registered: ${reply.status} ${reply.body.slice(0, 200)}`);
  return { id, redirect: CALLBACK };
}

/** @param changes parameters to replace, or to leave out with `null` */
export function authorizePath(door: Door, client: Client, changes: Record<string, string | null> = {}): string {
  const challenge = createHash('sha256').update(VERIFIER).digest('base64url');
  const parameters: Record<string, string | null> = {
    response_type: 'code',
    client_id: client.id,
    redirect_uri: client.redirect,
    scope: 'web:read',
    state: 'the-state',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    resource: `${door.origin}/mcp`,
    ...changes,
  };
  const given = Object.entries(parameters).flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
  return `/authorize?${new URLSearchParams(given).toString()}`;
}

export async function consentPage(door: Door, browser: Browser, client: Client, scope = 'web:read'): Promise<Shown> {
  return pageOf(await browser.get(door.origin + authorizePath(door, client, { scope })));
}

/** The code for a user who consents. */
export async function codeOf(door: Door, browser: Browser, client: Client, scope = 'web:read'): Promise<string> {
  const page = await consentPage(door, browser, client, scope);
  const left = leftTo(await browser.submit(page, '/authorize', { decision: 'allow' }));
  return left.searchParams.get('code') ?? '';
}

export function tokenRequest({ port }: Door, fields: Record<string, string>, path = '/token'): Promise<Reply> {
  return send(port, {
    method: 'POST',
    path,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  });
}

export function codeFields(door: Door, client: Client, code: string): Record<string, string> {
  return {
    grant_type: 'authorization_code',
    client_id: client.id,
    redirect_uri: client.redirect,
    code,
    code_verifier: VERIFIER,
    resource: `${door.origin}/mcp`,
  };
}

export type Tokens = { access: string; refresh: string };

export function tokensIn(reply: Reply): Tokens {
  const json: unknown = JSON.parse(reply.body);
  return { access: textOf(at(json, 'access_token')), refresh: textOf(at(json, 'refresh_token')) };
}

export async function tokensOf(door: Door, browser: Browser, client: Client, scope = 'web:read'): Promise<Tokens> {
  const reply = await tokenRequest(door, codeFields(door, client, await codeOf(door, browser, client, scope)));
  const tokens = tokensIn(reply);
  if (tokens.access === '') throw new Error(`no token: ${reply.status} ${reply.body.slice(0, 200)}`);
  return tokens;
}
