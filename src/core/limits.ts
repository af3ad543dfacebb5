/** Every limit of the product: one name, one unit, one reason. Nothing else in `src` carries a bare limit. */

const KIB = 1024;
const MIB = 1024 * KIB;
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

// ── Calls ────────────────────────────────────────────────────────────────────────────────────────────────
/** Hosts give up on a tool call at about 60 s; we answer before. */
export const CALL_DEADLINE_MS = 45 * SECOND_MS;
/** Calls of an isolate are counted together, so often: a model makes one every few seconds, and each write is paid for. */
export const COUNT_EVERY_MS = 10 * SECOND_MS;
/** So many are counted at once. */
export const COUNT_CALLS_MAX = 500;
/** 25,000 tokens is the smallest result limit of a known host, at 3 UTF-8 bytes a token. */
export const RESULT_TEXT_BYTES_MAX = 75_000;
/** Hosts refuse results of 1 MiB; base64 and JSON included. */
export const RESULT_BYTES_MAX = 1_000_000;
/** What a viewport's numbered text may take, so that text, render and citation together stay in the result limits. */
export const VIEWPORT_BYTES_MAX = 60_000;
/**
 * Calls that one person may begin at a time in one isolate: more would be worked at together, before anybody else's. A call
 * that takes longer than the lease waits for something, and is not counted any more.
 */
export const CALL_PLACES = { max: 10, leaseMs: 500, pollMs: 20, pollMsMax: 320, restMs: 0 } as const;
/** Who should have looked for a place so long ago has been ended by the platform, or the thread was busy. */
export const QUEUE_GONE_MS = 500;
/** How long a call waits for its place: with the longest call that is still below what hosts wait for. */
export const CALL_WAIT_MS = 14 * SECOND_MS;
/**
 * Long work of the processor, one at a time in an isolate, with a pause after each piece, in which requests that came
 * meanwhile are taken. Nothing takes a second at a stretch, so a turn that is held for longer is held by nobody.
 */
export const TURN_PAUSE_MS = 25;
export const TURN = { max: 1, leaseMs: 3 * SECOND_MS, pollMs: 10, pollMsMax: 10, restMs: TURN_PAUSE_MS } as const;
/** Rests longer than others who wait for the turn look away: they come first. */
export const TURN_OF_PERSON = { ...TURN, pollMs: 20, pollMsMax: 80, restMs: 2 * TURN_PAUSE_MS } as const;
/** A turn whose holder does not come back from its pause is free after this. */
export const TURN_GONE_MS = 500;
/** Work in steps lets others in after each of these: characters, which cost up to 0.3 µs. */
export const STEPS_COST_PER_PAUSE = 500_000;
/** Text that is shorter than this is read in some 20 ms: it needs no turn. */
export const TURN_CHARS_MIN = 64 * KIB;
/** An argument that is longer than this is named in a hint, not repeated. */
export const HINT_VALUE_CHARS_MAX = 500;
/** When to try again what an object or the database had no room for: what they have queued is done in seconds. */
export const OVERLOADED_RETRY_SECONDS = 5;
/** A JSON-RPC body larger than this is no tool call of ours: `web_extract` takes the largest argument, a page. */
export const REQUEST_BODY_BYTES_MAX = 6 * MIB;

// ── Fetching ─────────────────────────────────────────────────────────────────────────────────────────────
export const URL_CHARS_MAX = 8_192;
export const REDIRECTS_MAX = 5;
/** First try included. */
export const FETCH_ATTEMPTS_MAX = 3;
export const RETRY_BASE_DELAY_MS = 250;
/** RFC 9309 §2.5 asks for at least 500 KiB; the rest is ignored. */
export const ROBOTS_BYTES_MAX = 512_000;
export const ROBOTS_TTL_MS = 24 * HOUR_MS;
/** An unreachable robots.txt closes the site (RFC 9309 §2.3.1.4); it is asked again after this, not after a day. */
export const ROBOTS_UNREACHABLE_TTL_MS = 5 * MINUTE_MS;
export const ROBOTS_DEADLINE_MS = 8 * SECOND_MS;
export const DNS_DEADLINE_MS = 5 * SECOND_MS;
export const DNS_CACHE_TTL_MAX_MS = 5 * MINUTE_MS;
/** llms.txt of an origin is asked for once a day, and not for long: it is a help, not a need. */
export const SITE_FACTS_TTL_MS = 24 * HOUR_MS;
export const LLMS_TXT_DEADLINE_MS = 3 * SECOND_MS;
/** Addresses kept of one llms.txt: a row stays far below D1's 2 MB. */
export const LLMS_TXT_LINKS_MAX = 2_000;
/** A page that gives less text than this and is made of scripts is taken for a shell that scripts fill. */
export const SHELL_TEXT_CHARS_MAX = 250;
/** `/healthz` asks the database once in so long in each isolate, whoever asks how often, and waits so long for it. */
export const READINESS_KEPT_MS = 5 * SECOND_MS;
/** That it is not is kept for less: whoever makes it ready asks again. */
export const PROBLEM_KEPT_MS = SECOND_MS;
export const READINESS_ASK_MS = 5 * SECOND_MS;
/** A turn at fetching a page is over after this, should its holder vanish: no call lives longer. */
export const LEASE_MS = 45 * SECOND_MS;
/** So long a call waits for another one's fetch; then it fetches for itself, and has time left for that. */
export const LEASE_WAIT_MS = 12 * SECOND_MS;
/**
 * Politeness: at most `max` requests to one host at a time from one isolate. Who holds a place says so every `beatMs`, so one
 * whose holder was killed by the platform frees itself soon; the lease is longer than any work keeps the thread busy. Who
 * waits looks by clock, because promises must not cross requests.
 */
