import { Hono } from 'hono';
import type { Context } from 'hono';
import * as z from 'zod';
import type { SignedIn } from '#auth/people/sign-ins.ts';
import { citationPath, isCursor } from '#core/document/citation.ts';
import type { CitedSource } from '#core/document/citation.ts';
import type { Viewport } from '#core/document/document.ts';
import { PATHS } from '#core/paths.ts';
import { toPlain } from '#core/text/plain.ts';
import { runTool } from '#mcp/run-tool.ts';
import { citationWindow, sourceOfCursor } from '#reading/cite/citation-page.ts';
import { findPassages } from '#tools/web/find-passages.ts';
import { openUrl } from '#tools/reader/open-url.ts';
import { search } from '#tools/reader/search.ts';
import type { Tool } from '#tools/define-tool.ts';
import { fieldOf, page } from '#web/answers.ts';
import type { Site } from '#web/answers.ts';
import type { CitationPagesDeps, PersonCallEnvironment } from '#web/public/citation-pages.tsx';
import { Continue } from '#web/layout.tsx';
import { consoleVisitor, parseNumber, requireSignIn, withVerifiedForm } from '#web/console/console.tsx';
import { Playground } from './playground-page.tsx';
import type { Answer, Passage, Result } from './playground-page.tsx';

/** Whose calls these are in a person's activity. */
export const PLAYGROUND_CLIENT = 'playground';

type PlaygroundDeps = CitationPagesDeps & { origin: string; webSearch: string | null };

/** `/console/try`: what a model gets for an address or a question, by its own calls and on the person's budget. */
export function playgroundPages(deps: PlaygroundDeps): Hono<Site> {
  const app = new Hono<Site>();
  app.get(PATHS.playground, (c) =>
    requireSignIn(c, deps, async (person) => show(c, deps, person, '', await shownIn(c, deps, person))),
  );
  app.post(PATHS.playground, (c) =>
    withVerifiedForm(c, deps, (form, person) =>
      deps.withinRequestLimit(person.subject, c, () => ask(c, deps, person, toPlain(fieldOf(form, 'ask')).trim())),
    ),
  );
  return app;
}

async function show(c: Context<Site>, deps: PlaygroundDeps, person: SignedIn, asked: string, answer: Answer) {
  const visitor = await consoleVisitor(c, deps, person);
  const { webSearch } = deps;
  return page(
    c,
    <Playground visitor={visitor} webSearch={webSearch} asked={asked} answer={answer} />,
    STATUS[answer.kind],
  );
}

const STATUS = { nothing: 200, page: 200, found: 200, failure: 409 } as const satisfies Record<Answer['kind'], number>;

/** A page that was opened before, by its cursor, with the lines that were ticked. */
async function shownIn(c: Context<Site>, deps: PlaygroundDeps, { subject }: SignedIn): Promise<Answer> {
  const cursor = c.req.query('cursor');
  if (cursor === undefined) return { kind: 'nothing' };
  const { services } = deps.callsOf(subject, c.env.ctx);
  const source = isCursor(cursor) ? await sourceOfCursor(cursor, services) : 'unknown';
  if (typeof source === 'string') return { kind: 'failure', message: GONE, hint: 'Open its address again.' };
  const cited = tickedIn(c, source);
  const shown = await citationWindow(source, null, parseNumber(c.req.query('from')), services);
  const link = cited === null ? null : deps.origin + citationPath(source.cursor, cited);
  return { kind: 'page', source, shown, cited, link };
}

const GONE = 'This page is not open any more.';

/** All lines from the first to the last that is ticked. */
function tickedIn(c: Context<Site>, { lineCount }: CitedSource): Viewport | null {
  const ticked = (c.req.queries('line') ?? []).map(parseNumber);
  const lines = ticked.filter((line) => line !== null).filter((line) => line < lineCount);
  return lines.length === 0 ? null : { start: Math.min(...lines), end: Math.max(...lines) };
}

async function ask(c: Context<Site>, deps: PlaygroundDeps, person: SignedIn, asked: string): Promise<Response> {
  const calls = deps.callsOf(person.subject, c.env.ctx);
  if (asked === '') return show(c, deps, person, asked, EMPTY);
  if (isAddress(asked)) {
    const opened = await call(c, openUrl, { url: asked }, calls, openedPage);
    if (!('cursor' in opened)) return show(c, deps, person, asked, opened);
    const { start } = opened.viewport;
    const place = new URLSearchParams({ cursor: opened.cursor, ...(start === 0 ? {} : { from: String(start) }) });
    return page(c, <Continue to={`${PATHS.playground}?${place.toString()}`} label="Go on" title="Opened" />, 200);
  }
  const passages = await call(c, findPassages, { question: asked }, calls, foundPassages);
  if (!('passages' in passages)) return show(c, deps, person, asked, passages);
  const results = deps.webSearch === null ? NO_RESULTS : await call(c, search, { query: asked }, calls, foundPages);
  if (!('results' in results)) return show(c, deps, person, asked, results);
  const shown = passages.passages.map((one): Passage => ({ ...one, title: one.title ?? null }));
  return show(c, deps, person, asked, { kind: 'found', passages: shown, results: results.results });
}

const EMPTY: Answer = { kind: 'failure', message: 'Enter an address or a question.', hint: '' };
const NO_RESULTS: { results: Result[] } = { results: [] };

/** `docs.example.com/page`, with or without its scheme, and no sentence that ends in a full stop. */
function isAddress(text: string): boolean {
  return /^(?:[a-z][a-z\d+.-]*:\/\/\S+|[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:[/?#]\S*)?)$/iu.test(text);
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
  /** What the page said, between the marks that tell a model so. */
  quoted: z
    .string()
    .transform((text) => text.replaceAll(/^⟦[^\n]*\n|\n[^\n]*⟧$/gu, ''))
    .optional(),
});

/** A call as a model makes it: with its checks, on the budget, and in the activity. */
async function call<T>(
  c: Context<Site>,
  tool: Tool,
  input: object,
  calls: PersonCallEnvironment,
  shape: z.ZodType<T>,
): Promise<T | Extract<Answer, { kind: 'failure' }>> {
  const plain = { structured: { results: true, errors: true }, resourceLinks: false, opensLinks: false };
  const alone = { signal: c.req.raw.signal, progress: () => undefined, links: CANNOT_ASK, askToOpen: null };
  const result = z
    .looseObject({ isError: z.boolean().optional(), structuredContent: z.unknown() })
    .parse(await runTool(tool, input, alone, { ...calls, ...plain }));
  if (result.isError !== true) return shape.parse(result.structuredContent);
  return { kind: 'failure', ...failed.parse(result.structuredContent) };
}

const CANNOT_ASK = { canAsk: false, said: null };
