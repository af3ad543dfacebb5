import * as z from 'zod';
import { Hono } from 'hono';
import type { Context } from 'hono';
import type { SignedIn } from '#auth/people/sign-ins.ts';
import { citationPath, isCursor } from '#core/document/citation.ts';
import type { CitedSource } from '#core/document/citation.ts';
import type { Viewport } from '#core/document/document.ts';
import { PATHS } from '#core/paths.ts';
import { sanitizeText } from '#core/text/plain.ts';
import { runTool } from '#mcp/run/run-tool.ts';
import { readCitationPageLines, findCitedSource } from '#reading/cite/citation-page.ts';
import { findPassages } from '#tools/web/find-passages.ts';
import { openUrlTool } from '#tools/reader/open-url.ts';
import { searchTool } from '#tools/reader/search.ts';
import type { Tool } from '#tools/define-tool.ts';
import { formText, respondWithPage } from '#web/page-response.ts';
import type { SiteEnv } from '#web/page-response.ts';
import type { PersonCallEnvironment, SiteDeps } from '#web/site-deps.ts';
import { RedirectPage, FOCUS_ON_LOAD } from '#web/layout.tsx';
import { startConsolePage, parseNumber, requireSignIn, withVerifiedForm } from '#web/console/console.tsx';
import { TITLE_CHARS_MAX } from '#core/limits.ts';
import { oneLine } from '#core/text/text.ts';
import { CopyableText, CopyScript } from '#web/copyable.tsx';
import { PageUrlLink, lineRangeText } from '#web/public/citation.tsx';
import { FormField, FilterForm } from '#web/parts/form.tsx';
import { ItemList } from '#web/parts/list.tsx';
import type { ListEntry } from '#web/parts/list.tsx';
import { ConsolePage } from '#web/console/console-page.tsx';

export const PLAYGROUND_CLIENT = 'playground';

/** `/console/try`: shows what a model gets for a URL or a question. The calls count against the user's budget. */
export function playgroundPages(deps: SiteDeps): Hono<SiteEnv> {
  const app = new Hono<SiteEnv>();
  app.get(PATHS.playground, (c) =>
    requireSignIn(c, deps, async (person) => show(c, deps, person, '', await shownIn(c, deps, person))),
  );
  app.post(PATHS.playground, (c) =>
    withVerifiedForm(c, deps, (form, person) =>
      deps.withinRequestLimit(person.subject, c, () =>
        ask(c, deps, person, sanitizeText(formText(form, 'ask')).trim()),
      ),
    ),
  );
  return app;
}

async function show(c: Context<SiteEnv>, deps: SiteDeps, person: SignedIn, asked: string, answer: Answer) {
  const { webSearch } = deps;
  const respond = startConsolePage(c, deps, person);
  return respond(<Playground webSearch={webSearch} asked={asked} answer={answer} />, STATUS[answer.kind]);
}

const STATUS = { nothing: 200, page: 200, found: 200, failure: 409 } as const satisfies Record<Answer['kind'], number>;

async function shownIn(c: Context<SiteEnv>, deps: SiteDeps, { subject }: SignedIn): Promise<Answer> {
  const cursor = c.req.query('cursor');
  if (cursor === undefined) return { kind: 'nothing' };
  const { services } = deps.callsOf(subject, c.env.ctx);
  const source = isCursor(cursor) ? await findCitedSource(cursor, services) : 'unknown';
  if (typeof source === 'string') return { kind: 'failure', message: GONE, hint: 'Open its address again.' };
  const cited = tickedIn(c, source);
  const shown = await readCitationPageLines(source, null, parseNumber(c.req.query('from')), services);
  const link = cited === null ? null : deps.origin + citationPath(source.cursor, cited);
  return { kind: 'page', source, shown, cited, link };
}

const GONE = 'This page is not open any more.';

function tickedIn(c: Context<SiteEnv>, { lineCount }: CitedSource): Viewport | null {
  const ticked = (c.req.queries('line') ?? []).map(parseNumber);
  const lines = ticked.filter((line) => line !== null).filter((line) => line < lineCount);
  return lines.length === 0 ? null : { start: Math.min(...lines), end: Math.max(...lines) };
}

