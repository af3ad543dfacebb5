/**
 * Numbers in documents, checked against the code. A number with a unit must be part of a claim or listed in {@link
 * NOT_OURS}; otherwise it is reported.
 */

/**
 * Words of a document, a constant of the code, and the constant's expected value in its own unit. `file.ts:NAME` if
 * several files have the name, `NAME.member` for an object.
 */
type Claim = readonly [says: string, constant: string, is: number];

const S = 1_000;
const MIN = 60 * S;
const HOUR = 60 * MIN;
const DAY = 24 * HOUR;

export const CLAIMS: Readonly<Record<string, readonly Claim[]>> = {
  'docs/rules.md': [
    ['this action, for ten minutes', 'APPROVAL_TTL_MS', 10 * MIN],
    ['this action, within ten minutes', 'APPROVAL_TTL_MS', 10 * MIN],
    ['sends within 5 s of an action', 'ACT_EFFECT_WINDOW_MS', 5 * S],
    ['is held for up to 60 s', 'HELD_MS_MAX', 60 * S],
  ],
  'docs/browser.md': [
    ['has waited 20 s is refused with `session_busy`', 'SESSION_QUEUE_WAIT_MS_MAX', 20 * S],
    ['does not load within 8 s leaves its tab empty', 'RESTORE_LOAD_MS_MAX', 8 * S],
    ['A parked session is kept for 30 days', 'PARKED_SESSION_TTL_MS', 30 * DAY],
    ['of more than 8,000 elements', 'WHOLE_DOCUMENT_ELEMENTS_MAX', 8_000],
    ['in a few hundred characters', 'acting.ts:ROOM.maxChars', 700],
    ['end after 300 characters', 'VIEW_NAME_CHARS_MAX', 300],
    ['a paragraph after 2,000', 'VIEW_TEXT_CHARS_MAX', 2_000],
    ['31 options are listed', 'VIEW_OPTIONS_MAX', 31],
    ['first 60 characters of each row', 'ROW_WORDS_CHARS_MAX', 60],
    ['in more than 40 places', 'VIEW_NAMED_PARTS_MAX', 40],
    ['One call sets up to 30 fields', 'FILL_FIELDS_MAX', 30],
    ['then from its beginning, for up to 12 s', 'SEARCH_MS_MAX', 12 * S],
    ['takes more than 2 s to be read', 'VIEW_BEFORE_ACTION_MS_MAX', 2 * S],
    ['takes up to 20 steps in one call', 'browser-do.ts:STEPS_MAX', 20],
    ['20 steps in one call (60 with `each`)', 'STEPS_PER_CALL_MAX', 60],
    ['`browser_wait`, up to 10 s', 'LIST_WAIT_MS', 10 * S],
    ['looks for up to 3 s', 'EXPECT_MS_MAX', 3 * S],
    ['A list ends after 40 s', 'STEP_LIST_MS_MAX', 40 * S],
    ['to go away, within 20 s at most', 'WAIT_TIMEOUT_MS_MAX', 20 * S],
    ['Every file is deleted after 30 days', 'FILE_LIFETIME_MS', 30 * DAY],
    ['in up to four browsers', 'RENDERER_OBJECT_COUNT', 4],
  ],
  'docs/citations.md': [
    ['up to 300 lines', 'CITATION_PAGE_LINES_MAX', 300],
    ['up to 300 characters', 'cite.ts:AROUND_CHARS_MAX', 300],
    ['two lines before and after', 'cite.ts:AROUND_LINES', 2],
    ['for a crowd within five seconds', 'BUSY_LINK_CACHE_MS', 5 * S],
  ],
  'docs/console.md': [
    ['works once, for seven days', 'INVITATION_TTL_MS', 7 * DAY],
    ['calls of 30 days', 'USE_DAYS', 30],
    ['what was used in the last 24 hours', 'BUDGET_DAY_MS', DAY],
    ['it takes up to five seconds', 'ADMISSIONS_FRESH_MS', 5 * S],
    ['at most 5,000 for each person', 'ACTIVITY_ENTRIES_MAX', 5_000],
    ['Steps are stored for a week', 'STEP_LIFETIME_MS', 7 * DAY],
    ['at most 500 for each person', 'storage/limits.ts:STORED_STEPS_MAX', 500],
    ['with at most 16 MiB of pictures', 'STEP_PICTURES_BYTES_MAX', 16 * 1_024 * 1_024],
    ['at most 640 pixels', 'STEP_PICTURE_SIDE_PX', 640],
  ],
  'docs/deploying.md': [
    ['The check waits 15 minutes', 'check-live.ts:WAIT_MS', 15 * MIN],
    ['at most 4.32 dollars a day for one person', 'BROWSER_MINUTES_PER_DAY_DEFAULT', 48 * 60],
    ['21.60 for everybody together', 'TOTAL_BROWSER_MINUTES_PER_DAY_DEFAULT', 240 * 60],
  ],
  'docs/live-view.md': [
    ['Eight pages can show a session', 'LIVE_VIEWERS_MAX', 8],
    ['The view ends within 30 seconds', 'LIVE_ADMITTED_MS', 30 * S],
    ['leaving the page for more than a minute', 'LIVE_DRIVER_RETURN_MS', MIN],
    ['doing nothing for 15 minutes', 'LIVE_DRIVER_IDLE_MS', 15 * MIN],
    ['it waits up to 20 seconds', 'HANDOFF_WAIT_MS_MAX', 20 * S],
    ['390 pixels wide', 'PHONE_WIDTH_PX', 390],
    ['ten messages are sent', 'handoff-webhook.ts:MESSAGES_MAX', 10],
    ['in ten minutes', 'MESSAGES_WINDOW_MS', 10 * MIN],
    ['opens one socket of that person and session within 30 seconds', 'LIVE_TICKET_TTL_MS', 30 * S],
  ],
  'docs/local.md': [
    ['requests `/healthz` every ten seconds', 'watchdog.ts:TIMES.rest', 10 * S],
    ['has not answered for 30 seconds while its CPU time grows', 'watchdog.ts:TIMES.hung', 30 * S],
    ['in work at two such hangs is skipped', 'HANGS_MAX', 2],
    ['tried again after a week', 'hangs.ts:KEPT_MS', 7 * DAY],
    ['After five restarts within 15 minutes', 'watchdog.ts:TIMES.restarts', 15 * MIN],
    ['or after five minutes without an answer', 'watchdog.ts:TIMES.dead', 5 * MIN],
    ['a Worker that hangs is stopped after five minutes', 'watchdog.ts:TIMES.dead', 5 * MIN],
    ['After a minute without an answer', 'watchdog.ts:TIMES.silent', MIN],
  ],
  'docs/observability.md': [['writes its counts about every 10 s', 'COUNT_WRITE_INTERVAL_MS', 10 * S]],
  'docs/operations.md': [["a person's last 200", 'HISTORY_NAMES_MAX', 200]],
  'docs/secrets.md': [
    ['a whole value with eight letters or more', 'LETTERS_ACROSS_LINES_MIN', 8],
    ['up to three deep', 'DECODE_PASSES_MAX', 3],
    ['The first six letters or more', 'MASKED_SECRET_LETTERS_MIN', 6],
    ['and the last eight or more', 'SECRET_END_LETTERS', 8],
    ['a part of six letters or more', 'MASKED_SECRET_LETTERS_MIN', 6],
    ['A page that does not answer within 1 s', 'PAGE_RESPONSE_MS_MAX', S],
  ],
  'docs/file-types.md': [
    ['of at most 1,568 pixels', 'SCREENSHOT_SIDE_PX_DEFAULT', 1_568],
    ['more than 40 million pixels', 'DRAWN_PICTURE_PIXELS_MAX', 40_000_000],
  ],
  'docs/security.md': [
    ['takes longer than 40 s ends', 'DRAW_MS_MAX', 40 * S],
    ['at least 15 minutes later', 'ERASED_AGAIN_MS', 15 * MIN],
    ['At most five redirects are followed', 'REDIRECTS_MAX', 5],
    ['of up to 25 domains', 'ALLOWED_HOSTS_MAX', 50],
    ['works on ten requests of one person at a time', 'CALL_PERMIT_RULE.max', 10],
    ['Further requests wait up to 14 s', 'CALL_PERMIT_WAIT_MS_MAX', 14 * S],
    ['after 28 s it is refused with `overloaded`', 'MEMORY_SHARE_TIMES.waitMs', 28 * S],
    ['at most 600 characters', 'error-page.ts:WORDS_CHARS_MAX', 600],
    ['and eight links', 'error-page.ts:LINKS_MAX', 8],
    ['six characters or more that look made up', 'MADE_UP_CHARS', 6],
    ['means 15 letters and digits in a row', 'UNGUESSABLE_CHARS', 15],
    ['or 20 with `-` and `_` in between', 'UNGUESSABLE_CHARS_WITH_DASHES', 20],
    ['among the last 500 that they opened', 'RECENT_PAGES_PER_SUBJECT_MAX', 500],
    ['at most 2,500 guesses a day', 'SIGN_IN_TRIES_MAX', 100],
    ['at most 2,500 guesses a day', 'SIGN_IN_WINDOW_MS', HOUR],
    ['with 100,000 rounds', 'PASSPHRASE_ITERATIONS', 100_000],
    ['within ten minutes, in the same browser', 'UPSTREAM_SIGN_IN_TTL_MS', 10 * MIN],
    ['have 256 random bits', 'ACCESS_TOKEN_RANDOM_BYTES', 32],
    ['a capability of 128 random bits', 'SHARE_ID_BYTES', 16],
  ],
  'docs/signing-in.md': [
    ['stays signed in for seven days', 'SIGN_IN_COOKIE_TTL_MS', 7 * DAY],
    ['One address has ten tries', 'SIGN_IN_TRIES_PER_ADDRESS_MAX', 10],
    ['then one every 90 seconds', 'SIGN_IN_ADDRESS_WINDOW_MS', 15 * MIN],
    ['all together a hundred', 'SIGN_IN_TRIES_MAX', 100],
    ['then one every 36 seconds', 'SIGN_IN_WINDOW_MS', HOUR],
    ['live views of this browser end within 30 seconds', 'LIVE_ADMITTED_MS', 30 * S],
    ['open live views end within 30 seconds', 'LIVE_ADMITTED_MS', 30 * S],
    ['has its own tries for a day', 'SIGN_IN_LINK_TTL_MS', DAY],
    ['90 days by default', 'ACCESS_TOKEN_DAYS_DEFAULT', 90],
    ['365 at most', 'ACCESS_TOKEN_DAYS_MAX', 365],
    ['each person can have 50', 'ACCESS_TOKENS_PER_SUBJECT_MAX', 50],
    ['skips the page for 30 days', 'CONSENT_REMEMBERED_MS', 30 * DAY],
    ["A client's access lasts a day", 'ACCESS_TOKEN_TTL_SECONDS', 86_400],
    ['when nobody has used it for 90 days', 'REFRESH_TOKEN_IDLE_TTL_SECONDS', 90 * 86_400],
    ['One client can have ten connections', 'GRANTS_PER_CLIENT_MAX', 10],
    ['the page was open for more than ten minutes', 'UPSTREAM_SIGN_IN_TTL_MS', 10 * MIN],
    ['a registration has at most 16 KB', 'CLIENT_METADATA_BYTES_MAX', 16 * 1_024],
    ['20 redirect URIs', 'CLIENT_REDIRECTS_MAX', 20],
    ['of 2,000 characters each', 'CLIENT_URL_CHARS_MAX', 2_000],
    ['names of 200 characters', 'CLIENT_TEXT_CHARS_MAX', 200],
    ['is forgotten after a week', 'UNUSED_CLIENT_TTL_SECONDS', 7 * 86_400],
    ['and for ten minutes in any case', 'REFRESH_GRACE_SECONDS', 600],
  ],
  'docs/storage.md': [
    ['removes up to 5,000 snapshots', 'PURGE_SNAPSHOTS_MAX', 5_000],
    ['within 30 seconds', 'PURGE_DEADLINE_MS', 30 * S],
    ['30 days after it was sent', 'handoff-webhook.ts:KEPT_MS', 30 * DAY],
    ['five seconds for all calls', 'ADMISSIONS_FRESH_MS', 5 * S],
    ['goes after 100 days', 'ENDED_KEPT_MS', 100 * DAY],
    ['31 days after their last use', 'SESSION_NAME_LIFETIME_MS', 31 * DAY],
    ['chunks of about 32 KiB', 'CHUNK_BYTES_TARGET', 32 * 1_024],
    ['(24 hours; 5 minutes', 'ROBOTS_TTL_MS', DAY],
    ['5 minutes when robots.txt could not be reached', 'ROBOTS_UNREACHABLE_TTL_MS', 5 * MIN],
    ['Answers of search providers, for 10 minutes', 'SEARCH_CACHE_TTL_MS', 10 * MIN],
    ['(1 minute when a fallback answered)', 'SEARCH_FALLBACK_CACHE_TTL_MS', MIN],
    ['`share_id`, 128 random bits', 'SHARE_ID_BYTES', 16],
    ['Deleted after 90 days', 'CHANGES_LIFETIME_MS', 90 * DAY],
    ['a token of 128 random bits', 'FEED_TOKEN_BYTES', 16],
    ['a handle of 80 random bits', 'cursors.ts:ID_SYMBOLS', 16],
    ['until 90 days after its last refresh', 'REFRESH_TOKEN_IDLE_TTL_SECONDS', 90 * 86_400],
    ['then 90 days since the last refresh', 'REFRESH_TOKEN_IDLE_TTL_SECONDS', 90 * 86_400],
    ['encrypted with it; the newest 1,000 of a grant', 'REPLACED_TOKENS_PER_GRANT_MAX', 1_000],
    ['access token; the newest 1,000 of a grant', 'ISSUED_TOKENS_PER_GRANT_MAX', 1_000],
    ['held for one hour longer than its cursor', 'DOCUMENT_PIN_EXTRA_MS', HOUR],
    ['opening it again writes nothing for an hour', 'OPENED_DOCUMENT_PIN_EXTRA_MS', HOUR],
    ['for 30 days', 'PARKED_SESSION_TTL_MS', 30 * DAY],
    ['Kept for 30 days', 'FILE_LIFETIME_MS', 30 * DAY],
    ['unfinished ones for 15 minutes', 'FILE_UNFINISHED_MS', 15 * MIN],
    ['1 MiB of a file', 'STORED_FILE_PIECE_BYTES', 1_024 * 1_024],
    ['newest 5,000', 'ACTIVITY_ENTRIES_MAX', 5_000],
    ['the last used 200', 'HISTORY_NAMES_MAX', 200],
    ['newest 16 MiB', 'STEP_PICTURES_BYTES_MAX', 16 * 1_024 * 1_024],
    ['more than five seconds', 'PAUSE_FORGOTTEN_MS', 5 * S],
    ['sign-ins under way at a provider, for 10 minutes', 'UPSTREAM_SIGN_IN_TTL_MS', 10 * MIN],
    ['a week, newest 2,000', 'UNUSED_OAUTH_CLIENTS_MAX', 2_000],
    ['the newest 500', 'CONSENTS_MAX', 500],
    ['what everyone together took, for 24 hours', 'BUDGET_DAY_MS', DAY],
    ['the searches of Cloudflare taken in the last 24 hours', 'BUDGET_DAY_MS', DAY],
  ],
};

