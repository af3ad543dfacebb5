import { DAY_MS, SECOND_MS } from '#core/limits.ts';

/** Pages of one site: an hour at two seconds each, and well within the steps of one workflow instance. */
export const FOLLOW_PAGES_MAX = 1_000;
export const FOLLOW_PAGES_DEFAULT = 200;
/** 30 days: a page that is looked at less often is not followed but forgotten. */
export const FOLLOW_HOURS_MAX = 720;
export const FOLLOW_HOURS_DEFAULT = 24;
/** Things that one person follows: a list that a person can still look through. */
export const FOLLOWS_PER_PERSON_MAX = 200;
export const CONTAINS_CHARS_MAX = 200;
/** A call finds pages for so long. What it has not found by then, links and the next round find. */
export const DISCOVERY_MS_MAX = 20 * SECOND_MS;
/** How long a step waits for the turn at a host before the run sleeps instead, at no cost. */
export const TURN_WAIT_MS_MAX = 10 * SECOND_MS;
/** One page in one step, with the wait for its turn. */
export const PAGE_MS_MAX = 45 * SECOND_MS;
/** Rounds in a row in which a page must be missing before it counts as gone: a site may be down for an hour. */
export const MISSING_ROUNDS_MAX = 2;
/**
 * A page or the lists of a site that were in work when the Worker was ended so many times are skipped until the next whole
 * round. Once may be chance, such as a deploy.
 */
export const ENDS_MAX = 2;
/** Every so many rounds, pages are asked for without conditions: some sites confirm what is no longer true. */
export const WHOLE_ROUND_EVERY = 7;
/** Pages that the first round reads twice, to learn what differs with every fetch. */
export const VARYING_PAGES = 3;
/** Texts that count as noise in what is followed; more would hide changes. */
export const VARYING_TEXTS_MAX = 100;
export const VARYING_TEXT_CHARS_MAX = 500;
/** Blocks that are kept of one change, and their text. A page that was written anew has hundreds. */
export const BLOCKS_PER_CHANGE_MAX = 200;
export const BLOCKS_CHARS_MAX = 100_000;
/** Pages that one statement lists, and one step hands on. */
export const PAGES_PER_STEP = 100;
/** How long what changed is kept: a quarter, as people look back. */
export const CHANGES_KEPT_MS = 90 * DAY_MS;
/** Changes that one answer tells; the rest follows with `since`. */
export const CHANGES_PER_ANSWER_MAX = 20;
export const CHANGES_SINCE_MS_DEFAULT = 7 * DAY_MS;
/** Blocks that one answer shows. */
export const BLOCKS_PER_ANSWER_MAX = 60;
/** Rounds that one hour begins: a second's work, and as many as the platform takes on at a time. */
export const ROUNDS_PER_HOUR_MAX = 500;
/** Changes that a feed holds: readers ask every hour or day, and keep what they have. */
export const FEED_CHANGES_MAX = 50;
