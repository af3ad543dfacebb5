import type { OAuthHelpers } from '@cloudflare/workers-oauth-provider';
import type { Config } from '#core/config.ts';
import type { Scope } from '#core/principal.ts';
import type { CookieJar } from './cookies.ts';
import type { Doors } from './provider.ts';
import type { Sessions } from './session.ts';
import type { Upstream } from './upstream.ts';

/** What the pages of sign-in and consent work with. */
export type PageDeps = Pick<Doors, 'refused' | 'signIn' | 'tokens' | 'judgeClientUrl'> & {
  /** The public one. */
  origin: string;
  config: Config;
  oauth: OAuthHelpers;
  jar: CookieJar;
  sessions: Sessions;
  ownerSubject: string;
  /** Of the deployment: signs, and derives subjects. */
  secret: string;
  /** The providers that are set up. */
  upstreams: readonly Upstream[];
  offered: readonly Scope[];
  now: () => number;
};
