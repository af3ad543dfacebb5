import { Hono } from 'hono';
import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import { citationPath, isCursor, parseLineRange } from '#core/document/citation.ts';
import type { CitedSource } from '#core/document/citation.ts';
import type { SearchHit, Viewport } from '#core/document/document.ts';
import { describeFailure } from '#core/failures/describe-failure.ts';
import { PATHS, signInPath } from '#core/paths.ts';
import { runCall } from '#mcp/run/run-call.ts';
import { PublicPage } from './public-page.tsx';
import { PageUrlLink, CitationPage, RefusalNotice, lineRangeText } from './citation.tsx';
import { FOCUS_ON_LOAD, MessagePage } from '#web/layout.tsx';
import {
  compareCitationWithLivePage,
  readCitationPageLines,
  findFenceAroundLine,
  findCitedSource,
} from '#reading/cite/citation-page.ts';
import type { CitationSourceProblem } from '#reading/cite/citation-page.ts';
import { checkShareable, storeLinesAsCitation, shareCitation, readQuoteFromLines } from '#reading/cite/cite.ts';
import { readShare } from '#storage/citations.ts';
import { AUDIENCES, parseAudience, quotePath } from './sharing.tsx';
import { findCursor } from '#reading/reader.ts';
import { QUOTE_CHARS_MAX } from '#reading/limits.ts';
import { CONSOLE_LINK, formText, respondWithPage, runForRefusalText, setCookies } from '#web/page-response.ts';
import type { PersonCallEnvironment, SiteDeps } from '#web/site-deps.ts';
import type { SiteEnv } from '#web/page-response.ts';
import { Timestamp } from '#web/parts/timestamp.tsx';
import { TITLE_CHARS_MAX } from '#core/limits.ts';
import { oneLine } from '#core/text/text.ts';

/** `/c/<cursor>/L12-L15`: a citation, for the user whose model made it. */
export function citationPages(deps: SiteDeps): Hono<SiteEnv> {
  const app = new Hono<SiteEnv>();
  for (const path of [`${PATHS.citation}/:cursor`, `${PATHS.citation}/:cursor/:lines`]) {
    app.get(path, (c) => withCitation(c, deps, (request) => show(c, deps, request, null)));
    app.post(path, (c) =>
      withCitation(c, deps, async (request) => {
        const form = await c.req.formData();
        const isOurs = await deps.signIns.isOurForm(c.req.raw, formText(form, 'form'));
        if (!isOurs) return respondWithPage(c, <MessagePage {...EXPIRED} link={linkTo(request)} />, 403);
        if (form.get('do') !== 'check') return changeSharing(c, deps, request, parseAudience(formText(form, 'who')));
        return deps.withinRequestLimit(request.calls.principal.subject, c, () => check(c, deps, request));
      }),
    );
  }
  return app;
}

type CitationRequest = { source: CitedSource; cited: Viewport | null; calls: PersonCallEnvironment };

/**
 * Finds the citation for the signed-in user. Another user's citation gets the same 404 as a missing one, unless someone
 * shares a quote of these lines.
 */
async function withCitation(
  c: Context<SiteEnv>,
  deps: SiteDeps,
  answer: (request: CitationRequest) => Promise<Response>,
): Promise<Response> {
  const person = await deps.signIns.read(c.req.raw);
  if (person === null) return c.redirect(signInPath(c.req.path));
  const cursor = c.req.param('cursor') ?? '';
  const lines = c.req.param('lines');
  const cited = lines === undefined ? null : parseLineRange(lines);
  if (lines !== undefined && cited === null) return respondWithPage(c, <MessagePage {...NO_LINES} />, 404);
  const calls = deps.callsOf(person.subject, c.env.ctx);
  const source = isCursor(cursor) ? await findCitedSource(cursor, calls.services) : 'unknown';
  if (source === 'list') return showList(c, cursor, calls);
  if (source === 'unknown' && isCursor(cursor) && cited !== null) {
    const share = await calls.services.citations.sharedOfCursor(cursor, cited);
    if (share !== null) return c.redirect(quotePath(share));
  }
  if (typeof source === 'string') return respondWithPage(c, <MessagePage {...ABSENT[source]} />, 404);
  const { lineCount } = source;
  if (cited !== null && cited.end >= lineCount) return respondWithPage(c, <MessagePage {...beyond(source)} />, 404);
  return answer({ source, cited, calls });
}

