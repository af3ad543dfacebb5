import { join } from 'node:path';
import { CACHE } from './project.ts';

/** For the environment of a large Node program: most of its start is reading sources, and Node keeps what it made of them. */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(CACHE, 'compile-cache') };
