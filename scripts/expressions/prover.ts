import * as z from 'zod';
import { doubtOf } from './prove.ts';

/** A process that is asked about one expression after another. Its first answer means that it is ready. */
const asked = z.object({ source: z.string(), flags: z.string() });

process.on('message', (message) => {
  const { source, flags } = asked.parse(message);
  process.send?.(doubtOf(source, flags) ?? '');
});
process.send?.('');
