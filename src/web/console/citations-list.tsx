import { Hono } from 'hono';
import type { Context } from 'hono';
import { PATHS } from '#core/paths.ts';
import { loadCitedSource } from '#reading/cite/citation-page.ts';
import { shareCitation } from '#reading/cite/cite.ts';
import { CITATIONS_PER_PAGE, PUBLIC_LINKS_PER_SUBJECT_MAX } from '#reading/limits.ts';
import type { PersonCallEnvironment, SiteDeps } from '#web/site-deps.ts';
import { continueAfterForm, requireSignIn, startConsolePage, withVerifiedForm } from './console.tsx';
import type { DoneMessageCode } from '#web/parts/confirm.tsx';
import type { SignedIn } from '#auth/people/sign-ins.ts';
import type { SiteEnv } from '#web/page-response.ts';
import { formText, runForRefusalText } from '#web/page-response.ts';
import { citationPath } from '#core/document/citation.ts';
import { TITLE_CHARS_MAX } from '#core/limits.ts';
import { oneLine, percentDecode } from '#core/text/text.ts';
import { foldForSearch } from '#core/text/fold.ts';
import { removeAccents } from '#core/words/words.ts';
import { SEARCH_CHARS_MAX } from '#web/limits.ts';
import { FilterForm, FormField } from '#web/parts/form.tsx';
import { FactsLine, ItemList, StateMark } from '#web/parts/list.tsx';
import type { ListEntry } from '#web/parts/list.tsx';
import { Timestamp } from '#web/parts/timestamp.tsx';
import { ConsolePage } from './console-page.tsx';
import { PageUrlLink, lineRangeText } from '#web/public/citation.tsx';
import { isAddressHidden, findHiddenReason } from '#web/public/shared-quote.tsx';
import type { HiddenReason } from '#web/public/shared-quote.tsx';
import { AUDIENCES, quotePath } from '#web/public/sharing.tsx';
import { readShare } from '#storage/citations.ts';
import type { StoredCitation, CitationShare, SharedCitation } from '#storage/citations.ts';
import { describeAccount } from '#auth/people/account.ts';
import { redactUrl } from '#core/secrets/secret-addresses.ts';
import { sanitizeText } from '#core/text/plain.ts';

/**
 * `/console/citations`: a user's citations, to open, share and delete. The owner also sees quotes that others share.
 */
export function citationsList(deps: SiteDeps): Hono<SiteEnv> {
  const app = new Hono<SiteEnv>();
  app.get(PATHS.citations, (c) =>
    requireSignIn(c, deps, (person) => show(c, deps, person, deps.callsOf(person.subject, c.env.ctx), null)),
  );
  app.post(PATHS.citations, (c) =>
    withVerifiedForm(c, deps, async (form, person) => {
      const calls = deps.callsOf(person.subject, c.env.ctx);
      const deed = formText(form, 'do');
      const problem = await change(formText(form, 'id'), deed, person, calls);
      return problem === null
        ? continueAfterForm(c, DONE[deed] ?? 'done', listPath({ q: searchIn(c) }))
        : show(c, deps, person, calls, problem);
    }),
  );
  return app;
}

const DONE: Readonly<Record<string, DoneMessageCode>> = {
  share: 'shared',
  unshare: 'unshared',
  stop: 'unshared',
  delete: 'deleted',
};

/** Shares, unshares or deletes a citation. @returns the reason for a failure, or `null` */
async function change(
  id: string,
  deed: string,
  { owner }: SignedIn,
  { services }: PersonCallEnvironment,
): Promise<string | null> {
  const { citations, subject } = services;
  if (deed === 'stop' && owner) return (await citations.stopSharing(id)) ? null : 'That quote is no longer shared.';
  const citation = await citations.find(subject, id);
  if (citation === null) return 'That citation no longer exists.';
  if (deed === 'delete') await citations.remove(subject, id);
  if (deed === 'unshare') await citations.unshare(subject, id);
  if (deed !== 'share') return null;
  const source = await loadCitedSource(citation, services);
  if (source === 'purged') return 'The page of this citation is no longer stored.';
  return runForRefusalText(async () => {
    await shareCitation(source, citation, 'anyone', services);
    return null;
  });
}

function searchIn(c: Context<SiteEnv>): string {
  return oneLine(c.req.query('q') ?? '', SEARCH_CHARS_MAX);
}

/** URL of the list. Parameters that are empty are left out. */
function listPath(parameters: Readonly<Record<string, string>>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== '');
  return given.length === 0 ? PATHS.citations : `${PATHS.citations}?${new URLSearchParams(given).toString()}`;
}

