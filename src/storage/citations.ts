import { and, count, desc, eq, getTableColumns, lt, ne, or, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { Db } from './db.ts';
import { citations, people, snapshots } from './schema.ts';
import { mayHaveScriptedUrl } from '#storage/pages/snapshots.ts';

/** A stored citation. Times in ms. */
export type StoredCitation = typeof citations.$inferSelect;
type NewCitation = Omit<StoredCitation, 'shareId' | 'memberShareId' | 'sharedAt'>;
/** Viewers of a shared quote: everyone who may sign in, or anyone with the link. */
export type Audience = 'members' | 'anyone';
export function readShare(stored: Pick<StoredCitation, 'shareId' | 'memberShareId'>): CitationShare | null {
  if (stored.shareId !== null) return { id: stored.shareId, audience: 'anyone' };
  return stored.memberShareId === null ? null : { id: stored.memberShareId, audience: 'members' };
}
export type CitationShare = { id: string; audience: Audience };
export type SharedCitation = StoredCitation & { account: unknown };

/** Citations that a search reads at a time: 2 MB at most. */
const SEARCHED_AT_ONCE = 500;

export class CitationStore {
  readonly #db: Db;
  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * Stores a citation of a pinned document. If the same citation exists, a given note replaces its note, and
   * `urlByScript` is filled in if it was unknown.
   */
  async add(citation: NewCitation): Promise<StoredCitation> {
    const [row] = await this.#db
      .insert(citations)
      .values(citation)
      .onConflictDoUpdate({
        target: citations.id,
        set: {
          note: sql`coalesce(excluded.note, ${citations.note})`,
          urlByScript: sql`coalesce(${citations.urlByScript}, excluded.url_by_script)`,
        },
      })
      .returning();
    return row ?? { ...citation, ...NOT_SHARED };
  }

  /** Number of citations, number of shared citations, and UTF-8 bytes of the cited documents. */
  async usage(subject: string): Promise<{ citations: number; shared: number; bytes: number }> {
    const bytes = sql<number>`(SELECT coalesce(sum(byte_count), 0) FROM documents
      WHERE id IN (SELECT document_id FROM citations WHERE subject = ${subject}))`;
    const [row] = await this.#db
      .select({ citations: count(), shared: count(SHARE_ID), bytes })
      .from(citations)
      .where(eq(citations.subject, subject));
    return row ?? { citations: 0, shared: 0, bytes: 0 };
  }

  /** A user's citations, newest first. @param after last citation on the previous page */
  list(
    subject: string,
    after: Pick<StoredCitation, 'createdAt' | 'id'> | null,
    limit: number,
  ): Promise<StoredCitation[]> {
    const older =
      after === null
        ? undefined
        : or(
            lt(citations.createdAt, after.createdAt),
            and(eq(citations.createdAt, after.createdAt), lt(citations.id, after.id)),
          );
    return this.#db
      .select()
      .from(citations)
      .where(and(eq(citations.subject, subject), older))
      .orderBy(desc(citations.createdAt), desc(citations.id))
      .limit(limit);
  }

  /**
   * A user's citations that match, newest first. Reads them in batches, because SQLite compares only ASCII letters in any
   * case.
   * @param after last citation on the previous page
   */
  async search(
    subject: string,
    isMatch: (citation: StoredCitation) => boolean,
    after: Pick<StoredCitation, 'createdAt' | 'id'> | null,
    limit: number,
  ): Promise<StoredCitation[]> {
    const found: StoredCitation[] = [];
    let last = after;
    for (;;) {
      const batch = await this.list(subject, last, SEARCHED_AT_ONCE);
      found.push(...batch.filter(isMatch));
      last = batch.at(-1) ?? null;
      if (found.length >= limit || batch.length < SEARCHED_AT_ONCE) return found.slice(0, limit);
    }
  }

  find(subject: string, id: string): Promise<StoredCitation | null> {
    return this.#one(and(eq(citations.subject, subject), eq(citations.id, id)));
  }

  /**
   * A citation of these lines of a cursor, or of any lines: a shared citation if there is one, otherwise the newest.
   */
  ofCursor(
    subject: string,
    cursor: string,
    lines: { start: number; end: number } | null = null,
  ): Promise<StoredCitation | null> {
    return this.#one(and(eq(citations.subject, subject), ofPlace(cursor, lines)));
  }

  /** A citation by its share ID. The caller must check that the citing user may still share. */
  async shared(shareId: string): Promise<SharedCitation | null> {
    const [row] = await this.#shared(or(eq(citations.shareId, shareId), eq(citations.memberShareId, shareId)), 1);
    return row ?? null;
  }

  /** Share ID and audience of any user's shared citation of these lines; `null` if there is none. */
  async sharedOfCursor(cursor: string, lines: { start: number; end: number }): Promise<CitationShare | null> {
    const [row] = await this.#db
      .select()
      .from(citations)
      .where(and(IS_SHARED, ofPlace(cursor, lines)))
      .limit(1);
    return row === undefined ? null : readShare(row);
  }

  quotesOf(
    subject: string,
    cursor: string,
    lines: { start: number; end: number },
    limit: number,
  ): Promise<Pick<StoredCitation, 'quote' | 'around'>[]> {
    const { quote, around } = citations;
    return this.#db
      .select({ quote, around })
      .from(citations)
      .where(and(eq(citations.subject, subject), ofPlace(cursor, lines)))
      .orderBy(desc(citations.createdAt), desc(citations.id))
      .limit(limit);
  }

  /** Shared citations of all other users, latest first. @param after ID of the last citation on the previous page */
  sharedByOthers(subject: string, after: string | null, limit: number): Promise<SharedCitation[]> {
    const older = sql`(${citations.sharedAt}, ${citations.id}) < (SELECT shared_at, id FROM citations WHERE id = ${after})`;
    return this.#shared(and(ne(citations.subject, subject), after === null ? undefined : older), limit);
  }

  #shared(which: SQL | undefined, limit: number): Promise<SharedCitation[]> {
    return this.#db
      .select({ ...getTableColumns(citations), account: people.account })
      .from(citations)
      .innerJoin(people, eq(people.subject, citations.subject))
      .where(and(IS_SHARED, which))
      .orderBy(desc(citations.sharedAt), desc(citations.id))
      .limit(limit);
  }

  /** @returns false if the citation was not shared */
  async stopSharing(id: string): Promise<boolean> {
    const which = and(eq(citations.id, id), IS_SHARED);
    // Read before the update, because an update that is repeated after a lost response finds no share to stop.
    const [found] = await this.#db.select({ id: citations.id }).from(citations).where(which);
    if (found !== undefined) await this.#db.update(citations).set(NOT_SHARED).where(which);
    return found !== undefined;
  }

  /**
   * True if a script may have set the document's URL, according to its stored snapshots; `null` if none is stored. Used
   * for citations that do not record this fact themselves.
   */
  async urlByScript(documentId: string, url: string): Promise<boolean | null> {
    const { finalUrl, mode, meta } = snapshots;
    const pages = await this.#db
      .select({ url: snapshots.canonicalUrl, finalUrl, mode, meta })
      .from(snapshots)
      .where(and(eq(snapshots.documentId, documentId), eq(finalUrl, url)));
    const scripted = pages.map(mayHaveScriptedUrl);
    return scripted.includes(true) || (scripted[0] ?? null);
  }

  /**
   * Shares a citation with this audience only. If it is already shared with this audience, its share ID stays the same.
   */
  async share(subject: string, id: string, share: CitationShare, at: number): Promise<StoredCitation | null> {
    const own = share.audience === 'anyone' ? citations.shareId : citations.memberShareId;
    const set = {
      ...NOT_SHARED,
      [share.audience === 'anyone' ? 'shareId' : 'memberShareId']: sql`coalesce(${own}, ${share.id})`,
      sharedAt: sql`CASE WHEN ${own} IS NULL THEN ${at} ELSE ${citations.sharedAt} END`,
    };
    const which = and(eq(citations.subject, subject), eq(citations.id, id));
    const [row] = await this.#db.update(citations).set(set).where(which).returning();
    return row ?? null;
  }

  /** Stops sharing. The share ID is never used again. */
  async unshare(subject: string, id: string): Promise<void> {
    const own = and(eq(citations.subject, subject), eq(citations.id, id));
    await this.#db.update(citations).set(NOT_SHARED).where(own);
  }

  async remove(subject: string, id: string): Promise<void> {
    await this.#db.delete(citations).where(and(eq(citations.subject, subject), eq(citations.id, id)));
  }

  async #one(which: ReturnType<typeof and>): Promise<StoredCitation | null> {
    const order = [sql`${SHARE_ID} IS NULL`, desc(citations.createdAt)];
    const [row] = await this.#db
      .select()
      .from(citations)
      .where(which)
      .orderBy(...order)
      .limit(1);
    return row ?? null;
  }
}

const NOT_SHARED = { shareId: null, memberShareId: null, sharedAt: null };
const SHARE_ID = sql`coalesce(${citations.shareId}, ${citations.memberShareId})`;
/** Repeats the condition of the partial index word for word, because SQLite uses the index only then. */
const IS_SHARED = sql`(share_id IS NOT NULL OR member_share_id IS NOT NULL)`;

function ofPlace(cursor: string, lines: { start: number; end: number } | null): SQL | undefined {
  const ofLines =
    lines === null ? undefined : and(eq(citations.firstLine, lines.start), eq(citations.lastLine, lines.end));
  return and(eq(citations.cursor, cursor), ofLines);
}
