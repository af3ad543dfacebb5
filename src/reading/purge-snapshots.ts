import { countWithUnit, createFence, oneLine } from '#core/text/text.ts';
import type { Client } from '#client/client.ts';
import type { ObjectCalls } from '#core/objects.ts';
import { fail } from '#core/failures/failure.ts';
import { DELETED_BYTES_PER_BATCH_MAX, DELETED_DOCUMENTS_PER_BATCH_MAX, SECOND_MS } from '#core/limits.ts';
import { DOCUMENT_KEEP_GRACE_MS, PURGE_LISTED_ROWS_MAX } from './limits.ts';
import type { PurgeCriteria, PurgeEffect, SnapshotPurge, PurgeRow } from '#storage/pages/purge.ts';
import { redactUrl } from '#core/secrets/secret-addresses.ts';

const PURGE_URL_CHARS_MAX = 400;
/** Time in ms after which `cache_purge` starts no new transaction, so that the call ends in time. */
const PURGE_DEADLINE_MS = 30 * SECOND_MS;

export type PurgeDeps = {
  now: () => number;
  purge: Pick<SnapshotPurge, 'select' | 'foresee' | 'remove'>;
  /** The subject's Durable Object. It makes cursors refuse purged text that an isolate still has in memory. */
  client: Pick<ObjectCalls<Client>, 'forget'>;
};

/** Criteria of a purge. A page must match all that are given. */
export type PurgeRequest = {
  snapshot?: string | undefined;
  domain?: string | undefined;
  older_than_seconds?: number | undefined;
  keep_newest?: number | undefined;
  dry_run: boolean;
};

/** The pages that were removed or, with `dryRun`, would be. `bytes` counts each document once. */
export type PurgeReport = {
  dryRun: boolean;
  /** The snapshots, newest first. */
  rows: PurgeRow[];
  bytes: number;
  fate: PurgeEffect;
  remaining: number;
};

/**
 * Removes stored pages, up to a limit of work. `remaining` is the number of matching pages that are left.
 * @throws {PeriscopeError} `invalid_argument` without a criterion, or for an invalid domain
 */
export async function purgeSnapshots(
  request: PurgeRequest,
  subject: string,
  signal: AbortSignal,
  deps: PurgeDeps,
): Promise<PurgeReport> {
  const started = deps.now();
  const { rows, total } = await deps.purge.select(toPurgeCriteria(request, started), subject);
  if (request.dry_run) {
    const fate = await deps.purge.foresee(rows, started - DOCUMENT_KEEP_GRACE_MS);
    return { dryRun: true, rows, bytes: textBytes(rows), fate, remaining: total - rows.length };
  }
  const gone = new Set<string>();
  const fate: PurgeEffect = { dropped: 0, droppedBytes: 0, cited: 0, followed: 0, held: 0, heldUntil: null, shared: 0 };
  let tried = 0;
  for (const group of inTransactions(rows)) {
    if (signal.aborted || deps.now() - started > PURGE_DEADLINE_MS) break;
    const removed = await deps.purge.remove(group, deps.now() - DOCUMENT_KEEP_GRACE_MS);
    await deps.client.forget(removed.privateGone, removed.keys);
    for (const key of removed.keys) gone.add(key);
    add(fate, removed.fate);
    tried += group.length;
  }
  const removed = rows.filter(({ key }) => gone.has(key));
  return { dryRun: false, rows: removed, bytes: textBytes(removed), fate, remaining: total - tried };
}

/**
 * Converts the request of a purge to criteria for the store.
 * @throws {PeriscopeError} `invalid_argument` without a criterion, or for a domain that is not a host name
 */
export function toPurgeCriteria(request: PurgeRequest, now: number): PurgeCriteria {
  const { snapshot, domain, older_than_seconds: age, keep_newest: keepNewest } = request;
  if ([snapshot, domain, age, keepNewest].every((criterion) => criterion === undefined)) {
    fail({
      code: 'invalid_argument',
      field: 'arguments',
      problem: 'name at least one of snapshot, domain, older_than_seconds and keep_newest',
      hint: 'Call cache_purge with {"older_than_seconds":604800} to see what is older than a week.',
    });
  }
  return {
    key: snapshot,
    domain: domain === undefined ? undefined : asciiDomain(domain),
    fetchedBefore: age === undefined ? undefined : now - age * 1000,
    keepNewest,
  };
}

function asciiDomain(given: string): string {
  const name = given.replace(/\.$/, '');
  if (isHostName(name)) return new URL(`https://${name}`).hostname;
  fail({
    code: 'invalid_argument',
    field: 'domain',
    problem: 'must be a host name alone; its sub-domains are covered',
    hint: `Call cache_purge with ${JSON.stringify({ domain: hostIn(given) })}.`,
  });
}