export const HOST_PLACES = {
  max: 4,
  leaseMs: 4 * SECOND_MS,
  beatMs: SECOND_MS,
  pollMs: 40,
  pollMsMax: 40,
  restMs: 0,
} as const;
/** Addresses of this many hosts are kept in an isolate: under 1 MB. */
export const DNS_CACHE_ENTRIES_MAX = 1_000;
/** A DNS answer larger than this is no answer to one question. */
export const DNS_ANSWER_BYTES_MAX = 64 * KIB;
/** Longer robots.txt lines are cut here, as the largest crawler does: eight times 2,083, the old limit of URLs. */
export const ROBOTS_LINE_BYTES_MAX = 2_083 * 8 - 1;
/** Byte comparisons that one robots.txt decision may spend: under 0.2 s of CPU; a file that needs more closes the site. */
export const ROBOTS_STEPS_MAX = 20_000_000;
/** What is known of this many origins is kept in an isolate, entries up to the sizes below only: 4 MB together. */
export const ORIGINS_IN_MEMORY_MAX = 64;
export const ROBOTS_MEMORY_BODY_BYTES_MAX = 32 * KIB;
/** Most sites list none. */
export const MARKDOWN_PAGES_IN_MEMORY_MAX = 100;
/** What is read of an error answer: enough to tell a bot wall from an ordinary 403. */
export const ERROR_BODY_BYTES_MAX = 256 * KIB;
/** Where a media type shows itself: signatures, the root element, the first names in a ZIP. */
export const SNIFF_BYTES_MAX = 4 * KIB;
/** HTML asks for 1,024; pages with long comments or scripts before their `<meta>` are common. */
export const META_PRESCAN_BYTES_MAX = 4 * KIB;
/** Bot walls and sign-in pages are smaller than this; larger pages are content and are not searched. */
export const CHALLENGE_SCAN_CHARS_MAX = 400_000;
/** A page with more visible text than this is content, whatever scripts it carries. */
export const CHALLENGE_TEXT_CHARS_MAX = 1_500;
/** A page with a password field and less text than this beside its forms and menus is a sign-in page. */
export const LOGIN_TEXT_CHARS_MAX = 350;
/** A response header is recorded up to here. */
export const HEADER_CHARS_MAX = 1_000;
/** A robots.txt rule is shown up to here. */
export const ROBOTS_RULE_CHARS_MAX = 200;
/** Random bytes hold 11 % control characters, text next to none. */
export const CONTROL_SHARE_MAX = 0.05;
/** So many well-formed UTF-8 sequences and no ill-formed one do not happen in text of a double-byte charset. */
export const UTF8_SEQUENCES_MIN = 8;
/** Western text in UTF-16 is half zero bytes; a third is enough to tell, in a sample of the first kilobyte. */
export const UTF16_ZERO_SHARE_MIN = 0.3;
export const UTF16_SAMPLE_BYTES = 1 * KIB;
/** Enough text for letter frequencies to settle a charset. */
export const CHARSET_SAMPLE_BYTES_MAX = 16 * KIB;
/** A Retry-After beyond this tells a caller nothing more. */
export const RETRY_AFTER_SECONDS_MAX = 86_400;

// ── Extraction (work, never clocks: they stand still during CPU work in production) ─────────────────────
/** Browsers stop at 512, real pages at 55; what walks up from each element costs its depth. */
export const DOM_DEPTH_MAX = 100;
/** An element with its text takes some 0.5 KB of heap; two documents must fit in an isolate's 128 MB. */
export const DOM_ELEMENTS_MAX = 25_000;
/** HTML that reaches the DOM after scripts, styles, comments and SVG are gone. */
export const DOM_HTML_CHARS_MAX = 3_000_000;
export const ATTRIBUTE_CHARS_MAX = 4_096;
/** Character references left in a page's text: the parser makes a text of each, at the cost of an element. */
export const TEXT_REFERENCES_MAX = 100_000;
/** Lists and quotes nested deeper than this keep their text and lose their indent: it would outgrow the text. */
export const MARKDOWN_NEST_MAX = 16;
/** A link target longer than this is a payload, not an address to follow: its text is kept. */
export const LINK_CHARS_MAX = 2_048;
/** Columns of a table after `colspan` is spelled out; no reader follows more. */
export const TABLE_COLUMNS_MAX = 64;
/** Characters that the spans of a page's tables may repeat: a third of its text at most; beyond, cells they cover stay empty. */
export const TABLE_REPEAT_CHARS_MAX = 1_000_000;
/** Levels to which JSON is indented; deeper ones stay on their line, or indents would outgrow the data. */
export const JSON_INDENT_LEVELS_MAX = 32;
/** A sentence longer than this is broken at a word, so that a citation stays a sentence's size. */
export const PROSE_LINE_CHARS_MAX = 240;
/** Code and table lines are never broken below this; beyond it a single line could not be shown at all. */
export const LINE_BYTES_MAX = 32 * KIB;

// ── Other file types ─────────────────────────────────────────────────────────────────────────────────────
/** Markdown made of one file that is no HTML: a book of 1,500 pages; extraction stops there and says so. */
export const FILE_CHARS_MAX = 3_000_000;
/** HTML tags in all parts of one file (chapters, entries, outputs) together: each costs up to 7 µs. */
export const FILE_TAGS_MAX = 75_000;
/** What tells a table's delimiter from a character in a text: 25 rows of any real table. */
export const CSV_SAMPLE_CHARS_MAX = 64 * KIB;
/** Whatever is on them: a page costs half a millisecond before its first letter. */
export const PDF_PAGES_MAX = 500;
/**
 * What the text of a PDF may cost, in characters of 0.45 µs; a run of text and a page cost as many as the next two say.
 * Together within a second: 240 pages of a book; those behind them are read by `#page=N`.
 */
export const PDF_WORK_MAX = 1_000_000;
export const PDF_WORK_PER_PIECE = 16;
/** After each of these others get in: a tenth of a second. */
export const PDF_WORK_PER_PAUSE = 150_000;
export const PDF_WORK_PER_PAGE = 1_000;
/** An annotation costs pdf.js 28 µs, link or not. */
export const PDF_WORK_PER_ANNOTATION = 60;
/** A page is looked for among all pages: so many of them cost as much as one character. */
export const PDF_PAGES_PER_WORK = 40;
/** Pieces of text of one page; drawings made of letters have more, pages do not. */
export const PDF_PIECES_PER_PAGE_MAX = 20_000;
export const PDF_LINKS_PER_PAGE_MAX = 200;
/** What the compressed streams of a PDF, images apart, may grow to: with pdf.js' own copies half an isolate. */
export const PDF_INFLATED_BYTES_MAX = 40 * MIB;
/** What the pages of a PDF draw, up to 0.2 µs a byte: 500 pages of text have 4 to 10 MB. */
export const PDF_DRAWN_BYTES_MAX = 12 * MIB;
/** One stream of it: maps and plots have more, text never. */
export const PDF_STREAM_BYTES_MAX = 2 * MIB;
/** Feeds hold 10 to 100 entries; archives more. */
export const FEED_ENTRIES_MAX = 300;
/** Rows of a table read from CSV, TSV or a worksheet. */
export const SHEET_ROWS_MAX = 10_000;
export const SHEET_COLUMNS_MAX = 256;
export const XML_DEPTH_MAX = 200;
/** Elements and texts of a parsed XML document: about 40 MB. */
export const XML_NODES_MAX = 400_000;
/** Real books and documents have tens to hundreds. */
export const ARCHIVE_ENTRIES_MAX = 2_000;
/** Text packs ten to one, repetitive XML thirty; a bomb a thousand. */
export const ARCHIVE_RATIO_MAX = 100;
/** Small entries pack better than this ratio without harm. */
export const ARCHIVE_RATIO_FREE_BYTES = 64 * KIB;
/** Sum of what the entries that are read unpack to. */
export const ARCHIVE_BYTES_MAX = 40 * MIB;
/** XML of an OpenDocument text, and of the sheets of a workbook together: 25 ns a byte to unpack and read. */
export const OFFICE_XML_BYTES_MAX = 12 * MIB;
/** XML of a Word document without its looks: its reader takes some 12 bytes of heap for each. */
export const DOCX_XML_BYTES_MAX = 2 * MIB;
/** Elements of a Word document without its looks, up to 15 µs each: 400 pages of text, 7,000 cells. */
export const DOCX_ELEMENTS_MAX = 32_000;
/** Text of one output of a notebook cell: logs of a training run are cut. */
export const NOTEBOOK_OUTPUT_CHARS_MAX = 20_000;

