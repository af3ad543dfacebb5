import type { OutlineEntry, PageRange } from '#core/document/document.ts';
import { sql } from 'drizzle-orm';
import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/**
 * Every D1 table. The full-text index `search_words` is a virtual table, written by hand in `migrations/` because
 * drizzle-kit does not know those. Times are milliseconds since 1970.
 */

/** Whether a document is in the full-text index: `due` is to be put there. */
export const INDEXED = { no: 0, yes: 1, due: 2 } as const;

/** Immutable documents; the text lies in `document_chunks`. */
export const documents = sqliteTable(
  'documents',
  {
    id: text('id').primaryKey(),
    title: text('title'),
    lineCount: integer('line_count').notNull(),
    /** Line where the rest of the page (menus, comments, related links) begins; `null` for documents without one. */
    restStart: integer('rest_start'),
    byteCount: integer('byte_count').notNull(),
    outline: text('outline', { mode: 'json' }).$type<OutlineEntry[]>().notNull(),
    extractor: text('extractor').notNull(),
    cuts: text('cuts', { mode: 'json' }).$type<string[]>().notNull(),
    /** Subject a private document belongs to; `null` for public ones. */
    owner: text('owner'),
    createdAt: integer('created_at').notNull(),
    /** No cursor can show the document after this time; until then it must not be dropped. */
    heldUntil: integer('held_until').notNull(),
    /** One of `INDEXED`. */
    indexed: integer('indexed').notNull().default(0),
  },
  (table) => [
    index('documents_held_until').on(table.heldUntil),
    index('documents_due')
      .on(table.id)
      .where(sql`indexed = 2`),
    index('documents_by_owner')
      .on(table.owner)
      .where(sql`owner IS NOT NULL`),
  ],
);

export const documentChunks = sqliteTable(
  'document_chunks',
  {
    /** The row id that the full-text index refers to. */
    id: integer('id').primaryKey(),
    documentId: text('document_id')
      .notNull()
      .references(() => documents.id, { onDelete: 'cascade' }),
    firstLine: integer('first_line').notNull(),
    lastLine: integer('last_line').notNull(),
    /** Lines joined by `\n`; at most `CHUNK_BYTES_MAX` UTF-8 bytes. */
    body: text('body').notNull(),
  },
  (table) => [uniqueIndex('document_chunks_by_line').on(table.documentId, table.firstLine)],
);

/** Places of a document that links name. Apart from it, because few calls ask for them. */
export const documentAnchors = sqliteTable('document_anchors', {
  documentId: text('document_id')
    .primaryKey()
    .references(() => documents.id, { onDelete: 'cascade' }),
  /** Each with its line. */
  anchors: text('anchors', { mode: 'json' }).$type<[name: string, line: number][]>().notNull(),
  /**
   * Of the first part of a long page: the names in later parts, each with its page. Not whole when some names of the page are
   * not kept. `null` when there are no others.
   */
  later: text('later', { mode: 'json' }).$type<{ pages: [name: string, page: number][]; isWhole: boolean }>(),
});

/** The mode of snapshots that were read from a browser session. */
export const LIVE_MODE = 'live';

/** The newest document of a URL in a mode, and what is known of how it was fetched. */
export const snapshots = sqliteTable(
  'snapshots',
  {
    /** SHA-256 of canonical URL, the request headers a page may vary on, and mode. */
    key: text('key').primaryKey(),
    canonicalUrl: text('url').notNull(),
    finalUrl: text('final_url').notNull(),
    mode: text('mode').notNull(),
    documentId: text('document_id')
      .notNull()
      .references(() => documents.id, { onDelete: 'cascade' }),
    etag: text('etag'),
    lastModified: text('last_modified'),
    fetchedAt: integer('fetched_at').notNull(),
    /** When the origin last confirmed or sent this content. */
    validatedAt: integer('validated_at').notNull(),
    /** Fetch metadata for people and resources: status, headers, type, charset, redirects, robots, timings. */
    meta: text('meta', { mode: 'json' }).$type<SnapshotMeta>().notNull(),
  },
  (table) => [index('snapshots_by_document').on(table.documentId), index('snapshots_by_url').on(table.canonicalUrl)],
);

