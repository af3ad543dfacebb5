import type { Scope } from '#core/principal.ts';

type Offer = {
  /** Words for the permission that follow "may", as in "The client may use a browser". */
  deed: string;
  title: string;
  sentence: string;
  group: ScopeGroup;
  /** Initial state of the checkbox. `before`: ticked only if the client had this permission last time. */
  ticked: 'always' | 'before' | 'never';
  /**
   * Users who may grant the permission. Only the owner may grant a permission that affects every user of the server.
   */
  openTo: 'everybody' | 'owner';
};

export const SCOPE_GROUPS = ['Read', 'Browse', 'Change for everyone'] as const;
type ScopeGroup = (typeof SCOPE_GROUPS)[number];

const OFFERS: Record<Scope, Offer> = {
  'web:read': {
    deed: 'search and read the web',
    title: 'Search and read pages',
    sentence:
      'Searches the web and reads pages through this server, sees what you opened with it before, and keeps quotes of them.',
    group: 'Read',
    ticked: 'always',
    openTo: 'everybody',
  },
  'browser:use': {
    deed: 'use a browser',
    title: 'Use your browser sessions',
    sentence:
      'Opens pages and clicks, types, takes pictures, sends forms and uploads files. The browser stays signed in where you signed in. The client can use your stored passwords by name; it never sees them.',
    group: 'Browse',
    ticked: 'always',
    openTo: 'everybody',
  },
  'browser:evaluate': {
    deed: 'run scripts in that browser',
    title: 'Run scripts in pages',
    sentence: 'Runs its own scripts in the pages of that browser, with everything you are signed in to there.',
    group: 'Browse',
    ticked: 'before',
    openTo: 'everybody',
  },
  'cache:purge': {
    deed: 'delete stored pages for everyone',
    title: 'Delete stored pages',
    sentence: 'Deletes pages from the store of this server, for everyone who uses it.',
    group: 'Change for everyone',
    // Never ticked, because some clients request every scope, and with this scope they can delete pages for every user.
    ticked: 'never',
    openTo: 'owner',
  },
  'cite:share': {
    deed: 'make public links to quotes',
    title: 'Publish quotes',
    sentence: 'Makes public links to quotes. Anyone with such a link can read the quote.',
    group: 'Change for everyone',
    ticked: 'before',
    openTo: 'everybody',
  },
  'library:follow': {
    deed: 'follow pages and sites',
    title: 'Follow pages for you',
    sentence: 'Follows public pages and sites, reports what changed in them, and stops following them.',
    group: 'Read',
    ticked: 'always',
    openTo: 'everybody',
  },
};

/**
 * Permissions as words that follow "may": `search and read the web, use a browser`. A scope that this version does not
 * offer appears by its name.
 */
export function describeScopes(scopes: readonly string[]): string {
  return scopes.map((scope) => (isOffered(scope) ? OFFERS[scope].deed : scope)).join(', ');
}

function isOffered(scope: string): scope is Scope {
  return Object.hasOwn(OFFERS, scope);
}

export function grantableScopes({ owner }: { owner: boolean }, scopes: readonly Scope[]): Scope[] {
  return scopes.filter((scope) => owner || OFFERS[scope].openTo === 'everybody');
}

export type ScopeCheckbox = { scope: Scope; title: string; sentence: string; group: ScopeGroup; ticked: boolean };

/**
 * Checkboxes of the consent page. @param requested scopes in the client's request
 * @param before scopes that this client was granted last time, or `null` for a new client
 */
export function buildScopeCheckboxes(
  offered: readonly Scope[],
  requested: readonly string[],
  before: readonly string[] | null,
): ScopeCheckbox[] {
  return offered.map((scope) => {
    const { title, sentence, group, ticked } = OFFERS[scope];
    const wasGranted = before?.includes(scope) === true;
    const isNew = before === null || requested.includes(scope);
    return {
      scope,
      title,
      sentence,
      group,
      ticked: ticked !== 'never' && (wasGranted || (ticked === 'always' && isNew)),
    };
  });
}

/** A standard scope that requests a refresh token. It has no effect, because every grant has a refresh token. */
export const OFFLINE_ACCESS = 'offline_access';

export function selectGrantedScopes(
  offered: readonly Scope[],
  chosen: readonly string[],
  requested: readonly string[],
): string[] {
  const granted: string[] = offered.filter((scope) => chosen.includes(scope));
  return requested.includes(OFFLINE_ACCESS) ? [...granted, OFFLINE_ACCESS] : granted;
}
