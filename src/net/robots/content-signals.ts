import { HEADER_VALUE_CHARS_MAX } from '#net/limits.ts';

/**
 * A site's preferences for the use of its pages, as opposed to the permission to crawl them. They come from
 * `Content-Signal` (contentsignals.org) and `Content-Usage` (AI Preferences drafts of the IETF) in robots.txt and
 * response headers. Both are drafts that may change, so only this file knows their syntax. `Content-Usage` is recorded
 * but has no effect.
 */
export type AiPreferences = { signals: Signals; usage: string | null };

type Signals = {
  search?: 'yes' | 'no' | undefined;
  'ai-input'?: 'yes' | 'no' | undefined;
  'ai-train'?: 'yes' | 'no' | undefined;
  use?: 'immediate' | 'reference' | 'full' | undefined;
};

/** Values of the preference lines in a robots.txt that apply to one path, such as `ai-input=no`. */
export type RobotsPreferences = { signal: readonly string[]; usage: readonly string[] };

/**
 * Combines the preferences in robots.txt and response headers. If a site gives several values for one preference, the
 * most restrictive one applies. Unknown words are ignored.
 * @returns `undefined` if the site states no preference
 */
export function combinePreferences(
  said: RobotsPreferences | undefined,
  headers: Pick<Headers, 'get'>,
): AiPreferences | undefined {
  const inHeader = (name: string) => (headers.get(name) ?? '').slice(0, HEADER_VALUE_CHARS_MAX);
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

/** Values of the preference `use`, from the most to the least restrictive. */
const USES = ['immediate', 'reference', 'full'] as const;
const USAGE = /^[\w.-]{1,40}=[\w.-]{1,40}(?:\s*[,;]\s*[\w.-]{1,40}=[\w.-]{1,40}){0,20}$/;

type Stored = { signals: Readonly<Record<string, string | undefined>> };

/** Returns true if the site asks not to feed its pages to AI models. */
export function forbidsAiInput({ signals }: Stored): boolean {
  return signals['ai-input'] === 'no';
}

/** Returns true if the site asks that only the requesting user gets the page, and that it is not stored for others. */
export function isOnlyForRequestingUser({ signals }: Stored): boolean {
  return signals['use'] === 'immediate';
}

/** Returns true if the site asks not to include its pages in a search index. */
export function forbidsIndexing(preferences: Stored): boolean {
  return isOnlyForRequestingUser(preferences) || preferences.signals['search'] === 'no';
}

/**
 * Returns notes about the site's preferences, for the reader of the page.
 * @param isLeftOut true if searches omit the page because the site asks for it
 */
export function describeAiPreferences(preferences: Stored | undefined, isLeftOut: boolean): string[] {
  if (preferences === undefined) return [];
  const asks = forbidsAiInput(preferences) ? [AI_INPUT_NOTE] : [];
  if (!isLeftOut) return asks;
  return [...asks, isOnlyForRequestingUser(preferences) ? FOR_NOW_NOTE : NOT_SEARCHED_NOTE];
}

const AI_INPUT_NOTE =
  'The site asks not to feed its pages to AI models (Content-Signal: ai-input=no). This page is shown because a call contains its address.';
const FOR_NOW_NOTE =
  'The site asks for immediate use only (Content-Signal: use=immediate): the page is stored for this user alone, and searches do not find it.';
const NOT_SEARCHED_NOTE =
  'The site asks not to be in a search index (Content-Signal: search=no): searches of this server do not find the page.';
