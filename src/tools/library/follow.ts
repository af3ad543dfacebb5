import { countWithUnit, megabytes, oneLine } from '#core/text/text.ts';
import * as z from 'zod';
import { writeTitleLines } from '#reading/result-text.ts';
import { MINUTE_MS, TITLE_CHARS_MAX } from '#core/limits.ts';
import { followPage, unfollow } from '#library/follow.ts';
import type { FollowDeps, FollowState } from '#library/follow.ts';
import { PAGES_PER_FOLLOWED_SITE_MAX } from '#library/limits.ts';
import { defineTool } from '#tools/define-tool.ts';

const FOLLOW_CONTAINS_CHARS_MAX = 200;
const FOLLOW_INTERVAL_HOURS_DEFAULT = 24;
/** Maximum hours between checks of a page: 30 days. Users expect more frequent checks of a page that they follow. */
const FOLLOW_INTERVAL_HOURS_MAX = 720;
const PAGES_PER_FOLLOWED_SITE_DEFAULT = 200;

const reasonCounts = z.array(z.strictObject({ what: z.string(), count: z.int() }));

export const followTool = defineTool({
  name: 'follow',
  toolset: 'library',
  title: 'Follow',
  historyWords: ['Followed', 'follow'],
  description:
    'Follow (monitor, track, watch, subscribe to) a public page, blog or whole site: keep an eye on it, notice when it changes or has updates or new posts, and keep it fresh and searchable. Call again with the same URL for progress, or with every 0 to stop (unsubscribe).',
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: true },
  input: z.strictObject({
    url: z.string().describe('Page to follow, or the start of a site.'),
    scope: z.enum(['page', 'site']).default('page').describe('site: also the pages below this URL.'),
    max_pages: z
      .int()
      .min(1)
      .max(PAGES_PER_FOLLOWED_SITE_MAX)
      .default(PAGES_PER_FOLLOWED_SITE_DEFAULT)
      .describe('Maximum pages of a site.'),
    every: z
      .int()
      .min(0)
      .max(FOLLOW_INTERVAL_HOURS_MAX)
      .default(FOLLOW_INTERVAL_HOURS_DEFAULT)
      .describe('Hours between checks. 0 stops following.'),
    contains: z
      .string()
      .min(1)
      .max(FOLLOW_CONTAINS_CHARS_MAX)
      .optional()
      .describe('Report only changes near this phrase.'),
  }),
  output: z.strictObject({
    state: z.enum(['begun', 'under_way', 'up_to_date', 'ended', 'not_followed']),
    url: z.string(),
    title: z.string().optional(),
    pages: z.strictObject({ found: z.int(), read: z.int(), gone: z.int(), closed: z.int(), max: z.int() }).optional(),
    found_by: reasonCounts,
    left_out: reasonCounts,
    round_minutes: z.int().optional(),
    next_round: z.string().optional(),
    budget: z.strictObject({ takes: z.int(), taken: z.int(), limit: z.int() }).optional(),
    notes: z.array(z.string()),
  }),
  unused: [
    { options: ['max_pages'], when: ({ scope }) => scope === 'page', because: 'it applies only to scope "site"' },
    { options: ['max_pages', 'contains'], when: ({ every }) => every === 0, because: 'every 0 only stops following' },
  ],
  async run({ url, scope, max_pages: pagesMax, every, contains }, { services, signal }) {
    if (every === 0) {
      const ended = await unfollow(url, scope, services);
      return ended === null ? notFollowed(url) : endedAnswer(ended.url);
    }
    const request = { url, scope, pagesMax, everyHours: every, contains: contains ?? null };
    const state = await followPage(request, signal, services);
    return stateAnswer(state, pagesMax, services.followBudget, services.now());
  },
});

function endedAnswer(url: string) {
  const notes = ['This page or site is no longer followed. Citations of its pages remain.'];
  return {
    text: `No longer followed: ${url}\n${notes.join('\n')}`,
    structured: { state: 'ended' as const, url, found_by: [], left_out: [], notes },
    url,
  };
}

