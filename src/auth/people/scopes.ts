import type { Scope } from '#core/principal.ts';

/** What a person is told about a permission, and whether its box is ticked at first. */
type Offer = {
  sentence: string;
  /** `asked`: ticked when the client names it. */
  ticked: 'always' | 'asked' | 'never';
  /** Who may have it: only the owner may allow what affects everybody who uses the server. */
  openTo: 'everybody' | 'owner';
};

const OFFERS: Record<Scope, Offer> = {
  'web:read': {
    sentence:
      'Search the web and read pages through this server, see what you opened with it before, and keep and share quotes of them.',
    ticked: 'always',
    openTo: 'everybody',
  },
  'browser:use': {
    sentence: 'Open pages in a browser on this server, click, type and take pictures of them.',
    ticked: 'always',
    openTo: 'everybody',
  },
  'browser:evaluate': {
    sentence: 'Run scripts of its own in the pages of that browser, with everything you are signed in to there.',
    ticked: 'never',
    openTo: 'everybody',
  },
  'cache:purge': {
    sentence: 'Delete pages from the store of this server, for everyone who uses it.',
    ticked: 'asked',
    openTo: 'owner',
  },
};

/** Those of `scopes` that a person may allow their clients, and use themselves. */
export function scopesOpenTo({ owner }: { owner: boolean }, scopes: readonly Scope[]): Scope[] {
  return scopes.filter((scope) => owner || OFFERS[scope].openTo === 'everybody');
}

/** One line of the consent page. */
export type ScopeChoice = { scope: Scope; sentence: string; ticked: boolean };

/**
 * The boxes of the consent page.
 * @param asked scopes the client named
 * @param before scopes this client was granted last time, or `null` when it is new
 */
export function scopeChoices(
  offered: readonly Scope[],
  asked: readonly string[],
  before: readonly string[] | null,
): ScopeChoice[] {
  return offered.map((scope) => {
    const { sentence, ticked } = OFFERS[scope];
    if (before?.includes(scope) === true) return { scope, sentence, ticked: true };
    const isNews = before === null || asked.includes(scope);
    return {
      scope,
      sentence,
      ticked: isNews && (ticked === 'always' || (ticked === 'asked' && asked.includes(scope))),
    };
  });
}

/** A refresh token comes with every grant; a client that asks for it by name is told that it has it. */
export const OFFLINE_ACCESS = 'offline_access';

/** What is granted of `chosen`, and `offline_access` when the client asked for it. */
export function grantedScopes(
  offered: readonly Scope[],
  chosen: readonly string[],
  asked: readonly string[],
): string[] {
  const kept: string[] = offered.filter((scope) => chosen.includes(scope));
  return asked.includes(OFFLINE_ACCESS) ? [...kept, OFFLINE_ACCESS] : kept;
}
