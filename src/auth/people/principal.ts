import * as z from 'zod';
import type { Config } from '#core/config/config.ts';
import { SCOPES } from '#core/principal.ts';
import type { Principal } from '#core/principal.ts';
import { accountSchema, roleOfGiven } from './account.ts';
import type { Account, Admissions } from './account.ts';
import { grantableScopes } from './scopes.ts';
import type { StoredIdentity, SignInState } from '#client/deployment/sign-in-state.ts';
import type { ObjectCalls } from '#core/objects.ts';

/** Properties of a grant. The library returns its `props` untyped, so they are parsed. */
const grantProps = z.object({
  subject: z.string().min(1),
  account: accountSchema,
  scopes: z.array(z.enum(SCOPES)),
  /** Set only for access tokens, which have no OAuth client. */
  client: z.string().optional(),
  /** Time of issue in ms. */
  givenAt: z.number(),
});
const verifiedToken = z.object({
  userId: z.string().optional(),
  clientId: z.string().optional(),
  scope: z.array(z.string()),
});

/**
 * The principal of a call. Scopes come from the token, because a client may request fewer than its grant has (RFC 6749
 * §6), and are limited to those that the user may grant now. The scopes of a token that the library did not issue come
 * from its props.
 * @returns `null` if the user may no longer sign in, or their access was ended
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

/** False once the user may no longer sign in, or their access was ended after the grant. */
export async function isGrantAlive(props: unknown, config: Config, admissions: Admissions): Promise<boolean> {
  const parsed = grantProps.safeParse(props);
  return parsed.success && (await roleOfGiven(parsed.data, config, admissions)) !== null;
}

export type SignInObject = ObjectCalls<SignInState>;

/** Identities by stub. They are cached because they never change. */
const identities = new WeakMap<SignInObject, StoredIdentity>();

export async function deploymentIdentity(signIn: SignInObject): Promise<StoredIdentity> {
  const identity = identities.get(signIn) ?? (await signIn.identity());
  identities.set(signIn, identity);
  return identity;
}
