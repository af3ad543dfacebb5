import { getOAuthApi } from '@cloudflare/workers-oauth-provider';
import { Hono } from 'hono';
import type { Config } from '#core/config.ts';
import { authorizePages } from './authorize-pages.tsx';
import { consolePage } from './console-page.tsx';
import { cookieJar } from './cookies.ts';
import { githubUpstream } from './github.ts';
import { oidcUpstream } from './oidc.ts';
import { withLenientStore } from './grant-store.ts';
import { outsideLibrary } from './library-fetch.ts';
import type { PageDeps } from './page-deps.ts';
import { providerOptions } from './provider.ts';
import type { Doors } from './provider.ts';
import { offeredScopes } from './scopes.ts';
import { sessions } from './session.ts';
import { deploymentIdentity } from './sign-in-port.ts';
import { signInPages } from './sign-in-pages.tsx';
import { tokenPages } from './token-pages.tsx';
import { upstreamPages } from './upstream-pages.tsx';

/** The pages on which a person signs in and decides what a client may do, for one public origin. */
export async function authPages(origin: string, config: Config, doors: Doors, env: Env): Promise<Hono> {
  const { secret, ownerSubject } = await deploymentIdentity(doors.signIn);
  const jar = cookieJar(origin);
  const deps: PageDeps = {
    refused: doors.refused,
    signIn: doors.signIn,
    tokens: doors.tokens,
    // Its own look-ups are not the library's.
    judgeClientUrl: (url) => outsideLibrary(() => doors.judgeClientUrl(url)),
    origin,
    config,
    // Not `env.OAUTH_PROVIDER`, which belongs to the first origin that the isolate served.
    oauth: getOAuthApi(providerOptions(origin, config, doors), withLenientStore(env)),
    jar,
    sessions: sessions(secret, config, jar, Date.now),
    ownerSubject,
    secret,
    upstreams: [githubUpstream(config, doors.askUpstream), oidcUpstream(config, doors.askUpstream, Date.now)].filter(
      (upstream) => upstream !== null,
    ),
    offered: offeredScopes(config),
    now: Date.now,
  };
  const app = new Hono();
  app.route('/', signInPages(deps));
  app.route('/', upstreamPages(deps));
  app.route('/', authorizePages(deps));
  app.route('/', consolePage(deps));
  app.route('/', tokenPages(deps));
  return app;
}
