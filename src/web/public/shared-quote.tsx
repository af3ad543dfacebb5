import { Hono } from 'hono';
import type { SharedCitation, StoredCitation } from '#storage/citations.ts';
import { hasSecretInUrl } from '#core/secrets/secret-addresses.ts';
import { PATHS } from '#core/paths.ts';
import { sanitizeText } from '#core/text/plain.ts';
import { MessagePage } from '#web/layout.tsx';
import type { SiteDeps } from '#web/site-deps.ts';
import type { SiteEnv } from '#web/page-response.ts';
import { respondWithPage, redirectToSignIn } from '#web/page-response.ts';
import { oneLine } from '#core/text/text.ts';
import { TITLE_CHARS_MAX } from '#core/limits.ts';
import { citationPath } from '#core/document/citation.ts';
import { PageUrlLink, ScriptedUrlNote } from './citation.tsx';
import { CopyCitation } from './sharing.tsx';
import { PublicPage } from './public-page.tsx';
import { Timestamp } from '#web/parts/timestamp.tsx';
import { BUSY_LINK_CACHE_MS, BUSY_LINKS_MAX, BUSY_LINK_VIEWS_MIN } from '#web/limits.ts';

type ShowDeps = Pick<SiteDeps, 'mayShow' | 'isAdmitted'>;

const SHARE_ID = /^[\w-]{22}$/;

/**
 * `/q/<id>`: a shared quote, for anyone who has the link, or for everyone who may sign in. Shown while its user may
 * sign in. Search engines are told not to index the page.
 */
export function sharedQuotePages(deps: SiteDeps): Hono<SiteEnv> {
  const app = new Hono<SiteEnv>();
  const links = new BusyLinkCache<SharedCitation | null>(Date.now);
  app.get(`${PATHS.quote}/:id`, async (c) => {
    c.header('X-Robots-Tag', 'noindex, nofollow');
    const id = c.req.param('id');
    const found = SHARE_ID.test(id) ? await links.find(id, () => sharedQuote(id, deps)) : null;
    const person = await deps.signIns.read(c.req.raw);
    if (found === null) return respondWithPage(c, <MessagePage {...NO_QUOTE} />, 404);
    if (found.shareId !== id && person === null) return redirectToSignIn(c);
    const own = person?.subject === found.subject ? citationPath(found.cursor, linesOf(found)) : null;
    const view = { ...plainQuote(found), urlByScript: found.urlByScript, own, isSignedIn: person !== null };
    return respondWithPage(c, <Quote {...view} origin={deps.origin} path={`${PATHS.quote}/${id}`} />, 200);
  });
  return app;
}

/** Finds a shared quote. @returns `null` if the quote does not exist or is hidden */
async function sharedQuote(id: string, deps: SiteDeps): Promise<SharedCitation | null> {
  const { citations } = deps.stores();
  const found = await citations.shared(id);
  if (found === null || (await findHiddenReason(found, deps)) !== null) return null;
  if (found.urlByScript !== null) return found;
  return { ...found, urlByScript: await citations.urlByScript(found.documentId, found.url) };
}

function linesOf({ firstLine, lastLine }: StoredCitation) {
  return { start: firstLine, end: lastLine };
}

export type HiddenReason = 'person' | 'address';

/**
 * Reason for hiding a quote. `person`: its user may no longer sign in. `address`: its URL may not be shown.
 * @returns `null` if the quote is shown
 */
export async function findHiddenReason(
  { url, subject, account }: SharedCitation,
  { mayShow, isAdmitted }: ShowDeps,
): Promise<HiddenReason | null> {
  if (!(await isAdmitted(subject, account))) return 'person';
  return isAddressHidden(url, mayShow) ? 'address' : null;
}

export function isAddressHidden(url: string, mayShow: SiteDeps['mayShow']): boolean {
  return hasSecretInUrl(url) || !mayShow(url);
}

function plainQuote({ quote, around, url, title, fetchedAt, documentId }: StoredCitation) {
  const { before, lead, tail, after } = around;
  return {
    quote: sanitizeText(quote),
    around: {
      before: before.map(sanitizeText),
      lead: sanitizeText(lead),
      tail: sanitizeText(tail),
      after: after.map(sanitizeText),
    },
    url: sanitizeText(url),
    title,
    fetchedAt,
    documentId,
  };
}

const NO_QUOTE = {
  title: 'There is no quote here',
  text: 'This link is no longer shared, or it never was. Ask the person who gave it to you.',
};

