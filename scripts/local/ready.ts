import * as z from 'zod';

/**
 * The message of `serve.ts` to `start.ts` once the Worker answers. `askIn`: the `.dev.vars` for the answer if the user
 * should be asked which web search to use.
 */
export const readySchema = z.object({ port: z.number(), askIn: z.string().nullable() });
export type Ready = z.output<typeof readySchema>;