/** Numbers from elsewhere: from standards, the platform and its packages, examples, or derived from other numbers. */
export const NOT_OURS: Readonly<Record<string, readonly string[]>> = {
  'docs/deploying.md': ['12 characters or more', '60 seconds or more'],
  'docs/operations.md': ['D1 keeps 30 days', 'does not answer 200 for five minutes'],
  'docs/secrets.md': [
    'as UTF-16 bytes',
    'A random value of 14 characters or more',
    'five digits or more remain',
    'Six letters cost',
  ],
  'docs/security.md': ['One thread and 128 MB', 'Of random tokens of 26 characters', 'Time Travel** (30 days'],
  'docs/signing-in.md': ['at least 12 characters', 'five random words'],
  'docs/storage.md': [
    '10 minutes until the code is redeemed',
    'then 90 days, renewed while it is in use',
    '10 minutes, one use',
  ],
  'docs/observability.md': ['over the last seven days', 'some 20 million events a month'],
};

/** Pages without claims: generated ones, and those with dated figures. Search and library are still to do. */
const UNCHECKED = new Set(
  ['tools', 'configuration', 'scoreboard', 'search', 'library'].map((name) => `docs/${name}.md`),
);

export const isChecked = (file: string) => /^docs\/[\w-]+\.md$/.test(file) && !UNCHECKED.has(file);

