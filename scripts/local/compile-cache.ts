import { join } from 'node:path';
import { CACHE } from './project.ts';

/** Environment for a large Node program, which spends most of its start compiling sources: Node caches the result. */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(CACHE, 'compile-cache') };
