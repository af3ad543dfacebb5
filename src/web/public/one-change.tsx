import { Hono } from 'hono';
import { followedPageChangePath, PATHS } from '#core/paths.ts';
import { sha256Hex, oneLine } from '#core/text/text.ts';
import { findChange } from '#library/changes.ts';
import type { CursorLines, ReportedBlock, ReportedChange } from '#library/changes.ts';
import { changeFeed, CHANGE_KIND_LABELS } from '#library/feed/change-feed.ts';
import type { ChangeStore, ListedChange } from '#storage/library/changes.ts';
import { MessagePage } from '#web/layout.tsx';
import { respondWithPage, redirectToSignIn } from '#web/page-response.ts';
import type { SiteEnv } from '#web/page-response.ts';
import type { SiteDeps } from '#web/site-deps.ts';
import { startConsolePage } from '#web/console/console.tsx';
import { ConsolePage } from '#web/console/console-page.tsx';
import type { Child } from 'hono/jsx';
import { citationPath, cursorPath } from '#core/document/citation.ts';
import { sanitizeText } from '#core/text/plain.ts';
import { TITLE_CHARS_MAX } from '#core/limits.ts';
import { Timestamp } from '#web/parts/timestamp.tsx';
import { lineRangeText, PageUrlLink } from './citation.tsx';

/** Maximum changes in a feed. Feed readers fetch it every hour or day and store old entries themselves. */
const FEED_CHANGES_MAX = 50;

const FEED_TOKEN = /^[\w-]{16,64}$/;
const ROUND = /^\d{1,9}$/;

/**
 * `/changes/<follow>/<round>?page=<key>`: a change, for the user who follows the page; 404 for other users.
 * `/changes/feed/<token>`: an Atom feed for anyone who has the link, while its user may sign in.
 */
export function changeDetailPages(deps: SiteDeps): Hono<SiteEnv> {
  const app = new Hono<SiteEnv>();
  app.get(`${PATHS.changesFeed}/:token`, async (c) => {
    const token = c.req.param('token');
    const feed = FEED_TOKEN.test(token) ? await deps.stores().changes.feed(await sha256Hex(token)) : null;
    c.header('X-Robots-Tag', 'noindex, nofollow');
    // Only the feed reader's own cache may store the feed, and it must revalidate each time.
    c.header('Cache-Control', 'private, no-cache');
    if (feed === null || !(await deps.isAdmitted(feed.subject, feed.account)))
      return c.text('There is no feed at this address.\n', 404);
    const rows = await deps.stores().changes.latest(feed.subject, FEED_CHANGES_MAX, feed.follow ?? undefined);
    const text = changeFeed(rows, { ...feed, token }, deps.origin);
    const etag = `"${(await sha256Hex(text)).slice(0, ETAG_DIGITS)}"`;
    c.header('ETag', etag);
    if (namesTag(c.req.header('if-none-match'), etag)) return c.body(null, 304);
    return c.body(text, 200, { 'Content-Type': 'application/atom+xml; charset=utf-8' });
  });
  app.get(`${PATHS.changes}/:follow/:round`, async (c) => {
    const person = await deps.signIns.read(c.req.raw);
    if (person === null) return redirectToSignIn(c);
    const { follow, round } = c.req.param();
    const place = { follow, round: Number(round), page: c.req.query('page') ?? '' };
    const services = deps.callsOf(person.subject, c.env.ctx).services;
    const change = ROUND.test(round) ? await findChange(place, services) : null;
    if (change === null) return respondWithPage(c, <MessagePage {...NO_CHANGE} />, 404);
    const respond = startConsolePage(c, deps, person);
    const beside = await deps.stores().changes.neighbours(person.subject, { follow, key: place.page, at: change.at });
    return respond(<ChangedPage change={change} beside={beside} />);
  });
  return app;
}

/**
 * Weak comparison with a list of ETags (RFC 9110 §13.1.2). Weak, because a proxy that compresses turns an ETag into a
 * weak one.
 */
