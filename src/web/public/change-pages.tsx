import { Hono } from 'hono';
import { PATHS } from '#core/paths.ts';
import { sha256Hex } from '#core/text/text.ts';
import { changeOfRound } from '#library/changes.ts';
import type { ChangesDeps } from '#library/changes.ts';
import { changeFeed } from '#library/feed/change-feed.ts';
import { FEED_CHANGES_MAX } from '#library/limits.ts';
import type { ChangeStore } from '#storage/library/changes.ts';
import { Message } from '#web/layout.tsx';
import { page, signInFirst } from '#web/answers.ts';
import type { Site } from '#web/answers.ts';
import type { ConsoleDeps } from '#web/console/console.tsx';
import { ChangedPage } from './change.tsx';

type ChangePagesDeps = ConsoleDeps & {
  origin: string;
  servicesOf: (subject: string, ctx: ExecutionContext) => ChangesDeps;
  changes: () => Pick<ChangeStore, 'feed' | 'latest'>;
  /** Whether a person with this account may still sign in. */
  isAdmitted: (subject: string, account: unknown) => Promise<boolean>;
};

const FEED_TOKEN = /^[\w-]{16,64}$/;
const ROUND = /^\d{1,9}$/;

/**
 * `/changes/<follow>/<round>?page=<key>`: what changed, for the person who follows it; to others it looks as if it did not exist.
 * `/changes/feed/<token>`: an Atom feed for whoever has the link, while its person may sign in.
 */
export function changePages(deps: ChangePagesDeps): Hono<Site> {
  const app = new Hono<Site>();
  app.get(`${PATHS.changesFeed}/:token`, async (c) => {
    const token = c.req.param('token');
    const feed = FEED_TOKEN.test(token) ? await deps.changes().feed(token) : null;
    c.header('X-Robots-Tag', 'noindex, nofollow');
    // Kept by the reader alone, who asks each time whether it is still so.
    c.header('Cache-Control', 'private, no-cache');
    if (feed === null || !(await deps.isAdmitted(feed.subject, feed.account)))
      return c.text('There is no feed at this address.\n', 404);
    const rows = await deps.changes().latest(feed.subject, FEED_CHANGES_MAX, feed.follow ?? undefined);
    const text = changeFeed(rows, feed, deps.origin);
    const etag = `"${(await sha256Hex(text)).slice(0, ETAG_DIGITS)}"`;
    c.header('ETag', etag);
    if (namesTag(c.req.header('if-none-match'), etag)) return c.body(null, 304);
    return c.body(text, 200, { 'Content-Type': 'application/atom+xml; charset=utf-8' });
  });
  app.get(`${PATHS.changes}/:follow/:round`, async (c) => {
    const person = await deps.signIns.read(c.req.raw);
    if (person === null) return signInFirst(c);
    const { follow, round } = c.req.param();
    const place = { follow, round: Number(round), page: c.req.query('page') ?? '' };
    const services = deps.servicesOf(person.subject, c.env.ctx);
    const change = ROUND.test(round) ? await changeOfRound(place, services) : null;
    if (change === null) return page(c, <Message {...NO_CHANGE} />, 404);
    return page(c, <ChangedPage change={change} />, 200);
  });
  return app;
}

/** RFC 9110 §13.1.2: weak comparison, and a list of tags. A proxy that packs the answer makes the tag weak. */
function namesTag(asked: string | undefined, etag: string): boolean {
  return (asked ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

const ETAG_DIGITS = 32;

const NO_CHANGE = {
  title: 'There is no change here',
  text: 'Changes are kept for 90 days, and are shown to the person who follows the page. What is no longer followed has none.',
};
