import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { documents } from '#storage/schema.ts';

/** What people follow: a page, or the pages of a site below an address. Who follows what is the person's alone. */
export const follows = sqliteTable(
  'follows',
  {
    id: text('id').primaryKey(),
    subject: text('subject').notNull(),
    /** Canonical. */
    url: text('url').notNull(),
    scope: text('scope', { enum: ['page', 'site'] }).notNull(),
    /** What the addresses of its pages begin with. */
    prefix: text('prefix').notNull(),
    /** Only changes with this phrase are told; `null` for all. */
    contains: text('contains'),
    pagesMax: integer('pages_max').notNull(),
    everyHours: integer('every_hours').notNull(),
    /** Of this server as its person reaches it: rounds are made under the same rules as calls. */
    origin: text('origin').notNull(),
    title: text('title'),
    createdAt: integer('created_at').notNull(),
    /** Rounds that have begun. */
    round: integer('round').notNull().default(0),
    /** The workflow instance of the round under way; `null` between rounds. */
    run: text('run'),
    startedAt: integer('started_at'),
    endedAt: integer('ended_at'),
    /** When the next round is due. */
    nextAt: integer('next_at').notNull(),
    /** How its pages were found, and what was left out. */
    found: text('found', { mode: 'json' }).$type<FoundPages>().notNull(),
    /** What the last round came to. */
    result: text('result', { mode: 'json' }).$type<RoundResult>(),
    /** Texts that differ with every fetch of a page: no change. */
    varying: text('varying', { mode: 'json' }).$type<string[]>().notNull(),
    /** The owner lets everybody search in it. */
    isShared: integer('is_shared', { mode: 'boolean' }).notNull().default(false),
  },
  (table) => [
    uniqueIndex('follows_by_address').on(table.subject, table.url, table.scope),
    index('follows_due').on(table.nextAt),
    index('follows_under_way')
      .on(table.run)
      .where(sql`run IS NOT NULL`),
  ],
);

/** Counts by the way in which pages were found, and by the reason why others were left out. */
export type FoundPages = { ways: { via: string; count: number }[]; leftOut: { reason: string; count: number }[] };

/** Pages of a round by what came of them. */
export type RoundResult = Partial<Record<PageOutcome, number>>;

/** `first`: stored for the first time; `same`: as it was; `failed`: not read in this round; `full`: neither, for want of room. */
export type PageOutcome = 'first' | 'same' | 'changed' | 'moved' | 'missing' | 'gone' | 'closed' | 'failed' | 'full';

/** The pages of what is followed. */
export const followPages = sqliteTable(
  'follow_pages',
  {
    follow: text('follow')
      .notNull()
      .references(() => follows.id, { onDelete: 'cascade' }),
    /** The same for all addresses of one page. */
    key: text('key').notNull(),
    /** In the order in which they were found. */
    place: integer('place').notNull(),
    url: text('url').notNull(),
    via: text('via').notNull(),
    /** Names that it defines, as an `objects.inv` has them. */
    names: text('names', { mode: 'json' }).$type<string[]>(),
    /** Without `cascade`: the store refuses to drop a followed document. */
    documentId: text('document_id').references(() => documents.id),
    /** Where it was read last, after redirects. */
    finalUrl: text('final_url'),
    title: text('title'),
    /** `excluded`: beyond what may be followed; it is not read. */
    state: text('state', { enum: ['new', 'stored', 'gone', 'closed', 'excluded'] }).notNull(),
    /** Why it is closed, in our words. */
    problem: text('problem'),
    /** Rounds in a row in which the site said that there is no such page. */
    missing: integer('missing').notNull().default(0),
    /** The last round in which something of it was written, and what that round came to for it. */
    writtenRound: integer('written_round').notNull().default(0),
    outcome: text('outcome').$type<PageOutcome>(),
  },
  (table) => [
    primaryKey({ columns: [table.follow, table.key] }),
    uniqueIndex('follow_pages_by_place').on(table.follow, table.place),
    index('follow_pages_by_document').on(table.documentId),
  ],
);

/** What changed in what people follow: one row for a page and a round. */
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
    /** Of a page that moved. */
    movedTo: text('moved_to'),
    title: text('title'),
    problem: text('problem'),
    before: text('before_document').references(() => documents.id),
    after: text('after_document').references(() => documents.id),
    /** The blocks that differ, by their lines in both documents. */
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

/** Lines are 0-based and inclusive. */
export type ChangedBlock = {
  kind: 'removed' | 'added' | 'changed' | 'moved';
  before: { first: number; last: number } | null;
  after: { first: number; last: number } | null;
  /** The heading over it: page text. */
  section: string | null;
  /** Word by word: what stayed, went and came; empty where that is not known. */
  words: { kind: 'same' | 'gone' | 'new'; text: string }[];
};

/** Links under which a feed of what a person follows can be read, each until it is taken back. */
export const followFeeds = sqliteTable(
  'follow_feeds',
  {
    /** SHA-256, in hex, of the token in the link, which is nowhere: whoever has it can read the feed. */
    hash: text('hash').primaryKey(),
    subject: text('subject').notNull(),
    /** One thing that is followed; `null` for all. */
    follow: text('follow').references(() => follows.id, { onDelete: 'cascade' }),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('follow_feeds_by_subject').on(table.subject)],
);
