import * as z from 'zod';

/**
 * One thing that was measured: of ours, and of others under their names. A cell begins with the number that is compared;
 * `best` says which numbers are better.
 */
const figure = z.object({
  what: z.string(),
  ours: z.string(),
  others: z.record(z.string(), z.string()).default({}),
  best: z.enum(['high', 'low']).default('high'),
});

/**
 * A run of a bench. `commit`: the last one that changed what is measured. `isChanged`: it had changes that the commit does
 * not have. `stated`: the document whose figures these are, where nobody has run the bench for this page.
 */
export const recorded = z.object({
  commit: z.string(),
  isChanged: z.boolean().default(false),
  date: z.string(),
  machine: z.string(),
  seeds: z.string(),
  stated: z.string().optional(),
  /** What is measured has changed since. */
  isOlder: z.boolean().default(false),
  figures: z.array(figure),
});

export const recordedRuns = z.record(z.string(), recorded);

export type Figure = z.input<typeof figure>;
export type Recorded = z.output<typeof recorded>;
