import * as all from './all.ts';
import type { DocumentScripts, ElementScripts, GuardScripts, HandleScripts, TimerScripts } from './scripts.ts';

/** The function types of the described scripts. Each function may return its result or a promise of it. */
type Scripts<Described> = {
  [Name in keyof Described]: Described[Name] extends (...args: infer Args) => infer Result
    ? (this: never, ...args: Args) => Result | Promise<Result>
    : never;
};

/** Fails to compile when the parameters or the result of a script differ from `scripts.ts`. */
export const scripts: Scripts<DocumentScripts & ElementScripts & HandleScripts & GuardScripts & TimerScripts> = all;
