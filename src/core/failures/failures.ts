import { APPROVAL_FAILURES } from './approval-failures.ts';
import { BROWSER_FAILURES } from './browser-failures.ts';
import type { FailureEntry } from './declare.ts';
import { PAGE_FAILURES } from './page-failures.ts';
import { RULE_FAILURES } from './rule-failures.ts';
import { SERVER_FAILURES } from './server-failures.ts';

const TABLE = { ...PAGE_FAILURES, ...BROWSER_FAILURES, ...RULE_FAILURES, ...APPROVAL_FAILURES, ...SERVER_FAILURES };

type Code = keyof typeof TABLE;
type Fields = {
  [C in Code]: (typeof TABLE)[C] extends FailureEntry<infer Declared> ? Declared : never;
};

export type FailureOf<Some extends Code> = { [C in Some]: { code: C } & Fields[C] & Progress }[Some];

type Progress = {
  /**
   * For a call that sets several fields: the field that failed, and the fields set before, as the caller named them.
   */
  filling?: { at: string; set: readonly string[]; total: number } | undefined;
  /** For a call with several steps: number of steps completed before the failure. */
  listed?: { done: number; total: number } | undefined;
};

export const FAILURES: { readonly [C in Code]: FailureEntry<Fields[C]> } = TABLE;
