import * as z from 'zod';
import type { PageWithCursor } from '#reading/open/open-whole.ts';
import type { OpenResult } from '#reading/opened.ts';
import { describeRest } from '#reading/page-result.ts';
import type { PageResult } from '#reading/page-result.ts';
import { shortenedSchemas } from '#tools/define-tool.ts';

export const modeInput = z
  .enum(['auto', 'raw', 'readable', 'rendered'])
  .default('auto')
  .describe(
    'auto: main content, rendered by a browser if only scripts fill the page. readable: main content first. raw: everything in page order. rendered: as a browser shows it.',
  );
const RENDERED_NEEDS_BROWSER = { ability: 'browser', option: 'mode', value: 'rendered' } as const;
export const MODE_NEEDS_BROWSER = [
  { ...RENDERED_NEEDS_BROWSER, description: 'auto, readable: main content first. raw: everything in page order.' },
] as const;
/** For a tool whose description of `mode` refers to another tool. */
export const BATCH_MODE_NEEDS_BROWSER = [RENDERED_NEEDS_BROWSER] as const;
/** Maximum lines: as many lines of one word as fit into the largest result. */
const LINES_SHOWN_MAX = 5_000;
export const maxLinesInput = z
  .int()
  .min(1)
  .max(LINES_SHOWN_MAX)
  .optional()
  .describe('Maximum lines to show. Default: as many as fit.');
export const siteconfigInput = z
  .string()
  .optional()
  .describe('Id of the extraction rules to use, such as mkdocs. Rarely needed.');
export const refreshInput = z.boolean().default(false).describe('Fetch the page again even if it is stored.');
export const maxAgeSecondsInput = z.int().min(0).max(2_592_000).optional().describe('Maximum age of a stored version.');
export const explainInput = z.boolean().default(false).describe('Report how the page was fetched and extracted.');

const ALSO_MAX = 4;
const ALSO_CHARS_MAX = 200;
/**
 * Other phrasings for a search. Pages rarely use the words of the question, and a caller cannot see that a page was
 * missed because of its wording. The description therefore asks for phrasings in every call.
 */
export const otherPhrasingsInput = z
  .array(z.string().min(1).max(ALSO_CHARS_MAX))
  .max(ALSO_MAX)
  .default([])
  .describe('Rewordings, in words that the page would use.');

export const siteconfigUnusedRule = {
  options: ['siteconfig'],
  when: (input: { mode: z.output<typeof modeInput> }) => input.mode === 'raw',
  because: 'mode raw keeps the whole page',
} as const;

export const fetchUnusedRules = [
  siteconfigUnusedRule,
  {
    options: ['max_age_seconds'],
    when: (input: { refresh: boolean }) => input.refresh,
    because: 'refresh always fetches the page',
  },
] as const;

export const contentFields = {
  title: z.string().optional(),
  markdown: z.string(),
  links: z.array(z.strictObject({ url: z.string(), text: z.string() })),
};

export const extractionResultFields = {
  extractor: z.string(),
  siteconfig: z.string(),
  shown_lines: z.strictObject({ start: z.int(), end: z.int() }),
  total_lines: z.int(),
  rest_lines: z.strictObject({ start: z.int(), end: z.int() }).optional(),
};

const extractionFields = {
  strategy: z.string(),
  candidates: z.array(z.strictObject({ strategy: z.string(), chars: z.int() })),
  siteconfig_match: z.enum(['argument', 'domain', 'generator', 'marker']).optional(),
};

export const extractionExplanation = z.strictObject(extractionFields);

const explanation = z
  .strictObject({
    ...extractionFields,
    status: z.int(),
    media_type: z.string(),
    charset: z.string().optional(),
    redirects: z.array(z.strictObject({ url: z.string(), status: z.int() })),
    robots_rule: z.string().optional(),
    noindex: z.array(z.string()),
    llms_txt: z.string().optional(),
    markdown_twin: z.string().optional(),
    needs_scripts: z.boolean(),
    rendered: z.boolean(),
    render_reason: z.enum(['asked', 'script_shell', 'site_config']).optional(),
    render_ms: z.int().optional(),
    render_problem: z.string().optional(),
  })
  .register(shortenedSchemas, { description: 'Fetching and extraction of the page.' });

