import * as z from 'zod';
import type { Config } from '#core/config/config.ts';
import { SCOPES } from '#core/principal.ts';
import type { Principal } from '#core/principal.ts';
import { accountSchema, resolveIssuedRole } from './account.ts';
import type { Account, AdmissionLookup } from './account.ts';
import { grantableScopes } from './scopes.ts';
import type { StoredDeploymentIdentity, SignInState } from '#client/deployment/sign-in-state.ts';
import type { ObjectCalls } from '#core/objects.ts';

/** Schema of a grant's `props`, which the OAuth library returns untyped. */
const grantProps = z.object({
  subject: z.string().min(1),
  account: accountSchema,
  scopes: z.array(z.enum(SCOPES)),
  /** Identifies a token without an OAuth client: the ID of an access token, or `local` for the token of `npm start`. */
  client: z.string().optional(),
  /** Time at which the grant or token was issued, as Unix time in ms. */
  givenAt: z.number(),
});
const verifiedToken = z.object({
  userId: z.string().optional(),
  clientId: z.string().optional(),
  scope: z.array(z.string()),
});

/**
 * The principal of a call. The OAuth token's scopes may be fewer than the grant's (RFC 6749 §6), and only those that
 * the user may still grant count. An access token made in the console has its scopes in `props`.
 * @returns `null` if the grant's properties are malformed, if the user may no longer sign in, or if their access was
 * ended
 */
export async function resolveCaller(
  ctx: ExecutionContext,
  config: Config,
  admissions: AdmissionLookup,
): Promise<{ principal: Principal; account: Account } | null> {
  const props = grantProps.safeParse(Reflect.get(ctx, 'props'));
  const token = verifiedToken.safeParse(Reflect.get(ctx, 'auth'));
  if (!props.success || !token.success) return null;
  const { subject, account } = props.data;
  const client = token.data.clientId ?? props.data.client;
  const standing = await resolveIssuedRole(props.data, config, admissions);
  if (standing === null) return null;
  const scopes = grantableScopes({ owner: standing === 'owner' }, props.data.scopes);
  const isExternal = token.data.userId === undefined;
  const allowed = isExternal ? scopes : scopes.filter((scope) => token.data.scope.includes(scope));
  return { principal: { subject, scopes: allowed, client }, account };
}

/**
 * False if the grant's properties are malformed, if the user may no longer sign in, or if their access was ended after
 * the grant.
 */
export async function isGrantAlive(props: unknown, config: Config, admissions: AdmissionLookup): Promise<boolean> {
  const parsed = grantProps.safeParse(props);
  return parsed.success && (await resolveIssuedRole(parsed.data, config, admissions)) !== null;
}

export type SignInObject = ObjectCalls<SignInState>;

/** The deployment's secret and its owner's subject. Cached by Durable Object stub, because they never change. */
const identities = new WeakMap<SignInObject, StoredDeploymentIdentity>();

export async function deploymentIdentity(signIn: SignInObject): Promise<StoredDeploymentIdentity> {
  const identity = identities.get(signIn) ?? (await signIn.identity());
  identities.set(signIn, identity);
  return identity;
}