async function ask(c: Context<SiteEnv>, deps: SiteDeps, person: SignedIn, asked: string): Promise<Response> {
  const calls = deps.callsOf(person.subject, c.env.ctx);
  if (asked === '') return show(c, deps, person, asked, EMPTY);
  if (isAddress(asked)) {
    const opened = await call(c, openUrlTool, { url: asked }, calls, openedPage);
    if (!('cursor' in opened)) return show(c, deps, person, asked, opened);
    const { start } = opened.viewport;
    const place = new URLSearchParams({ cursor: opened.cursor, ...(start === 0 ? {} : { from: String(start) }) });
    return respondWithPage(
      c,
      <RedirectPage to={`${PATHS.playground}?${place.toString()}`} label="Go on" title="Opened" />,
      200,
    );
  }
  const passages = await call(c, findPassages, { question: asked }, calls, foundPassages);
  if (!('passages' in passages)) return show(c, deps, person, asked, passages);
  const results = deps.webSearch === null ? NO_RESULTS : await call(c, searchTool, { query: asked }, calls, foundPages);
  if (!('results' in results)) return show(c, deps, person, asked, results);
  const shown = passages.passages.map((one): Passage => ({ ...one, title: one.title ?? null }));
  return show(c, deps, person, asked, { kind: 'found', passages: shown, results: results.results });
}

const EMPTY: Answer = { kind: 'failure', message: 'Enter an address or a question.', hint: '' };
const NO_RESULTS: { results: Result[] } = { results: [] };

/**
 * True for text that is a URL or host, such as `docs.example.com/page` or `localhost:8080`. False for a question, and
 * for a sentence such as "What is this.".
 */
