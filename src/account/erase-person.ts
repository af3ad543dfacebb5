import { deploymentPart } from '#client/deployment/deployment.ts';
import type { OAuthHelpers } from '@cloudflare/workers-oauth-provider';
import { disconnectAllClients } from '#auth/server/connections.ts';
import { isRepeatableCall } from '#browsing/port.ts';
import { sessionKey } from '#browsing/session/session-name.ts';
import { MINUTE_MS } from '#core/limits.ts';
import { objectNamed, partNamed } from '#core/objects.ts';
import { deleteFollow } from '#library/follow.ts';
import { endRestoredObject, USER_OBJECTS_TO_BACK_UP, getStoredObjectStub } from './backup.ts';
import { followDeps } from '#library/follow-parts.ts';
import type { FollowParts } from '#library/follow-parts.ts';
import type { RowEraser } from '#storage/erase-rows.ts';
import type { PeopleStore } from '#storage/people.ts';

/**
 * Deletes all data of one user. `test/browser/account/erase-person.test.ts` inspects every table, object and key
 * afterwards.
 */

/** Time after which calls that ran during a deletion have written their results. The deletion is then repeated. */
const ERASED_AGAIN_MS = 15 * MINUTE_MS;

export type EraseDeps = {
  parts: FollowParts & { env: Env; people: PeopleStore; rowEraser: RowEraser };
  oauth: OAuthHelpers;
};

/**
 * Ends the user's sign-ins, client connections, access tokens and live views. The caller decides who may sign in again.
 */
export async function revokeAccess(subject: string, deps: EraseDeps): Promise<void> {
  const { env, people } = deps.parts;
  // Runs first, so that earlier credentials stop working even if a later step fails.
  await people.admissions.end(subject);
  await withdrawAdmissions(subject, deps);
  await Promise.all((await sessionsOf(subject, env)).map((session) => session.leave(subject)));
}

/**
 * Deletes all stored data of a user. After a failure, the hourly run repeats it. If a session cannot be deleted, for
 * example because it is busy, everything else is deleted except the history, because it contains the session's name.
 */
export async function erasePerson(subject: string, deps: EraseDeps): Promise<void> {
  const { parts } = deps;
  const { env, people, rowEraser } = parts;
  await people.admissions.beginErasing(subject);
  await withdrawAdmissions(subject, deps);
  const forgotten = (await sessionsOf(subject, env)).map((session) => session.forgetPerson(subject));
  const failed = (await Promise.allSettled(forgotten)).find((one) => one.status === 'rejected');
  if (failed === undefined) await deploymentPart(env, 'sessions').closedAllOf(subject);
  const { runs } = followDeps(parts);
  for (const follow of await parts.follows.list(subject)) await deleteFollow(follow, { follows: parts.follows, runs });
  await rowEraser.things(subject);
  // The history stays, because a later run needs it to find the sessions that are not yet deleted.
  if (failed !== undefined) await partNamed(env.PERSON_STORE, subject, 'files').erase();
  for (const name of USER_OBJECTS_TO_BACK_UP) {
    if (failed !== undefined && name === 'PERSON_STORE') continue;
    const object = getStoredObjectStub(name, subject, env);
    await object.erase();
    await endRestoredObject(object);
  }
  if (failed !== undefined) throw failed.reason;
  await rowEraser.person(subject);
}

/**
 * Runs hourly. Repeats deletions, to delete data that calls wrote while a deletion ran.
 * @throws the first failure, after all users were processed
 */
export async function retryErasures(now: number, deps: EraseDeps): Promise<void> {
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

async function withdrawAdmissions(subject: string, { parts, oauth }: EraseDeps): Promise<void> {
  const { env, people, rowEraser } = parts;
  await Promise.all([
    rowEraser.tokens(subject),
    people.admissions.withdrawAllOf(subject),
    disconnectAllClients(oauth, partNamed(env.CLIENT, subject, 'consents'), subject, env.OAUTH_KV),
  ]);
}

async function sessionsOf(subject: string, env: Env) {
  const [kept, open] = await Promise.all([
    partNamed(env.PERSON_STORE, subject, 'history').sessionNames(),
    deploymentPart(env, 'sessions').list(subject),
  ]);
  const keys = new Set([...kept, ...open.map(({ name }) => name)].map((name) => sessionKey(subject, name)));
  return [...keys].map((key) => objectNamed(env.BROWSER_SESSION, key, isRepeatableCall));
}
