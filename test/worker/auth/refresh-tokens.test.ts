import {
  evictAllDurableObjects,
  listDurableObjectIds,
  runDurableObjectAlarm,
  runInDurableObject,
} from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#core/limits.ts';
import { lasting, withFault } from '../../support/faulty-bindings.ts';
import { grantTokens, oauthApi } from '../../support/grants.ts';
import { withLateStore } from '../../support/late-store.ts';
import { MCP_URL } from '../../support/mcp-call.ts';
import { leftTo } from '../../support/oauth-browser.ts';
import {
  allow,
  authorizationRequest,
  consentPage,
  exchange,
  personsBrowser,
  refresh,
  register,
  tokenRequest,
} from '../../support/oauth-journey.ts';
import type { Tokens } from '../../support/oauth-journey.ts';
import { passTime, setTime, useTimeOfDay } from '../../support/wall-clock.ts';
import { stories } from '#support/stories.ts';

/** One connection with several holders: windows that share a sign-in, a client that never saw an answer, a thief. */

const PERSON = 'somebody-with-two-windows';
const GRACE_MS = 10 * MINUTE_MS;

const connected = () => grantTokens(PERSON, ['web:read', 'browser:use']);
const ROUNDS = stories(12);
const CLIENTS = 16;

async function works({ access_token: token }: Tokens): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  return (await exports.default.fetch(MCP_URL, { method: 'POST', headers, body })).status !== 401;
}

async function areLeft(all: readonly Tokens[]): Promise<boolean> {
  const different = new Map(all.map((tokens) => [tokens.access_token, tokens]));
  return (await Promise.all([...different.values()].map(works))).every(Boolean);
}

const refused = (tokens: Tokens) => expect(refresh(tokens)).rejects.toThrow('400 invalid_grant');
const objectOf = (subject: string) => env.CLIENT.get(env.CLIENT.idFromName(subject));
const forged = (tokens: Tokens) => `${tokens.refresh_token.slice(0, -6)}FORGED`;

beforeEach(() => setTime(Date.now()));
afterEach(useTimeOfDay);

