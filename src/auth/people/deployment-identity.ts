import type { Identity, SignInState } from '#client/sign-in-state.ts';
import type { ObjectCalls } from '#core/objects.ts';

/** The one object behind sign-in, for the whole deployment. */
export type SignInObject = ObjectCalls<SignInState>;

/** It never changes, so each holder of the object asks it once. */
const known = new WeakMap<SignInObject, Identity>();

export async function deploymentIdentity(signIn: SignInObject): Promise<Identity> {
  const identity = known.get(signIn) ?? (await signIn.identity());
  known.set(signIn, identity);
  return identity;
}
