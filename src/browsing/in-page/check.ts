import * as all from './all.ts';
import type { DocumentScripts, ElementScripts, GuardScripts, HandleScripts, TimerScripts } from './scripts.ts';

/** What a script is that is described so: what it gives may take its time. */
type Scripts<Described> = {
  [Name in keyof Described]: Described[Name] extends (...args: infer Args) => infer Result
    ? (this: never, ...args: Args) => Result | Promise<Result>
    : never;
};

/** It does not compile when a script takes or gives anything else than `scripts.ts` says. */
export const scripts: Scripts<DocumentScripts & ElementScripts & HandleScripts & GuardScripts & TimerScripts> = all;
