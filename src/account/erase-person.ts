import { deploymentPart } from '#client/deployment/deployment.ts';
import type { OAuthHelpers } from '@cloudflare/workers-oauth-provider';
import { endConnections } from '#auth/server/connections.ts';
import { mayRepeat } from '#browsing/port.ts';
import { sessionKey } from '#browsing/session/session-name.ts';
import { MINUTE_MS } from '#core/limits.ts';
import { objectNamed, partNamed } from '#core/objects.ts';
import { endFollow } from '#library/follow.ts';
import { OF_PERSON, storedObject } from './backup.ts';
import { lookingAfter } from '#library/follow-parts.ts';
import type { FollowParts } from '#library/follow-parts.ts';
import type { RowEraser } from '#storage/erase-rows.ts';
import type { PeopleStore } from '#storage/people.ts';

/**
 * All that is known of one person, and how it ends. `test/browser/account/erase-person.test.ts` looks into every table, object and
 * key afterwards.
 */

/** Calls that were at work when a person was deleted are over, and have written what they write. */
const ERASED_AGAIN_MS = 15 * MINUTE_MS;

export type EraseDeps = {
  parts: FollowParts & { env: Env; people: PeopleStore; rowEraser: RowEraser };
  oauth: OAuthHelpers;
};

/**
 * Ends all that was given to a person: sign-ins, connections of clients, access tokens, live views. Who may sign in
 * again, the caller decides.
 */
export async function endAccess(subject: string, { parts, oauth }: EraseDeps): Promise<void> {
  const { env, people, rowEraser } = parts;
  // First, so that nothing given before works from now on, whatever of the rest fails.
  await people.admissions.end(subject);
  await Promise.all([
    rowEraser.tokens(subject),
    people.admissions.withdrawAllOf(subject),
    endConnections(oauth, objectNamed(env.CLIENT, subject), subject, env.OAUTH_KV),
  ]);
  await Promise.all((await sessionsOf(subject, env)).map((session) => session.leave(subject)));
}

/**
 * Deletes all that is stored of a person. After a failure, it is begun again within the hour. A session that is at work for
 * too long keeps nothing else from going, but what it is found by.
 */
export async function erasePerson(subject: string, deps: EraseDeps): Promise<void> {
  const { parts, oauth } = deps;
  const { env, people, rowEraser } = parts;
  await people.admissions.beginErasing(subject);
  await Promise.all([
    rowEraser.tokens(subject),
    people.admissions.withdrawAllOf(subject),
    endConnections(oauth, objectNamed(env.CLIENT, subject), subject, env.OAUTH_KV),
  ]);
  const forgotten = (await sessionsOf(subject, env)).map((session) => session.forgetPerson(subject));
  const failed = (await Promise.allSettled(forgotten)).find((one) => one.status === 'rejected');
  if (failed === undefined) await deploymentPart(env, 'sessions').closedAllOf(subject);
  const { runs } = lookingAfter(parts);
  for (const follow of await parts.follows.list(subject)) await endFollow(follow, { follows: parts.follows, runs });
  await rowEraser.things(subject);
  // The history has the names of the sessions that are to be forgotten later.
  if (failed !== undefined) await partNamed(env.PERSON_STORE, subject, 'files').erase();
  for (const name of OF_PERSON) {
    if (failed !== undefined && name === 'PERSON_STORE') continue;
    const object = storedObject(name, subject, env);
    await object.erase();
    await object.endAfterRestore().catch(() => undefined); // it ends with the call
  }
  if (failed !== undefined) throw failed.reason;
  await rowEraser.person(subject);
}

/** For the hourly trigger: once more, for what calls have written that were at work. @throws the first failure, after all */
export async function eraseAgain(now: number, deps: EraseDeps): Promise<void> {
  const { admissions } = deps.parts.people;
  const failures: unknown[] = [];
  for (const subject of await admissions.erasing(now - ERASED_AGAIN_MS)) {
    try {
      await erasePerson(subject, deps);
      await admissions.endErasing(subject);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

async function sessionsOf(subject: string, env: Env) {
  const [kept, open] = await Promise.all([
    partNamed(env.PERSON_STORE, subject, 'history').sessionNames(),
    deploymentPart(env, 'sessions').list(subject),
  ]);
  const keys = new Set([...kept, ...open.map(({ name }) => name)].map((name) => sessionKey(subject, name)));
  return [...keys].map((key) => objectNamed(env.BROWSER_SESSION, key, mayRepeat));
}