/** True for a citation whose title, URL, quote and note together contain all words of the query. */
function matcherOf(query: string): (citation: StoredCitation) => boolean {
  const words = query.split(' ').map((word) => ({ word: foldWord(word), host: asciiHost(word) }));
  return ({ title, url, quote, note }) => {
    const text = foldWord([title, url, percentDecode(url), quote, note].join(' '));
    return words.every(({ word, host }) => text.includes(word) || (host !== null && text.includes(host)));
  };
}

function foldWord(text: string): string {
  return removeAccents(foldForSearch(text));
}

/** The form of a host name in URLs, such as `xn--mnchen-3ya`; `null` for a word that URLs contain unchanged. */
function asciiHost(word: string): string | null {
  const host = URL.parse(`https://${word}/`)?.hostname ?? '';
  return host.includes('xn--') ? host : null;
}

async function show(
  c: Context<SiteEnv>,
  deps: SiteDeps,
  person: SignedIn,
  { services }: PersonCallEnvironment,
  problem: string | null,
): Promise<Response> {
  const { citations, subject } = services;
  const behind = await citations.find(subject, c.req.query('after') ?? '');
  const query = searchIn(c);
  const most = CITATIONS_PER_PAGE + 1;
  const respond = startConsolePage(c, deps, person);
  const [listed, usage, others] = await Promise.all([
    query === '' ? citations.list(subject, behind, most) : citations.search(subject, matcherOf(query), behind, most),
    citations.usage(subject),
    person.owner ? quotesOfOthers(person, afterIn(c.req.url), deps) : null,
  ]);
  const shown = listed.slice(0, CITATIONS_PER_PAGE);
  const last = listed.length > shown.length ? shown.at(-1) : undefined;
  return respond(
    <Citations
      citations={shown.map((one) => ({ ...one, isHidden: isAddressHidden(one.url, deps.mayShow) }))}
      usage={usage}
      query={query}
      next={last === undefined ? null : listPath({ q: query, after: last.id })}
      others={others}
      problem={problem}
    />,
    problem === null ? 200 : 409,
  );
}

/** `isHidden`: true if the public link does not show the quote, for example because its URL contains a secret. */
type ListedCitation = StoredCitation & { isHidden: boolean };

type Props = {
  citations: readonly ListedCitation[];
  usage: { citations: number; shared: number };
  query: string;
  next: string | null;
  others: OthersQuotes | null;
  problem: string | null;
};

const QUOTE_SHOWN_CHARS = 300;

function Citations({ citations, usage, query, next, others, problem }: Props) {
  return (
    <ConsolePage
      title="Citations"
      at={PATHS.citations}
      lead="Quotes that your models have checked word for word. Each is stored with its page until you delete it."
      problem={problem}
    >
      {usage.citations === 0 ? null : (
        <p class="facts">
          {usage.citations} {usage.citations === 1 ? 'citation' : 'citations'}, {usage.shared} shared (limit{' '}
          {PUBLIC_LINKS_PER_SUBJECT_MAX}).
        </p>
      )}
      {usage.citations === 0 && query === '' ? null : <Search query={query} />}
      <ItemList
        to={listPath({ q: query })}
        items={citations.map(citationItem)}
        none={query !== '' ? <NoMatches /> : usage.citations > 0 ? undefined : <NoCitations />}
        next={{ to: next, label: 'Older citations' }}
      />
      {others === null ? null : <SharedByOthers {...others} />}
    </ConsolePage>
  );
}

function Search({ query }: { query: string }) {
  return (
    <FilterForm to={PATHS.citations} submit="Search" role="search">
      <div>
        <FormField name="q" label="Title, address or quote" type="search" value={query} maxlength={SEARCH_CHARS_MAX} />
      </div>
    </FilterForm>
  );
}

function NoMatches() {
  return (
    <>
      No citations match. <a href={PATHS.citations}>Show all</a>
    </>
  );
}

function NoCitations() {
  return (
    <>
      No citations yet. Ask a model to cite its sources: each quote it checks with <code>cite</code> appears here, to
      open and share. Or <a href={PATHS.playground}>cite a page yourself</a>.
    </>
  );
}