export type SnapshotMeta = {
  status: number;
  headers: Record<string, string>;
  mediaType: string;
  charset: string | null;
  redirects: { url: string; status: number }[];
  robots: { allowed: boolean; checked: boolean; rule: string | null };
  /** Directives for crawlers, of its headers and its head. */
  noindex: string[];
  /** `rel=canonical` of its head. */
  canonical: string | null;
  /** What the site asks of those who use the page: `Content-Signal` and `Content-Usage`, where it says something. */
  preferences?: { signals: Readonly<Record<string, string | undefined>>; usage: string | null } | undefined;
  /** The page is not searched, as its site asks. */
  isUnindexed?: boolean | undefined;
  timings: { fetchMs: number; extractMs: number; renderMs?: number | undefined };
  extractor: string;
  siteconfig: string | null;
  language: string | null;
  /** Address of the site's llms.txt and of the page's Markdown twin, where it was looked for and found. */
  llmsTxt: string | null;
  markdownTwin: string | null;
  /** Next to no text came out, and scripts would fill the page. */
  needsScripts: boolean;
  /** Of a file that is too long for one document: which of its pages this one holds. */
  pages?: PageRange | undefined;
  /** Missing where no browser was to render the page. */
  rendering?: Rendering | null | undefined;
  /**
   * Of a page that a browser showed: `document.URL`, if its scripts made it another than that of the response, which is
   * `finalUrl`; `null` if not.
   */
  documentUrl: string | null;
  /** Which way of extraction won, and what the others gave. */
  explanation: {
    strategy: string;
    candidates: { strategy: string; chars: number }[];
    siteconfigMatch?: 'argument' | 'domain' | 'generator' | 'marker' | undefined;
  };
};

/** How a browser came into a page's text. */
export type Rendering = {
  reason: 'asked' | 'script_shell' | 'site_config';
  /**
   * `shown`: the text is what the browser showed; `less`: the browser showed less than there is without it; `failed`:
   * it showed nothing.
   */
  outcome: 'shown' | 'less' | 'failed';
  /** Of a failure, in our own words. */
  problem?: string | undefined;
  /** Its scripts navigated to another document, and that one was read. */
  hasNavigated?: boolean | undefined;
  /** Browser time. */
  ms: number;
  stillLoading: boolean;
  isCut: boolean;
};

/** robots.txt by origin (RFC 9309 §2.4: at most 24 hours). */
export const robots = sqliteTable('robots', {
  origin: text('origin').primaryKey(),
  /** `rules`: judge by `body`. `open`: there is none (4xx). `closed`: the server failed (5xx). */
  outcome: text('outcome', { enum: ['rules', 'open', 'closed'] }).notNull(),
  /** As received, at most 500 KiB; empty unless `outcome` is `rules`. */
  body: blob('body', { mode: 'buffer' }).$type<ArrayBuffer | Uint8Array>().notNull(),
  expiresAt: integer('expires_at').notNull(),
});

/** What origins say of themselves in llms.txt. */
export const siteFacts = sqliteTable(
  'site_facts',
  {
    origin: text('origin').primaryKey(),
    /** Address of the file, or `null` when there is none. */
    llmsTxt: text('llms_txt'),
    /** Markdown pages of the same origin that it lists. */
    markdownPages: text('markdown_pages', { mode: 'json' }).$type<string[]>().notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [index('site_facts_by_expiry').on(table.expiresAt)],
);

/** Answers of web search providers, for a few minutes. What was asked is only there as a hash. */
export const searchCache = sqliteTable(
  'search_cache',
  {
    /** SHA-256 of the providers in order and the normalised parameters. */
    key: text('key').primaryKey(),
    /** JSON whose form the search feature knows. */
    body: text('body').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [index('search_cache_by_expiry').on(table.expiresAt)],
);

/** Counters and a latency histogram for each tool, outcome and UTC day. */
export const toolCounters = sqliteTable(
  'tool_counters',
  {
    day: text('day').notNull(),
    tool: text('tool').notNull(),
    /** `ok` or the error code. */
    outcome: text('outcome').notNull(),
    calls: integer('calls').notNull(),
    cacheHits: integer('cache_hits').notNull(),
    totalMs: integer('total_ms').notNull(),
    /** Calls by latency: up to 50, 100, 250, 500, 1000, 2500, 5000, 10000 ms, and longer. */
    ms50: integer('ms_50').notNull(),
    ms100: integer('ms_100').notNull(),
    ms250: integer('ms_250').notNull(),
    ms500: integer('ms_500').notNull(),
    ms1000: integer('ms_1000').notNull(),
    ms2500: integer('ms_2500').notNull(),
    ms5000: integer('ms_5000').notNull(),
    ms10000: integer('ms_10000').notNull(),
    msMore: integer('ms_more').notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.tool, table.outcome] })],
);

