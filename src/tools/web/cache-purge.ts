import * as z from 'zod';
import { toPurgeCriteria, listPurgedRows, purgeSnapshots, writePurgeReport } from '#reading/purge-snapshots.ts';
import { defineTool } from '#tools/define-tool.ts';

/** Maximum age in a request: ten years, older than any page in the store. */
const PURGE_AGE_SECONDS_MAX = 315_360_000;

export const cachePurge = defineTool({
  name: 'cache_purge',
  toolset: 'web',
  scope: 'cache:purge',
  title: 'Purge stored pages',
  description:
    'Delete (remove, erase, clear, wipe) saved, stored or cached copies of a web page, several pages or a whole website or domain from the cache. Deletes what matches all given criteria, such as age, for every user. It is a dry run that only reports unless dry_run is false.',
  hints: { readOnly: false, destructive: true, openWorld: false },
  input: z.strictObject({
    snapshot: z.string().optional().describe('Snapshot hash of one page.'),
    domain: z.string().optional().describe('Domain, including its subdomains.'),
    older_than_seconds: z
      .int()
      .min(0)
      .max(PURGE_AGE_SECONDS_MAX)
      .optional()
      .describe('Only pages fetched longer ago than this.'),
    keep_newest: z.int().min(0).optional().describe('Spare this many of the newest matches.'),
    dry_run: z.boolean().default(true).describe('true reports what would be deleted.'),
  }),
  output: z.strictObject({
    dry_run: z.boolean(),
    count: z.int(),
    bytes: z.int(),
    rows: z.array(z.strictObject({ snapshot: z.string(), url: z.string(), fetched_at: z.string(), bytes: z.int() })),
    documents_dropped: z.int(),
    bytes_dropped: z.int(),
    documents_cited: z.int(),
    documents_followed: z.int(),
    documents_held: z.int(),
    held_until: z.string().optional(),
    documents_shared: z.int(),
    remaining: z.int(),
  }),
  check: (input) => void toPurgeCriteria(input, 0),
  async run(input, { services, principal, signal }) {
    const report = await purgeSnapshots(input, principal.subject, signal, services);
    const rows = listPurgedRows(report);
    const { fate } = report;
    return {
      text: await writePurgeReport(report, rows, input),
      structured: {
        dry_run: report.dryRun,
        count: report.rows.length,
        bytes: report.bytes,
        rows,
        documents_dropped: fate.dropped,
        bytes_dropped: fate.droppedBytes,
        documents_cited: fate.cited,
        documents_followed: fate.followed,
        documents_held: fate.held,
        ...(fate.heldUntil === null ? {} : { held_until: new Date(fate.heldUntil).toISOString() }),
        documents_shared: fate.shared,
        remaining: report.remaining,
      },
    };
  },
});
