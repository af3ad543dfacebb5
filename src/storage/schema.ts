import type { Document, OutlineEntry, PageRange, ImagesToView } from '#core/document/document.ts';
import { sql } from 'drizzle-orm';
import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/**
 * Declares all tables of D1. The full-text index `search_words` is a virtual table, written by hand in `migrations/`,
 * because drizzle-kit does not support virtual tables. Times are milliseconds since 1970.
 */

/** State of a document in the full-text index. `due`: queued for indexing. */
export const INDEXING_STATE = { no: 0, yes: 1, due: 2 } as const;

/** Immutable documents. Their text is in `document_chunks`. */
export const documents = sqliteTable(
  'documents',
  {
    id: text('id').primaryKey(),
    title: text('title'),
    lineCount: integer('line_count').notNull(),
    /** First line of the rest of the page (menus, comments, related links); `null` for documents without one. */
    restStart: integer('rest_start'),
    byteCount: integer('byte_count').notNull(),
    outline: text('outline', { mode: 'json' }).$type<OutlineEntry[]>().notNull(),
    extractor: text('extractor').notNull(),
    cuts: text('cuts', { mode: 'json' }).$type<string[]>().notNull(),
    /** Subject that owns a private document; `null` for public ones. */
    owner: text('owner'),
    createdAt: integer('created_at').notNull(),
    /** End of the pin. Until this time a cursor may show the document, so it must not be deleted. */
    heldUntil: integer('held_until').notNull(),
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
    /** ID of the chunk. Its row in the full-text index has the same ID. */
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

/** Link targets inside a document. They have their own table, because few calls need them. */
export const documentAnchors = sqliteTable('document_anchors', {
  documentId: text('document_id')
    .primaryKey()
    .references(() => documents.id, { onDelete: 'cascade' }),
  anchors: text('anchors', { mode: 'json' }).$type<[name: string, line: number][]>().notNull(),
  /**
   * Link targets in later parts of a long page, each with its page; set on the first part. `isWhole`: false if some are
   * not stored. `null` if there are none.
   */
  later: text('later', { mode: 'json' }).$type<{ pages: [name: string, page: number][]; isWhole: boolean }>(),
});

/** Mode of snapshots read from a browser session. */
export const BROWSER_SNAPSHOT_MODE = 'live';

export const snapshots = sqliteTable(
  'snapshots',
  {
    /** SHA-256 of the canonical URL, the request headers on which a page may vary, and the mode. */
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
    /** Time at which the origin last sent or confirmed this content. */
    validatedAt: integer('validated_at').notNull(),
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
  /** Crawler directives, such as `noindex`, from headers and `<head>`. */
  noindex: string[];
  /** The page's own canonical URL: `rel=canonical` in `<head>`. */
  canonical: string | null;
  /** The site's usage preferences: `Content-Signal` and `Content-Usage`, if any. */
  preferences?: { signals: Readonly<Record<string, string | undefined>>; usage: string | null } | undefined;
  /** True if the site asks to leave the page out of searches. */
  isUnindexed?: boolean | undefined;
  timings: { fetchMs: number; extractMs: number; renderMs?: number | undefined };
  extractor: string;
  siteconfig: string | null;
  language: string | null;
  /** URLs of the site's llms.txt and of the page's Markdown version, if found. */
  llmsTxt: string | null;
  markdownTwin: string | null;
  /**
   * True if hardly any text was extracted and scripts would fill the page, or if its site config requires rendering.
   * False in `rendered` mode.
   */
  needsScripts: boolean;
  /** The numbered pages that this document contains, for a file that is too long for one document. */
  pages?: PageRange | undefined;
  /** Set for a picture, and for a file with pages without text. */
  toView?: ImagesToView | undefined;
  /** Rendering of the page; `null` or missing if no browser was asked for it. */
  rendering?: RenderingRecord | null | undefined;
  /**
   * For a page shown by a browser: `document.URL`, if scripts changed it from the response's URL (`finalUrl`);
   * otherwise `null`.
   */
  documentUrl: string | null;
  explanation: {
    strategy: string;
    candidates: { strategy: string; chars: number }[];
    siteconfigMatch?: 'argument' | 'domain' | 'generator' | 'marker' | undefined;
  };
};

export type PageSnapshotRecord = {
  key: string;
  canonicalUrl: string;
  /** Canonical URL of the response, after redirects. */
  finalUrl: string;
  mode: string;
  etag: string | null;
  lastModified: string | null;
  fetchedAt: number;
  validatedAt: number;
  meta: SnapshotMeta;
};

/** `owner`: the only subject that may see a private document; `null` for public ones. */
export type StoredPage = { snapshot: PageSnapshotRecord; document: Document; owner: string | null };

export type RenderingRecord = {
  reason: 'asked' | 'script_shell' | 'site_config';
  /**
   * `shown`: the text is from the browser. `less`: the browser showed less than the plain page. `failed`: the page
   * could not be rendered.
   */
  outcome: 'shown' | 'less' | 'failed';
  /** Reason for a failure, in this server's words. */
  problem?: string | undefined;
  /** True if scripts navigated to another document, from which the text was read. */
  hasNavigated?: boolean | undefined;
  ms: number;
  stillLoading: boolean;
  isCut: boolean;
};

/** Cached robots.txt files by origin. RFC 9309 §2.4 allows caching for at most 24 hours. */
export const robots = sqliteTable('robots', {
  origin: text('origin').primaryKey(),
  /**
   * `rules`: the file in `body` decides. `open`: the site has no file (4xx, or redirects to no file). `closed`: the
   * server failed (5xx) or the gate refused its address.
   */
  outcome: text('outcome', { enum: ['rules', 'open', 'closed'] }).notNull(),
  /** The file as received, at most 500 KiB; empty unless `outcome` is `rules`. */
  body: blob('body', { mode: 'buffer' }).$type<ArrayBuffer | Uint8Array>().notNull(),
  expiresAt: integer('expires_at').notNull(),
});

export const siteFacts = sqliteTable(
  'site_facts',
  {
    origin: text('origin').primaryKey(),
    /** URL of the site's llms.txt; `null` if there is none. */
    llmsTxt: text('llms_txt'),
    /** Markdown pages of the same origin that llms.txt lists. */
    markdownPages: text('markdown_pages', { mode: 'json' }).$type<string[]>().notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [index('site_facts_by_expiry').on(table.expiresAt)],
);

/** Responses of web search providers, stored for a few minutes. The query is stored only as a hash. */
export const searchCache = sqliteTable(
  'search_cache',
  {
    /** SHA-256 of the providers in order and of the normalized parameters. */
    key: text('key').primaryKey(),
    /** Results as JSON, which the search feature parses. */
    body: text('body').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [index('search_cache_by_expiry').on(table.expiresAt)],
);

export const toolCounters = sqliteTable(
  'tool_counters',
  {
    day: text('day').notNull(),
    tool: text('tool').notNull(),
    /** `ok`, or the error code of the calls. */
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

/** Citations. A document that is cited is never deleted to make room. */
export const citations = sqliteTable(
  'citations',
  {
    /** SHA-256 of subject, cursor, lines and quote, so that citing the same quote again gives the same citation. */
    id: text('id').primaryKey(),
    subject: text('subject').notNull(),
    cursor: text('cursor').notNull(),
    /** No `cascade`: the reference prevents the store from deleting a cited document. */
    documentId: text('document_id')
      .notNull()
      .references(() => documents.id),
    /** URL as it was opened. It may contain a credential. */
    url: text('url').notNull(),
    title: text('title'),
    firstLine: integer('first_line').notNull(),
    lastLine: integer('last_line').notNull(),
    /** Verbatim page text. */
    quote: text('quote').notNull(),
    around: text('around', { mode: 'json' }).$type<QuoteSurroundings>().notNull(),
    note: text('note'),
    fetchedAt: integer('fetched_at').notNull(),
    /** True if the document was read from a browser session. */
    isLive: integer('is_live', { mode: 'boolean' }).notNull(),
    /** True if a script of the page may have set `url`; `null` if the fetch of the page is no longer stored. */
    urlByScript: integer('url_by_script', { mode: 'boolean' }),
    createdAt: integer('created_at').notNull(),
    /** Part of the quote's URL, if anyone who has the URL may see the quote; otherwise `null`. */
    shareId: text('share_id'),
    /** Part of the quote's URL, if all users may see the quote. Otherwise, or if `shareId` is set, `null`. */
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

/** Lines before and after a quote, and the text around it in its first and last line. */
type QuoteSurroundings = { before: string[]; lead: string; tail: string; after: string[] };

/** Users who signed in. Content that a user shared is shown only while the user may sign in. */
export const people = sqliteTable('people', {
  subject: text('subject').primaryKey(),
  /** The user's account at the last sign-in, as JSON that only sign-in code parses. */
  account: text('account', { mode: 'json' }).$type<unknown>().notNull(),
  /** Last activity of the user or their client, to the hour. */
  lastSeenAt: integer('last_seen_at').notNull(),
  /** Time zone such as `Europe/Berlin`; `null` for UTC. */
  zone: text('zone'),
});

/** Rules for what models may do on sites: one row for each user, and one for the owner's rules, which bind everyone. */
export const siteRules = sqliteTable('site_rules', {
  /** A subject, or `*` for the owner's rules. */
  subject: text('subject').primaryKey(),
  /** The rules as JSON, which {@link SiteRuleStore} parses. */
  list: text('list', { mode: 'json' }).$type<unknown>().notNull(),
});

/** The owner's decisions about users, in addition to `ALLOWED_USERS`, and the time at which users' access ended. */
export const admissions = sqliteTable(
  'admissions',
  {
    /** SHA-256 of the subject, in hex, which does not reveal the subject. */
    id: text('id').primaryKey(),
    verdict: text('verdict', { enum: ['allowed', 'refused'] }),
    /** The user's account, as JSON that only sign-in code parses; `null` after the user's data was deleted. */
    account: text('account', { mode: 'json' }).$type<unknown>(),
    /** The owner's note on the invited person. */
    note: text('note'),
    /** Sign-ins, grants and tokens issued before this time (ms) are invalid. */
    endedAt: integer('ended_at').notNull().default(0),
    decidedAt: integer('decided_at').notNull(),
    /** Subject whose data is being deleted, until the deletion has run twice; otherwise `null`. */
    erasing: text('erasing'),
    erasingSince: integer('erasing_since'),
  },
  (table) => [
    index('admissions_erasing')
      .on(table.erasing)
      .where(sql`erasing IS NOT NULL`),
  ],
);

/** Open invitations: links that admit one user each. */
export const invitations = sqliteTable(
  'invitations',
  {
    /** SHA-256 of the link's token, in hex. */
    id: text('id').primaryKey(),
    /** Subject of the owner who created the invitation. */
    subject: text('subject').notNull(),
    /** The owner's note on the invited person. */
    note: text('note').notNull(),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [index('invitations_by_subject').on(table.subject), index('invitations_by_expiry').on(table.expiresAt)],
);

export const endedSignIns = sqliteTable('ended_sign_ins', {
  /** SHA-256 of the sign-in cookie, in hex. */
  id: text('id').primaryKey(),
  /** Time (ms) at which the cookie expires, so that the row is no longer needed. */
  endsAt: integer('ends_at').notNull(),
});

/** Access tokens that users created for agents, stored only as hashes. */
export const accessTokens = sqliteTable(
  'access_tokens',
  {
    /** Identifies the token to its owner without revealing the token. */
    id: text('id').primaryKey(),
    /** SHA-256 of the token, in hex. */
    hash: text('hash').notNull(),
    subject: text('subject').notNull(),
    /** JSON of the owner's account, which sign-in code parses. The token ends when this account loses access. */
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