function hostIn(given: string): string {
  const [, rest = ''] = /^(?:[a-z]+:\/\/)?(?:\*\.)?([^\s/]*)/i.exec(given.trim()) ?? [];
  const host = URL.parse(`https://${rest}`)?.hostname ?? '';
  return isHostName(host) ? host : 'docs.example.com';
}

function isHostName(text: string): boolean {
  return /^[^\s/:?#@\\%*]+$/u.test(text) && URL.canParse(`https://${text}`);
}

/**
 * Divides rows into groups for one transaction each. All snapshots of a document are in one group, so that the document
 * is reported once.
 */
function inTransactions(rows: readonly PurgeRow[]): PurgeRow[][] {
  const groups: PurgeRow[][] = [];
  let bytes = 0;
  for (const ofDocument of Map.groupBy(rows, ({ documentId }) => documentId).values()) {
    const size = ofDocument[0]?.bytes ?? 0;
    const last = groups.at(-1);
    const isFull = last !== undefined && last.length + ofDocument.length > DELETED_DOCUMENTS_PER_BATCH_MAX;
    if (last === undefined || isFull || bytes + size > DELETED_BYTES_PER_BATCH_MAX) {
      groups.push([...ofDocument]);
      bytes = size;
    } else {
      last.push(...ofDocument);
      bytes += size;
    }
  }
  return groups;
}

function add(sum: PurgeEffect, more: PurgeEffect): void {
  sum.dropped += more.dropped;
  sum.droppedBytes += more.droppedBytes;
  sum.cited += more.cited;
  sum.followed += more.followed;
  sum.held += more.held;
  sum.heldUntil = more.heldUntil === null ? sum.heldUntil : Math.max(sum.heldUntil ?? 0, more.heldUntil);
  sum.shared += more.shared;
}

function textBytes(rows: readonly PurgeRow[]): number {
  const sizes = new Map(rows.map(({ documentId, bytes }) => [documentId, bytes]));
  return [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
}

/** A row of the report. Credentials in the URL are redacted, because another user may have opened it. */
type ListedRow = { snapshot: string; url: string; fetched_at: string; bytes: number };

export function listPurgedRows({ rows }: PurgeReport): ListedRow[] {
  return rows.slice(0, PURGE_LISTED_ROWS_MAX).map(({ key, url, fetchedAt, bytes }) => ({
    snapshot: key,
    url: oneLine(redactUrl(url), PURGE_URL_CHARS_MAX),
    fetched_at: new Date(fetchedAt).toISOString(),
    bytes,
  }));
}

export async function writePurgeReport(report: PurgeReport, listed: readonly ListedRow[], request: PurgeRequest) {
  const { dryRun, rows, remaining } = report;
  if (rows.length === 0) return 'No stored page matches these criteria: there is nothing to remove.';
  const lines = listed.map((row) => `${row.snapshot} ${row.fetched_at} ${row.bytes} bytes ${row.url}`);
  const fence = await createFence(lines.join('\n'));
  const call = `cache_purge ${JSON.stringify({ ...request, dry_run: false })}`;
  return [
    dryRun
      ? `Dry run, nothing was removed. ${countWithUnit(rows.length, 'snapshot')} would be removed, with ${report.bytes} bytes of text.`
      : `${countWithUnit(rows.length, 'snapshot')} removed, with ${report.bytes} bytes of text.`,
    ...fateLines(report),
    fence.open,
    ...lines,
    fence.close,
    ...(rows.length > listed.length ? [`… and ${rows.length - listed.length} more.`] : []),
    ...(remaining > 0 ? [`${remaining} more match: one call does not remove them all.`] : []),
    ...(dryRun ? [`To remove them: ${call}`] : remaining > 0 ? [`To remove the rest: ${call}`] : []),
  ].join('\n');
}

function fateLines({ dryRun, fate }: PurgeReport): string[] {
  const { dropped, droppedBytes, cited, followed, held, heldUntil, shared } = fate;
  const verb = dryRun ? 'would be' : 'were';
  return [
    `Documents: ${dropped} ${verb} dropped (${droppedBytes} bytes).`,
    ...(heldUntil === null
      ? []
      : [
          `Kept for cursors that may still show them, until ${new Date(heldUntil).toISOString()} at the latest: ${held}. Searches no longer find them.`,
        ]),
    ...(cited > 0
      ? [
          `Kept because they are cited: ${cited}. They are deleted once the citation is deleted and no one follows the page.`,
        ]
      : []),
    ...(followed > 0
      ? [
          `Kept because the page is followed: ${followed}. They are deleted once no one follows it; an earlier version is deleted with the record of its change.`,
        ]
      : []),
    ...(shared > 0 ? [`Kept because another snapshot shows the same text: ${shared}.`] : []),
  ];
}
