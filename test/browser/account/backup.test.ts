import { env } from 'cloudflare:workers';
import { runInDurableObject } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  handleBackupRequest,
  deriveBackupToken,
  DEPLOYMENT_OBJECTS_TO_BACK_UP,
  USER_OBJECTS_TO_BACK_UP,
  SESSION_OBJECT_TO_BACK_UP,
  OBJECTS_WITHOUT_BACKUP,
} from '#account/backup.ts';
import { SecretVault } from '#browsing/secrets/vault.ts';
import { parseConfig } from '#core/config/config.ts';
import { fromPortable, portableValueSchema, toPortable } from '#account/backup.ts';
import { partNamed } from '#core/objects.ts';
import { INDEXING_STATE } from '#storage/schema.ts';
import { runHourly } from '#scheduled.ts';
import { emptyStorage } from '#support/empty-storage.ts';
import { grantTokens } from '#support/grants.ts';
import { callTool, structured } from '#support/mcp-call.ts';

const SECRET = 'a secret of the deployment that is long enough';
const config = parseConfig({ ...env, SESSION_SECRET: SECRET });
const PERSON = 'u_backed_up';
const PAGE = 'http://app.acme.dev/readable';

async function post(path: string, body: BodyInit, secret = SECRET, settings = config): Promise<Response> {
  const headers = { authorization: `Bearer ${await deriveBackupToken(secret)}` };
  const request = new Request(`http://localhost${path}`, { method: 'POST', headers, body });
  const response = await handleBackupRequest(request, env, settings);
  if (response === null) throw new Error(`${path} is for something else`);
  return response;
}

/** Requests all parts as `npm run backup` does. */
async function allParts(): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = [];
  let at: unknown = null;
  do {
    const answer = await post('/backup', JSON.stringify({ at }));
    parts.push(new Uint8Array(await answer.arrayBuffer()));
    const next = answer.headers.get('periscope-next');
    at = next === null ? null : JSON.parse(next);
  } while (at !== null);
  return parts;
}

async function counts(): Promise<Record<string, number>> {
  const tables = ['documents', 'document_chunks', 'snapshots', 'citations', 'people'];
  const rows = await env.DB.batch<{ n: number }>(
    tables.map((table) => env.DB.prepare(`SELECT count(*) AS n FROM ${table}`)),
  );
  return Object.fromEntries(tables.map((table, at) => [table, rows[at]?.results[0]?.n ?? -1]));
}

const vault = () => new SecretVault(partNamed(env.CLIENT, PERSON, 'secrets'), PERSON, 'secret of the vault');
let token = '';
const call = async (name: string, args: Record<string, unknown>) =>
  structured(await callTool('modern', name, args, { token }));

/** A call waits until the session has saved the state after the call before it. */
const untilSaved = () => call('browser_snapshot', {});

