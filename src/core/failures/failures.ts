import { BROWSER_FAILURES } from './browser-failures.ts';
import type { FailureEntry } from './declare.ts';
import { PAGE_FAILURES } from './page-failures.ts';
import { SERVER_FAILURES } from './server-failures.ts';

const TABLE = { ...PAGE_FAILURES, ...BROWSER_FAILURES, ...SERVER_FAILURES };

type Code = keyof typeof TABLE;
type Fields = {
  [C in Code]: (typeof TABLE)[C] extends FailureEntry<infer Declared> ? Declared : never;
};

/** A failure of one of these codes. */
export type FailureOf<Some extends Code> = { [C in Some]: { code: C } & Fields[C] & Progress }[Some];

type Progress = {
  /**
   * For a call that sets several fields: the field at which it failed, and those set before it, as the caller named
   * them.
   */
  filling?: { at: string; set: readonly string[]; total: number } | undefined;
  /** For a call that takes several steps: how many of them were taken before it failed. */
  listed?: { done: number; total: number } | undefined;
};

/** Every way a call can fail: its fields, message, hint, and whose words its fields hold. */
export const FAILURES: { readonly [C in Code]: FailureEntry<Fields[C]> } = TABLE;