/** What people have cited. A cited document stays in the store. */
export const citations = sqliteTable(
  'citations',
  {
    /** SHA-256 of subject, cursor, lines and quote: the same again is the same citation. */
    id: text('id').primaryKey(),
    subject: text('subject').notNull(),
    cursor: text('cursor').notNull(),
    /** Without `cascade`: the store refuses to drop a cited document. */
    documentId: text('document_id')
      .notNull()
      .references(() => documents.id),
    /** As the page was opened; it may hold a credential. */
    url: text('url').notNull(),
    title: text('title'),
    firstLine: integer('first_line').notNull(),
    lastLine: integer('last_line').notNull(),
    /** The page's own words. */
    quote: text('quote').notNull(),
    /** What a shared quote shows around it. */
    around: text('around', { mode: 'json' }).$type<QuoteSurroundings>().notNull(),
    note: text('note'),
    fetchedAt: integer('fetched_at').notNull(),
    /** Read from a browser session. */
    isLive: integer('is_live', { mode: 'boolean' }).notNull(),
    /** True if a script of the page may have set `url`; `null` if the fetch of the page is no longer stored. */
    urlByScript: integer('url_by_script', { mode: 'boolean' }),
    createdAt: integer('created_at').notNull(),
    /** In the address of the quote while anyone who has it may see it; `null` while not. */
    shareId: text('share_id'),
    /** In the address of the quote while everyone who may sign in may see it. At most one of the two is set. */
    memberShareId: text('member_share_id'),
    sharedAt: integer('shared_at'),
  },
  (table) => [
    index('citations_by_subject').on(table.subject, table.createdAt),
    index('citations_by_document').on(table.documentId),
    index('citations_by_cursor').on(table.subject, table.cursor),
    uniqueIndex('citations_by_share').on(table.shareId),
    uniqueIndex('citations_by_member_share').on(table.memberShareId),
    index('citations_shared_by_cursor')
      .on(table.cursor)
      .where(sql`share_id IS NOT NULL OR member_share_id IS NOT NULL`),
  ],
);

/** Lines before and after a quote, and what stands beside it in its first and last line. */
export type QuoteSurroundings = { before: string[]; lead: string; tail: string; after: string[] };

/** People who signed in at a provider, so that what they made public can end with their right to sign in. */
export const people = sqliteTable('people', {
  subject: text('subject').primaryKey(),
  /** JSON whose form sign-in knows, as of their last sign-in. */
  account: text('account', { mode: 'json' }).$type<unknown>().notNull(),
  /** When they, or a client of theirs, were here last, to the hour. */
  lastSeenAt: integer('last_seen_at').notNull(),
  /** The time zone in which they read times, such as `Europe/Berlin`; `null` for UTC. */
  zone: text('zone'),
});

/** What the owner decided on people, beside `ALLOWED_USERS`, and from when on their access is over. */
export const admissions = sqliteTable(
  'admissions',
  {
    /** SHA-256 of the subject, in hex: it names nobody. */
    id: text('id').primaryKey(),
    verdict: text('verdict', { enum: ['allowed', 'refused'] }),
    /** JSON whose form sign-in knows; `null` when their data was deleted. */
    account: text('account', { mode: 'json' }).$type<unknown>(),
    /** Whom the owner meant to invite, in the owner's words. */
    note: text('note'),
    /** Sign-ins, grants and tokens that were given before are over (ms). */
    endedAt: integer('ended_at').notNull().default(0),
    /** When the verdict was reached. */
    decidedAt: integer('decided_at').notNull(),
    /** Whose data is being deleted, until that has been done a second time; `null` otherwise. */
    erasing: text('erasing'),
    /** When the deletion began. */
    erasingSince: integer('erasing_since'),
  },
  (table) => [
    index('admissions_erasing')
      .on(table.erasing)
      .where(sql`erasing IS NOT NULL`),
  ],
);

/** Links that let one person in. */
export const invitations = sqliteTable(
  'invitations',
  {
    /** SHA-256 of what stands in the link, in hex. */
    id: text('id').primaryKey(),
    /** The owner who made it. */
    subject: text('subject').notNull(),
    /** Whom it is for, in the owner's words. */
    note: text('note').notNull(),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [index('invitations_by_subject').on(table.subject), index('invitations_by_expiry').on(table.expiresAt)],
);

/** Sign-ins that ended before their cookie did. */
export const endedSignIns = sqliteTable('ended_sign_ins', {
  /** SHA-256 of the cookie, in hex. */
  id: text('id').primaryKey(),
  /** When no such cookie is valid any more (ms). */
  endsAt: integer('ends_at').notNull(),
});

/** Access tokens that people made for agents. The token itself is nowhere: only whoever has it can show it. */
export const accessTokens = sqliteTable(
  'access_tokens',
  {
    /** Names the token to its maker; tells nothing about it. */
    id: text('id').primaryKey(),
    /** SHA-256 of the token, in hex. */
    hash: text('hash').notNull(),
    subject: text('subject').notNull(),
    /** JSON whose form sign-in knows: how its maker had signed in, so that it ends when they are no longer let in. */
    account: text('account', { mode: 'json' }).$type<unknown>().notNull(),
    name: text('name').notNull(),
    scopes: text('scopes', { mode: 'json' }).$type<string[]>().notNull(),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
    lastUsedAt: integer('last_used_at'),
  },
  (table) => [
    uniqueIndex('access_tokens_by_hash').on(table.hash),
    index('access_tokens_by_subject').on(table.subject),
    index('access_tokens_by_expiry').on(table.expiresAt),
  ],
);