function namesTag(asked: string | undefined, etag: string): boolean {
  return (asked ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

const ETAG_DIGITS = 32;

const NO_CHANGE = {
  title: 'There is no change here',
  text: 'Changes are stored for 90 days and shown only to the person who follows the page. Pages you no longer follow have no history.',
};

/** The changes of a page: each old block beside the new block, with links to the lines in both documents. */
function ChangedPage({ change, beside }: { change: ReportedChange; beside: Neighbours }) {
  const { kind, url, title, library, at, before, after, blocks, left } = change;
  const name = oneLine(title ?? '', TITLE_CHARS_MAX) || url;
  return (
    <ConsolePage title={`${CHANGE_KIND_LABELS[kind]}: ${name}`} at={PATHS.changes} lead={toldOf(change)}>
      <Neighbours {...beside} />
      <dl>
        <dt>Page</dt>
        <dd>
          <PageUrlLink url={sanitizeText(url)} />
        </dd>
        {library === null || library === url ? null : (
          <>
            <dt>Followed</dt>
            <dd>
              <PageUrlLink url={sanitizeText(library)} />
            </dd>
          </>
        )}
        <dt>Found</dt>
        <dd>
          <Timestamp at={at} precise />
        </dd>
        {before === null && after === null ? null : (
          <>
            <dt>Whole page</dt>
            <dd>
              {before === null ? null : <a href={cursorPath(before)}>as it was</a>}
              {before === null || after === null ? null : ' · '}
              {after === null ? null : <a href={cursorPath(after)}>as it is</a>}
            </dd>
          </>
        )}
      </dl>
      {blocks.map((block) => (kind === 'new' ? <FirstLine block={block} /> : <ChangedBlock block={block} />))}
      {left === 0 ? null : (
        <p class="warning">
          {left === 1 ? 'One more block differs and is' : `${left} more blocks differ and are`} not shown here: the
          whole page has them.
        </p>
      )}
      {kind !== 'changed' && kind !== 'moved' ? null : (
        <p class="note">
          Not shown: build dates, counters, copyright years, the order of links, menus, and text that differs on every
          load.
        </p>
      )}
    </ConsolePage>
  );
}

type Neighbours = Awaited<ReturnType<ChangeStore['neighbours']>>;

function Neighbours({ newer, older }: Neighbours) {
  const link = (one: ListedChange | null, label: string) =>
    one === null ? null : <a href={followedPageChangePath(one.follow, one.round, one.key)}>{label}</a>;
  return (
    <p class="actions">
      <a href={PATHS.changes}>All changes</a>
      {link(newer, 'Newer change')}
      {link(older, 'Older change')}
    </p>
  );
}

function toldOf({ kind, movedTo, problem }: ReportedChange): Child {
  if (kind === 'new') return 'This page is new.';
  if (kind === 'gone') return 'The site reports that the page no longer exists. Its last text is stored.';
  if (kind === 'closed') return `It is not read any more${problem === null ? '.' : `: ${problem}`}`;
  if (kind !== 'moved' || movedTo === null) return "The page's text changed.";
  return (
    <>
      The page moved to <PageUrlLink url={sanitizeText(movedTo)} />
    </>
  );
}

const KINDS: Record<ReportedBlock['kind'], string> = {
  changed: 'Changed',
  added: 'New',
  removed: 'Gone',
  moved: 'Moved',
};

function FirstLine({ block }: { block: ReportedBlock }) {
  return (
    <section>
      <h2>First line</h2>
      <Side name="Now" lines={block.after} none="No longer on the page.">
        <Words block={block} left="new" />
      </Side>
    </section>
  );
}

function ChangedBlock({ block }: { block: ReportedBlock }) {
  const { kind, section, head, before, after } = block;
  const heading = oneLine(section ?? '', TITLE_CHARS_MAX);
  return (
    <section>
      <h2>
        {KINDS[kind]}
        {heading === '' ? null : (
          <>
            {' in “'}
            <bdi>{heading}</bdi>”
          </>
        )}
      </h2>
      {head === null ? null : (
        <p class="facts">
          Columns: <bdi>{sanitizeText(head)}</bdi>
        </p>
      )}
      <div class="sides">
        <Side name="Before" lines={before} none="Not on the page.">
          <Words block={block} left="gone" />
        </Side>
        <Side name="Now" lines={after} none="No longer on the page.">
          <Words block={block} left="new" />
        </Side>
      </div>
    </section>
  );
}

function Side(props: { name: string; lines: CursorLines | null; none: string; children: Child }) {
  const { name, lines, none, children } = props;
  return (
    <div>
      <h3>
        {name}
        {lines === null ? null : (
          <>
            , <a href={citationPath(lines.cursor, lines.lines)}>{lineRangeText(lines.lines)}</a>
          </>
        )}
      </h3>
      {lines === null ? <p class="facts">{none}</p> : children}
    </div>
  );
}

/** Words of the old or new block: unchanged ones, and those that only this block has. Without words, its lines. */
function Words({ block: { words, before, after }, left }: { block: ReportedBlock; left: 'gone' | 'new' }) {
  const lines = left === 'gone' ? before : after;
  if (words.length === 0) return <p class="diff">{(lines?.text ?? []).map(sanitizeText).join('\n')}</p>;
  return (
    <p class="diff" lang="">
      {words.map(({ kind, text }) => {
        if (kind === 'same') return sanitizeText(text);
        if (kind !== left) return null;
        return kind === 'gone' ? <del>{sanitizeText(text)}</del> : <ins>{sanitizeText(text)}</ins>;
      })}
    </p>
  );
}
