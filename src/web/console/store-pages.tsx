import { Hono } from 'hono';
import type { Context } from 'hono';
import { citationPath } from '#core/document/citation.ts';
import { failureMessage } from '#core/failures/describe-failure.ts';
import { PeriscopeError } from '#core/failures/failure.ts';
import { TITLE_CHARS_MAX } from '#core/limits.ts';
import { PATHS } from '#core/paths.ts';
import { sanitizeText } from '#core/text/plain.ts';
import { redactUrl } from '#core/secrets/secret-addresses.ts';
import { truncateUrl, oneLine } from '#core/text/text.ts';
import { FOCUS_ON_LOAD, MessagePage } from '#web/layout.tsx';
import { mintCursorForStored } from '#reading/open/open-whole.ts';
import { purgeSnapshots } from '#reading/purge-snapshots.ts';
import type { PurgeReport } from '#reading/purge-snapshots.ts';
import { runSearch } from '#search/search.ts';
import type { ListedStoredPage } from '#storage/pages/snapshots.ts';
import type { PersonCallEnvironment, SiteDeps } from '#web/site-deps.ts';
import { requireSignIn, parseNumber, startConsolePage, withVerifiedForm } from './console.tsx';
import type { SignedIn } from '#auth/people/sign-ins.ts';
import { formText, respondWithPage } from '#web/page-response.ts';
import type { SiteEnv } from '#web/page-response.ts';
import { PageUrlLink } from '#web/public/citation.tsx';
import { FormField, FilterForm } from '#web/parts/form.tsx';
import { ItemList } from '#web/parts/list.tsx';
import type { ListEntry } from '#web/parts/list.tsx';
import { Timestamp } from '#web/parts/timestamp.tsx';
import { ConsolePage, useVisitor } from './console-page.tsx';

const STORED_PER_PAGE = 20;

/** `/console/store`: the stored pages that a user may see, to search, open and delete. */
export function storePages(deps: SiteDeps): Hono<SiteEnv> {
  const app = new Hono<SiteEnv>();
  app.get(PATHS.store, (c) => requireSignIn(c, deps, (person) => show(c, deps, person, {})));
  app.get(PATHS.openStored, (c) => requireSignIn(c, deps, (person) => open(c, deps, person)));
  app.post(PATHS.store, (c) =>
    withVerifiedForm(c, deps, async (form, person) => show(c, deps, person, await remove(c, deps, person, form))),
  );
  return app;
}

type Answer = { message?: string; problem?: string };
type ListedRows = { rows: StoredRow[]; next: Record<string, string> | null; problem?: string };

async function show(c: Context<SiteEnv>, deps: SiteDeps, person: SignedIn, { message, problem }: Answer) {
  const { services } = deps.callsOf(person.subject, c.env.ctx);
  const query = sanitizeText(c.req.query('q') ?? '').trim();
  const found =
    query === ''
      ? await recent(parseNumber(c.req.query('after')), person.subject, services)
      : await searched(query, parseNumber(c.req.query('page')) ?? 0, c.req.raw.signal, deps, person.subject, services);
  const next = found.next === null ? null : `${PATHS.store}?${new URLSearchParams(found.next).toString()}`;
  const trouble = problem ?? found.problem ?? null;
  const respond = startConsolePage(c, deps, person);
  const { webSearch } = deps;
  const view = { webSearch, query, rows: found.rows, next, message: message ?? null, problem: trouble };
  return respond(<Store {...view} />, trouble === null ? 200 : 409);
}

type Services = PersonCallEnvironment['services'];

async function recent(after: number | null, subject: string, { recents, snapshots }: Services): Promise<ListedRows> {
  const { entries, next } = await recents.page(after, STORED_PER_PAGE);
  const keys = entries.map(({ snapshot }) => snapshot);
  const pages = new Map((await snapshots.listed({ keys }, subject)).map((stored) => [stored.key, stored]));
  const rows = keys.flatMap((key) => {
    const stored = pages.get(key);
    return stored === undefined ? [] : [rowOf(stored, null, null)];
  });
  return { rows, next: next === null ? null : { after: String(next) } };
}

async function searched(
  query: string,
  offset: number,
  signal: AbortSignal,
  { storeSearch }: SiteDeps,
  subject: string,
  services: Services,
): Promise<ListedRows> {
  try {
    const searchProviders = [storeSearch(subject)];
    const found = await runSearch({ query, count: STORED_PER_PAGE, offset }, signal, { ...services, searchProviders });
    const documents = found.hits.flatMap(({ place }) => place?.documentId ?? []);
    const pages = new Map(
      (await services.snapshots.listed({ documents }, subject)).map((one) => [one.documentId, one]),
    );
    const rows = found.hits.flatMap(({ place, description }) => {
      const stored = pages.get(place?.documentId ?? '');
      return stored === undefined ? [] : [rowOf(stored, description, place?.line ?? null)];
    });
    return { rows, next: found.more_results_available ? { q: query, page: String(offset + 1) } : null };
  } catch (error) {
    if (!(error instanceof PeriscopeError)) throw error;
    return { rows: [], next: null, problem: failureMessage(error.failure) };
  }
}

function rowOf(stored: ListedStoredPage, snippet: string | null, line: number | null): StoredRow {
  const { url, title } = stored;
  return {
    ...stored,
    url: truncateUrl(redactUrl(url)),
    title: oneLine(title ?? '', TITLE_CHARS_MAX) || null,
    snippet,
    line,
  };
}

