import { HEADER_CHARS_MAX } from '#net/limits.ts';

/**
 * Usage preferences of a site, apart from crawling permission: `Content-Signal` (contentsignals.org) and
 * `Content-Usage` (AI Preferences drafts of the IETF), from robots.txt and response headers. Both are drafts that may
 * change, and only this file knows their syntax. `Content-Usage` is recorded and decides nothing.
 */
export type Preferences = { signals: Signals; usage: string | null };

type Signals = {
  search?: 'yes' | 'no' | undefined;
  'ai-input'?: 'yes' | 'no' | undefined;
  'ai-train'?: 'yes' | 'no' | undefined;
  use?: 'immediate' | 'reference' | 'full' | undefined;
};

/** Values of the preference lines in robots.txt that apply to one path. */
export type SaidInRobots = { signal: readonly string[]; usage: readonly string[] };

export const SAID_LINES_MAX = 20;

/**
 * If a site gives several values for one preference, the most restrictive one applies. Unknown words are ignored.
 * @returns `undefined` if the site states no preference
 */
export function preferencesOf(said: SaidInRobots | undefined, headers: Pick<Headers, 'get'>): Preferences | undefined {
  const inHeader = (name: string) => (headers.get(name) ?? '').slice(0, HEADER_CHARS_MAX);
  const texts = [...(said?.signal ?? []), inHeader('content-signal')];
  const asked = new Set(texts.flatMap((text) => text.split(',')).map((part) => part.replace(/\s/g, '').toLowerCase()));
  const answer = (name: string) => (asked.has(`${name}=no`) ? 'no' : asked.has(`${name}=yes`) ? 'yes' : undefined);
  const signals: Signals = {
    search: answer('search'),
    'ai-input': answer('ai-input'),
    'ai-train': answer('ai-train'),
    use: USES.find((use) => asked.has(`use=${use}`)),
  };
  const usages = [...(said?.usage ?? []), inHeader('content-usage')].map((text) => text.trim());
  const usage = usages.filter((text) => USAGE.test(text)).join(', ') || null;
  return usage === null && Object.values(signals).every((value) => value === undefined)
    ? undefined
    : { signals, usage };
}

/** Most restrictive first. */
const USES = ['immediate', 'reference', 'full'] as const;
const USAGE = /^[\w.-]{1,40}=[\w.-]{1,40}(?:\s*[,;]\s*[\w.-]{1,40}=[\w.-]{1,40}){0,20}$/;

type Stored = { signals: Readonly<Record<string, string | undefined>> };

/** The site asks that its pages are not fed to AI models. */
export function forbidsAiInput({ signals }: Stored): boolean {
  return signals['ai-input'] === 'no';
}

/** The site asks that its pages are used immediately by the requesting user, and not stored for others. */
export function isForNow({ signals }: Stored): boolean {
  return signals['use'] === 'immediate';
}

/** The site asks that its pages are not in a search index. */
export function isUnindexed(preferences: Stored): boolean {
  return isForNow(preferences) || preferences.signals['search'] === 'no';
}

/** Notes for the reader of the page. @param isLeftOut true if searches omit the page, as the site asks */
export function preferenceNotes(preferences: Stored | undefined, isLeftOut: boolean): string[] {
  if (preferences === undefined) return [];
  const asks = forbidsAiInput(preferences) ? [AI_INPUT_NOTE] : [];
  if (!isLeftOut) return asks;
  return [...asks, isForNow(preferences) ? FOR_NOW_NOTE : NOT_SEARCHED_NOTE];
}

const AI_INPUT_NOTE =
  'The site asks not to feed its pages to AI models (Content-Signal: ai-input=no). This one is shown because a call named its address.';
const FOR_NOW_NOTE =
  'The site asks for immediate use only (Content-Signal: use=immediate): the page is stored for this user alone, and searches do not find it.';
const NOT_SEARCHED_NOTE =
  'The site asks not to be in a search index (Content-Signal: search=no): searches of this server do not find the page.';