async function showList(c: Context<SiteEnv>, cursor: string, { services }: PersonCallEnvironment): Promise<Response> {
  const shown = await findCursor(cursor, services);
  return respondWithPage(c, <ResultList hits={shown?.list?.hits ?? []} />, 200);
}

const FROM = /^\d{1,9}$/;

async function show(
  c: Context<SiteEnv>,
  { signIns }: SiteDeps,
  { source, cited, calls }: CitationRequest,
  answer: Child,
): Promise<Response> {
  const { services } = calls;
  const { citations, subject, origin } = services;
  const { signal } = c.req.raw;
  const from = c.req.query('from') ?? '';
  const shown = await readCitationPageLines(source, cited, FROM.test(from) ? Number(from) : null, services);
  const [fence, citation, quotes, words, { token, setCookie }] = await Promise.all([
    findFenceAroundLine(source, shown.start, signal, services),
    cited === null ? null : citations.ofCursor(subject, source.cursor, cited),
    cited === null ? [] : citations.quotesOf(subject, source.cursor, cited, QUOTES_MARKED_MAX),
    cited === null ? null : readQuoteFromLines(source, cited, signal, services),
    signIns.startForm(c.req.raw),
  ]);
  setCookies(c, [setCookie]);
  const share = citation === null ? null : readShare(citation);
  const view = {
    source,
    cited,
    shown: { ...shown, fence },
    quotes,
    answer,
    note: citation?.note ?? null,
    share: share === null ? null : { audience: share.audience, link: origin + quotePath(share) },
    words: citation?.quote ?? words,
    link: origin + citationPath(source.cursor, cited),
    form: token,
  };
  return respondWithPage(c, <CitationPage {...view} />, 200);
}

/** Maximum quotes to mark in the same lines. Models usually quote one sentence. */
const QUOTES_MARKED_MAX = 20;

/** Compares the citation with the page as it is now. Costs a call, like `open_url`. */
async function check(c: Context<SiteEnv>, deps: SiteDeps, request: CitationRequest): Promise<Response> {
  const { source, cited, calls } = request;
  if (cited === null || source.isLive) return show(c, deps, request, null);
  const outcome = await runCall('citation_check', c.req.raw.signal, calls, async (signal) => {
    await calls.budgets.spend({ calls: 1 });
    return { ...(await compareCitationWithLivePage(source, cited, signal, calls.services)), url: source.url };
  });
  if ('answer' in outcome) return show(c, deps, request, <LiveAnswer {...outcome.answer} />);
  return show(c, deps, request, <NoLiveAnswer {...describeFailure(outcome.failure)} />);
}

async function changeSharing(
  c: Context<SiteEnv>,
  deps: SiteDeps,
  request: CitationRequest,
  audience: ReturnType<typeof parseAudience>,
): Promise<Response> {
  const { source, cited, calls } = request;
  const { citations, subject } = calls.services;
  if (cited === null || audience === null) return show(c, deps, request, null);
  if (audience === 'nobody') {
    const citation = await citations.ofCursor(subject, source.cursor, cited);
    if (citation !== null) await citations.unshare(subject, citation.id);
    return show(c, deps, request, <SharingNotice text="Nobody else can see this quote." />);
  }
  const refusal = await runForRefusalText(async () => {
    await checkShareable(source, calls.services);
    const citation = await storeLinesAsCitation(source, cited, c.req.raw.signal, calls.services);
    if (citation === null) return TOO_LONG;
    await shareCitation(source, citation, audience, calls.services);
    return null;
  });
  const notice = <SharingNotice text={`${AUDIENCES[audience]} can see this quote now.`} />;
  return show(c, deps, request, refusal === null ? notice : <RefusalNotice text={refusal} />);
}

function SharingNotice({ text }: { text: string }) {
  return (
    <p class="done" role="status" {...FOCUS_ON_LOAD}>
      {text}
    </p>
  );
}

const TOO_LONG = `A quote has at most ${QUOTE_CHARS_MAX} characters. Cite fewer lines: the address of this page ends in the first and the last of them.`;

function linkTo({ source, cited }: CitationRequest) {
  return { to: citationPath(source.cursor, cited), label: 'Back to the citation' };
}

