import { CLICKS } from './clicks.ts';
import { DATES } from './dates.ts';
import { DRAGS } from './drags.ts';
import { DRAWN } from './drawn.ts';
import { FORMS } from './forms.ts';
import { MAIL } from './mail.ts';
import type { Solvers } from './page.ts';
import { READING } from './reading.ts';

/** A player for each task that a script can read. */
export const SOLVERS: Solvers = { ...FORMS, ...READING, ...CLICKS, ...DRAWN, ...DRAGS, ...DATES, ...MAIL };
