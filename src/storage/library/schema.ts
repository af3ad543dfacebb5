import { sql } from 'drizzle-orm';
import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { documents } from '#storage/schema.ts';

/** A page that a user follows, or the followed pages of a site below a URL. Private to the user. */
export const follows = sqliteTable(
  'follows',
  {
    id: text('id').primaryKey(),
    subject: text('subject').notNull(),
    /** URL in canonical form. */
    url: text('url').notNull(),
    scope: text('scope', { enum: ['page', 'site'] }).notNull(),
    prefix: text('prefix').notNull(),
    /** Phrase that reported changes must contain; `null` to report all. */
    contains: text('contains'),
    pagesMax: integer('pages_max').notNull(),
    everyHours: integer('every_hours').notNull(),
    /** Origin of this server that the user's client calls, so that rounds apply the same rules as calls. */
    origin: text('origin').notNull(),
    title: text('title'),
    createdAt: integer('created_at').notNull(),
    round: integer('round').notNull().default(0),
    /** Workflow instance of the running round (reading of all pages); `null` between rounds. */
    run: text('run'),
    startedAt: integer('started_at'),
    endedAt: integer('ended_at'),
    nextAt: integer('next_at').notNull(),
    found: text('found', { mode: 'json' }).$type<DiscoveryResult>().notNull(),
    result: text('result', { mode: 'json' }).$type<RoundOutcomeCounts>(),
    /** Texts that vary with every fetch of a page, such as counters. They do not count as changes. */
    varying: text('varying', { mode: 'json' }).$type<string[]>().notNull(),
    /** True if the owner lets every user search these pages. */
    isShared: integer('is_shared', { mode: 'boolean' }).notNull().default(false),
    reportedRound: integer('reported_round').notNull().default(0),
  },
  (table) => [
    uniqueIndex('follows_by_address').on(table.subject, table.url, table.scope),
    index('follows_due').on(table.nextAt),
    index('follows_under_way')
      .on(table.run)
      .where(sql`run IS NOT NULL`),
  ],
);

export type DiscoveryResult = { ways: { via: string; count: number }[]; leftOut: { reason: string; count: number }[] };

export type RoundOutcomeCounts = Partial<Record<PageOutcome, number>>;

/**
 * `first`: stored for the first time; `same`: unchanged; `failed`: not read in this round; `full`: not stored, because
 * the budget was used up.
 */
export type PageOutcome = 'first' | 'same' | 'changed' | 'moved' | 'missing' | 'gone' | 'closed' | 'failed' | 'full';

export const followPages = sqliteTable(
  'follow_pages',
  {
    follow: text('follow')
      .notNull()
      .references(() => follows.id, { onDelete: 'cascade' }),
    /** Key of the page: the same for its URLs with `http` and `https`, and with and without tracking parameters. */
    key: text('key').notNull(),
    place: integer('place').notNull(),
    url: text('url').notNull(),
    via: text('via').notNull(),
    /** Names that the page defines, according to the site's `objects.inv` (Sphinx). */
    names: text('names', { mode: 'json' }).$type<string[]>(),
    /** No `cascade`: the reference prevents the store from deleting a followed document. */
    documentId: text('document_id').references(() => documents.id),
    /** URL of the last fetch, after redirects. */
    finalUrl: text('final_url'),
    title: text('title'),
    /** `excluded`: over the limit, and never read. `closed`: may no longer be followed. `gone`: no longer exists. */
    state: text('state', { enum: ['new', 'stored', 'gone', 'closed', 'excluded'] }).notNull(),
    /** Reason why a `closed` page may no longer be followed, in this server's words. */
    problem: text('problem'),
    /** Rounds since the page was last read in which its site reported it as missing. Failed rounds do not reset it. */
    missing: integer('missing').notNull().default(0),
    /** The last round that wrote this row. `outcome`: what this round found. */
    writtenRound: integer('written_round').notNull().default(0),
    outcome: text('outcome').$type<PageOutcome>(),
  },
  (table) => [
    primaryKey({ columns: [table.follow, table.key] }),
    uniqueIndex('follow_pages_by_place').on(table.follow, table.place),
    index('follow_pages_by_document').on(table.documentId),
  ],
);

/** Changes of followed pages: one row for each page and round (reading of the site). */
export const followChanges = sqliteTable(
  'follow_changes',
  {
    follow: text('follow')
      .notNull()
      .references(() => follows.id, { onDelete: 'cascade' }),
    key: text('key').notNull(),
    round: integer('round').notNull(),
    kind: text('kind', { enum: ['new', 'changed', 'moved', 'gone', 'closed'] }).notNull(),
    url: text('url').notNull(),
    movedTo: text('moved_to'),
    title: text('title'),
    problem: text('problem'),
    before: text('before_document').references(() => documents.id),
    after: text('after_document').references(() => documents.id),
    blocks: text('blocks', { mode: 'json' }).$type<ChangedBlock[]>().notNull(),
    at: integer('at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.follow, table.key, table.round] }),
    index('follow_changes_by_time').on(table.follow, table.at),
    index('follow_changes_by_before').on(table.before),
    index('follow_changes_by_after').on(table.after),
  ],
);

/** A changed block. Line numbers are 0-based and inclusive. */
export type ChangedBlock = {
  kind: 'removed' | 'added' | 'changed' | 'moved';
  before: { first: number; last: number } | null;
  after: { first: number; last: number } | null;
  /** The heading above the block. It is untrusted page text. */
  section: string | null;
  /** The header of the table that contains the block. It is untrusted page text. */
  head: string | null;
  /** Changes word by word; empty if unknown. */
  words: { kind: 'same' | 'gone' | 'new'; text: string }[];
};

export const followFeeds = sqliteTable(
  'follow_feeds',
  {
    /**
     * SHA-256 of the link's token, in hex. The token itself is not stored, because anyone who has it can read the feed.
     */
    hash: text('hash').primaryKey(),
    subject: text('subject').notNull(),
    /** The follow of the feed; `null` for all follows. */
    follow: text('follow').references(() => follows.id, { onDelete: 'cascade' }),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('follow_feeds_by_subject').on(table.subject)],
);

export const changeReports = sqliteTable(
  'change_reports',
  {
    subject: text('subject').primaryKey(),
    /** Encrypted JSON of the URL and the signing key. */
    target: blob('target', { mode: 'buffer' }).$type<ArrayBuffer | Uint8Array>().notNull(),
    every: text('every', { enum: ['round', 'day'] }).notNull(),
    createdAt: integer('created_at').notNull(),
    nextAt: integer('next_at').notNull(),
    failures: integer('failures').notNull().default(0),
    /** Outcome of the last message in one word, such as `sent`; `null` before the first message. */
    outcome: text('outcome'),
    sentAt: integer('sent_at'),
  },
  (table) => [index('change_reports_due').on(table.nextAt)],
);