const EXPIRED = {
  title: 'This page has expired',
  text: 'This form was opened in another browser, or too long ago. Open the citation again.',
};
const NO_LINES = {
  title: 'These are no lines',
  text: 'The address of a citation ends in its first and last line, such as /L12-L15.',
  link: CONSOLE_LINK,
};
const ABSENT: Record<
  Exclude<CitationSourceProblem, 'list'>,
  { title: string; text: string; link: typeof CONSOLE_LINK }
> = {
  unknown: {
    title: 'There is no such citation',
    text: 'It may belong to another account than the one you are signed in with, or it has expired: the lines of a page can be opened for a day after a model last used them.',
    link: CONSOLE_LINK,
  },
  purged: {
    title: 'This page is not stored any more',
    text: 'Its text was purged from the store.',
    link: CONSOLE_LINK,
  },
};

function beyond({ cursor, lineCount }: CitedSource) {
  return {
    title: 'The page has no such lines',
    text: `The address counts lines from 0: this page has L0 to L${lineCount - 1}.`,
    link: { to: citationPath(cursor, null), label: 'Open the page at its beginning' },
  };
}

type LiveCheck =
  | { kind: 'unchanged' }
  | { kind: 'same'; lines: Viewport }
  | { kind: 'differs'; parts: readonly { kind: 'same' | 'gone' | 'new'; text: string }[] }
  | { kind: 'gone' }
  | { kind: 'silent' }
  | { kind: 'too_long' };

function LiveAnswer({ checkedAt, outcome: result }: { checkedAt: number; outcome: LiveCheck }) {
  return (
    <section class="answer" role="status" {...FOCUS_ON_LOAD}>
      <h2>{TITLES[result.kind]}</h2>
      <p>
        <Detail result={result} />
      </p>
      {result.kind === 'differs' ? (
        <p class="diff" lang="">
          {result.parts.map(({ kind, text }) =>
            kind === 'gone' ? <del>{text}</del> : kind === 'new' ? <ins>{text}</ins> : text,
          )}
        </p>
      ) : null}
      <p class="facts">
        Asked <Timestamp at={checkedAt} precise />
      </p>
    </section>
  );
}

const TITLES: Record<LiveCheck['kind'], string> = {
  unchanged: 'Yes, it still says so',
  same: 'Yes, it still says so',
  differs: 'No, it says something else now',
  gone: 'No, it says nothing like it now',
  silent: 'The site does not answer',
  too_long: 'That is too much to compare',
};

function Detail({ result }: { result: LiveCheck }) {
  switch (result.kind) {
    case 'unchanged':
      return <>The page has not changed since it was read.</>;
    case 'same':
      return <>The page has changed, but not these words: they are {lineRangeText(result.lines)} of its text now.</>;
    case 'differs':
      return (
        <>
          <del>Struck out</del> is what was cited and is no longer there, <ins>underlined</ins> is what is new.
        </>
      );
    case 'gone':
      return <>Below is what it said when it was read.</>;
    case 'silent':
      return <>Try again later. Below is what the page said when it was read.</>;
    case 'too_long':
      return <>Cite fewer lines: the address of this page ends in the first and the last of them.</>;
  }
}

function NoLiveAnswer({ message, hint }: { message: string; hint: string }) {
  return (
    <section class="answer" role="status" {...FOCUS_ON_LOAD}>
      <h2>The live page could not be read</h2>
      <p>{message}</p>
      <p>{hint}</p>
    </section>
  );
}

const SNIPPET_CHARS_MAX = 400;

function ResultList({ hits }: { hits: readonly SearchHit[] }) {
  return (
    <PublicPage title="Search results – Periscope" links={[{ to: PATHS.activity, label: 'Activity' }]}>
      <h1>Search results</h1>
      <p class="lead">As your model got them.</p>
      {hits.length === 0 ? <p>There were none.</p> : null}
      <ol>
        {hits.map(({ title, url, snippet }) => (
          <li>
            <div>
              <strong>
                <bdi>{oneLine(title, TITLE_CHARS_MAX) || url}</bdi>
              </strong>
              <p class="facts">
                <PageUrlLink url={url} />
              </p>
              <p lang="">{oneLine(snippet, SNIPPET_CHARS_MAX)}</p>
            </div>
          </li>
        ))}
      </ol>
    </PublicPage>
  );
}
