import { join } from 'node:path';

/** For the environment of a large Node program: most of its start is reading sources, and Node keeps what it made of them. */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(import.meta.dirname, '../../.wrangler/compile-cache') };