// ── Documents ────────────────────────────────────────────────────────────────────────────────────────────
/** What stands beside the main part of a page: menus and a thousand comments; a page of nothing else is all main part. */
export const REST_BYTES_MAX = 512 * KIB;
/** Of a name that links lead to; longer ones are generated, and nobody links there. */
export const ANCHOR_CHARS_MAX = 300;
/** Names of a document's places with their lines, in one row of D1: 20 characters for each of 25,000 elements. */
export const ANCHORS_CHARS_MAX = 500_000;
/** A document with fewer lines is read without an outline. */
export const OUTLINE_LINES_MIN = 120;
/** What an outline may cost a model: a glance at the contents of a book. */
export const OUTLINE_TOKENS_MAX = 400;
/** Of a heading in an outline: enough to choose by. */
export const OUTLINE_TEXT_CHARS_MAX = 100;
/** D1 allows 2,000,000 bytes a row; a viewport should read no more than it must. */
export const CHUNK_BYTES_MAX = 256 * KIB;
/** What a chunk is filled to: a viewport then reads one or two of them, and search can tell passages apart. */
export const CHUNK_BYTES_TARGET = 32 * KIB;
/** Chunks a scan holds at a time: at most 1 MiB. */
export const CHUNKS_PER_READ = 32;
/** D1 binds at most 100 parameters a statement. */
export const SQL_PARAMETERS_MAX = 100;

// ── Local search ─────────────────────────────────────────────────────────────────────────────────────────
/** A longer word is known by its beginning: no language has one, encoded data is full of them. */
export const WORD_CHARS_MAX = 32;
/** Different words of one page: books have 10,000 to 30,000. With the next one, a transaction stays under 0.1 s. */
export const PAGE_WORDS_MAX = 30_000;
export const PAGE_WORDS_CHARS_MAX = 300_000;
/** Of a title: a stuffed one is found by its first words only. */
export const TITLE_WORDS_MAX = 16;
/** Words that a page may be "about": those of its headings, and those it repeats. It cannot be about everything. */
export const HEADING_WORDS_MAX = 48;
export const FREQUENT_WORDS_MAX = 16;
export const FREQUENT_COUNT_MIN = 3;
/** Of all words of the page that are no stop words. */
export const FREQUENT_SHARE_MIN = 0.01;
/** Index rows written in one transaction, in UTF-8 bytes: others wait for under 0.1 s. D1 binds 2 MB at most. */
export const INDEX_BATCH_BYTES_MAX = 512 * KIB;
/** Text that a search may index before it looks, when an earlier version stored pages in another form. */
export const INDEX_PER_SEARCH_BYTES = 1 * MIB;
/** Text that the hourly run may index: about ten seconds of CPU. */
export const INDEX_PER_HOUR_BYTES = 128 * MIB;
/** Documents looked at in one step of indexing. */
export const INDEX_DOCUMENTS_PER_STEP = 100;
/** Different words of a query that are looked up; more say nothing more. */
export const QUERY_WORDS_MAX = 16;
/** Pages that are looked at for one word, the newest ones: of a word that more pages have, a page needs other signs. */
export const POSTINGS_MAX = 1_000;
/** Index rows that one statement may step through where words are common; and how many such statements there may be. */
export const POSTINGS_WINDOW_ROWS = 131_072;
export const POSTINGS_WINDOWS_MAX = 4;
/** Results that can be paged to, `WEB_SEARCH_RESULTS_MAX` × (`SEARCH_OFFSET_MAX` + 1), and one that says there are more. */
export const RANKED_PAGES_MAX = 201;
/** A page may be stored in three modes; each is a document, and one of them is shown. */
export const RANKED_DOCUMENTS_MAX = 3 * RANKED_PAGES_MAX;
/** A word that a larger share of the pages has tells none of them apart; not said of a store with next to no pages. */
export const COMMON_SHARE = 0.5;
export const COMMON_PAGES_MIN = 10;
/** Pages whose text is looked through for a phrase, the best ones: about a megabyte; and how many of them at a time. */
export const PHRASE_PAGES_MAX = 64;
export const PHRASE_PAGES_PER_READ = 8;
/** Of a stored passage that is read for a result: about 32 KiB, more only for what earlier versions stored. */
export const PASSAGE_CHARS_MAX = 128 * KIB;
/** Passages of a long page that are read to find what a query writes in one piece. */
export const PIECE_PASSAGES_MAX = 4;
/** Words by which a passage of a long page is chosen. */
export const PASSAGE_WORDS_MAX = 4;

// ── Web ──────────────────────────────────────────────────────────────────────────────────────────────────
/** Of the text block and, again, of `markdown` in the structure: together well below what hosts refuse. */
export const PAGE_RESULT_BYTES_MAX = 60_000;
/** Links listed beside a page; all of them stand in its Markdown anyway. */
export const PAGE_LINKS_MAX = 100;
export const BATCH_URLS_MAX = 10;
export const BATCH_CONCURRENCY_MAX = 6;
export const BATCH_CONCURRENCY_DEFAULT = 4;
/** What is not there by then is reported as such: a batch answers within the call's deadline with what it has. */
export const BATCH_DEADLINE_MS = 38 * SECOND_MS;
/** HTML that `web_extract` takes: what a fetch may bring by default. */
export const EXTRACT_HTML_CHARS_MAX = 5_000_000;

// ── Cache ────────────────────────────────────────────────────────────────────────────────────────────────
/** Dropped in one transaction: under 0.2 s of the database here, far from the 30 s it is given. */
export const DROP_DOCUMENTS_PER_BATCH = 100;
export const DROP_BYTES_PER_BATCH = 16 * MIB;
/**
 * A document is dropped only so long after its hold: it is held when a call begins and its cursor minted when the call
 * ends, and the two clocks may differ.
 */
