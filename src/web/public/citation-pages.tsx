import { Hono } from 'hono';
import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import { citationPath, isCursorName, parseLines } from '#core/citation.ts';
import type { CitedSource } from '#core/citation.ts';
import type { SearchHit, Viewport } from '#core/document.ts';
import { describeFailure } from '#core/failures/describe-failure.ts';
import { PATHS, signInPath } from '#core/paths.ts';
import type { CallEnvironment } from '#mcp/run-tool.ts';
import { runCall } from '#mcp/run-call.ts';
import { Address, Citation, Refused, TAKES_FOCUS, inWords } from './citation.tsx';
import { Layout, Message } from '#web/layout.tsx';
import { checkCitation, citationWindow, citedSource } from '#reading/cite/citation-page.ts';
import type { NoSource } from '#reading/cite/citation-page.ts';
import { checkShareable, citeLines, shareCitation, shownAs } from '#reading/cite/cite.ts';
import { lookUp } from '#reading/reader.ts';
import { QUOTE_CHARS_MAX } from '#reading/limits.ts';
import { refusalOf } from '#web/refusal.ts';
import type { ConsoleDeps } from '#web/console/console.tsx';
import type { Site } from '#web/site.ts';
import { page } from '#web/site.ts';
import { Moment } from '#web/console/console-page.tsx';
import { TITLE_CHARS_MAX } from '#core/limits.ts';
import { oneLine } from '#core/text/text.ts';

/** What the pages need to call features for a person, as tools do. */
export type PersonsCalls = Omit<CallEnvironment, 'structured' | 'resourceLinks' | 'opensLinks'>;

export type CitationPagesDeps = ConsoleDeps & {
  callsOf: (subject: string, ctx: ExecutionContext) => PersonsCalls;
  /** Lets a request wait for its place among those of one person. */
  admitted: (subject: string, c: Context<Site>, answer: () => Promise<Response>) => Promise<Response>;
};

/** `/c/<cursor>/L12-L15`: a citation, for the person whose cursor it is. */
export function citationPages(deps: CitationPagesDeps): Hono<Site> {
  const app = new Hono<Site>();
  for (const path of [`${PATHS.citation}/:cursor`, `${PATHS.citation}/:cursor/:lines`]) {
    app.get(path, (c) => withCitation(c, deps, (asked) => show(c, deps, asked, null)));
    app.post(path, (c) =>
      withCitation(c, deps, async (asked) => {
        const fields = await c.req.formData();
        const form = fields.get('form');
        const isOurs = typeof form === 'string' && (await deps.forms.isOurs(c.req.raw, form));
        if (!isOurs) return page(c, <Message {...EXPIRED} link={linkTo(asked)} />, 403);
        if (fields.get('do') !== 'check') return changeSharing(c, deps, asked, fields.get('do') === 'share');
        return deps.admitted(asked.calls.principal.subject, c, () => check(c, deps, asked));
      }),
    );
  }
  return app;
}

type Asked = { source: CitedSource; cited: Viewport | null; calls: PersonsCalls };

/** Finds what was asked for, for whoever is signed in. To everybody else it is as if there were nothing. */
async function withCitation(
  c: Context<Site>,
  deps: CitationPagesDeps,
  answer: (asked: Asked) => Promise<Response>,
): Promise<Response> {
  const person = await deps.signedIn(c.req.raw);
  if (person === null) return c.redirect(signInPath(c.req.path));
  const cursor = c.req.param('cursor') ?? '';
  const lines = c.req.param('lines');
  const cited = lines === undefined ? null : parseLines(lines);
  if (lines !== undefined && cited === null) return page(c, <Message {...NO_LINES} />, 404);
  const calls = deps.callsOf(person.subject, c.env.ctx);
  const source = isCursorName(cursor) ? await citedSource(cursor, calls.services) : 'unknown';
  if (source === 'list') return showList(c, cursor, calls);
  if (typeof source === 'string') return page(c, <Message {...ABSENT[source]} />, 404);
  const { lineCount } = source;
  if (cited !== null && cited.end >= lineCount) return page(c, <Message {...beyond(source)} />, 404);
  return answer({ source, cited, calls });
}

async function showList(c: Context<Site>, cursor: string, { services }: PersonsCalls): Promise<Response> {
  const shown = await lookUp(cursor, null, services);
  return page(c, <ResultList hits={shown?.list?.hits ?? []} />, 200);
}

const FROM = /^\d{1,9}$/;

async function show(
  c: Context<Site>,
  { forms }: CitationPagesDeps,
  { source, cited, calls }: Asked,
  answer: Child,
): Promise<Response> {
  const { citations, subject, origin } = calls.services;
  const from = c.req.query('from') ?? '';
  const shown = await citationWindow(source, cited, FROM.test(from) ? Number(from) : null, calls.services);
  const kept = cited === null ? null : await citations.ofCursor(subject, source.cursor, cited);
  const { token, setCookie } = await forms.start(c.req.raw);
  c.header('Set-Cookie', setCookie, { append: true });
  const view = {
    source,
    cited,
    shown,
    answer,
    note: kept?.note ?? null,
    shareLink: kept === null ? null : shownAs(kept, { origin }).shareLink,
    form: token,
  };
  return page(c, <Citation {...view} />, 200);
}