/** The integer value of a constant; `null` if there is none, or if several files have different values. */
type Constants = (name: string) => number | null;

/** @param notOurs words of the document with numbers that need no claim */
export function wrongClaims(
  file: string,
  text: string,
  claims: readonly Claim[],
  notOurs: readonly string[],
  constants: Constants,
): string[] {
  const plain = spaced(text);
  const told = [...claims.map(([says]) => says), ...notOurs];
  const missing = told.filter((words) => !plain.includes(words.toLowerCase()));
  const other = claims.filter(([, name, is]) => constants(name) !== is);
  const rest = told.reduce((left, words) => left.replaceAll(words.toLowerCase(), ' … '), plain);
  const bare = Array.from(rest.matchAll(NUMBER), ([number]) => number);
  return [
    ...missing.map((words) => `${file} does not say "${words}" any more: scripts/docs/claims.ts does.`),
    ...other.map(([says, name]) => `${file} says "${says}", but ${name} is ${String(constants(name))}.`),
    ...bare.map(
      (number) =>
        `${file} says "${number}", which scripts/docs/claims.ts does not check: add it there, or say it without.`,
    ),
  ];
}

/** The prose in lower case with single spaces, without fences and generated parts. */
function spaced(text: string): string {
  return text
    .replaceAll(/^```[^\n]*\n.*?^```/gms, '')
    .replaceAll(/<!-- (\w+):start -->.*?<!-- \1:end -->/gs, '')
    .replaceAll(/\s+/g, ' ')
    .toLowerCase();
}

