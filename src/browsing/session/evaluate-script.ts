import { evaluate } from '#browsing/act/evaluate.ts';
import type { Evaluated } from '#browsing/act/evaluate.ts';
import { withinReach } from '#browsing/tabs/within-reach.ts';
import { fail } from '#core/errors.ts';
import { act, find } from './acting.ts';
import type { Acted } from './acting.ts';
import type { Work } from './perform.ts';

export type EvaluateInput = { script: string; selector: string | undefined; timeoutMs: number };

/** @throws {PeriscopeError} `script_blocked`, and what running a script throws */
export async function evaluateScript(
  work: Work,
  { script, selector, timeoutMs }: EvaluateInput,
): Promise<Acted<Evaluated>> {
  const element = selector === undefined ? null : await find(work, selector);
  refuseWhereTyped(work);
  noteScript(work);
  return act(work, element, false, () => evaluate({ tab: work.tab, element }, script, { timeoutMs }, work.signal));
}

/** A script could read what was typed. @throws {PeriscopeError} `script_blocked` */
function refuseWhereTyped({ tab: own, live }: Work): void {
  if (!withinReach(own, live.tabs.all()).some(({ frame, tab }) => tab.typedIn.has(frame.loaderId))) return;
  fail({
    code: 'script_blocked',
    reason: 'a person has typed in this page, or a secret was typed into it, and a script could read it',
    hint: 'Use browser_snapshot, or load the page again with browser_navigate {"history": "reload"} first.',
  });
}

/** What a script leaves behind could read what is typed later. */
function noteScript({ tab: own, live }: Work): void {
  for (const { frame, tab } of withinReach(own, live.tabs.all())) tab.scriptedIn.add(frame.loaderId);
}
