import * as z from 'zod';
import { openSnapshot } from '#reading/open/cached-snapshots.ts';
import { createPageResult } from '#reading/open/open-whole.ts';
import { toReadPageFacts } from '#reading/recently-opened.ts';
import { defineTool, shortenedSchemas } from '#tools/define-tool.ts';
import { MAIN_PAGE_FIELDS, pageSchema, toPageOutput } from './shapes.ts';

export const cacheGet = defineTool({
  name: 'cache_get',
  toolset: 'web',
  title: 'Get a stored page',
  description:
    'Get back (retrieve, restore) the saved (stored, cached, archived) copy of a page as it was when it was read (downloaded) earlier, by the snapshot hash that web_open returned. Not the current version: its site is not contacted.',
  hints: { readOnly: true, destructive: false, openWorld: false },
  input: z.strictObject({ snapshot: z.string().describe('Snapshot hash.') }),
  output: pageSchema
    .omit({ explain: true })
    .register(shortenedSchemas, { description: 'The fields of web_open.', fields: MAIN_PAGE_FIELDS }),
  async run(input, { services, principal }) {
    const whole = await openSnapshot(input.snapshot, principal.subject, services);
    const result = await createPageResult(whole, { extra: [] }, services);
    return {
      text: result.text,
      structured: toPageOutput(whole, result, false),
      url: result.url,
      read: [toReadPageFacts(whole.opened, whole.cursor, null)],
      cacheHit: true,
      resources: [{ snapshot: whole.opened.snapshot.key, url: result.url }],
    };
  },
});