function isAddress(text: string): boolean {
  return /^(?:[a-z][a-z\d+.-]*:\/\/\S+|[\w-]+(?:(?:\.[\w-]+)+(?::\d+)?|:\d+)(?:[/?#]\S*)?)$/iu.test(text);
}

const openedPage = z.object({ cursor: z.string(), viewport: z.object({ start: z.int() }) });
const foundPassages = z.object({
  passages: z.array(
    z.object({
      url: z.string(),
      title: z.string().optional(),
      cursor: z.string(),
      L_start: z.int(),
      L_end: z.int(),
      text: z.string(),
    }),
  ),
});
const foundPages = z.object({
  results: z.array(z.object({ title: z.string(), url: z.string(), snippet: z.string().default('') })),
});
const failed = z.object({
  message: z.string(),
  hint: z.string(),
  /** Page text in the failure, without the fence that marks it as data for a model. */
  quoted: z
    .string()
    .transform((text) => text.replaceAll(/^⟦[^\n]*\n|\n[^\n]*⟧$/gu, ''))
    .optional(),
});

/** Makes a tool call like a model's: with the same checks, budget and activity. */
async function call<T>(
  c: Context<SiteEnv>,
  tool: Tool,
  input: object,
  calls: PersonCallEnvironment,
  shape: z.ZodType<T>,
): Promise<T | Extract<Answer, { kind: 'failure' }>> {
  const plain = { structured: { results: true, errors: true }, resourceLinks: false, opensLinks: false };
  const own = { id: crypto.randomUUID(), request: null, signal: c.req.raw.signal };
  const alone = { call: own, progress: () => undefined, links: CANNOT_ASK, askToOpen: null };
  const result = z
    .looseObject({ isError: z.boolean().optional(), structuredContent: z.unknown() })
    .parse(await runTool(tool, input, alone, { ...calls, ...plain }));
  if (result.isError !== true) return shape.parse(result.structuredContent);
  return { kind: 'failure', ...failed.parse(result.structuredContent) };
}

const CANNOT_ASK = { canAsk: false, said: null };

type Passage = {
  url: string;
  title: string | null;
  cursor: string;
  L_start: number;
  L_end: number;
  text: string;
};
type Result = { title: string; url: string; snippet: string };
type Opened = {
  kind: 'page';
  source: CitedSource;
  shown: { start: number; lines: readonly string[] };
  cited: Viewport | null;
  link: string | null;
};

type Answer =
  | { kind: 'nothing' }
  | Opened
  | { kind: 'found'; passages: readonly Passage[]; results: readonly Result[] }
  | { kind: 'failure'; message: string; hint: string; quoted?: string | undefined };

type Props = { webSearch: string | null; asked: string; answer: Answer };

function Playground({ webSearch, asked, answer }: Props) {
  return (
    <ConsolePage
      title="Try it"
      at={PATHS.playground}
      lead="See what your model gets. Open a page or ask a question, then select lines to cite."
    >
      <FilterForm to={PATHS.playground} submit="Go" isPost>
        <div>
          <FormField
            name="ask"
            label="Address or question"
            value={asked}
            required
            autocomplete="off"
            described="asked-of"
          />
        </div>
      </FilterForm>
      <p class="facts" id="asked-of">
        {webSearch === null
          ? 'An address can be any page. A question searches the pages opened here before: web search is not set up.'
          : `An address can be any page. A question searches the pages opened here before, and ${webSearch}.`}{' '}
        It counts towards your budget, like a call of your model.
      </p>
      <Answered answer={answer} />
    </ConsolePage>
  );
}

function Answered({ answer }: { answer: Answer }) {
  switch (answer.kind) {
    case 'nothing':
      return null;
    case 'failure':
      return (
        <>
          <p class="problem" role="alert" {...FOCUS_ON_LOAD}>
            {answer.message} {answer.hint}
          </p>
          {answer.quoted === undefined ? null : <blockquote lang="">{answer.quoted}</blockquote>}
        </>
      );
    case 'found':
      return <Found {...answer} />;
    case 'page':
      return <OpenedPage {...answer} />;
  }
}

function OpenedPage({ source, shown, cited, link }: Opened) {
  const { title, url, cursor, lineCount } = source;
  const end = shown.start + shown.lines.length;
  const from = (line: number) =>
    `${PATHS.playground}?${new URLSearchParams({ cursor, from: String(line) }).toString()}`;
  return (
    <>
      {cited === null || link === null ? null : <Cited cited={cited} link={link} shown={shown} />}
      <h2 {...(cited === null ? FOCUS_ON_LOAD : {})}>
        <bdi>{oneLine(title ?? '', TITLE_CHARS_MAX) || url}</bdi>
      </h2>
      <p class="facts">
        <PageUrlLink url={url} />
      </p>
      <form method="get" action={PATHS.playground}>
        <input type="hidden" name="cursor" value={cursor} />
        {shown.start === 0 ? null : <input type="hidden" name="from" value={String(shown.start)} />}
        <p class="pick">
          <span>Select the first and the last line of your quote.</span>{' '}
          <button type="submit" class="primary">
            Get the link
          </button>
        </p>
        <ol class="picked" lang="">
          {shown.lines.map((text, index) => (
            <PickLine number={shown.start + index} text={text} cited={cited} />
          ))}
        </ol>
      </form>
      {end >= lineCount ? null : (
        <p>
          <a href={from(end)}>Lines from {end} on</a>
        </p>
      )}
    </>
  );
}

function PickLine({ number, text, cited }: { number: number; text: string; cited: Viewport | null }) {
  const isCited = cited !== null && number >= cited.start && number <= cited.end;
  const isTicked = cited !== null && (number === cited.start || number === cited.end);
  if (text.trim() === '') return <li class="blank"></li>;
  return (
    <li>
      <label>
        <input type="checkbox" name="line" value={String(number)} checked={isTicked} />
        <span class="number">{String(number)}</span>
        {isCited ? <mark>{text}</mark> : <span>{text}</span>}
      </label>
    </li>
  );
}

function Cited({ cited, link, shown }: { cited: Viewport; link: string; shown: Opened['shown'] }) {
  const quoted = shown.lines.slice(Math.max(0, cited.start - shown.start), cited.end - shown.start + 1);
  return (
    <section class="answer" role="status" {...FOCUS_ON_LOAD}>
      <h2>Your citation</h2>
      <blockquote lang="">{quoted.join('\n')}</blockquote>
      <CopyableText text={link} what="the citation link" />
      <p class="facts">
        The link opens these lines as you see them now, even if the page changes. Only you can open it;{' '}
        <a href={link}>open it to share the quote</a>.
      </p>
      <CopyScript />
    </section>
  );
}

function Found({ passages, results }: Extract<Answer, { kind: 'found' }>) {
  return (
    <>
      <h2 {...FOCUS_ON_LOAD}>Passages</h2>
      <ItemList
        items={passages.map(passageItem)}
        none="No page opened here answers this. Open a page by its address first."
      />
      {results.length === 0 ? null : <h2>Search results</h2>}
      <ItemList to={PATHS.playground} items={results.map(resultItem)} />
    </>
  );
}

function resultItem({ title, url, snippet }: Result): ListEntry {
  return {
    about: title,
    body: (
      <>
        <bdi>{oneLine(title, TITLE_CHARS_MAX) || url}</bdi>
        <p class="facts">
          <PageUrlLink url={url} />
        </p>
        <p lang="">{snippet}</p>
      </>
    ),
    actions: [{ label: 'Open', sends: { ask: url } }],
  };
}

function passageItem({ url, title, cursor, L_start: start, L_end: end, text }: Passage): ListEntry {
  const lines = { start, end };
  const query = new URLSearchParams({ cursor, from: String(start) });
  query.append('line', String(start));
  query.append('line', String(end));
  return {
    body: <blockquote lang="">{text}</blockquote>,
    facts: [
      <>
        <a href={citationPath(cursor, lines)}>{lineRangeText(lines)}</a> of{' '}
        <bdi>{oneLine(title ?? '', TITLE_CHARS_MAX) || url}</bdi>
      </>,
    ],
    link: { to: `${PATHS.playground}?${query.toString()}`, label: 'Cite these lines' },
  };
}
