import * as z from 'zod';

/** One thing that was measured: of ours, and of others under their names. A cell is as the page shows it. */
const figure = z.object({ what: z.string(), ours: z.string(), others: z.record(z.string(), z.string()).default({}) });

/** A run of a bench. `isChanged`: what is measured had changes that the commit does not have. */
export const recorded = z.object({
  commit: z.string(),
  isChanged: z.boolean(),
  date: z.string(),
  machine: z.string(),
  seeds: z.string(),
  figures: z.array(figure),
});

export type Figure = z.input<typeof figure>;
export type Recorded = z.input<typeof recorded>;