describe('a refresh token in several hands', () => {
  it(
    `lasts through ${ROUNDS} rounds of ${CLIENTS} refreshes at once, some of them late, in a store that is late and old`,
    { timeout: 300_000 },
    async () => {
      const first = await connected();
      const hands = Array.from({ length: CLIENTS }, () => first);
      const { old } = await withLateStore(async () => {
        for (let round = 0; round < ROUNDS; round += 1) {
          passTime(2 * MINUTE_MS);
          // Every fourth holder is always there. The others skip every second, third or fourth round, and return with
          // tokens that have been replaced since.
          const awake = hands.map((tokens, n) => {
            const sleeps = n % 4 !== 0 && (n + round) % (1 + (n % 4)) === 0;
            return sleeps ? Promise.resolve(tokens) : refresh(tokens);
          });
          hands.splice(0, CLIENTS, ...(await Promise.all(awake)));
          expect(await areLeft(hands)).toBe(true);
        }
      });
      expect(old).toBeGreaterThan(ROUNDS);
      const last = await Promise.all(hands.map((tokens) => refresh(tokens)));
      expect(await areLeft(last)).toBe(true);
    },
  );

  it('is replaced once, however many come with it at the same time', async () => {
    const first = await connected();
    const all = await Promise.all(Array.from({ length: CLIENTS }, () => refresh(first)));
    expect(new Set(all.map(({ refresh_token: token }) => token)).size).toBe(1);
    expect(new Set(all.map(({ access_token: token }) => token)).size).toBe(1);
    const [subject, grant] = first.refresh_token.split(':');
    const { keys } = await env.OAUTH_KV.list({ prefix: `token:${subject}:${grant}:` });
    expect(keys).toHaveLength(2);
  });

  it('gets the same answer for ten minutes', async () => {
    const first = await connected();
    const second = await refresh(first);
    passTime(GRACE_MS - SECOND_MS);
    const again: Tokens & { expires_in?: number } = await refresh(first);
    expect(again).toMatchObject({ access_token: second.access_token, refresh_token: second.refresh_token });
    expect(again.expires_in).toBe(DAY_MS / SECOND_MS - 599);
    expect(await works(await refresh(again))).toBe(true);
  });

  it('gets the newest answer when its successor was replaced, too, so that it still works after a day', async () => {
    const first = await connected();
    const second = await refresh(first);
    const third = await refresh(second);
    const fourth = await refresh(third);
    passTime(GRACE_MS - SECOND_MS);
    const late = await refresh(first);
    expect(late).toMatchObject({ access_token: fourth.access_token, refresh_token: fourth.refresh_token });
    passTime(DAY_MS);
    expect(await works(await refresh(fourth))).toBe(true);
    expect(await works(await refresh(late))).toBe(true);
  });

  it('works until its successor is used, however late, and its other holder continues', async () => {
    const first = await connected();
    const second = await refresh(first);
    passTime(20 * HOUR_MS);
    const late = await refresh(first);
    expect(late.refresh_token).toBe(second.refresh_token);
    expect(late.access_token).not.toBe(second.access_token);
    expect(await areLeft([second, late])).toBe(true);
    expect(await works(await refresh(second))).toBe(true);
    expect(await works(await refresh(late))).toBe(true);
  });

  it('ends the connection when it was replaced long ago and its successor was used', async () => {
    const first = await connected();
    const second = await refresh(first);
    const third = await refresh(second);
    passTime(GRACE_MS + SECOND_MS);
    await refused(first);
    expect(await areLeft([second])).toBe(false);
    expect(await areLeft([third])).toBe(false);
    await refused(third);
  });

  it('ends the newest tokens with it, in a store that does not list them yet', async () => {
    const first = await connected();
    const second = await refresh(first);
    passTime(GRACE_MS + SECOND_MS);
    const { old } = await withLateStore(async () => {
      const third = await refresh(second);
      await refused(first);
      passTime(6 * MINUTE_MS);
      expect(await works(third)).toBe(false);
      await refused(third);
    });
    expect(old).toBeGreaterThan(0);
  });

  it('is not given more permissions than it is asked for again with', async () => {
    const first = await connected();
    const second = await refresh(first);
    const narrow = await refresh(first, { scope: 'web:read' });
    expect(second.scope).toBe('web:read browser:use');
    expect(narrow).toMatchObject({ scope: 'web:read', refresh_token: second.refresh_token });
    expect(narrow.access_token).not.toBe(second.access_token);
  });

  it('outlasts objects that are moved', async () => {
    const first = await connected();
    const second = await refresh(first);
    await evictAllDurableObjects();
    expect((await refresh(first)).refresh_token).toBe(second.refresh_token);
  });

  it('gives tokens that work, whichever call to the platform is the last that it answers', async () => {
    for (let n = 1, isOver = false; !isOver; n += 1) {
      const first = await connected();
      const asked = { grant_type: 'refresh_token', client_id: first.client.id, refresh_token: first.refresh_token };
      const fault = { moment: 'before', error: lasting, goesOn: true } as const;
      const { hit, result } = await withFault(n, fault, () => tokenRequest(asked));
      const again = await refresh(first);
      expect(await works(again)).toBe(true);
      if (result.ok) expect((await result.json<Tokens>()).refresh_token).toBe(again.refresh_token);
      isOver = hit === null;
    }
  });

  it('ends at /revoke in each hand, also when another one has replaced it', async () => {
    const first = await connected();
    const second = await refresh(first);
    const third = await refresh(second);
    expect((await tokenRequest({ token: first.refresh_token, client_id: first.client.id }, '/revoke')).status).toBe(
      200,
    );
    expect(await works(third)).toBe(false);
    await refused(third);
  });
});

