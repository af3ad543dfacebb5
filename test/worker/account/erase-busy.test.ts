import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { oauthApi } from '#auth/server/provider.ts';
import { BrowserSession } from '#browsing/session/session-object.ts';
import { createAuthDeps, createCallParts } from '#compose.ts';
import { parseConfig } from '#core/config/config.ts';
import { HOUR_MS } from '#core/limits.ts';
import { partNamed } from '#core/objects.ts';
import { retryErasures, erasePerson } from '#account/erase-person.ts';
import { ORIGIN } from '#support/oauth-journey.ts';
import { replaced } from '#support/replaced.ts';
import { personRows } from '#support/stored-people.ts';

const [ANA, BERT] = ['u_busy_ana', 'u_busy_bert'];
const SESSION = 'shared/busy';
const CALL = {
  id: 'busy.0',
  at: 1,
  isCall: true,
  client: 'c',
  tool: 'browser_launch',
  kind: 'browse',
  url: null,
  title: null,
  words: null,
  cursor: null,
  documentId: null,
  lines: null,
  session: SESSION,
  ms: 1,
  error: null,
  reason: null,
  hint: null,
} as const;

it('a session that others keep busy delays only its own deletion', async () => {
  const parts = createCallParts(env, parseConfig({ ...env }), ORIGIN);
  const deps = { parts, oauth: oauthApi(createAuthDeps(parts, ORIGIN), parts.env) };
  const history = partNamed(env.PERSON_STORE, ANA, 'history');
  for (const subject of [ANA, BERT]) {
    await personRows().signedIn(subject, { way: 'passphrase' });
    await parts.changes.addFeed({ hash: `feed-of-${subject}`, subject, follow: null, createdAt: 1 });
  }
  await history.note([CALL], HOUR_MS);
  const goOn = replaced(BrowserSession.prototype, 'forgetPerson', () => Promise.reject(new Error('busy')));

  await expect(erasePerson(ANA, deps)).rejects.toThrow('busy');
  expect(await parts.changes.feeds(ANA)).toEqual([]);
  // The next attempt finds the person by these, and the owner sees that the person exists.
  expect(await history.sessionNames()).toEqual([SESSION]);
  expect(await personRows().find(ANA)).not.toBeNull();

  await parts.people.admissions.beginErasing(BERT);
  await expect(retryErasures(Date.now() + HOUR_MS, deps)).rejects.toThrow('busy');
  expect(await personRows().find(BERT)).toBeNull();

  goOn();
  await retryErasures(Date.now() + HOUR_MS, deps);
  expect(await history.sessionNames()).toEqual([]);
  expect(await personRows().find(ANA)).toBeNull();
});