function citationItem(citation: ListedCitation): ListEntry {
  const { id, cursor, url, title, firstLine, lastLine, quote, note, createdAt, isHidden } = citation;
  const share = readShare(citation);
  const lines = { start: firstLine, end: lastLine };
  const name = oneLine(title ?? '', TITLE_CHARS_MAX) || url;
  const about = `${lineRangeText(lines)} of ${name}`;
  return {
    about,
    body: (
      <>
        <blockquote lang="">{oneLine(quote, QUOTE_SHOWN_CHARS)}</blockquote>
        {note === null ? null : <p>{oneLine(note, QUOTE_SHOWN_CHARS * 2)}</p>}
      </>
    ),
    facts: [
      share === null ? null : <StateMark text="shared" looks="ok" />,
      <a href={citationPath(cursor, lines)}>
        {lineRangeText(lines)} of <bdi>{name}</bdi>
      </a>,
    ],
    aside: <Timestamp at={createdAt} precise />,
    details: [
      <PageUrlLink url={url} />,
      share === null ? null : (
        <FactsLine
          of={[
            <>
              Shared: <a href={quotePath(share)}>{quotePath(share)}</a>
            </>,
            `${AUDIENCES[share.audience]} can see it.`,
          ]}
        />
      ),
    ],
    doubt: share !== null && isHidden ? HIDDEN_ADDRESS : null,
    actions: [
      share === null
        ? { label: 'Share', sends: { id, do: 'share' } }
        : { label: 'Stop sharing', sends: { id, do: 'unshare' }, asks: 'unshare' },
      { label: 'Delete', sends: { id, do: 'delete' }, asks: 'citation', isRare: true },
    ],
  };
}

const AFTER = 'shared';
const PERSON_SHOWN_CHARS = 200;

type Shown = { citation: SharedCitation; share: CitationShare; hidden: HiddenReason | null };

type OthersQuotes = { quotes: readonly Shown[]; next: string | null };

/**
 * Quotes that others share, the latest first.
 * @param after the last citation of the previous page
 */
async function quotesOfOthers(owner: SignedIn, after: string | null, deps: SiteDeps): Promise<OthersQuotes> {
  const found = await deps.stores().citations.sharedByOthers(owner.subject, after, CITATIONS_PER_PAGE + 1);
  const shown = found.slice(0, CITATIONS_PER_PAGE);
  const last = found.length > shown.length ? shown.at(-1) : undefined;
  const quotes = shown.map(async (citation) => {
    const share = readShare(citation);
    return share === null ? [] : [{ citation, share, hidden: await findHiddenReason(citation, deps) }];
  });
  return {
    quotes: (await Promise.all(quotes)).flat(),
    next: last === undefined ? null : `${PATHS.citations}?${new URLSearchParams({ [AFTER]: last.id }).toString()}`,
  };
}

function afterIn(url: string): string | null {
  return new URL(url).searchParams.get(AFTER);
}

function SharedByOthers({ quotes, next }: OthersQuotes) {
  if (quotes.length === 0) return null;
  return (
    <>
      <h2>Shared by others</h2>
      <p>
        Quotes that other people of this server share, with anyone who has the link or with everyone who may sign in
        here. As the owner, you can stop any of them.
      </p>
      <ItemList to={PATHS.citations} items={quotes.map(quoteItem)} next={{ to: next, label: 'Older shared quotes' }} />
    </>
  );
}

const HIDDEN_ADDRESS = 'The link shows nothing: its address is not allowed, or looks like a secret.';

const WHY_HIDDEN: Record<HiddenReason, string> = {
  person: 'The link shows nothing: its person may no longer sign in.',
  address: HIDDEN_ADDRESS,
};

function quoteItem({ citation, share, hidden }: Shown): ListEntry {
  const { id, account, quote, url, sharedAt, createdAt } = citation;
  const path = quotePath(share);
  const person = describeAccount(account);
  return {
    about: path,
    body: <blockquote lang="">{oneLine(quote, QUOTE_SHOWN_CHARS)}</blockquote>,
    facts: [
      <>
        Shared by <bdi>{person === null ? 'an unknown person' : oneLine(person, PERSON_SHOWN_CHARS)}</bdi>,{' '}
        <Timestamp at={sharedAt ?? createdAt} precise />
      </>,
      <>
        Source: <PageUrlLink url={sanitizeText(redactUrl(url))} />
      </>,
      <>
        Link: <a href={path}>{path}</a>
      </>,
      `${AUDIENCES[share.audience]} can see it.`,
    ],
    doubt: hidden === null ? null : WHY_HIDDEN[hidden],
    actions: [{ label: 'Stop sharing', sends: { id, do: 'stop' }, asks: 'unshare' }],
  };
}