describe('a connection that was ended', () => {
  it('stays ended where the store still lists it', async () => {
    const first = await connected();
    const [subject = '', grant = ''] = first.refresh_token.split(':');
    await withLateStore(async () => {
      await oauthApi().revokeGrant(grant, subject);
      const statuses = new Set<number>();
      for (let n = 0; n < 8; n += 1) {
        const { client, refresh_token: token } = first;
        const asked = { grant_type: 'refresh_token', client_id: client.id, refresh_token: token };
        statuses.add((await tokenRequest(asked)).status);
      }
      expect([...statuses]).toEqual([400]);
    });
  });

  it('is the result of a code that is exchanged twice at the same moment', async () => {
    const client = await register();
    const { url, verifier } = await authorizationRequest(client);
    const browser = personsBrowser();
    const code = leftTo(await allow(browser, await consentPage(browser, url))).searchParams.get('code') ?? '';
    const all = await Promise.allSettled([exchange(client, code, verifier), exchange(client, code, verifier)]);
    const given = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(given.length).toBeLessThan(2);
    for (const tokens of given) {
      expect(await works(tokens)).toBe(false);
      await refused(tokens);
    }
  });
});

describe('a connection from before a deploy', () => {
  const inObject = (work: (sql: SqlStorage) => void) =>
    runInDurableObject(objectOf(PERSON), (_, { storage }) => work(storage.sql));

  it('that the object does not know continues, even with several parallel requests', async () => {
    const first = await connected();
    await inObject((sql) => void sql.exec('DELETE FROM grants'));
    const all = await Promise.all(Array.from({ length: CLIENTS }, () => refresh(first)));
    expect(new Set(all.map(({ refresh_token: token }) => token)).size).toBe(1);
    expect(await areLeft(await Promise.all(all.map((tokens) => refresh(tokens))))).toBe(true);
  });
});

describe('somebody else', () => {
  it('ends nothing and gets nothing with a token of that client or a made-up one', async () => {
    const first = await connected();
    const second = await refresh(first);
    const third = await refresh(second);
    passTime(GRACE_MS + SECOND_MS);
    const stranger = await register();
    await refused({ ...first, client: stranger });
    await refused({ ...second, client: stranger });
    await refused({ ...first, refresh_token: forged(first) });
    expect(await works(third)).toBe(true);
    expect(await works(await refresh(third))).toBe(true);
  });

  it('makes no objects with made-up tokens', async () => {
    const { client } = await connected();
    const before = await listDurableObjectIds(env.CLIENT);
    for (let n = 0; n < 5; n += 1) {
      const made = `nobody-${n}:${'g'.repeat(16)}:${'s'.repeat(32)}`;
      await refused({ access_token: '', scope: '', client, refresh_token: made });
      await tokenRequest({ token: made, client_id: client.id }, '/revoke');
    }
    expect(await listDurableObjectIds(env.CLIENT)).toHaveLength(before.length);
  });
});

describe('a stored token response', () => {
  const stored = () =>
    runInDurableObject(objectOf(PERSON), (_, { storage }) => {
      const rows = ['grants', 'replaced_tokens', 'issued_tokens'].map((table) =>
        storage.sql.exec(`SELECT * FROM ${table}`).toArray(),
      );
      const answers = storage.sql
        .exec<{ answer: ArrayBuffer | null }>('SELECT answer FROM replaced_tokens ORDER BY rowid')
        .toArray();
      return { text: JSON.stringify(rows), answers: answers.map(({ answer }) => answer !== null) };
    });

  it('is encrypted, and no token is stored with it', async () => {
    const first = await connected();
    const second = await refresh(first);
    const { text, answers } = await stored();
    expect(answers.at(-1)).toBe(true);
    for (const { access_token: access, refresh_token: token } of [first, second]) {
      expect(text).not.toContain(access.split(':')[2]);
      expect(text).not.toContain(token.split(':')[2]);
    }
  });

  it('is dropped ten minutes after it was given, when its successor was used', async () => {
    const first = await connected();
    const second = await refresh(first);
    await refresh(second);
    passTime(GRACE_MS + SECOND_MS);
    await runDurableObjectAlarm(objectOf(PERSON));
    expect((await stored()).answers.slice(-2)).toEqual([false, true]);
  });
});
