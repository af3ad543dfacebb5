import type { Admission } from '#storage/admissions.ts';
import { accountSchema, isOfProvider, roleBySettings } from './account.ts';
import type { Account, Role, Users } from './account.ts';

/** What the owner decided on people, beside `ALLOWED_USERS`. */
export type Admissions = { of: (subject: string) => Promise<Admission> };

/**
 * The role of a person now; `null` for somebody who may not sign in. A refusal wins over `ALLOWED_USERS`, and an
 * invitation that was accepted lets in somebody who is not named there. The passphrase cannot be refused: who has it
 * has the deployment. Pure.
 */
export function standingOf(account: Account, { verdict }: Admission, config: Users): Role | null {
  if (account.way === 'passphrase') return 'owner';
  if (verdict === 'refused') return null;
  const role = roleBySettings(account, config);
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
  const admission = await admissions.of(subject);
  return givenAt < admission.endedAt ? null : standingOf(account, admission, config);
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