function notFollowed(url: string) {
  const notes = ['This page or site is not followed. Pass the URL and scope it was followed with.'];
  return {
    text: notes.join('\n'),
    structured: { state: 'not_followed' as const, url, found_by: [], left_out: [], notes },
  };
}

const STATE_WORDS = { begun: 'Followed from now on', under_way: 'Being read', up_to_date: 'Up to date' } as const;
const PAGE_MS_USUAL = 500;

function listed(counts: readonly { what: string; count: number }[]): string {
  return counts.map(({ what, count }) => `${what}: ${count}`).join(', ');
}

async function stateAnswer(one: FollowState, pagesAsked: number, limits: FollowDeps['followBudget'], now: number) {
  const { follow: known, pages, pauseMs, taken, isNew } = one;
  const { url, title, run, pagesMax, nextAt, everyHours, found, scope, result } = known;
  const all = pages.new + pages.stored + pages.closed + pages.gone;
  const minutes = Math.max(
    1,
    Math.ceil(((pages.new + pages.stored + pages.closed) * Math.max(pauseMs, PAGE_MS_USUAL)) / MINUTE_MS),
  );
  const state = isNew ? ('begun' as const) : run === null ? ('up_to_date' as const) : ('under_way' as const);
  const ways = found.ways.map(({ via, count }) => ({ what: via, count }));
  const leftOut = one.leftOut.map(({ reason, count }) => ({ what: reason, count }));
  const isOtherMax = !isNew && scope === 'site' && pagesAsked !== pagesMax;
  const notes = [
    ...(isOtherMax ? [`max_pages stays ${pagesMax}. To change it, stop following and follow again.`] : []),
    ...(all >= pagesMax && scope === 'site'
      ? [
          `This site has reached max_pages (${pagesMax})${pages.excluded > 0 ? `; at least ${pages.excluded} more were found and are not read` : ''}. To read more, stop following (every: 0) and follow again with a higher max_pages.`,
        ]
      : []),
    ...(one.parts > 1 ? [`The page is read in ${one.parts} parts, and its first one is followed.`] : []),
    ...(result?.full === undefined
      ? []
      : [
          `${countWithUnit(result.full, 'page')} could not be read in the last round: the text stored for the user is at its limit.`,
        ]),
    ...(scope === 'site' && isNew ? ['More pages may be found through links while pages are read.'] : []),
  ];
  const next = new Date(Math.max(now, nextAt)).toISOString();
  const counts = { found: all, read: pages.stored, gone: pages.gone, closed: pages.closed, max: pagesMax };
  const budget = { takes: pagesMax, taken: taken.pages.ofPerson, limit: limits.pages.ofPerson };
  const text = [
    `${STATE_WORDS[state]}: ${url}`,
    ...(await writeTitleLines(title === null ? null : oneLine(title, TITLE_CHARS_MAX), url)),
    `Pages: ${all} found (${listed(ways) || 'the one that was asked for'}), ${pages.stored} read, ${pages.gone} gone, ${pages.closed} refused or skipped.`,
    ...(leftOut.length === 0 ? [] : [`Left out, by reason: ${listed(leftOut)}.`]),
    `A round reads all pages one at a time, ${pauseMs / 1000} s apart, in about ${minutes} min. A round begins every ${everyHours} h, the next at ${next}.`,
    `Budget: this may use ${countWithUnit(budget.takes, 'page')}. All you follow reserves ${budget.taken} of ${countWithUnit(budget.limit, 'page')}. Text stored: ${megabytes(taken.bytes.ofPerson)} of ${megabytes(limits.bytes.ofPerson)} MB.`,
    ...notes.map((note) => `Note: ${note}`),
    `Search it: find_passages {"library": ${JSON.stringify(url)}}. For what changed, call changes.`,
  ].join('\n');
  return {
    text,
    structured: {
      state,
      url,
      ...(title === null ? {} : { title }),
      pages: counts,
      found_by: ways,
      left_out: leftOut,
      round_minutes: minutes,
      next_round: next,
      budget,
      notes,
    },
    url,
  };
}
