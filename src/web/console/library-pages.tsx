import { Hono } from 'hono';
import type { Context } from 'hono';
import { TITLE_CHARS_MAX } from '#core/limits.ts';
import { followChangesPath, PATHS } from '#core/paths.ts';
import { randomBase64Url } from '#core/secrets/sealed.ts';
import { megabytes, oneLine, sha256Hex } from '#core/text/text.ts';
import { startRound, deleteFollow } from '#library/follow.ts';
import type { ChangeStore } from '#storage/library/changes.ts';
import { NO_PAGE_COUNTS } from '#storage/library/follows.ts';
import type { Follow, FollowBudget, PageCounts, RoundOutcomeCounts, FollowUse } from '#storage/library/follows.ts';
import type { SignedIn } from '#auth/people/sign-ins.ts';
import { PageUrlLink } from '#web/public/citation.tsx';
import { CopyableText, CopyScript } from '#web/copyable.tsx';
import { formText } from '#web/page-response.ts';
import type { SiteEnv } from '#web/page-response.ts';
import { startConsolePage, continueAfterForm, requireSignIn, withVerifiedForm } from './console.tsx';
import type { SiteDeps } from '#web/site-deps.ts';
import { ActionButton } from '#web/parts/form.tsx';
import { ItemList } from '#web/parts/list.tsx';
import type { ListEntry } from '#web/parts/list.tsx';
import { Timestamp } from '#web/parts/timestamp.tsx';
import { ConsolePage, useVisitor } from './console-page.tsx';
import { groupDigits } from './usage.tsx';

const FEED_TOKEN_BYTES = 16;
const FEEDS_MAX = 250;

/**
 * `/console/library`: the pages and sites that a user follows, to view, check now or remove, with links to Atom feeds.
 */
export function libraryPages(deps: SiteDeps): Hono<SiteEnv> {
  const app = new Hono<SiteEnv>();
  app.get(PATHS.library, (c) => requireSignIn(c, deps, (person) => show(c, deps, person, null)));
  app.post(PATHS.library, (c) => withVerifiedForm(c, deps, (form, person) => act(c, deps, form, person)));
  return app;
}

/** A new link to an Atom feed. `follow`: the followed page; `null` for all. The token cannot be shown again. */
type MadeFeed = { follow: string | null; token: string };

async function show(
  c: Context,
  deps: SiteDeps,
  person: SignedIn,
  problem: string | null,
  made: MadeFeed | null = null,
): Promise<Response> {
  const { subject } = person;
  const { follows, changes } = deps.stores();
  const respond = startConsolePage(c, deps, person);
  const [all, taken, feeds] = await Promise.all([
    follows.list(subject),
    follows.taken(subject),
    changes.feeds(subject),
  ]);
  const counts = await follows.counts(all.map(({ id }) => id));
  const followed = all.map((one): Followed => ({
    ...one,
    pages: counts.get(one.id) ?? NO_PAGE_COUNTS,
    feed: feeds.find(({ follow }) => follow === one.id) ?? null,
  }));
  const feedOfAll = feeds.find(({ follow }) => follow === null) ?? null;
  const view = { followed, taken, budget: deps.followBudget, feedOfAll, made, origin: deps.origin, problem };
  return respond(<Library {...view} />, problem === null ? 200 : 409);
}

async function act(c: Context, deps: SiteDeps, form: FormData, person: SignedIn): Promise<Response> {
  const { subject } = person;
  const { follows, changes } = deps.stores();
  const what = formText(form, 'do');
  const id = formText(form, 'id');
  if (what === 'untell') await changes.removeFeed(subject, formText(form, 'feed'));
  if (what === 'untell') return continueAfterForm(c, DONE[what], PATHS.library);
  if (what === 'tell all') return show(c, deps, person, null, await addFeed(null, subject, deps));
  const known = (await follows.list(subject)).find((one) => one.id === id);
  if (known === undefined) return show(c, deps, person, 'That is no longer followed.');
  if (what === 'share' && person.owner) {
    await follows.share(subject, id, !known.isShared);
    return continueAfterForm(c, known.isShared ? 'unsharedLibrary' : 'sharedLibrary', PATHS.library);
  }
  if (what === 'look') {
    const begun = await startRound(known, { follows, runs: deps.runs, now: deps.now });
    return begun
      ? continueAfterForm(c, DONE.look, PATHS.library)
      : show(c, deps, person, 'A round is already under way.');
  }
  if (what === 'tell') return show(c, deps, person, null, await addFeed(id, subject, deps));
  if (what !== 'end') return show(c, deps, person, 'That button is not known. Use those below.');
  await deleteFollow(known, { follows, runs: deps.runs });
  return continueAfterForm(c, DONE[what], PATHS.library);
}

const DONE = { untell: 'unfed', end: 'unfollowed', look: 'looking' } as const;

/** Adds an Atom feed. @returns `null` if the feed already exists, or if no more feeds may be added */
async function addFeed(follow: string | null, subject: string, { stores, now }: SiteDeps): Promise<MadeFeed | null> {
  const { changes } = stores();
  const feeds = await changes.feeds(subject);
  if (feeds.length >= FEEDS_MAX || feeds.some((one) => one.follow === follow)) return null;
  const token = randomBase64Url(FEED_TOKEN_BYTES);
  await changes.addFeed({ hash: await sha256Hex(token), subject, follow, createdAt: now() });
  return { follow, token };
}

type Feed = Awaited<ReturnType<ChangeStore['feeds']>>[number];
type Followed = Follow & { pages: PageCounts; feed: Feed | null };

type Props = {
  followed: readonly Followed[];
  taken: FollowUse;
  budget: FollowBudget;
  feedOfAll: Feed | null;
  made: MadeFeed | null;
  origin: string;
  problem: string | null;
};

