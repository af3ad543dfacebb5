import type { OAuthHelpers } from '@cloudflare/workers-oauth-provider';
import { cookieJar } from '#auth/people/cookies.ts';
import type { CookieJar } from '#auth/people/cookies.ts';
import { deploymentIdentity } from '#auth/people/principal.ts';
import { createGithubUpstream } from '#auth/people/github.ts';
import { createOidcUpstream } from '#auth/people/oidc.ts';
import { createSignInCookies } from '#auth/people/sign-ins.ts';
import type { SignInCookies } from '#auth/people/sign-ins.ts';
import type { Upstream } from '#auth/people/upstream.ts';
import { runWithoutFetchGate } from '#auth/server/gated-fetch.ts';
import { oauthApi } from '#auth/server/provider.ts';
import type { AuthDeps } from '#auth/server/provider.ts';
import { SecretVault } from '#browsing/secrets/vault.ts';
import { abilitiesOf } from '#core/abilities.ts';
import { partNamed } from '#core/objects.ts';
import type { ObjectCalls } from '#core/objects.ts';
import type { Scope } from '#core/principal.ts';
import { readSealingSecret } from '#core/secrets/sealed.ts';
import type { PersonFiles } from '#storage/person/person-files.ts';
import { logUnexpected } from '#telemetry/log.ts';
import { offeredScopes } from '#tools/catalog.ts';

export type PageDeps = AuthDeps & {
  oauth: OAuthHelpers;
  jar: CookieJar;
  signIns: SignInCookies;
  ownerSubject: string;
  secret: string;
  upstreams: readonly Upstream[];
  offered: readonly Scope[];
  filesOf: (subject: string) => ObjectCalls<PersonFiles>;
  /** A user's secrets; `null` if the deployment cannot encrypt secrets. */
  vaultOf: (subject: string) => SecretVault | null;
  report: (error: unknown) => void;
  now: () => number;
};

export async function pageDeps(auth: AuthDeps, env: Env): Promise<PageDeps> {
  const { origin, config, askUpstream } = auth;
  const { secret, ownerSubject } = await deploymentIdentity(auth.signIn);
  const jar = cookieJar(origin);
  const sealing = readSealingSecret(config);
  return {
    ...auth,
    // Runs with plain fetch: the gate's own DNS lookups must not pass through the gate.
    judgeClientUrl: (url) => runWithoutFetchGate(() => auth.judgeClientUrl(url)),
    oauth: oauthApi(auth, env),
    jar,
    signIns: createSignInCookies(secret, config, jar, Date.now, auth.people),
    ownerSubject,
    secret,
    upstreams: [createGithubUpstream(config, askUpstream), createOidcUpstream(config, askUpstream, Date.now)].filter(
      (upstream) => upstream !== null,
    ),
    offered: offeredScopes(abilitiesOf(config)),
    filesOf: (subject) => partNamed(env.PERSON_STORE, subject, 'files'),
    vaultOf: (subject) =>
      sealing === null ? null : new SecretVault(partNamed(env.CLIENT, subject, 'secrets'), subject, sealing),
    report: (error) => logUnexpected(crypto.randomUUID(), error),
    now: Date.now,
  };
}