/** A number and its unit. Small numbers in words count things of the sentence, not of the code. */
const NUMBER =
  /\b(?:\d[\d,.]*|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|fifty|hundred|thousand|million) (?:random )?(?:ms|s|min|minutes?|hours?|days?|weeks?|months?|seconds?|bytes|kb|kib|mb|mib|gb|bits|characters|letters|words|lines|elements|pages|tabs|steps|fields|requests|calls|messages|sites|rows|searches|connections|downloads|dialogs|pop-ups|domains|tries|turns|clients|guesses|pixels|rounds|slots|browsers|sessions|links|hits|cursors|redirects|redirect uris)\b/g;

/** Reads constants: products of numbers and other constants, members of objects, and defaults of settings. */
export function constantsOf(sources: ReadonlyMap<string, string>): Constants {
  const found = (name: string, file: string): string[] =>
    [...sources]
      .filter(([path]) => path.endsWith(file))
      .flatMap(([, source]) =>
        Array.from(
          source.matchAll(
            new RegExp(
              `(?:const ${name}(?:: [^=]+)? = |^ {2}${name}: wholeNumberSetting\\()([^;]*?)(?:;| as const;|, )`,
              'gm',
            ),
          ),
          ([, value = '']) => value,
        ),
      );
  const product = (value: string): number | null =>
    value.split(' * ').reduce<number | null>((so, factor) => {
      const number = /^\d[\d_.]*$/.test(factor) ? Number(factor.replaceAll('_', '')) : constants(factor);
      return so === null || number === null ? null : so * number;
    }, 1);
  const constants: Constants = (path) => {
    const [, file = '', name = '', member] = /^(?:(.*):)?(\w+)(?:\.(\w+))?$/.exec(path) ?? [];
    const values = new Set(
      (member === undefined ? found(name, file) : objectsOf(name, sources)).map((value) =>
        product(member === undefined ? value : (new RegExp(`\\b${member}: ([^,}]+?)\\s*[,}]`).exec(value)?.[1] ?? '')),
      ),
    );
    const [value = null] = values;
    return values.size === 1 ? value : null;
  };
  return constants;
}