export const DROP_GRACE_MS = 5 * MINUTE_MS;
/** Transactions of one hourly sweep, five queries each: well below the 1,000 of one invocation; the next hour goes on. */
export const SWEEP_BATCHES_MAX = 100;
/** Hundreds of stored pages that one run judges by a new rule of privacy: three queries each, a second in all. */
export const JUDGE_BATCHES_MAX = 100;
/** `cache_purge` starts no transaction after this, so that its report is there before the call's deadline. */
export const PURGE_DEADLINE_MS = 30 * SECOND_MS;
/** What one purge selects: about 2 MB of rows; it says what is left. */
export const PURGE_SNAPSHOTS_MAX = 5_000;
/** Rows a purge lists, and characters of each URL: together well within a result. */
export const PURGE_ROWS_MAX = 100;
export const PURGE_URL_CHARS_MAX = 400;
/** Ten years: older than any page in the store. */
export const PURGE_AGE_SECONDS_MAX = 315_360_000;
/** Pages a person opened lately, as resources; the least recent go first. */
export const RECENTS_PER_SUBJECT_MAX = 500;
export const RESOURCES_PER_PAGE = 50;
/** The protocol allows no more values in one completion. */
export const COMPLETION_VALUES_MAX = 100;
/** The page in a prompt: with our words on it, it stays within one result. */
export const PROMPT_PAGE_BYTES_MAX = 70_000;
/** What a person may want a prompt to look at: a sentence or two. */
export const PROMPT_FOCUS_CHARS_MAX = 500;

// ── Reader ───────────────────────────────────────────────────────────────────────────────────────────────
export const VIEWPORT_LINES_MIN = 20;
export const VIEWPORT_LINES_MAX = 200;
export const VIEWPORT_LINES_DEFAULT = 80;
export const SEARCH_RESULTS_MAX = 10;
export const SEARCH_RESULTS_DEFAULT = 5;
export const SCROLL_DELTA_MAX = 5_000;
export const QUERY_CHARS_MAX = 1_000;
/** Titles and snippets in result lists: enough to choose by, too little to flood a list. */
export const TITLE_CHARS_MAX = 200;
export const SNIPPET_CHARS_MAX = 400;
export const FIND_PATTERN_CHARS_MAX = 256;
/** Entries that `find` lists; the total is stated beside them. */
export const FIND_MATCHES_MAX = 50;
export const FIND_PREVIEW_CHARS_MAX = 160;
/** re2js compiles a pattern to this many instructions at most: its cost is linear in size × text. */
export const FIND_PROGRAM_SIZE_MAX = 500;
/** Instructions × characters that one `find` may spend, at 2 to 20 ns each: six seconds of CPU at the very worst. */
export const FIND_WORK_MAX = 300_000_000;
/** After each of these others get in: a third of a second at the worst. */
export const FIND_WORK_PER_PAUSE = 15_000_000;

// ── Web search ───────────────────────────────────────────────────────────────────────────────────────────
/** Brave gives no more at a time. */
export const WEB_SEARCH_RESULTS_MAX = 20;
export const WEB_SEARCH_RESULTS_DEFAULT = 10;
/** Pages of results that can be skipped: Brave's limit. */
export const SEARCH_OFFSET_MAX = 9;
/** Goggles travel in the query string; a longer one belongs behind a URL. */
export const GOGGLES_CHARS_MAX = 2_000;
export const DOMAIN_FILTERS_MAX = 50;
/** Brave sends up to five. */
export const EXTRA_SNIPPETS_MAX = 5;
/** Results of one answer that are looked at; no provider sends more than a few dozen. */
export const SEARCH_RAW_HITS_MAX = 100;
/** What a list's titles, URLs and snippets may take as JSON: a result holds them as text too. */
export const SEARCH_LIST_BYTES_MAX = 60_000;
/** Long enough for a model that asks again, short enough for news. */
export const SEARCH_CACHE_TTL_MS = 10 * MINUTE_MS;
/** An answer of a provider that stood in for another. */
export const SEARCH_FALLBACK_CACHE_TTL_MS = 1 * MINUTE_MS;
/** For all providers of one search together, queue included: leaves the call time to store and render. */
export const SEARCH_DEADLINE_MS = 40 * SECOND_MS;
/** For one answer of one provider. */
export const SEARCH_TIMEOUT_MS = 10 * SECOND_MS;
/** What a search in the queue keeps of its time for the request itself. */
export const SEARCH_EXCHANGE_RESERVE_MS = 3 * SECOND_MS;
/** Ten times the largest answers seen. */
export const SEARCH_BODY_BYTES_MAX = 2 * MIB;
/** Brave refuses longer queries. */
export const BRAVE_QUERY_CHARS_MAX = 600;
export const BRAVE_QUERY_WORDS_MAX = 75;
/** When a provider says "too many" and not for how long. */
export const SEARCH_RETRY_AFTER_DEFAULT_SECONDS = 60;
/** Windows up to here are a pace one can queue for; longer ones are a quota. */
export const RATE_PACE_WINDOW_MAX_MS = 1 * MINUTE_MS;
/** Requests sent a window apart arrive a little closer or further: without this every few would be too early. */
export const RATE_PACE_SLACK_MS = 100;
/** Requests of one window that are kept apart; a faster plan needs no queue. */
export const RATE_PACE_LIMIT_MAX = 100;
/** How often a used-up quota is tried again: a plan can be raised before its month ends. */
export const RATE_QUOTA_PROBE_MS = 15 * MINUTE_MS;

// ── Budgets ──────────────────────────────────────────────────────────────────────────────────────────────
/** 200 a second, about what one isolate answers: a loop that runs away is stopped, agents in parallel are not. */
export const CALLS_PER_MINUTE_DEFAULT = 12_000;
/** One every half second, day and night; at what Workers cost, a few dollars when all of it is used. */
export const CALLS_PER_DAY_DEFAULT = 200_000;
/** A day of research makes some hundreds; at Brave's price this many are 25 dollars. */
export const SEARCHES_PER_DAY_DEFAULT = 5_000;
/** Two browsers that never rest; at Cloudflare's 0.09 dollars an hour, 4.32 dollars a day. */
export const BROWSER_MINUTES_PER_DAY_DEFAULT = 2_880;
/** For everybody together: five people who use up all they have. */
export const TOTAL_CALLS_PER_DAY_DEFAULT = 1_000_000;
export const TOTAL_SEARCHES_PER_DAY_DEFAULT = 25_000;
export const TOTAL_BROWSER_MINUTES_PER_DAY_DEFAULT = 14_400;
/** A day is counted in slots, and a slot leaves the window whole: 97 numbers a budget, and room a quarter of an hour late. */
export const BUDGET_DAY_MS = 24 * HOUR_MS;
export const BUDGET_DAY_SLOT_MS = 15 * MINUTE_MS;
export const BUDGET_MINUTE_MS = 1 * MINUTE_MS;
export const BUDGET_MINUTE_SLOT_MS = 1 * SECOND_MS;
/** Units that a subject takes in advance, so that most calls ask no other object and write nothing. */
export const BUDGET_BLOCK_MAX = { calls: 64, searches: 16, browser_ms: 1 * MINUTE_MS } as const;
/** What is taken in advance is at most this share of what is left: unused it is lost, and must not be missed. */
export const BUDGET_BLOCK_SHARE = 1 / 1024;

