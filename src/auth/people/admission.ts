import type { Admission } from '#storage/admissions.ts';
import { accountSchema, isOfProvider, roleBySettings } from './account.ts';
import type { Account, Role, Users } from './account.ts';

export type Admissions = { of: (subject: string) => Promise<Admission> };

/**
 * The user's current role; `null` for a user who may not sign in. A refusal overrides `ALLOWED_USERS`, and an accepted
 * invitation admits a user outside that list. The passphrase cannot be refused: its holder controls the deployment.
 */
export function resolveRole(account: Account, { verdict }: Admission, config: Users): Role | null {
  if (account.way === 'passphrase') return 'owner';
  if (verdict === 'refused') return null;
  const role = roleBySettings(account, config);
  return role === null && verdict === 'allowed' && isOfProvider(account, config) ? 'user' : role;
}

/** A cookie, grant or token. `givenAt`: time of issue in ms. */
export type Given = { subject: string; account: Account; givenAt: number };

/** The current role of a credential's user; `null` for a credential issued before the user's access was ended. */
export async function roleOfGiven(
  { subject, account, givenAt }: Given,
  config: Users,
  admissions: Admissions,
): Promise<Role | null> {
  const admission = await admissions.of(subject);
  return givenAt < admission.endedAt ? null : resolveRole(account, admission, config);
}

/** @param stored an account as stored, or `null` */
export async function mayStillSignIn(
  subject: string,
  stored: unknown,
  config: Users,
  admissions: Admissions,
): Promise<boolean> {
  const account = accountSchema.safeParse(stored);
  return account.success && resolveRole(account.data, await admissions.of(subject), config) !== null;
}
