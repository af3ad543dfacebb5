import type { Scope } from '#core/principal.ts';

/** How the consent page offers a permission. */
type Offer = {
  /** After “may”. */
  deed: string;
  sentence: string;
  /** `before`: ticked only for a client that had it the last time. */
  ticked: 'always' | 'before' | 'never';
  /** Only the owner may allow what affects everybody who uses the server. */
  openTo: 'everybody' | 'owner';
};

const OFFERS: Record<Scope, Offer> = {
  'web:read': {
    deed: 'search and read the web',
    sentence:
      'Search the web and read pages through this server, see what you opened with it before, and keep quotes of them.',
    ticked: 'always',
    openTo: 'everybody',
  },
  'browser:use': {
    deed: 'use a browser',
    sentence: 'Open pages in a browser on this server, click, type and take pictures of them.',
    ticked: 'always',
    openTo: 'everybody',
  },
  'browser:evaluate': {
    deed: 'run scripts in that browser',
    sentence: 'Run scripts of its own in the pages of that browser, with everything you are signed in to there.',
    ticked: 'before',
    openTo: 'everybody',
  },
  'cache:purge': {
    deed: 'delete stored pages for everyone',
    sentence: 'Delete pages from the store of this server, for everyone who uses it.',
    // Some clients ask for every scope there is, and this one deletes for everybody.
    ticked: 'never',
    openTo: 'owner',
  },
  'cite:share': {
    deed: 'make public links to quotes',
    sentence: 'Make public links to quotes: anyone who has such a link can read the quote.',
    ticked: 'before',
    openTo: 'everybody',
  },
  'library:follow': {
    deed: 'follow pages and sites',
    sentence: 'Follow public pages and sites for you, tell what changes in them, and stop following them.',
    ticked: 'always',
    openTo: 'everybody',
  },
};

/** What permissions allow, after “may”: `search and read the web, use a browser`. Those of other versions as they are called. */
export function scopesInWords(scopes: readonly string[]): string {
  return scopes.map((scope) => (isOffered(scope) ? OFFERS[scope].deed : scope)).join(', ');
}

function isOffered(scope: string): scope is Scope {
  return Object.hasOwn(OFFERS, scope);
}

/** The scopes that a person may use and grant to clients. */
export function grantableScopes({ owner }: { owner: boolean }, scopes: readonly Scope[]): Scope[] {
  return scopes.filter((scope) => owner || OFFERS[scope].openTo === 'everybody');
}

type ScopeChoice = { scope: Scope; sentence: string; ticked: boolean };

/**
 * The boxes of the consent page.
 * @param requested scopes the client named
 * @param before scopes this client was granted last time, or `null` when it is new
 */
export function scopeChoices(
  offered: readonly Scope[],
  requested: readonly string[],
  before: readonly string[] | null,
): ScopeChoice[] {
  return offered.map((scope) => {
    const { sentence, ticked } = OFFERS[scope];
    const wasGranted = before?.includes(scope) === true;
    const isNew = before === null || requested.includes(scope);
    return { scope, sentence, ticked: ticked !== 'never' && (wasGranted || (ticked === 'always' && isNew)) };
  });
}

/** Every grant has a refresh token; a client that asks for it by name gets the scope back. */
export const OFFLINE_ACCESS = 'offline_access';

/** The granted part of `chosen`, with `offline_access` when the client asked for it. */
export function grantedScopes(
  offered: readonly Scope[],
  chosen: readonly string[],
  requested: readonly string[],
): string[] {
  const granted: string[] = offered.filter((scope) => chosen.includes(scope));
  return requested.includes(OFFLINE_ACCESS) ? [...granted, OFFLINE_ACCESS] : granted;
}