// ── Health ───────────────────────────────────────────────────────────────────────────────────────────────
/** For one part; a person waits for the page, and all parts are looked at together. */
export const HEALTH_CHECK_DEADLINE_MS = 10 * SECOND_MS;
/** What the check writes to KV goes by itself; KV takes nothing shorter. */
export const HEALTH_KEY_TTL_SECONDS = 60;

// ── Cursors ──────────────────────────────────────────────────────────────────────────────────────────────
/** Rows a subject may hold; the least recently used go first. */
export const CURSORS_PER_SUBJECT_MAX = 2_000;
/** A document is held in the store for a cursor's life plus this, so that the hold is renewed at most once in it. */
export const DOCUMENT_HOLD_SLACK_MS = 1 * HOUR_MS;

// ── Sign-in ──────────────────────────────────────────────────────────────────────────────────────────────
/** The most that workerd derives in one go; about 30 ms of CPU, which is what one guess costs. */
export const PASSPHRASE_ITERATIONS = 100_000;
/** A longer one is no passphrase: it only costs hashing. */
export const PASSPHRASE_CHARS_MAX = 1_000;
/** Typing errors of one person in a row; then one try every 90 s. */
export const SIGN_IN_TRIES_PER_ADDRESS_MAX = 10;
export const SIGN_IN_ADDRESS_WINDOW_MS = 15 * MINUTE_MS;
/** From all addresses together, in a row; then one every 36 s: a botnet gets 2,400 guesses a day and these. */
export const SIGN_IN_TRIES_MAX = 100;
export const SIGN_IN_WINDOW_MS = 1 * HOUR_MS;
/** A browser that came with the sign-in link: long enough to sign in, and to connect a client after that. */
export const SIGN_IN_LINK_TTL_MS = 24 * HOUR_MS;
/** Ways to a provider begun from one address in a quarter of an hour: each is kept until it comes back or is given up. */
export const UPSTREAM_STARTS_PER_ADDRESS_MAX = 30;
/** From all addresses together, in an hour: 170 of them are kept at a time at most. */
export const UPSTREAM_STARTS_MAX = 1_000;
/** Signing in at the provider, a second factor and a new password included. */
export const UPSTREAM_SIGN_IN_TTL_MS = 10 * MINUTE_MS;
/** For all that is asked of a provider while a person waits for one page. */
export const UPSTREAM_DEADLINE_MS = 15 * SECOND_MS;
/** Ten times the largest metadata, key set or token answer of the large providers. */
export const UPSTREAM_BODY_BYTES_MAX = 512 * KIB;
/** A provider's metadata: endpoints move once in years, and then announced. Its keys are kept for five minutes. */
export const UPSTREAM_METADATA_TTL_MS = 1 * HOUR_MS;
/** A provider's clock may be so far ahead of ours. */
export const UPSTREAM_CLOCK_AHEAD_SECONDS = 60;
/** A browser that stays signed in: connecting clients is rare, and the passphrase is long. */
export const SESSION_TTL_MS = 7 * 24 * HOUR_MS;
/** A browser that signed in before keeps tries of its own, so that guessers cannot lock the owner out. */
export const KNOWN_BROWSER_TTL_MS = 180 * 24 * HOUR_MS;
/** "Do not ask again" on the consent page. */
export const CONSENT_QUIET_MS = 30 * 24 * HOUR_MS;
/** Decisions kept: more clients than a person connects in years. */
export const CONSENT_MEMORIES_MAX = 500;
/** Whoever asks for access names itself; a longer name is there to hide the rest of the page. */
export const CLIENT_NAME_CHARS_MAX = 80;
/** Largest body of a form, a token request or a revocation: a signed client assertion with room to spare. */
export const FORM_BYTES_MAX = 64 * KIB;
/** Several accounts and devices of one person behind one client id; the oldest connection ends when there are more. */
export const GRANTS_PER_CLIENT_MAX = 10;
/** Looking up the host of a client's document; the person waits for the page. */
export const CLIENT_DOCUMENT_GATE_MS = 5 * SECOND_MS;
export const ACCESS_TOKEN_TTL_SECONDS = 3_600;
/** Since the last refresh: a connection ends when nobody has used it for this long, and never before. */
export const REFRESH_TOKEN_IDLE_TTL_SECONDS = 7_776_000;
/** 256 bits: nobody guesses one, so a plain hash of it is enough to keep. */
export const TOKEN_SECRET_BYTES = 32;
export const TOKEN_NAME_CHARS_MAX = 60;
/** A quarter: long enough to forget about it, short enough for a forgotten one to end. */
export const TOKEN_DAYS_DEFAULT = 90;
export const TOKEN_DAYS_MAX = 365;
/** One for each agent and machine of a person, with room; more is a script that makes them and loses them. */
export const TOKENS_PER_SUBJECT_MAX = 50;
/** "Last used" is written at most so often: agents call many times a minute. */
export const TOKEN_USED_EVERY_MS = 1 * MINUTE_MS;
/** An expired token stays listed, so that its owner can see why an agent stopped. */
export const TOKEN_EXPIRED_KEPT_MS = 30 * 24 * HOUR_MS;
/** Registration is open, as clients need it; each one writes to the store. */
export const REGISTRATIONS_PER_ADDRESS_MAX = 60;
export const REGISTRATIONS_MAX = 300;
export const REGISTRATION_WINDOW_MS = 1 * HOUR_MS;
/** What a client says of itself, as JSON: real ones say 0.3 to 2 KB. */
export const REGISTRATION_BYTES_MAX = 16 * KIB;
/** Addresses to return to, one for each editor or port a client knows of: real ones name up to eight. */
export const CLIENT_REDIRECTS_MAX = 20;
/** Of any address in a registration: what browsers and proxies pass on without trouble. */
export const CLIENT_URL_CHARS_MAX = 2_000;
/** Of names, versions and the like; a consent page shows a line of them. */
export const CLIENT_TEXT_CHARS_MAX = 200;
/** Contacts, grant types, languages of a name: more than any client has. */
export const CLIENT_LIST_MAX = 20;
/** A client that registered and that nobody signed in with: a week is long for "later". */
export const UNUSED_CLIENT_TTL_SECONDS = 7 * 24 * 3_600;
/** Clients of that kind in the store, 32 MB at the very most; the oldest go first, so that a flood stops no new one. */
export const UNUSED_CLIENTS_MAX = 2_000;
/** The longest name that Workers KV looks up, in bytes; it throws at a longer one. */
export const STORE_NAME_BYTES_MAX = 512;
/** Grants and tokens looked at by one run of the hourly purge: each is a read of the store. */
export const GRANT_PURGE_BATCH = 100;

