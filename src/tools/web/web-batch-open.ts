import * as z from 'zod';
import { describeFailure } from '#core/failures/describe-failure.ts';
import { utf8Bytes } from '#core/text/text.ts';
import { divideFairly, openPagesInParallel } from '#reading/open/open-batch.ts';
import type { OpenBatchEntry } from '#reading/open/open-batch.ts';
import { openPageWithCursor, createPageResult } from '#reading/open/open-whole.ts';
import type { PageWithCursor } from '#reading/open/open-whole.ts';
import { PAGE_RESULT_SIZE_LIMITS } from '#reading/page-result.ts';
import type { ResultSizeLimits } from '#reading/page-result.ts';
import { toReadPageFacts } from '#reading/recently-opened.ts';
import type { ToolServices } from '#tools/define-tool.ts';
import { defineTool, shortenedSchemas } from '#tools/define-tool.ts';
import {
  MAIN_PAGE_FIELDS,
  explainInput,
  writeExplainLines,
  fetchUnusedRules,
  maxAgeSecondsInput,
  maxLinesInput,
  BATCH_MODE_NEEDS_BROWSER,
  pageSchema,
  pageFields,
  toPageOutput,
  refreshInput,
  siteconfigInput,
} from './shapes.ts';

const batchModeInput = z.enum(['auto', 'raw', 'readable', 'rendered']).default('auto').describe('As for web_open.');

const BATCH_URLS_MAX = 10;
const BATCH_CONCURRENCY_MAX = 6;
const BATCH_CONCURRENCY_DEFAULT = 4;

const entry = z
  .strictObject({
    requested_url: z.string(),
    ...pageSchema.partial().shape,
    url: pageFields.url.optional(),
    error: z.string().optional(),
    message: z.string().optional(),
    hint: z.string().optional(),
    status_code: z.int().optional(),
    retry_after_seconds: z.int().optional(),
    quoted: z.string().optional(),
  })
  .register(shortenedSchemas, {
    description: 'A page with the fields of web_open, or an error.',
    fields: ['requested_url', ...MAIN_PAGE_FIELDS, 'error', 'message', 'hint'],
  });

const failureFields = entry.pick({ status_code: true, retry_after_seconds: true, quoted: true }).strip();

export const webBatchOpen = defineTool({
  name: 'web_batch_open',
  toolset: 'web',
  title: 'Open several pages',
  description:
    'Open (load, fetch, read, compare) several web pages at once, in one go or together: two, three or up to ten links, addresses or URLs (https). Opens each as web_open does, or reports its error. They share one result; scroll shows more of each.',
  hints: { readOnly: true, destructive: false, openWorld: true },
  input: z.strictObject({
    urls: z.array(z.string()).min(1).max(BATCH_URLS_MAX).describe('Addresses to open.'),
    mode: batchModeInput,
    siteconfig: siteconfigInput,
    refresh: refreshInput,
    max_age_seconds: maxAgeSecondsInput,
    max_lines: maxLinesInput.describe('Maximum lines to show of each page.'),
    explain: explainInput,
    concurrency: z
      .int()
      .min(1)
      .max(BATCH_CONCURRENCY_MAX)
      .default(BATCH_CONCURRENCY_DEFAULT)
      .describe('Pages to fetch at the same time.'),
  }),
  needing: BATCH_MODE_NEEDS_BROWSER,
  unused: [
    ...fetchUnusedRules,
    { options: ['concurrency'], when: ({ urls }) => urls.length === 1, because: 'there is only one URL' },
  ],
  output: z.strictObject({ entries: z.array(entry), opened: z.int(), failed: z.int() }),
  async run(input, { services, signal, progress }) {
    const { mode, refresh: isRefresh, max_age_seconds: maxAge, siteconfig: config } = input;
    const options = { mode, refresh: isRefresh, maxAgeSeconds: maxAge, siteconfig: config, isOneOfMany: true };
    const entries = await openPagesInParallel(
      input.urls,
      (url, either) => openPageWithCursor(url, options, either, services),
      input.concurrency,
      signal,
      (done) => progress(done, input.urls.length),
    );
    const opened = entries.filter((one) => one.page !== null);
    const head = `${opened.length} of ${entries.length} pages opened.`;
    const shown = await render(entries, input, utf8Bytes(head), services);
    return {
      text: [head, ...shown.map((one) => one.text)].join(BETWEEN),
      structured: {
        entries: shown.map((one) => one.structured),
        opened: opened.length,
        failed: entries.length - opened.length,
      },
      cacheHit: opened.length > 0 && opened.every((one) => one.page?.opened.origin !== 'fetched'),
      read: opened.flatMap(({ page: whole }) =>
        whole === null ? [] : [toReadPageFacts(whole.opened, whole.cursor, null)],
      ),
      resources: opened.flatMap(({ page: whole }) =>
        whole === null ? [] : [{ snapshot: whole.opened.snapshot.key, url: whole.opened.shownUrl }],
      ),
    };
  },
});

const BETWEEN = '\n\n';

type ShownEntry = { text: string; structured: z.output<typeof entry> };

async function render(
  entries: readonly OpenBatchEntry<PageWithCursor>[],
  { explain: explained, max_lines: lines }: { explain: boolean; max_lines?: number | undefined },
  headBytes: number,
  services: ToolServices,
): Promise<ShownEntry[]> {
  const renderWithin = async (
    one: OpenBatchEntry<PageWithCursor>,
    index: number,
    room: ResultSizeLimits,
  ): Promise<ShownEntry> => {
    const head = `[${index + 1}] ${one.url}`;
    if (one.page === null) return failed(one.url, head, one.failure);
    const extra = explained ? writeExplainLines(one.page.opened) : [];
    const textBytes = room.textBytes - utf8Bytes(head) - 1;
    const result = await createPageResult(one.page, { extra, maxLines: lines, room: { ...room, textBytes } }, services);
    const shape = toPageOutput(one.page, result, explained);
    return { text: `${head}\n${result.text}`, structured: { requested_url: one.url, ...shape } };
  };
  const whole = await Promise.all(entries.map((one, index) => renderWithin(one, index, PAGE_RESULT_SIZE_LIMITS)));
  const texts = shares(
    whole.map(({ text }) => text),
    PAGE_RESULT_SIZE_LIMITS.textBytes - headBytes - entries.length * BETWEEN.length,
  );
  const markdowns = shares(
    whole.map(({ structured }) => structured.markdown ?? ''),
    PAGE_RESULT_SIZE_LIMITS.markdownBytes,
  );
  return Promise.all(
    entries.map((one, index) => {
      const room = { textBytes: texts[index] ?? 0, markdownBytes: markdowns[index] ?? 0 };
      return renderWithin(one, index, room);
    }),
  );
}

function shares(texts: readonly string[], bytesMax: number): number[] {
  return divideFairly(texts.map(utf8Bytes), bytesMax);
}

function failed(
  url: string,
  head: string,
  failure: NonNullable<OpenBatchEntry<PageWithCursor>['failure']>,
): ShownEntry {
  const { error, message, hint, extra } = describeFailure(failure);
  const fields = failureFields.parse(extra);
  const quoted = fields.quoted === undefined ? [] : [`quoted:\n${fields.quoted}`];
  return {
    text: [head, `Error ${error}: ${message}`, `Hint: ${hint}`, ...quoted].join('\n'),
    structured: { requested_url: url, error, message, hint, ...fields },
  };
}
