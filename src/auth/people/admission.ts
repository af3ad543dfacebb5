import type { Admission } from '#storage/admissions.ts';
import { accountSchema, isOfProvider, linkedSubject, roleOf } from './account.ts';
import type { Account, Role, Users } from './account.ts';

/** What the owner decided on people, beside `ALLOWED_USERS`. */
export type Admissions = { of: (subject: string) => Promise<Admission> };

/**
 * The role of a person now; `null` for somebody who may not sign in. A refusal wins over `ALLOWED_USERS`, and an
 * invitation that was accepted lets in somebody who is not named there. The passphrase cannot be refused: who has it
 * has the deployment. A linked account is the owner's; {@link roleOfGiven} sees whether it still is. Pure.
 */
export function standingOf(account: Account, { verdict }: Admission, config: Users): Role | null {
  if (account.way === 'passphrase' || linkedSubject(account) !== null) return 'owner';
  if (verdict === 'refused') return null;
  const role = roleOf(account, config);
  return role === null && verdict === 'allowed' && isOfProvider(account, config) ? 'user' : role;
}

/** A person, and when they were given what they show: a cookie, a grant or a token. */
export type Given = { subject: string; account: Account; givenAt: number };

/** The role in which what a person shows is used; `null` also when it was given before their access was ended. */
export async function roleOfGiven(
  { subject, account, givenAt }: Given,
  config: Users,
  admissions: Admissions,
): Promise<Role | null> {
  const own = linkedSubject(account);
  if (own !== null) {
    const link = await admissions.of(own);
    if (!holds(link, account, config) || givenAt < link.decidedAt) return null;
  }
  const admission = await admissions.of(subject);
  return givenAt < admission.endedAt ? null : standingOf(account, admission, config);
}

/**
 * Whether whoever signs in with this account is the owner.
 * @param subject that the account has by itself @param lock of links that are made now: earlier passphrases end them
 */
export async function isLinked(
  subject: string,
  account: Account,
  lock: string,
  config: Users,
  admissions: Admissions,
): Promise<boolean> {
  const link = await admissions.of(subject);
  return link.lock === lock && holds(link, account, config);
}

/** Only an account that would stay the owner's: an invitation alone is not enough. */
export async function mayBeLinked(
  subject: string,
  account: Account,
  config: Users,
  admissions: Admissions,
): Promise<boolean> {
  const { verdict } = await admissions.of(subject);
  return verdict !== 'refused' && roleOf(account, config) !== null;
}

/** An account that `ALLOWED_USERS` no longer names is not the owner's either. */
function holds(link: Admission, account: Account, config: Users): boolean {
  return link.verdict === 'linked' && roleOf(account, config) !== null;
}

/** @param stored an account as it was stored; `null` for none */
export async function mayStillSignIn(
  subject: string,
  stored: unknown,
  config: Users,
  admissions: Admissions,
): Promise<boolean> {
  const account = accountSchema.safeParse(stored);
  return account.success && standingOf(account.data, await admissions.of(subject), config) !== null;
}