// ── Browser ──────────────────────────────────────────────────────────────────────────────────────────────
/**
 * How long the platform keeps, and charges for, a browser that gets no command: its object sends one every minute, so it
 * is longer than any pause of that, and short for a browser whose object is gone.
 */
export const BROWSER_KEEP_ALIVE_MS = 3 * MINUTE_MS;
/** What a start may wait for its turn in all: Workers Paid starts one browser a second, so it is some seconds' crowd. */
export const BROWSER_START_WAIT_MS_MAX = 6 * SECOND_MS;
/** On top of each such wait, so that those who wait do not all come back at once. */
export const BROWSER_START_JITTER_MS = 250;
/** Of the text with which the platform refuses to start a browser: one sentence. */
export const BROWSER_DENIAL_BYTES_MAX = 4_000;
/** Patterns of hosts that Browser Run holds a browser to; it refuses longer lists. */
export const BROWSER_WALL_ENTRIES_MAX = 50;
/** The platform answers in a second or two, or says that it cannot. */
export const BROWSER_START_MS_MAX = 15 * SECOND_MS;
/** To end a browser that is there no more, or hangs: nobody waits for longer. */
export const BROWSER_CLOSE_MS_MAX = 3 * SECOND_MS;
/** A browser that does not tell its own version by then hangs, however busy its pages are. */
export const BROWSER_ALIVE_MS = 3 * SECOND_MS;
/** Objects that render pages for reading, each with a browser of its own: pages are shared out among them by host. */
export const RENDERERS = 4;
/** One step of trying the browser: to start one may take two tries and a wait, everything else takes a second. */
export const TRIAL_STEP_MS_MAX = 40 * SECOND_MS;
/** Browsers that Workers Paid lets an account have at a time. */
const PLATFORM_BROWSERS_MAX = 120;
/** Sessions with a browser: what the plan has room for beside the renderers. */
export const SESSIONS_MAX = PLATFORM_BROWSERS_MAX - RENDERERS;
/** How long a window that may not open has to ask for what it was opened for, where it has a gate of its own. */
export const POPUP_ASKS_MS = 2 * SECOND_MS;
/** Tabs of one session: more than a person keeps open on one task; a page that opens windows in a loop ends here. */
export const TABS_MAX = 20;
/** Between two tries to start a browser: what made the first one fail has mostly passed by then. */
export const BROWSER_START_PAUSE_MS = 300;
/** Events of a tab that are kept for the next results; the rest is counted. */
export const PAGE_LOG_ENTRIES_MAX = 200;
/** Of a console message, a dialog or an address in the log of a tab. */
export const PAGE_LOG_TEXT_CHARS_MAX = 500;

// ── Acting on a page ─────────────────────────────────────────────────────────────────────────────────────
/** An action without any sign of a consequence by then had none: frameworks render within a frame or two. */
export const ACT_SIGN_MS = 80;
/** The same for a page that has loaded and waits for nothing: its scripts have run, and have three frames to begin more. */
export const ACT_ARRIVED_SIGN_MS = 50;
/** Of the time a page took to load, which is what it may take at least: only pages that come in under 0.2 s have less. */
export const ACT_ARRIVED_SIGN_SHARE = 0.25;
/** A page that was quiet for so long has drawn what it had to draw. */
export const ACT_QUIET_MS = 150;
/** What was answered has reached the page's scripts by then; how often a document that goes away is asked again. */
export const ACT_QUIET_POLL_MS = 50;
/** Clocks, carousels and spinners never come to rest. */
export const ACT_NOISE_MS_MAX = 1_000;
/** For requests that the action began; what takes longer is said to be still loading. */
export const ACT_REQUESTS_MS_MAX = 5 * SECOND_MS;
/** For a navigation that the action began, so that a call with several waits stays within its deadline. */
export const ACT_NAVIGATION_MS_MAX = 10 * SECOND_MS;
/** Transitions, overlays that fade and buttons that are enabled after a check are over by then. */
export const ACT_READY_MS_MAX = 2 * SECOND_MS;
/** A click that found another element under the pointer is tried again so often in all. */
export const ACT_TRIES_MAX = 3;
/** A guard that a call could not take out of a page again ends by itself: longer than any click takes. */
export const ACT_GUARD_MS_MAX = 15 * SECOND_MS;
/** Options of a list that a refusal names, so that the next call can be right. */
export const ACT_OPTIONS_SHOWN_MAX = 20;
export const ACT_OPTIONS_CHARS_MAX = 1_000;
/** Fields with which a form was not sent, as many as a result tells: a person sees one after the other. */
export const INVALID_FIELDS_MAX = 8;
/** The browser confirms an input event when the page has handled it; a page that is busy for longer is left to it. */
export const ACT_INPUT_MS_MAX = 5 * SECOND_MS;
/** Of what a page says about an element, a dialog or an error. */
export const ACT_QUOTE_CHARS_MAX = 300;
/** Text for one field: a long article; more is no typing. */
export const FILL_CHARS_MAX = 100_000;
/** Fields that one call sets: a long form on one screen; at a tenth of a second each they stay far from its deadline. */
export const FILL_FIELDS_MAX = 30;
/** Of a selector that a refusal names. */
export const ACT_SELECTOR_CHARS_SHOWN_MAX = 120;
/** How often a field is looked for that an earlier one of the call may still bring, within `ACT_READY_MS_MAX`. */
export const FILL_AGAIN_MS = 250;
/** Each key is two messages to the browser. */
export const TYPE_CHARS_MAX = 5_000;
/** Keys on their way at once, so that a far browser does not cost a round trip a key. */
export const TYPE_KEYS_IN_FLIGHT = 32;
/** Suggestion lists that are asked for after each key keep up with this. */
export const TYPE_SLOWLY_MS = 60;
/** Keys of one sequence. */
export const TYPE_NAMED_KEYS_MAX = 50;
/** One call scrolls the length of a long page. */
export const SCROLL_PX_MAX = 100_000;
export const SCROLL_PAGES_MAX = 50;
/** A script that a model wrote is short; libraries do not belong into a page. */
export const SCRIPT_CHARS_MAX = 50_000;
export const EVALUATE_TIMEOUT_MS_DEFAULT = 5 * SECOND_MS;
/** Leaves the call time to end a page that hangs. */
export const EVALUATE_TIMEOUT_MS_MAX = 15 * SECOND_MS;
/** A script's result as JSON; with the fence and our words it stays within a result. */
export const EVALUATE_RESULT_CHARS_MAX = 20_000;
export const EVALUATE_RESULT_DEPTH_MAX = 8;
/** A page may run one loop after another; with the waits between them it is ended within 8 s. */
export const PAGE_STOPS_MAX = 3;
/** How long a page may take to answer at all, before it counts as hanging. */
export const PAGE_ALIVE_MS = 1 * SECOND_MS;
/** HTML of a page in one result. */
export const HTML_BYTES_DEFAULT = 20_000;
export const HTML_BYTES_MAX = 60_000;
/** Attributes longer than this are payloads: data URLs, inlined state. */
export const HTML_ATTRIBUTE_CHARS_MAX = 300;

