import { HEADER_CHARS_MAX } from '#net/limits.ts';

/**
 * What a site asks of those who use its pages, beside whether they may fetch them: `Content-Signal`
 * (contentsignals.org) and `Content-Usage` (the AI Preferences drafts of the IETF), in its robots.txt and in the headers of a
 * page. Both are drafts that still move, and this file alone knows them. `Content-Usage` is recorded and decides nothing.
 */
export type Preferences = { signals: Signals; usage: string | null };

export type Signals = {
  search?: 'yes' | 'no' | undefined;
  'ai-input'?: 'yes' | 'no' | undefined;
  'ai-train'?: 'yes' | 'no' | undefined;
  use?: 'immediate' | 'reference' | 'full' | undefined;
};

/** Lines of a robots.txt that are about one path, without their names. */
export type SaidInRobots = { signal: readonly string[]; usage: readonly string[] };

/** What a line of its own is worth. More of one site are not read. */
export const SAID_LINES_MAX = 20;

/**
 * Of several answers to one question, the one that allows least counts, wherever it stands. Unknown words are passed over.
 * @returns `undefined` when the site asks for nothing
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

/** From the one that allows least. */
const USES = ['immediate', 'reference', 'full'] as const;
/** A list of keys with short values; anything else is no preference. */
const USAGE = /^[\w.-]{1,40}=[\w.-]{1,40}(?:\s*[,;]\s*[\w.-]{1,40}=[\w.-]{1,40}){0,20}$/;

/** As stored with a page. */
type Stored = { signals: Readonly<Record<string, string | undefined>> };

/** The site asks that its pages are not fed to AI models. */
export function forbidsAiInput({ signals }: Stored): boolean {
  return signals['ai-input'] === 'no';
}

/** The site asks that its pages are used at once, by who asked for them, and not kept for others. */
export function isForNow({ signals }: Stored): boolean {
  return signals['use'] === 'immediate';
}

/** The site asks that its pages are in no search index. */
export function isUnindexed(preferences: Stored): boolean {
  return isForNow(preferences) || preferences.signals['search'] === 'no';
}

/** What a reader of the page is told. @param isLeftOut whether searches do not find it, as the site asks */
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