function objectsOf(name: string, sources: ReadonlyMap<string, string>): string[] {
  return [...sources.values()].flatMap((source) =>
    Array.from(source.matchAll(new RegExp(`const ${name} = (\\{.*?\\})`, 'gs')), ([, value = '']) => value),
  );
}

/** A list that a document must contain: every match of a pattern in a file, or in the parts that `within` finds. */
type List = {
  page: string;
  file: string;
  within?: RegExp;
  each: RegExp;
  /** The form in which the document names an item. */
  told: (name: string) => string;
};

export const LISTS: readonly List[] = [
  {
    page: 'docs/storage.md',
    file: 'wrangler.toml',
    each: /^class_name = "(\w+)"/gm,
    told: (name) => `### \`${name}\` (`,
  },
  {
    page: 'docs/console.md',
    file: 'src/web/console/console-page.tsx',
    within: /^const (?:GROUPS|ACCOUNT)\b[^;]*;/gm,
    each: /label: '(?!Overview)([^']+)'/g,
    told: (name) => `| ${name} `,
  },
  {
    page: 'docs/browser.md',
    file: 'src/core/failures/browser-failures.ts',
    within: /^export type (?:Staleness|SecretProblem|ElementProblem) =[^;]+;/gm,
    each: /'(\w+)'/g,
    told: (name) => `\`${name}\``,
  },
  {
    page: 'docs/signing-in.md',
    file: 'src/auth/people/scopes.ts',
    each: /^ {2}'([a-z]+:[a-z]+)': \{/gm,
    told: (name) => `| \`${name}\` `,
  },
  {
    page: 'docs/browser.md',
    file: 'src/tools/browser/browser-launch.ts',
    within: /refuse\('geolocation', what, '[^']+'\)/g,
    each: /, '([^']+)'\)/g,
    told: (place) => `| \`geolocation\`        | \`${place}\``,
  },
  {
    page: 'docs/search.md',
    file: 'src/tools/web/web-search.ts',
    each: /^const WEB_ONLY = \[([^\]]+)\]/gm,
    told: (names) => `does not offer ${names.replaceAll("'", '`')}`,
  },
];

/** @throws if the pattern finds nothing, because the file has changed its form */
export function untold({ page, file, within, each, told }: List, read: (file: string) => string): string[] {
  const source = read(file);
  const parts = within === undefined ? [source] : Array.from(source.matchAll(within), ([part]) => part);
  const names = parts.flatMap((part) => Array.from(part.matchAll(each), ([, name = '']) => name));
  if (names.length === 0) throw new Error(`scripts/docs/claims.ts finds nothing in ${file} that ${page} should name.`);
  const document = read(page);
  return [...new Set(names)]
    .filter((name) => !document.includes(told(name)))
    .map((name) => `${page} does not tell of ${name}, which ${file} has.`);
}