type Props = {
  quote: string;
  around: { before: readonly string[]; lead: string; tail: string; after: readonly string[] };
  url: string;
  urlByScript: boolean | null;
  title: string | null;
  fetchedAt: number;
  documentId: string;
  origin: string;
  path: string;
  /** URL of the citation page, if the reader is the user who made the citation. */
  own: string | null;
  isSignedIn: boolean;
};

const TITLE_QUOTE_CHARS = 120;

function Quote(props: Props) {
  const { quote, url, title, fetchedAt, documentId, origin, path, own, isSignedIn } = props;
  const from = oneLine(title ?? '', TITLE_CHARS_MAX) || (URL.parse(url)?.host ?? url);
  const preview = {
    description: `From ${from}, as it was on ${new Date(fetchedAt).toISOString().slice(0, 'YYYY-MM-DD'.length)}.`,
    image: PATHS.previewPicture,
    origin,
  };
  const name = `“${oneLine(quote, TITLE_QUOTE_CHARS)}”`;
  const links = isSignedIn ? [{ to: PATHS.citations, label: 'Citations' }] : [];
  return (
    <PublicPage title={`${name} – Periscope`} preview={preview} links={links} isHidden isForStrangers={!isSignedIn}>
      <h1>
        A quote from <bdi>{from}</bdi>
      </h1>
      <p class="printed">{origin + path}</p>
      <QuotedWords {...props} />
      <div class="controls">
        <CopyCitation {...{ quote, title, url, fetchedAt, documentId }} link={origin + path} isShared />
      </div>
      <dl>
        <dt>Fetched</dt>
        <dd>
          <Timestamp at={fetchedAt} precise />
        </dd>
      </dl>
      {own === null ? null : (
        <p>
          <a href={own}>Your citation, in the whole page</a>
        </p>
      )}
      <p class="note">
        The page contained these words when it was fetched. It may have changed since: its address opens it as it is
        now.
      </p>
    </PublicPage>
  );
}

function QuotedWords({ quote, around, url, urlByScript, title }: Props) {
  const { before, lead, tail, after } = around;
  const name = oneLine(title ?? '', TITLE_CHARS_MAX);
  return (
    <figure>
      <blockquote cite={/^https?:/u.test(url) ? url : undefined} lang="">
        <Around lines={before} />
        <p>
          {lead}
          <mark>{quote}</mark>
          {tail}
        </p>
        <Around lines={after} />
      </blockquote>
      <figcaption>
        {name === '' ? null : (
          <>
            <cite>{name}</cite>
            <br />
          </>
        )}
        <PageUrlLink url={url} quote={quote} />
        <ScriptedUrlNote urlByScript={urlByScript} />
      </figcaption>
    </figure>
  );
}

function Around({ lines }: { lines: readonly string[] }) {
  return (
    <>
      {lines.map((line) => (
        <p class="facts">{line}</p>
      ))}
    </>
  );
}

type Moment<T> = { since: number; views: number; read: { found: T } | null };

/**
 * Caches the content of links that very many people open at the same time, such as a link in a newspaper. For such a
 * link, an isolate queries the database `BUSY_LINK_VIEWS_MIN` times, and then not again until
 * `BUSY_LINK_CACHE_MS` have passed. Other links are queried at each view.
 */
export class BusyLinkCache<T> {
  readonly #now: () => number;
  readonly #moments = new Map<string, Moment<T>>();

  constructor(now: () => number) {
    this.#now = now;
  }

  async find(id: string, ask: () => Promise<T>): Promise<T> {
    const moment = this.#momentOf(id);
    moment.views += 1;
    if (moment.views > BUSY_LINK_VIEWS_MIN && moment.read !== null) return moment.read.found;
    const found = await ask();
    moment.read = { found };
    return found;
  }

  #momentOf(id: string): Moment<T> {
    const now = this.#now();
    const known = this.#moments.get(id);
    if (known !== undefined && now - known.since < BUSY_LINK_CACHE_MS) return known;
    const moment: Moment<T> = { since: now, views: 0, read: null };
    this.#moments.delete(id);
    this.#makeRoom();
    this.#moments.set(id, moment);
    return moment;
  }

  /** Makes room. Removes seldom-viewed links first, so that invented URLs cannot evict the link that a crowd opens. */
  #makeRoom(): void {
    if (this.#moments.size < BUSY_LINKS_MAX) return;
    for (const [id, { views }] of this.#moments) if (views <= BUSY_LINK_VIEWS_MIN) this.#moments.delete(id);
    const [oldest] = this.#moments.keys();
    if (this.#moments.size >= BUSY_LINKS_MAX && oldest !== undefined) this.#moments.delete(oldest);
  }
}
