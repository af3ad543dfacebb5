import { evaluate } from '#browsing/act/evaluate.ts';
import type { Evaluated } from '#browsing/act/evaluate.ts';
import type { Frame } from '#browsing/tabs/frame.ts';
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
function refuseWhereTyped(work: Work): void {
  if (!withinReach(work).some(({ frame, tab }) => tab.typedIn.has(frame.loaderId))) return;
  fail({
    code: 'script_blocked',
    reason: 'a person has typed in this page, or a secret was typed into it, and a script could read it',
    hint: 'Use browser_snapshot, or load the page again with browser_navigate {"history": "reload"} first.',
  });
}

/** What a script leaves behind could read what is typed later. */
function noteScript(work: Work): void {
  for (const { frame, tab } of withinReach(work)) tab.scriptedIn.add(frame.loaderId);
}

/** The documents of the tab, and those of other tabs that may be of one site with them: windows reach into each other. */
function withinReach({ tab, live }: Work) {
  const sites = new Set(tab.frames().map(siteOf));
  return live.tabs.all().flatMap((other) =>
    other
      .frames()
      .filter((frame) => other === tab || sites.has(siteOf(frame)))
      .map((frame) => ({ frame, tab: other })),
  );
}

/** Documents that borrow an origin may be of any site. */
function siteOf({ url }: Pick<Frame, 'url'>): string {
  return URL.canParse(url) ? new URL(url).origin : 'null';
}
