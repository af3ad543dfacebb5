import * as z from 'zod';
import type { Config } from '#core/config/config.ts';
import { SCOPES } from '#core/principal.ts';
import type { Principal } from '#core/principal.ts';
import { accountSchema } from './account.ts';
import type { Account } from './account.ts';
import { roleOfGiven } from './admission.ts';
import type { Admissions } from './admission.ts';
import { grantableScopes } from './scopes.ts';
import type { Identity, SignInState } from '#client/deployment/sign-in-state.ts';
import type { ObjectCalls } from '#core/objects.ts';

/** The library returns our own `props` as untyped data, so they are parsed. */
const grantProps = z.object({
  subject: z.string().min(1),
  account: accountSchema,
  scopes: z.array(z.enum(SCOPES)),
  /** Set for access tokens, which have no OAuth client. */
  client: z.string().optional(),
  /** When it was given (ms). */
  givenAt: z.number(),
});
const verifiedToken = z.object({
  userId: z.string().optional(),
  clientId: z.string().optional(),
  scope: z.array(z.string()),
});

/**
 * The principal of a call, with the scopes of the token, not of its grant: a client may have asked for fewer (RFC 6749
 * §6), and never more than the person may have now. For a token that the library did not issue, its props decide.
 * `null` when its owner may no longer sign in, or their access was ended.
 */
export async function callerOf(
  ctx: ExecutionContext,
  config: Config,
  admissions: Admissions,
): Promise<{ principal: Principal; account: Account } | null> {
  const props = grantProps.safeParse(Reflect.get(ctx, 'props'));
  const token = verifiedToken.safeParse(Reflect.get(ctx, 'auth'));
  if (!props.success || !token.success) return null;
  const { subject, account } = props.data;
  const client = token.data.clientId ?? props.data.client;
  const standing = await roleOfGiven(props.data, config, admissions);
  if (standing === null) return null;
  const scopes = grantableScopes({ owner: standing === 'owner' }, props.data.scopes);
  const isExternal = token.data.userId === undefined;
  const allowed = isExternal ? scopes : scopes.filter((scope) => token.data.scope.includes(scope));
  return { principal: { subject, scopes: allowed, client }, account };
}

/** Whether a grant still works: its person may sign in, and their access was not ended since. */
export async function isGrantAlive(props: unknown, config: Config, admissions: Admissions): Promise<boolean> {
  const parsed = grantProps.safeParse(props);
  return parsed.success && (await roleOfGiven(parsed.data, config, admissions)) !== null;
}

/** The deployment's only sign-in object. */
export type SignInObject = ObjectCalls<SignInState>;

/** It never changes, so each holder of the object asks it once. */
const identities = new WeakMap<SignInObject, Identity>();

export async function deploymentIdentity(signIn: SignInObject): Promise<Identity> {
  const identity = identities.get(signIn) ?? (await signIn.identity());
  identities.set(signIn, identity);
  return identity;
}
