import { setTimeout as sleep } from 'node:timers/promises';
import { newClient, tokenRequest, tokensIn, tokensOf } from '../attack/grant.ts';
import type { Client, Tokens } from '../attack/grant.ts';
import { makeToken, signedInAsOwner } from '../attack/rig.ts';
import { connectModern } from '#support/mcp-clients.ts';
import type { ToolResult } from '#support/mcp-clients.ts';
import { formFields, pageOf } from '#support/oauth-browser.ts';
import type { Browser } from '#support/oauth-browser.ts';
import { QUOTE, read, REASON, refsIn, REPORT, SETTINGS } from './world.ts';
import type { World } from './world.ts';

/** What the version before was asked to keep, as its clients and people know it. */
export type Kept = Awaited<ReturnType<typeof fill>>;

const PARKING_MS = 600_000;

export async function fill(world: World) {
  const { origin, site, settings } = world;
  const mcpUrl = `${origin}/mcp`;
  const local = { mcpUrl, token: settings['LOCAL_ACCESS_TOKEN'] ?? '' };
  const call = await calls(local);
  const owner = await signedInAsOwner(origin);
  const first = await openSession(world, call);

  const page = await call('web_open', { url: `${site.url}/log` });
  const list = await call('search', { query: 'brass compass lightship' });
  const cited = await call('cite', { cursor: page.structured['cursor'], quote: QUOTE, note: 'kept', share: true });
  const live = await call('browser_read', { session: 'rests', tab: 't2' });
  const citedLive = await call('cite', { cursor: live.structured['cursor'], quote: QUOTE });

  const ana = await world.ana();
  const anasToken = await makeToken(ana, origin, 'anas agent', ['web:read']);
  const callAsAna = await calls({ mcpUrl, token: anasToken });
  const anasPage = await callAsAna('open_url', { url: `${site.url}/log`, loc: 50 });
  const anasCited = await callAsAna('cite', { cursor: anasPage.structured['cursor'], quote: QUOTE, share: true });

  const grants = await connect(world, owner);
  const secrets = pageOf(await owner.get(`${origin}/console/secrets`));
  const { url: sites, password: value, key: seed } = world.vault;
  await owner.submit(secrets, '/console/secrets', { name: 'vault', sites, value, seed });
  const uploaded = await upload(owner);
  const token = await makeToken(owner, origin, 'build agent', ['web:read']);
  await parked(owner);

  // Within a minute before the end, so that its browser is still open then.
  await call('browser_navigate', { session: 'stands', url: world.vault.url });
  await call('browser_fill', { session: 'stands', selectors: ['input'], values: ['secret:vault'] });
  const { text: usage } = await read(owner, '/console/usage');
  await call('browser_handoff', { session: 'stands', reason: REASON });
  return {
    local,
    page,
    list,
    cited,
    citedLive,
    anasCited,
    anasToken,
    token,
    grants,
    uploaded,
    usage,
    ...first,
    ownersCookies: new Map(owner.cookies),
    anasCookies: new Map(ana.cookies),
  };
}

type Call = (tool: string, args: Record<string, unknown>) => Promise<ToolResult>;

/** @throws when a call fails: what was not kept cannot be looked for */
async function calls(endpoint: { mcpUrl: string; token: string }): Promise<Call> {
  const client = await connectModern(endpoint);
  return async (tool, args) => {
    const result = await client.call(tool, args);
    if (result.isError) throw new Error(`${tool} ${JSON.stringify(args)}: ${result.text}`);
    return result;
  };
}

/** A session with two tabs, cookies, storage, a file and a field with text in it. */
async function openSession({ site }: World, call: Call) {
  const session = 'rests';
  await call('browser_launch', { session, ...SETTINGS });
  await call('browser_navigate', { session, url: `${site.url}/start` });
  await call('browser_click', { session, selector: 'text=Remember' });
  await call('browser_click', { session, selector: 'text="The report"' });
  await call('browser_navigate', { session, url: `${site.url}/log`, new_tab: true });
  await call('browser_fill', { session, tab: 't1', selectors: ['input'], values: ['Kestrel'] });
  const view = await call('browser_snapshot', { session, tab: 't1', compact: false });
  return { files: await call('browser_files', { action: 'list' }), lastRef: Math.max(...refsIn(view.text)) };
}

/** @property isRepeated whether whoever presented the replaced token again got the same successor */
export type Grant = { client: Client; first: Tokens; newest: Tokens; isRepeated: boolean };

/** Two grants whose refresh token was used: once, and twice, as two windows that share it do. */
async function connect(world: World, person: Browser): Promise<{ once: Grant; twice: Grant }> {
  const make = async (times: number): Promise<Grant> => {
    const client = await newClient(world);
    const first = await tokensOf(world, person, client, 'web:read browser:use');
    const got: Tokens[] = [];
    for (let time = 0; time < times; time += 1) got.push(await refresh(world, client, first.refresh));
    const [newest = first] = got.slice(-1);
    return { client, first, newest, isRepeated: got.every(({ refresh: token }) => token === newest.refresh) };
  };
  return { once: await make(1), twice: await make(2) };
}

export async function refresh(world: World, { id }: Client, token: string): Promise<Tokens> {
  return tokensIn(await tokenRequest(world, { grant_type: 'refresh_token', client_id: id, refresh_token: token }));
}

async function upload(person: Browser): Promise<string> {
  const page = pageOf(await person.get(`${person.origin}/console/files`));
  const form = new FormData();
  for (const [name, value] of formFields(page.html, '/console/files')) if (name === 'form') form.set(name, value);
  form.set('file', new File([REPORT], 'uploaded.csv', { type: 'text/csv' }));
  const after = pageOf(await person.upload('/console/files', form));
  const id = /uploaded\.csv[^]*?periscope-file:(f_\w+)/.exec(after.html)?.[1];
  if (id === undefined) throw new Error(`nothing was uploaded: ${after.status}`);
  return id;
}

/** Waits until the idle session has been parked. */
async function parked(person: Browser): Promise<void> {
  const end = Date.now() + PARKING_MS;
  while (!(await read(person, '/console/sessions')).text.includes('rests parked')) {
    if (Date.now() > end) throw new Error('the idle session was not parked');
    await sleep(2_000);
  }
}