// ── Browser: snapshots and refs ──────────────────────────────────────────────────────────────────────────
/** Elements a session remembers: some 40 large pages, under 10 MB; the least recently shown go first and are stale. */
export const REFS_PER_SESSION_MAX = 20_000;
/**
 * Numbers of refs that are stored as given at once, so that not every look at a page is a write. A session that comes back
 * leaves out those that were not.
 */
export const REFS_RESERVED = 100;
/** Of an accessible name, what a ref is bound to. */
export const REF_NAME_CHARS_MAX = 300;
/** Of a link's address, the same; what tells addresses apart can stand late in them. */
export const REF_URL_CHARS_MAX = 1_000;
/** Words around an element that tell it from its twins: a table row or a card, not a section of the page. */
export const REF_CONTEXT_CHARS_MAX = 300;
/** Nodes looked at for those words: a large part without text costs no more than one with it. */
export const REF_CONTEXT_ELEMENTS_MAX = 400;
/** The parser of HTML stops at 512 levels, scripts do not; pages keep below 60. */
export const SNAPSHOT_DEPTH_MAX = 200;
/** Pages with advertisements have a dozen. */
export const SNAPSHOT_FRAMES_MAX = 24;
/** A document of 50,000 elements takes 2 s; one that does not answer by then runs a script without end. */
export const SNAPSHOT_FRAME_MS = 8 * SECOND_MS;
/** Each costs one message to the browser. */
export const SNAPSHOT_TELLING_ELEMENTS_MAX = 300;
export const SNAPSHOT_FIELDS_MAX = 500;
/** Some 3,000 tokens: what a model can take in at every step. */
export const SNAPSHOT_BYTES_DEFAULT = 12_000;
export const SNAPSHOT_BYTES_MIN = 1_000;
export const SNAPSHOT_BYTES_MAX = 60_000;
/** Beside a failure: enough to find the element again. */
export const SNAPSHOT_FAILURE_BYTES_MAX = 8_000;
/** What tells an element from others; the rest is text that `browser_read` gives in full. */
export const SNAPSHOT_NAME_CHARS_MAX = 80;
export const SNAPSHOT_NAME_CHARS_VERBOSE_MAX = 300;
export const SNAPSHOT_TEXT_CHARS_MAX = 240;
export const SNAPSHOT_TEXT_CHARS_VERBOSE_MAX = 2_000;
export const SNAPSHOT_URL_CHARS_MAX = 48;
/** Choices of a select that are listed; the number of the others is told. */
export const SNAPSHOT_OPTIONS_MAX = 12;
/** Elements shown when a selector matches more than one. */
export const SELECTOR_MATCHES_SHOWN_MAX = 10;
/** A laptop's window: sites show their full layout, and a screenshot of it is small. CSS pixels. */
export const BROWSER_VIEWPORT = { width: 1280, height: 800 };
/** What the gate decided for a host is asked again after this: far below any DNS answer's usual life. */
export const BROWSER_GATE_MEMORY_MS = 30 * SECOND_MS;
/** Hosts of one page are a few dozen. */
export const BROWSER_GATE_MEMORY_MAX = 500;
/** A request whose host cannot be looked up in this time is refused. */
export const BROWSER_GATE_MS = 5 * SECOND_MS;
/** How long a call waits for the calls before it on the same session. */
export const SESSION_QUEUE_WAIT_MS = 20 * SECOND_MS;
/** What one call may take once it is its turn: with the queue it stays under the deadline of every call. */
export const SESSION_CALL_MS = 24 * SECOND_MS;
/** How long a result waits for a tab that the page just opened to have an address. */
export const TAB_BEGINS_MS = 1 * SECOND_MS;
/** What a call may need on top, to say how the tabs are: a browser that takes longer hangs. */
export const SESSION_STATE_MS = 3 * SECOND_MS;
/** What a session that is brought back may need; its pages have {@link RESTORE_LOAD_MS}. */
export const SESSION_START_MS = 20 * SECOND_MS;
/** However long a call has waited for its turn or for its browser, it has this long itself. */
export const SESSION_CALL_MS_MIN = 3 * SECOND_MS;
/** What is done after an answer: to free a page that hangs, and to keep what the session needs to come back. */
export const SESSION_AFTER_CALL_MS = 10 * SECOND_MS;
/** How often a live session tells the platform that it is alive, and how far ahead its time is paid. */
export const SESSION_TICK_MS = 1 * MINUTE_MS;
/** A session that has not been heard of for this long has no browser: the platform ends one that is not spoken to. */
export const SESSION_UNSEEN_MAX_MS = 5 * MINUTE_MS;
/** How long a parked session waits for its owner. */
export const PARKED_SESSION_TTL_MS = 30 * 24 * HOUR_MS;
/** Names people give to sessions. */
export const SESSION_NAME_CHARS_MAX = 64;

