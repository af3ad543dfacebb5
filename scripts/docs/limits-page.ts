import { globSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#core/limits.ts';

/**
 * Limits that users and operators of the server can meet, for `docs/configuration.md`. An entry is a text with names of
 * constants that a file of `src` exports, `{NAME}` or `{NAME.member}`. All other constants are explained only in the
 * code.
 */
const BUDGETS: readonly string[] = [
  'Budgets limit what one person (`BUDGET_…`) and all people together (`BUDGET_TOTAL_…`) may use. A call over budget fails with `rate_limited`. The error names the budget, `scope` (`subject` or `deployment`), `retry_after_seconds`, and the setting that raises it.',
  'A tool call, `prompts/get` or `resources/read` counts as one call, also with invalid arguments. `search` and `web_search` count as one search as well. Refused calls, lists and completions cost nothing. Browser time is paid before it is used; waiting in a queue costs nothing.',
  'Windows slide in slots of {BUDGET_DAY_SLOT_MS}, so no period of {BUDGET_DAY_MS} exceeds the limit, and room returns at most {BUDGET_DAY_SLOT_MS} late. Calls are taken in blocks, which count before they are used.',
];

const GROUPS: readonly (readonly [title: string, limits: readonly (readonly [what: string, limit: string])[]])[] = [
  [
    'Calls and results',
    [
      ['Time until a call is answered', '{CALL_DEADLINE_MS}'],
      ['Body of a request to `/mcp`', '{REQUEST_BODY_BYTES_MAX}'],
      ['Text of a result', '{RESULT_TEXT_BYTES_MAX}'],
      ['Page in one result of `web_open`', '{PAGE_RESULT_BYTES_MAX} of text, {PAGE_MARKDOWN_BYTES_MAX} of `markdown`'],
      ['Numbered lines in one result', '{VIEWPORT_BYTES_MAX}'],
      ['URL', '{URL_CHARS_MAX}'],
    ],
  ],
  [
    'Fetching',
    [
      ['Time for all pages of one `web_batch_open`', '{BATCH_OPEN_MS_MAX}'],
      ['Rendering one page in the browser', '{RENDER_MS_MAX}, {RENDERED_HTML_BYTES_MAX}'],
      ['Drawing one picture or page of a PDF', '{DRAW_MS_MAX}, {DRAW_FILE_BYTES_MAX}'],
      ['Pages rendered at a time', '{RENDERS_CONCURRENT_MAX} in each of {RENDERER_OBJECT_COUNT} browsers'],
    ],
  ],
  [
    'Pages and files',
    [
      [
        'Elements of a page',
        '{DOM_ELEMENTS_MAX}; a longer one is read in parts of {HTML_PART_ELEMENTS_MAX} and {HTML_PART_SOURCE_CHARS_MAX} with `#page=N`',
      ],
      ['One line', '{UNBROKEN_LINE_BYTES_MAX}; a sentence is broken after {PROSE_LINE_CHARS_MAX}'],
      ['The rest of a page, after its main part', '{REST_OF_PAGE_BYTES_MAX}'],
      ['Outline', 'for pages from {OUTLINED_DOCUMENT_LINES_MIN} lines; at most {OUTLINE_TOKENS_MAX} tokens'],
      [
        'Pages of a PDF',
        '{PDF_PAGES_MAX}, fewer if they are dense; read later ones with `#page=N`, up to page {PDF_FILE_PAGES_MAX}',
      ],
      [
        'Links, fields and comments on a page of a PDF',
        '{PDF_ANNOTATIONS_PER_PAGE_MAX}; a page with more has none of them',
      ],
      ['What a page of a PDF draws', '{PDF_PAGE_DRAWING_BYTES_MAX}; a page that draws more is left out'],
      [
        'Entries of an archive',
        '{ARCHIVE_ENTRIES_MAX}; {ARCHIVE_UNPACKED_BYTES_MAX} unpacked, at most {ARCHIVE_COMPRESSION_RATIO_MAX} to 1',
      ],
      ['Table in CSV, TSV or a worksheet', '{SHEET_ROWS_MAX} rows, {SHEET_COLUMNS_MAX} columns'],
      ['Entries of a feed', '{FEED_ENTRIES_MAX}'],
      ['Matches that `find` lists', '{FIND_MATCHES_MAX}; the total is given'],
      ['Pattern of `find`', '{REGEX_CHARS_MAX}'],
    ],
  ],
  [
    'Search',
    [
      ['Query', '{QUERY_CHARS_MAX}; for Brave {BRAVE_QUERY_CHARS_MAX} and {BRAVE_QUERY_WORDS_MAX} words'],
      ['One answer of a provider', '{PROVIDER_TIMEOUT_MS}'],
      ['A whole search, with its queue and all providers', '{SEARCH_DEADLINE_MS}'],
    ],
  ],
  [
    'Citations',
    [
      ['Quote', '{QUOTE_CHARS_MAX}'],
      ['Note', '{CITATION_NOTE_CHARS_MAX}'],
      ['Kept for one person', '{CITATIONS_PER_SUBJECT_MAX}, {CITED_BYTES_PER_SUBJECT_MAX} of pages'],
      ['Public links of one person', '{PUBLIC_LINKS_PER_SUBJECT_MAX}'],
    ],
  ],
  [
    'Browser sessions',
    [
      ['Tabs of a session', '{SESSION_TABS_MAX}'],
      ['Work of a call on its session', '{SESSION_CALL_MS_MAX}'],
      [
        'Storage of a parked session',
        '{PARKED_STORAGE_BYTES_MAX} in all, {PARKED_STORAGE_AREA_BYTES_MAX} for one site and kind',
      ],
      [
        'Kept of each tab for `browser_log`',
        '{CONSOLE_MESSAGES_PER_TAB_MAX} messages, {RECORDED_REQUESTS_PER_TAB_MAX} requests',
      ],
      ['Files of one person', '{FILES_PER_SUBJECT_MAX}'],
      ['Uploaded file', '{UPLOAD_BYTES_MAX}'],
      ['Sessions with a browser, in the whole deployment', '{OPEN_SESSIONS_MAX}, whatever is set'],
    ],
  ],
  [
    'Signing in and connecting',
    [
      ['A browser has tries of its own after signing in, for', '{KNOWN_BROWSER_COOKIE_TTL_MS}'],
      [
        'Registrations in {CLIENT_REGISTRATION_WINDOW_MS}',
        '{CLIENT_REGISTRATIONS_PER_IP_MAX} from one address, {CLIENT_REGISTRATIONS_MAX} in all',
      ],
    ],
  ],
  [
    'Kept for a person',
    [
      ['Cursors', '{CURSORS_PER_SUBJECT_MAX}; the least recently used go first'],
      ['Secrets', '{SECRETS_PER_SUBJECT_MAX}'],
      ['Value of a secret', '{SECRET_VALUE_CHARS_MIN} to {SECRET_VALUE_CHARS_MAX}'],
      ['Sites of a secret', '{SITES_PER_SECRET_MAX}'],
    ],
  ],
];

/** The sections "Budgets" and "Limits" of `docs/configuration.md`. */
export async function limitSections(): Promise<string[]> {
  const values = await readLimits();
  const filled = (text: string) => text.replaceAll(/\{([\w.]+)\}/g, (_, path: string) => shown(path, values));
  return [
    '## Budgets',
    '',
    ...BUDGETS.flatMap((text) => [filled(text), '']),
    '## Limits',
    '',
    'Limits that no setting changes. More are on the pages about [sessions](browser.md), the [live view](live-view.md), [signing in](signing-in.md) and the [console](console.md).',
    '',
    ...GROUPS.flatMap(([title, limits]) => [
      `### ${title}`,
      '',
      ...limits.map(([what, limit]) => `- ${filled(what)}: ${filled(limit)}`),
      '',
    ]),
  ];
}

/** The constants that {@link BUDGETS} and {@link GROUPS} name, from the files that export them. */
async function readLimits(): Promise<Map<string, unknown>> {
  const names = new Set(
    Array.from(JSON.stringify([BUDGETS, GROUPS]).matchAll(/\{([A-Z_0-9]+)/g), ([, name = '']) => name),
  );
  const values = new Map<string, unknown>();
  for (const file of globSync('src/**/*.ts')) {
    const exported = Array.from(
      readFileSync(file, 'utf8').matchAll(/^export const ([A-Z_0-9]+)\b/gm),
      ([, name = '']) => name,
    );
    const wanted = exported.filter((name) => names.has(name));
    if (wanted.length === 0) continue;
    const constants: Record<string, unknown> = await import(pathToFileURL(file).href);
    for (const name of wanted) {
      if (values.has(name) && values.get(name) !== constants[name])
        throw new Error(`Two constants are called ${name}.`);
      values.set(name, constants[name]);
    }
  }
  return values;
}

const SIZES: readonly (readonly [ending: RegExp, unit: string])[] = [
  [/_BYTES(?:_|$)/, 'bytes'],
  [/_CHARS(?:_|$)/, 'characters'],
];
const SPANS: readonly (readonly [ms: number, one: string])[] = [
  [DAY_MS, 'd'],
  [HOUR_MS, 'h'],
  [MINUTE_MS, 'min'],
  [SECOND_MS, 's'],
];

function shown(path: string, values: ReadonlyMap<string, unknown>): string {
  const [name = '', member] = path.split('.');
  const constant = values.get(name);
  const value =
    member === undefined || typeof constant !== 'object' || constant === null
      ? constant
      : new Map<string, unknown>(Object.entries(constant)).get(member);
  if (typeof value !== 'number') {
    throw new Error(
      `scripts/docs/limits-page.ts names ${path}, which no file of src exports as a number: name it as it is called now.`,
    );
  }
  if (/_MS(?:_|$)/.test(path)) return span(value);
  if (/_SECONDS(?:_|$)/.test(path)) return span(value * SECOND_MS);
  const size = SIZES.find(([ending]) => ending.test(path));
  return size === undefined ? number(value) : `${number(value)} ${size[1]}`;
}

/** Uses the largest unit that gives a whole number, so that 90 minutes are not 1.5 hours. */
function span(ms: number): string {
  const [unit, name] = SPANS.find(([length]) => ms > 0 && ms % length === 0) ?? [1, 'ms'];
  return `${number(ms / unit)} ${name}`;
}

function number(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 4 });
}
