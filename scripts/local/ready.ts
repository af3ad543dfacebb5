import * as z from 'zod';

/**
 * `serve.ts` says this to `start.ts` once the Worker answers. `askIn`: the `.dev.vars` that an answer goes to, if the person
 * should be asked which search of the web to use.
 */
export const readySchema = z.object({ port: z.number(), askIn: z.string().nullable() });
export type Ready = z.output<typeof readySchema>;