/** Asks the live page, under the limits of `open_url`. */
async function check(c: Context<Site>, deps: CitationPagesDeps, asked: Asked): Promise<Response> {
  const { source, cited, calls } = asked;
  if (cited === null || source.isLive) return show(c, deps, asked, null);
  const outcome = await runCall('citation_check', c.req.raw.signal, calls, async (signal) => {
    await calls.budgets.spend({ calls: 1 });
    return { ...(await checkCitation(source, cited, signal, calls.services)), url: source.url };
  });
  if ('answer' in outcome) return show(c, deps, asked, <LiveAnswer {...outcome.answer} />);
  return show(c, deps, asked, <NoLiveAnswer {...describeFailure(outcome.failure)} />);
}

/** Makes the cited lines a public quote, or ends that. */
async function changeSharing(
  c: Context<Site>,
  deps: CitationPagesDeps,
  asked: Asked,
  isShared: boolean,
): Promise<Response> {
  const { source, cited, calls } = asked;
  const { citations, subject } = calls.services;
  if (cited === null) return show(c, deps, asked, null);
  if (!isShared) {
    const kept = await citations.ofCursor(subject, source.cursor, cited);
    if (kept !== null) await citations.unshare(subject, kept.id);
    return show(c, deps, asked, null);
  }
  const refusal = await refusalOf(async () => {
    await checkShareable(source, calls.services);
    const citation = await citeLines(source, cited, calls.services);
    if (citation === null) return TOO_LONG;
    await shareCitation(source, citation, calls.services);
    return null;
  });
  return show(c, deps, asked, refusal === null ? null : <Refused text={refusal} />);
}

const TOO_LONG = `A quote has at most ${QUOTE_CHARS_MAX} characters. Cite fewer lines: the address of this page ends in the first and the last of them.`;

const CONSOLE = { to: PATHS.console, label: 'Console' };

function linkTo({ source, cited }: Asked) {
  return { to: citationPath(source.cursor, cited), label: 'Back to the citation' };
}

const EXPIRED = {
  title: 'The page had expired',
  text: 'This form was opened in another browser, or too long ago. Open the citation again.',
};
const NO_LINES = {
  title: 'These are no lines',
  text: 'The address of a citation ends in its first and last line, such as /L12-L15.',
  link: CONSOLE,
};
const ABSENT: Record<Exclude<NoSource, 'list'>, { title: string; text: string; link: typeof CONSOLE }> = {
  unknown: {
    title: 'There is no such citation',
    text: 'It may belong to another account than the one you are signed in with, or it has expired: the lines of a page can be opened for a day after a model last used them.',
    link: CONSOLE,
  },
  purged: {
    title: 'This page is not stored any more',
    text: 'Its text was purged from the store.',
    link: CONSOLE,
  },
};

function beyond({ cursor, lineCount }: CitedSource) {
  return {
    title: 'The page has no such lines',
    text: `Its lines are 0 to ${lineCount - 1}.`,
    link: { to: citationPath(cursor, null), label: 'Open the page at its beginning' },
  };
}

type Said =
  | { kind: 'unchanged' }
  | { kind: 'same'; lines: Viewport }
  | { kind: 'differs'; parts: readonly { kind: 'same' | 'gone' | 'new'; text: string }[] }
  | { kind: 'gone' }
  | { kind: 'silent' }
  | { kind: 'too_long' };

/** What the live page says of the cited lines. */
function LiveAnswer({ checkedAt, said }: { checkedAt: number; said: Said }) {
  return (
    <section class="answer" role="status" {...TAKES_FOCUS}>
      <h2>{TITLES[said.kind]}</h2>
      <p>
        <Detail said={said} />
      </p>
      {said.kind === 'differs' ? (
        <p class="diff" lang="">
          {said.parts.map(({ kind, text }) =>
            kind === 'gone' ? <del>{text}</del> : kind === 'new' ? <ins>{text}</ins> : text,
          )}
        </p>
      ) : null}
      <p class="facts">
        Asked <Moment at={checkedAt} precise />
      </p>
    </section>
  );
}

const TITLES: Record<Said['kind'], string> = {
  unchanged: 'Yes, it still says so',
  same: 'Yes, it still says so',
  differs: 'No, it says something else now',
  gone: 'No, it says nothing like it now',
  silent: 'The site does not answer',
  too_long: 'That is too much to compare',
};

function Detail({ said }: { said: Said }) {
  switch (said.kind) {
    case 'unchanged':
      return <>The page has not changed since it was read.</>;
    case 'same':
      return <>The page has changed, but not these words: they are {inWords(said.lines)} of its text now.</>;
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

/** The live page could not be asked. */
function NoLiveAnswer({ message, hint }: { message: string; hint: string }) {
  return (
    <section class="answer" role="status" {...TAKES_FOCUS}>
      <h2>The live page could not be read</h2>
      <p>{message}</p>
      <p>{hint}</p>
    </section>
  );
}

const SNIPPET_CHARS_MAX = 400;

/** `/c/<cursor>` of a search: the results as the model got them. */
function ResultList({ hits }: { hits: readonly SearchHit[] }) {
  return (
    <Layout title="Search results – Periscope">
      <h1>Search results</h1>
      <p class="lead">As your model got them.</p>
      {hits.length === 0 ? <p>There were none.</p> : null}
      <ol class="cards">
        {hits.map(({ title, url, snippet }) => (
          <li>
            <div>
              <strong>
                <bdi>{oneLine(title, TITLE_CHARS_MAX) || url}</bdi>
              </strong>
              <p class="facts">
                <Address url={url} />
              </p>
              <p lang="">{oneLine(snippet, SNIPPET_CHARS_MAX)}</p>
            </div>
          </li>
        ))}
      </ol>
    </Layout>
  );
}