// ── Parked sessions ──────────────────────────────────────────────────────────────────────────────────────
/** Storage of all sites of a session, as JSON: an object's row holds 2 MB, and packed text does not compress. */
export const PARKED_STORAGE_BYTES_MAX = 1_000_000;
/** Of one site in one kind of storage; what signs a person in is far smaller. */
export const PARKED_AREA_BYTES_MAX = 500_000;
/** Cookies as JSON: some 1,000. */
export const PARKED_COOKIES_BYTES_MAX = 256_000;
/** Frames of one tab whose storage is read; more are advertisements. */
export const PARKED_FRAMES_PER_TAB_MAX = 30;
/** A page that is too busy to answer by then is kept as it was kept before. */
export const PARK_READ_MS = 2 * SECOND_MS;
/** For a blank document of ours, which comes from no network. */
export const RESTORE_PLANT_MS = 3 * SECOND_MS;
export const RESTORE_POLL_MS = 10;
/** All tabs load at once; one that takes longer goes on loading while the call that woke the session goes on. */
export const RESTORE_LOAD_MS = 8 * SECOND_MS;
/** A page that fills itself after it has loaded gets this long to become as tall as it was. */
export const RESTORE_SCROLL_MS = 1 * SECOND_MS;
export const RESTORE_SCROLL_POLL_MS = 100;

// ── Screenshots ──────────────────────────────────────────────────────────────────────────────────────────
/** Vision models scale larger images down to about this, and pay for what they lose. */
export const SCREENSHOT_SIDE_DEFAULT = 1_568;
export const SCREENSHOT_SIDE_MAX = 2_000;
/** Below this a page cannot be told from another. */
export const SCREENSHOT_SIDE_MIN = 64;
/** Chromium's textures end here; beyond, images are repeated or empty. CSS pixels. */
export const SCREENSHOT_PAGE_SIDE_MAX = 16_384;
/** As base64: what hosts take of a result, less a full text (75 KB, twice that when every character is escaped) and the frame around both. */
export const SCREENSHOT_BASE64_BYTES_MAX = 840_000;
/** From good to recognisable; the best that fits is taken. */
export const SCREENSHOT_QUALITIES = [85, 75, 65, 55, 45, 35] as const;
/** Captures scaled down further, when the last quality does not fit: each halves the area at least as far as it must. */
export const SCREENSHOT_SHRINKS_MAX = 4;
/** Fonts and images in view may still be loading. */
export const SCREENSHOT_READY_MS = 1.5 * SECOND_MS;
/** Chromium sometimes loses a capture of a tab behind another and never answers; the next one works. Usual: 0.1 s. */
export const SCREENSHOT_TRY_MS = 4 * SECOND_MS;
export const SCREENSHOT_TRIES_MAX = 3;
/** An image under this share of the page's size has text that cannot be read; the result says so. */
export const SCREENSHOT_LEGIBLE_SCALE_MIN = 0.4;
/** Labels of one screenshot; more would hide what they name. */
export const OVERLAY_LABELS_MAX = 200;
/** Refs that are looked for on the page to label them: the latest of a session that has shown more. */
export const OVERLAY_CANDIDATES_MAX = 600;
/** Quality of the image that labels are drawn on, before it is compressed again. */
export const OVERLAY_SOURCE_QUALITY = 92;
/** Events of a page that one result tells: the first ones say most. */
export const PAGE_EVENTS_SHOWN_MAX = 8;

// ── Rendering pages for reading ──────────────────────────────────────────────────────────────────────────
/** For one page, from when it is asked for: its turn, the start of a browser, loading, coming to rest, reading. */
export const RENDER_MS_MAX = 15 * SECOND_MS;
/** Of it, what is kept for reading the page and closing it. */
export const RENDER_READ_RESERVE_MS = 2.5 * SECOND_MS;
/** Pages in one of their browsers at a time: each takes some 100 MB and a core while it loads. */
export const RENDERS_AT_ONCE = 4;
/**
 * UTF-8 bytes of a page that is rendered, as it is fetched and as it is read, whatever MAX_BYTES says. At worst an object
 * holds some nine times that of a page – as text with two bytes a character, as UTF-8, as Base64 twice over, as JSON –, so
 * four pages stay below 110 MB of the 128 MB that an isolate has.
 */
export const RENDER_BYTES_MAX = 3_000_000;
/** A browser that starts costs a second, one that waits costs money by the second. */
export const RENDER_BROWSER_IDLE_MS = 30 * SECOND_MS;
/** How often the size of a page's text is looked at. */
export const RENDER_POLL_MS = 100;
/** Text that did not change for so long, with nothing on its way that could change it, is there. */
export const RENDER_QUIET_MS = 400;
/** A page that says next to nothing is still making itself ready: its timers, sockets and workers get this long. */
export const RENDER_EMPTY_MS_MAX = 5 * SECOND_MS;
/** Text that did not grow for so long is taken, though requests are still open: streams and polls never end. */
export const RENDER_STALLED_MS = 3 * SECOND_MS;
/** The window in which a page is read: what a page shows only when it is scrolled to is in view. CSS pixels. */
export const RENDER_HEIGHT_MAX = 8_000;
/** A document whose own scripts and styles are not there by then is read as far as it came. */
export const RENDER_LOAD_MS_MAX = 9 * SECOND_MS;
/** An empty tab opens in a tenth of a second; a browser that has not by then hangs. */
export const RENDER_OPEN_MS_MAX = 5 * SECOND_MS;
/** When a page breaks off, so long it is looked whether the whole browser did. */
export const RENDER_DEATH_MS = 300;
/** Browser time that is paid for before a page is rendered; the rest is paid afterwards. */
export const RENDER_PAID_AHEAD_MS = 1 * SECOND_MS;
/** A page that should have been rendered and could not be is tried again after this, whatever the cache allows. */
export const RENDER_RETRY_MS = 60 * SECOND_MS;
/** Elements whose looks are asked for to see what a hidden part shows after all. */
export const RENDER_LOOKS_MAX = 20_000;

/** Console messages of one target that are read: a page in development writes a few hundred when it loads. */
export const CONSOLE_RATE = { burst: 1_000, perSecond: 100 } as const;
/** A long message counts as one more for each of these, since reading it costs as much. */
export const CONSOLE_UNIT_CHARS = 2_000;
/** How long the console of a target that wrote too much is left unread. */
export const CONSOLE_PAUSE_MS = 3 * SECOND_MS;
/** Messages that a script may still send after its console was turned off, before it is stopped: it writes without a pause. */
export const CONSOLE_DROPPED_UNTIL_STOPPED = 2_000;
/** Dialogs of one tab that are answered: more come from a loop, which waits while one is open. */
export const DIALOG_RATE = { burst: 20, perSecond: 4 } as const;
/** Windows, frames and workers of one browser that are let run: heavy pages have some fifty at once. */
export const TARGET_RATE = { burst: 100, perSecond: 20 } as const;
/** Requests of one browser that are looked at: heavy pages send a thousand in a few seconds. */
export const BROWSER_REQUEST_RATE = { burst: 2_000, perSecond: 200 } as const;
