import type { Identity, SignInState } from '#client/sign-in-state.ts';
import type { ObjectCalls } from '#core/objects.ts';

/** The one object behind sign-in, for the whole deployment. */
export type SignInObject = ObjectCalls<SignInState>;

/** It never changes, so an isolate asks for it once. */
let known: Identity | undefined;

export async function deploymentIdentity(signIn: SignInObject): Promise<Identity> {
  known ??= await signIn.identity();
  return known;
}
