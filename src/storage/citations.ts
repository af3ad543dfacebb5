import { and, count, desc, eq, getTableColumns, isNotNull, lt, or, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { Db } from './db.ts';
import { privateAmong } from '#storage/pages/privacy-review.ts';
import { citations, people, snapshots } from './schema.ts';
import { mayHaveScriptedUrl } from '#storage/pages/snapshots.ts';

/** Times in ms. */
export type StoredCitation = typeof citations.$inferSelect;
type NewCitation = Omit<StoredCitation, 'shareId' | 'sharedAt'>;
/** A shared citation with its person's account; `null` when nothing is known of them. */
export type SharedCitation = StoredCitation & { account: unknown };

/** Citations by subject. Only shared quotes are visible to others. */
export class CitationStore {
  readonly #db: Db;
  constructor(db: Db) {
    this.#db = db;
  }

  /** Stores a citation whose document is held. An existing one only takes the note, if there is one. */
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
    return row ?? { ...citation, shareId: null, sharedAt: null };
  }

  /** Number of citations and of shared ones, and UTF-8 bytes of the cited documents. */
  async usage(subject: string): Promise<{ citations: number; shared: number; bytes: number }> {
    const bytes = sql<number>`(SELECT coalesce(sum(byte_count), 0) FROM documents
      WHERE id IN (SELECT document_id FROM citations WHERE subject = ${subject}))`;
    const [row] = await this.#db
      .select({ citations: count(), shared: count(citations.shareId), bytes })
      .from(citations)
      .where(eq(citations.subject, subject));
    return row ?? { citations: 0, shared: 0, bytes: 0 };
  }

  /** Newest first, starting after an earlier page. */
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

  find(subject: string, id: string): Promise<StoredCitation | null> {
    return this.#one(and(eq(citations.subject, subject), eq(citations.id, id)));
  }

  /** The citation of these lines, or of any lines, of a cursor: a shared one first, else the newest. */
  ofCursor(
    subject: string,
    cursor: string,
    lines: { start: number; end: number } | null = null,
  ): Promise<StoredCitation | null> {
    const ofLines =
      lines === null ? undefined : and(eq(citations.firstLine, lines.start), eq(citations.lastLine, lines.end));
    return this.#one(and(eq(citations.subject, subject), eq(citations.cursor, cursor), ofLines));
  }

  /** The caller decides whether its person may still share. */
  async shared(shareId: string): Promise<SharedCitation | null> {
    const [row] = await this.#shared(eq(citations.shareId, shareId), 1);
    return row ?? null;
  }

  /** All shared citations, last shared first. @param after id of the last one on the previous page */
  sharedByAll(after: string | null, limit: number): Promise<SharedCitation[]> {
    const older = sql`(${citations.sharedAt}, ${citations.id}) < (SELECT shared_at, id FROM citations WHERE id = ${after})`;
    return this.#shared(after === null ? undefined : older, limit);
  }

  #shared(which: SQL | undefined, limit: number): Promise<SharedCitation[]> {
    return this.#db
      .select({ ...getTableColumns(citations), account: people.account })
      .from(citations)
      .leftJoin(people, eq(people.subject, citations.subject))
      .where(and(isNotNull(citations.shareId), which))
      .orderBy(desc(citations.sharedAt), desc(citations.id))
      .limit(limit);
  }

  /** @returns whether it was shared */
  async stopSharing(id: string): Promise<boolean> {
    const which = and(eq(citations.id, id), isNotNull(citations.shareId));
    // Checked first: a repeated call, whose answer was lost, finds nothing to stop.
    const [found] = await this.#db.select({ id: citations.id }).from(citations).where(which);
    if (found !== undefined) await this.#db.update(citations).set({ shareId: null, sharedAt: null }).where(which);
    return found !== undefined;
  }

  /**
   * Whether a script may have set the document's address, as far as stored pages show: for cursors and citations of
   * versions that did not record it. `null` when unknown.
   */
  async urlByScript(documentId: string, url: string): Promise<boolean | null> {
    const { finalUrl, mode, meta } = snapshots;
    const pages = await this.#db
      .select({ url: snapshots.url, finalUrl, mode, meta })
      .from(snapshots)
      .where(and(eq(snapshots.documentId, documentId), eq(finalUrl, url)));
    const scripted = pages.map(mayHaveScriptedUrl);
    return scripted.includes(true) || (scripted[0] ?? null);
  }

  /** Whether the document became public under an older privacy rule that today's rule would not allow. */
  async isWithheld(documentId: string): Promise<boolean> {
    return (await privateAmong(this.#db, [documentId])).has(documentId);
  }

  /** Shares a citation under this id, unless it is shared already. */
  async share(subject: string, id: string, shareId: string, at: number): Promise<StoredCitation | null> {
    const set = {
      shareId: sql`coalesce(${citations.shareId}, ${shareId})`,
      sharedAt: sql`coalesce(${citations.sharedAt}, ${at})`,
    };
    const own = and(eq(citations.subject, subject), eq(citations.id, id));
    const [row] = await this.#db.update(citations).set(set).where(own).returning();
    return row ?? null;
  }

  /** The share id is never used again. */
  async unshare(subject: string, id: string): Promise<void> {
    const own = and(eq(citations.subject, subject), eq(citations.id, id));
    await this.#db.update(citations).set({ shareId: null, sharedAt: null }).where(own);
  }

  async remove(subject: string, id: string): Promise<void> {
    await this.#db.delete(citations).where(and(eq(citations.subject, subject), eq(citations.id, id)));
  }

  async #one(which: ReturnType<typeof and>): Promise<StoredCitation | null> {
    const order = [sql`${citations.shareId} IS NULL`, desc(citations.createdAt)];
    const [row] = await this.#db
      .select()
      .from(citations)
      .where(which)
      .orderBy(...order)
      .limit(1);
    return row ?? null;
  }
}
