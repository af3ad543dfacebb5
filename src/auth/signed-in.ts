import type { Config } from '#core/config.ts';
import { cookieJar } from './cookies.ts';
import { sessions } from './session.ts';
import { deploymentIdentity } from './sign-in-port.ts';
import type { SignInObject } from './sign-in-port.ts';

/** Somebody who is signed in in a browser. */
export type SignedIn = {
  /** Opaque and stable: the key of everything this person has here. */
  subject: string;
  /** Whether they own the deployment: they know its passphrase, or `ALLOWED_USERS` names them first. */
  owner: boolean;
};

/**
 * Who sent a request from a browser, by its session cookie; `null` when nobody is signed in there. For pages only:
 * `/mcp` takes no cookie. A page for the owner asks for `owner`, and sends a browser without a session to
 * {@link signInPath}.
 * @param origin the public one
 */
export async function signedIn(
  request: Request,
  origin: string,
  config: Config,
  signIn: SignInObject,
): Promise<SignedIn | null> {
  const { secret } = await deploymentIdentity(signIn);
  const session = await sessions(secret, config, cookieJar(origin), Date.now).read(request);
  return session === null ? null : { subject: session.subject, owner: session.owner };
}

/** Guards the forms of pages outside this folder: a token bound to a cookie of the browser. */
export function pageForms(origin: string, config: Config, signIn: SignInObject) {
  const own = async () => sessions((await deploymentIdentity(signIn)).secret, config, cookieJar(origin), Date.now);
  return {
    start: async (request: Request) => (await own()).startForm(request),
    isOurs: async (request: Request, token: string) => (await own()).isOurForm(request, token),
  };
}

/** The sign-in page that leads on to `next`: a path under `/console`, or an authorization request. */
export function signInPath(next: string): string {
  return `/sign-in?${new URLSearchParams({ next }).toString()}`;
}