export const pageFields = {
  url: z.string(),
  ...contentFields,
  cursor: z.string(),
  link: z.string(),
  snapshot: z.string(),
  cached: z.boolean(),
  stale: z.boolean(),
  fetched_at: z.string(),
  ...extractionResultFields,
  outline: z
    .array(z.strictObject({ line: z.int(), level: z.int(), text: z.string(), omitted: z.int().optional() }))
    .optional(),
  timings_ms: z
    .strictObject({ fetch: z.int(), extract: z.int(), render: z.int().optional() })
    .register(shortenedSchemas, { description: 'fetch, extract, render.' }),
  notes: z.array(z.string()),
  explain: explanation.optional(),
};

export const pageSchema = z.strictObject(pageFields);
/** Page fields that other tools list in their schemas. Only the schema of `web_open` lists all fields. */
export const MAIN_PAGE_FIELDS = ['url', 'title', 'markdown', 'cursor', 'snapshot', 'notes'] as const;

export function toPageOutput(
  { opened, cursor, link }: PageWithCursor,
  result: PageResult,
  explained: boolean,
): z.output<typeof pageSchema> {
  const { snapshot, document, origin } = opened;
  const { timings, siteconfig: config } = snapshot.meta;
  return {
    url: result.url,
    ...(result.title === null ? {} : { title: result.title }),
    markdown: result.markdown,
    links: result.links,
    cursor,
    link,
    snapshot: snapshot.key,
    cached: origin !== 'fetched',
    stale: origin === 'stale',
    fetched_at: new Date(snapshot.fetchedAt).toISOString(),
    extractor: document.extractor,
    siteconfig: config ?? 'none',
    shown_lines: result.shown,
    total_lines: result.totalLines,
    ...(result.outline.length === 0 ? {} : { outline: [...result.outline] }),
    ...(result.rest === null ? {} : { rest_lines: result.rest }),
    timings_ms: {
      fetch: Math.round(timings.fetchMs),
      extract: Math.round(timings.extractMs),
      ...(timings.renderMs === undefined ? {} : { render: Math.round(timings.renderMs) }),
    },
    notes: [...opened.notes, ...(result.rest === null ? [] : [describeRest(result.rest, cursor)])],
    ...(explained ? { explain: explainShape(opened) } : {}),
  };
}

export function explainExtraction({
  strategy,
  candidates,
  siteconfigMatch,
}: OpenResult['snapshot']['meta']['explanation']): z.output<typeof extractionExplanation> {
  return { strategy, candidates, ...(siteconfigMatch === undefined ? {} : { siteconfig_match: siteconfigMatch }) };
}

export function writeExplainLines(opened: Pick<OpenResult, 'snapshot'>): string[] {
  return Object.entries(explainShape(opened)).map(([name, value]) => `Explain ${name}: ${JSON.stringify(value)}`);
}

function explainShape({ snapshot: { meta } }: Pick<OpenResult, 'snapshot'>): z.output<typeof explanation> {
  return {
    ...explainExtraction(meta.explanation),
    status: meta.status,
    media_type: meta.mediaType,
    redirects: meta.redirects,
    noindex: meta.noindex,
    needs_scripts: meta.needsScripts,
    ...renderedShape(meta.rendering),
    ...(meta.charset === null ? {} : { charset: meta.charset }),
    ...(meta.robots.rule === null ? {} : { robots_rule: meta.robots.rule }),
    ...(meta.llmsTxt === null ? {} : { llms_txt: meta.llmsTxt }),
    ...(meta.markdownTwin === null ? {} : { markdown_twin: meta.markdownTwin }),
  };
}

function renderedShape(rendering: OpenResult['snapshot']['meta']['rendering']) {
  if (rendering === undefined || rendering === null) return { rendered: false };
  const { reason, outcome, problem, ms } = rendering;
  return {
    rendered: outcome === 'shown',
    render_reason: reason,
    render_ms: Math.round(ms),
    ...(problem === undefined ? {} : { render_problem: problem }),
    ...(outcome === 'less' ? { render_problem: 'it showed less text than without scripts' } : {}),
  };
}
