import type { OAuthHelpers } from '@cloudflare/workers-oauth-provider';
import { cookieJar } from '#auth/people/cookies.ts';
import type { CookieJar } from '#auth/people/cookies.ts';
import { deploymentIdentity } from '#auth/people/principal.ts';
import { githubUpstream } from '#auth/people/github.ts';
import { oidcUpstream } from '#auth/people/oidc.ts';
import { signIns } from '#auth/people/sign-ins.ts';
import type { SignIns } from '#auth/people/sign-ins.ts';
import type { Upstream } from '#auth/people/upstream.ts';
import { outsideLibrary } from '#auth/server/library-fetch.ts';
import { oauthApi } from '#auth/server/provider.ts';
import type { AuthDeps } from '#auth/server/provider.ts';
import { SecretVault } from '#browsing/secrets/vault.ts';
import { abilitiesOf } from '#core/config.ts';
import { objectNamed } from '#core/objects.ts';
import type { ObjectCalls } from '#core/objects.ts';
import type { Scope } from '#core/principal.ts';
import { sealingSecret } from '#core/secrets/sealed.ts';
import type { PersonFiles } from '#storage/person/person-files.ts';
import { logUnexpected } from '#telemetry/log.ts';
import { offeredScopes } from '#tools/offers.ts';

/** What the pages of sign-in and consent work with. */
export type PageDeps = AuthDeps & {
  oauth: OAuthHelpers;
  jar: CookieJar;
  signIns: SignIns;
  ownerSubject: string;
  /** Of the deployment: signs, and derives subjects. */
  secret: string;
  /** The providers that are set up. */
  upstreams: readonly Upstream[];
  offered: readonly Scope[];
  /** The files of a person. */
  filesOf: (subject: string) => ObjectCalls<PersonFiles>;
  /** The secrets of a person; `null` where none can be sealed. */
  vaultOf: (subject: string) => SecretVault | null;
  report: (error: unknown) => void;
  now: () => number;
};

export async function pageDeps(auth: AuthDeps, env: Env): Promise<PageDeps> {
  const { origin, config, askUpstream } = auth;
  const { secret, ownerSubject } = await deploymentIdentity(auth.signIn);
  const jar = cookieJar(origin);
  const sealing = sealingSecret(config);
  return {
    ...auth,
    // Its own look-ups are not the library's.
    judgeClientUrl: (url) => outsideLibrary(() => auth.judgeClientUrl(url)),
    oauth: oauthApi(auth, env),
    jar,
    signIns: signIns(secret, config, jar, Date.now, auth.people),
    ownerSubject,
    secret,
    upstreams: [githubUpstream(config, askUpstream), oidcUpstream(config, askUpstream, Date.now)].filter(
      (upstream) => upstream !== null,
    ),
    offered: offeredScopes(abilitiesOf(config)),
    filesOf: (subject) => objectNamed(env.FILES, subject),
    vaultOf: (subject) =>
      sealing === null ? null : new SecretVault(objectNamed(env.CLIENT, subject), subject, sealing),
    report: (error) => logUnexpected(crypto.randomUUID(), error),
    now: Date.now,
  };
}