function Library({ followed, taken, budget, feedOfAll, made, origin, problem }: Props) {
  const { isOwner } = useVisitor();
  const linkOf = (follow: string | null) =>
    made !== null && made.follow === follow ? `${origin}${PATHS.changesFeed}/${made.token}` : null;
  return (
    <ConsolePage
      title="Followed"
      at={PATHS.library}
      lead="Pages and sites that are read again regularly. Your models search them and learn what changed."
      problem={problem}
    >
      {followed.length === 0 ? null : (
        <p class="facts">
          Pages reserved: {groupDigits(taken.pages.ofPerson)} of {groupDigits(budget.pages.ofPerson)}. Text stored:{' '}
          {megabytes(taken.bytes.ofPerson)} of {megabytes(budget.bytes.ofPerson)} MB.
        </p>
      )}
      <ItemList
        to={PATHS.library}
        items={followed.map((one) => followedItem(one, linkOf(one.id), isOwner))}
        none={
          <>
            Nothing is followed yet. Ask a model to follow a page or a site: it calls <code>follow</code>. The page and
            each of its changes then appear here.
          </>
        }
      />
      <h2>A feed of all changes</h2>
      <p class="facts">Anyone with its link can read it, for example in a feed reader. Delete the link to end that.</p>
      <FeedForm feed={feedOfAll} link={linkOf(null)} about="all changes" id={null} />
      {made === null ? null : <CopyScript />}
    </ConsolePage>
  );
}

function followedItem(one: Followed, link: string | null, mayShare: boolean): ListEntry {
  const { id, url, title, scope, run, isShared } = one;
  const name = oneLine(title ?? '', TITLE_CHARS_MAX) || url;
  const about = `the ${scope} ${name}`;
  return {
    about,
    icon: scope === 'site' ? 'store' : 'page',
    name: <bdi>{name}</bdi>,
    state: { text: scope },
    body: (
      <>
        {isShared ? ' everyone here can search it' : ''}
        {link === null ? null : <FeedForm feed={one.feed} link={link} about={about} id={id} />}
      </>
    ),
    facts: [<PageUrlLink url={url} />, <LastRound one={one} />, pagesInWords(one), resultInWords(one.result)],
    details: [
      <NextRound one={one} />,
      limitsInWords(one),
      link === null ? <FeedForm feed={one.feed} link={link} about={about} id={id} /> : null,
    ],
    link: { to: followChangesPath(id), label: 'Changes' },
    actions: [
      ...(run === null ? [{ label: 'Read again now', sends: { id, do: 'look' } }] : []),
      ...(mayShare
        ? [{ label: isShared ? 'Stop sharing' : 'Share with everyone here', sends: { id, do: 'share' }, isRare: true }]
        : []),
      { label: 'Stop following', sends: { id, do: 'end' }, asks: 'follow', isRare: true },
    ],
  };
}

function pagesInWords({ pages }: Followed): string {
  const { stored, gone, closed } = pages;
  const all = pages.new + stored + gone + closed;
  const others = [
    ...(gone === 0 ? [] : [`${gone} gone`]),
    ...(closed === 0 ? [] : [`${closed} refused or skipped`]),
    ...(pages.new === 0 ? [] : [`${pages.new} to be read`]),
  ];
  const counted = `${groupDigits(all)} ${all === 1 ? 'page' : 'pages'}`;
  return others.length === 0 ? counted : [`${counted}: ${stored} read`, ...others].join(', ');
}

function limitsInWords({ pages, pagesMax, scope }: Followed): string | null {
  const more = pages.excluded === 0 ? '' : `; ${pages.excluded} or more are left out`;
  return scope === 'site' ? `At most ${pagesMax} pages${more}.` : null;
}

function resultInWords(result: RoundOutcomeCounts | null): string | null {
  if (result === null) return null;
  const parts = Object.entries(result).map(([outcome, count]) => `${count} ${OUTCOMES[outcome] ?? outcome}`);
  return `Last round: ${parts.length === 0 ? 'it did not finish' : parts.join(', ')}`;
}

const OUTCOMES: Readonly<Record<string, string>> = {
  first: 'read for the first time',
  same: 'unchanged',
  full: 'not read because no room was left',
};

function LastRound({ one: { run, startedAt, endedAt } }: { one: Followed }) {
  if (run !== null && startedAt !== null) {
    return (
      <>
        Being read: round began <Timestamp at={startedAt} precise />
      </>
    );
  }
  if (endedAt === null) return <>Not read yet</>;
  return (
    <>
      Read <Timestamp at={endedAt} precise />
    </>
  );
}

function NextRound({ one: { nextAt, everyHours } }: { one: Followed }) {
  return (
    <>
      Next round <Timestamp at={nextAt} precise />, every {everyHours} h.
    </>
  );
}

type FeedProps = { feed: Feed | null; link: string | null; about: string; id: string | null };

function FeedForm({ feed, link, about, id }: FeedProps) {
  const common = { to: PATHS.library, about };
  const what = id === null ? { do: 'tell all' } : { id, do: 'tell' };
  if (feed === null) return <ActionButton {...common} label="Create a feed" sends={what} />;
  return (
    <>
      {link === null ? (
        <p class="facts">
          Its feed was created <Timestamp at={feed.createdAt} />. The link cannot be shown again: if you lost it, delete
          it and create another.
        </p>
      ) : (
        <>
          <p class="warning">Copy the link now. Only its fingerprint is stored, so it cannot be shown again.</p>
          <CopyableText text={link} what="the link" />
        </>
      )}
      <ActionButton {...common} label="Delete the link" sends={{ feed: feed.hash, do: 'untell' }} asks="feed" />
    </>
  );
}