describe('a backup', () => {
  let cursor: unknown;
  let before: Record<string, number>;
  let parts: Uint8Array[];

  beforeAll(async () => {
    token = (await grantTokens(PERSON, ['web:read', 'browser:use'])).access_token;
    await env.DB.prepare("INSERT INTO people (subject, account, last_seen_at) VALUES (?, '{}', 0)").bind(PERSON).run();
    cursor = (await call('open_url', { url: PAGE }))['cursor'];
    await call('cite', { cursor, quote: 'water' });
    await vault().keep({ name: 'bank', sites: ['https://bank.example'], value: 'hush', seed: null }, false, 1);
    await call('browser_navigate', { url: 'http://login.acme.dev/' });
    await untilSaved();
    before = await counts();
    parts = await allParts();
    await emptyStorage();
  });

  it('cannot be created without the secret of the deployment, or with another secret', async () => {
    const wrong = await post('/backup', '{"at":null}', 'another secret that is also long enough');
    expect([wrong.status, await wrong.json()]).toEqual([
      403,
      { error: 'That is not the SESSION_SECRET of this deployment.' },
    ]);
    const without = await post('/backup', '{"at":null}', SECRET, parseConfig({ ...env }));
    expect(without.status).toBe(403);
  });

  it('reveals no word of its content', () => {
    const text = parts.map((part) => new TextDecoder('latin1').decode(part)).join('');
    for (const word of ['acme', 'water', 'bank', PERSON, 'documents', 'DEPLOYMENT']) expect(text).not.toContain(word);
  });

  it('is taken before the storage is emptied completely', async () => {
    expect(Object.values(await counts()).every((count) => count === 0)).toBe(true);
    await expect(call('scroll', { cursor })).rejects.toThrow('invalid_token');
    expect(await vault().list()).toEqual([]);
  });

  it('is not accepted in modified pieces, or by a deployment with another secret', async () => {
    const [first = new Uint8Array()] = parts;
    const changed = Uint8Array.from(first, (byte, at) => (at === first.length - 1 ? byte ^ 1 : byte));
    expect((await post('/restore', changed)).status).toBe(400);
    const other = 'another secret that is also long enough';
    const elsewhere = parseConfig({ ...env, SESSION_SECRET: other });
    expect((await post('/restore', first, other, elsewhere)).status).toBe(400);
  });

  it('restores tables, keys and objects, and omits nothing', async () => {
    for (const part of parts) {
      const answer = await post('/restore', part);
      expect([answer.status, await answer.json()]).toEqual([200, { left: 0 }]);
    }
    expect(await counts()).toEqual(before);
    expect(JSON.stringify(await call('scroll', { cursor }))).toContain('water');
    const secrets = await vault().list();
    expect(await Promise.all(secrets.map((secret) => vault().open(secret)))).toEqual([{ value: 'hush', seed: null }]);
    await runInDurableObject(env.CLIENT.get(env.CLIENT.idFromName(PERSON)), async (_, { storage }) => {
      expect(await storage.getAlarm()).not.toBeNull();
    });
  });

  it('restores a browser session with its sign-in', async () => {
    const page = await call('browser_navigate', { url: 'http://login.acme.dev/who', snapshot: true });
    expect(page).toMatchObject({ restored: true });
    expect(JSON.stringify(page)).toContain('abc-of-the-test');
    await call('browser_close', {});
  });

  it('has its documents indexed by the next hourly run', async () => {
    const indexed = async () =>
      env.DB.prepare('SELECT DISTINCT indexed FROM documents WHERE owner IS NULL').first<number>('indexed');
    expect(await indexed()).toBe(INDEXING_STATE.due);
    await runHourly({ cron: '', scheduledTime: 0, noRetry: () => undefined }, env);
    expect(await indexed()).toBe(INDEXING_STATE.yes);
  });

  it('can be restored twice, and changes nothing that exists', async () => {
    const kept = await counts();
    for (const part of parts) expect((await post('/restore', part)).status).toBe(200);
    expect(await counts()).toEqual(kept);
  });

  it('leaves a session with a running browser on its page', async () => {
    await call('browser_navigate', { url: 'http://login.acme.dev/' });
    await untilSaved();
    const running = await allParts();
    const shown = await call('browser_navigate', { url: PAGE, snapshot: true });
    for (const part of [...parts, ...running]) expect((await post('/restore', part)).status).toBe(200);
    const after = await call('browser_snapshot', {});
    expect(after).toMatchObject({ restored: false, tab: shown['tab'] });
    await call('browser_close', {});
  });
});

describe('a completed backup', () => {
  it('covers every Durable Object, except those listed as holding nothing to back up', () => {
    const objects = Object.entries({ ...env })
      .filter(([, binding]) => Object.prototype.toString.call(binding) === '[object DurableObjectNamespace]')
      .map(([name]) => name);
    expect(
      [
        ...DEPLOYMENT_OBJECTS_TO_BACK_UP,
        ...USER_OBJECTS_TO_BACK_UP,
        SESSION_OBJECT_TO_BACK_UP,
        ...OBJECTS_WITHOUT_BACKUP,
      ].sort(),
    ).toEqual(objects.sort());
  });

  it.each([
    [null],
    ['text'],
    [1.5],
    [true],
    [undefined],
    [new Uint8Array([0, 255])],
    [[1, [new Uint8Array([1])]]],
    [{ bytes: 'AA==', list: [], __proto_: { nothing: true } }],
  ])('restores a value unchanged: %j', (value) => {
    const json: unknown = JSON.parse(JSON.stringify(toPortable(value)));
    expect(fromPortable(portableValueSchema.parse(json))).toEqual(value);
  });

  it('is refused if it would not restore a value unchanged', () => {
    expect(() => toPortable(new Map())).toThrow('a kind that backups do not know');
  });
});