const DOCUMENT = /^[0-9a-f]{64}$/;

async function open(c: Context<SiteEnv>, { callsOf }: SiteDeps, { subject }: SignedIn): Promise<Response> {
  const { services } = callsOf(subject, c.env.ctx);
  const id = c.req.query('document') ?? '';
  const cursor = DOCUMENT.test(id) ? await mintCursorForStored(id, null, services) : null;
  if (cursor === null) return respondWithPage(c, <MessagePage {...NO_PAGE} />, 404);
  const line = parseNumber(c.req.query('line'));
  return c.redirect(citationPath(cursor, line === null ? null : { start: line, end: line }));
}

/**
 * Deletes a page. The owner may delete any page that they may see, as with `cache_purge`. Other users may delete pages
 * that are stored for them alone.
 */
async function remove(
  c: Context<SiteEnv>,
  { callsOf }: SiteDeps,
  { subject, owner }: SignedIn,
  form: FormData,
): Promise<Answer> {
  const { services } = callsOf(subject, c.env.ctx);
  const key = formText(form, 'snapshot');
  const [stored] = await services.snapshots.listed({ keys: [key] }, subject);
  if (stored === undefined || !(owner || stored.isPrivate)) return { problem: NOT_YOURS };
  return {
    message: fateOf(await purgeSnapshots({ snapshot: key, dry_run: false }, subject, c.req.raw.signal, services)),
  };
}

function fateOf({ rows, fate }: PurgeReport): string {
  if (rows.length === 0) return 'It has just been fetched again, so it was not deleted.';
  if (fate.cited > 0) return 'Deleted. Its text stays stored only for its citations.';
  if (fate.held > 0) return 'Deleted. Its text stays stored a little longer for models that have it open.';
  if (fate.shared > 0) return 'Deleted. Another stored page shows the same text.';
  return 'Deleted.';
}

const NOT_YOURS = 'There is no such page that you may delete. You can delete pages stored for you alone.';
const NO_PAGE = {
  title: 'There is no such stored page',
  text: 'It was deleted, or it is stored for another person alone.',
  link: { to: PATHS.store, label: 'Store' },
};

type StoredRow = {
  key: string;
  documentId: string;
  /** URL of the page, with likely credentials removed. */
  url: string;
  title: string | null;
  snippet: string | null;
  line: number | null;
  fetchedAt: number;
  bytes: number;
  isPrivate: boolean;
  isLive: boolean;
};

type Props = {
  webSearch: string | null;
  /** Search query; empty for recently opened pages. */
  query: string;
  rows: readonly StoredRow[];
  next: string | null;
  message: string | null;
  problem: string | null;
};

function Store({ webSearch, query, rows, next, message, problem }: Props) {
  const { isOwner } = useVisitor();
  const covers = webSearch === null ? 'these pages, not the web' : webSearch;
  return (
    <ConsolePage
      title="Store"
      at={PATHS.store}
      lead={`Pages that were read through this server: public ones, and those stored for you alone. The searches of your models cover ${covers}.`}
      problem={problem}
    >
      <FilterForm to={PATHS.store} submit="Search" role="search">
        <div>
          <FormField name="q" label="Search stored pages" type="search" value={query} />
        </div>
      </FilterForm>
      {message === null ? null : (
        <p class="done" role="status" {...FOCUS_ON_LOAD}>
          {message}
        </p>
      )}
      <h2>{query === '' ? 'Recently opened' : 'Results'}</h2>
      <ItemList
        to={PATHS.store}
        items={rows.map((row) => storedItem(row, isOwner))}
        none={query === '' ? <NoPages /> : <NoResults />}
        next={{ to: next, label: 'More' }}
      />
    </ConsolePage>
  );
}

function NoResults() {
  return (
    <>
      No stored page has these words. <a href={PATHS.store}>Recently opened pages</a>
    </>
  );
}

function NoPages() {
  return (
    <>
      No pages yet. <a href="/#connect">Connect a client</a> and ask its model to read a page. You can then open it here
      exactly as it was read, even if the page changes later.
    </>
  );
}

function storedItem(row: StoredRow, isOwner: boolean): ListEntry {
  const { key, documentId, url, snippet, line, fetchedAt, bytes, isPrivate, isLive } = row;
  const title = oneLine(row.title ?? '', TITLE_CHARS_MAX) || url;
  const query = new URLSearchParams({ document: documentId, ...(line === null ? {} : { line: String(line) }) });
  return {
    about: title,
    name: (
      <a href={`${PATHS.openStored}?${query.toString()}`}>
        <bdi>{title}</bdi>
      </a>
    ),
    state: isPrivate ? { text: isLive ? 'only you, from a browser' : 'only you' } : null,
    body: snippet === null ? null : <p lang="">{snippet}</p>,
    icon: 'page',
    facts: [<PageUrlLink url={url} />, `${Math.ceil(bytes / 1_000)} kB of text`],
    aside: (
      <span>
        Fetched <Timestamp at={fetchedAt} precise />
      </span>
    ),
    actions: isOwner || isPrivate ? [{ label: 'Delete', sends: { do: 'delete', snapshot: key }, asks: 'page' }] : [],
  };
}
