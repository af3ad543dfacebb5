import * as all from './all.ts';
import type { DocumentScripts, ElementScripts, GuardScripts, HandleScripts, TimerScripts } from './scripts.ts';

/** The functions that fit these descriptions. Each may return its result or a promise of it. */
type Scripts<Described> = {
  [Name in keyof Described]: Described[Name] extends (...args: infer Args) => infer Result
    ? (this: never, ...args: Args) => Result | Promise<Result>
    : never;
};

/** Does not compile when the parameters or the result of a script differ from `scripts.ts`. */
export const scripts: Scripts<DocumentScripts & ElementScripts & HandleScripts & GuardScripts & TimerScripts> = all;
