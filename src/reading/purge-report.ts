import { fenceFor } from '#core/fence.ts';
import { PURGE_ROWS_MAX, PURGE_URL_CHARS_MAX } from './limits.ts';
import { redactUrl } from '#core/secret-addresses.ts';
import { oneLine } from '#core/text.ts';
import type { PurgeReport, PurgeRequest } from './purge-snapshots.ts';

/** A purged snapshot as callers see it. The cache is everyone's: what looks like a credential in an address is left out. */
export type ListedRow = { snapshot: string; url: string; fetched_at: string; bytes: number };

/** The newest of the rows, as many as a result shows. */
export function listedRows({ rows }: PurgeReport): ListedRow[] {
  return rows.slice(0, PURGE_ROWS_MAX).map(({ key, url, fetchedAt, bytes }) => ({
    snapshot: key,
    url: oneLine(redactUrl(url), PURGE_URL_CHARS_MAX),
    fetched_at: new Date(fetchedAt).toISOString(),
    bytes,
  }));
}

/** The report in words, with the call that does what a dry run only told. */
export async function renderPurge(report: PurgeReport, listed: readonly ListedRow[], request: PurgeRequest) {
  const { dryRun, rows, remaining } = report;
  if (rows.length === 0) return 'No stored page matches these criteria: there is nothing to remove.';
  const lines = listed.map((row) => `${row.snapshot} ${row.fetched_at} ${row.bytes} bytes ${row.url}`);
  const fence = await fenceFor(lines.join('\n'));
  const call = `cache_purge ${JSON.stringify({ ...request, dry_run: false })}`;
  return [
    dryRun
      ? `Dry run, nothing was removed. ${pages(rows.length)} would go, with ${report.bytes} bytes of text.`
      : `${pages(rows.length)} removed, with ${report.bytes} bytes of text.`,
    ...fateLines(report),
    fence.open,
    ...lines,
    fence.close,
    ...(rows.length > listed.length ? [`… and ${rows.length - listed.length} more.`] : []),
    ...(remaining > 0 ? [`${remaining} more match: one call does not remove them all.`] : []),
    ...(dryRun ? [`To remove them: ${call}`] : remaining > 0 ? [`To remove the rest: ${call}`] : []),
  ].join('\n');
}

function pages(count: number): string {
  return `${count} ${count === 1 ? 'snapshot' : 'snapshots'}`;
}

function fateLines({ dryRun, fate }: PurgeReport): string[] {
  const { dropped, droppedBytes, cited, held, heldUntil, shared } = fate;
  const verb = dryRun ? 'would be' : 'were';
  return [
    `Documents: ${dropped} ${verb} dropped (${droppedBytes} bytes).`,
    ...(heldUntil === null
      ? []
      : [
          `Kept for cursors that may still show them, until ${new Date(heldUntil).toISOString()} at the latest: ${held}. Nothing else finds them.`,
        ]),
    ...(cited > 0 ? [`Kept because somebody has cited them: ${cited}. Deleting the citation lets them go.`] : []),
    ...(shared > 0 ? [`Kept because another snapshot shows the same text: ${shared}.`] : []),
  ];
}
