import { evaluate, refuseBlockedScript } from '#browsing/act/evaluate.ts';
import type { EvaluateResult } from '#browsing/act/evaluate.ts';
import type { PageContext, Frame } from '#browsing/tabs/tab.ts';
import {
  documentUrls,
  urlsInReachOfScript,
  urlsWithSecret,
  urlsShownOrLoading,
} from '#browsing/secrets/session-sites.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { callIn } from '#browsing/tabs/call-in-page.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import { registrableDomain } from '#net/site.ts';
import { fail } from '#core/failures/failure.ts';
import { actAndReport, findTargetElement } from './acting.ts';
import type { ActionResult } from './acting.ts';
import type { OperationWork } from './perform.ts';
import { recordScriptStep } from '#browsing/session/history/script.ts';

type EvaluateInput = { script: string; target: string | undefined; timeoutMs: number };

/**
 * @throws {PeriscopeError} `script_blocked`; `element_not_found`, also if the document is being replaced; errors of the
 *   script
 */
export async function evaluateScript(
  work: OperationWork,
  { script, target, timeoutMs }: EvaluateInput,
): Promise<ActionResult<EvaluateResult>> {
  work.tab.lastWritten = null;
  refuseBlockedScript(script);
  const element = target === undefined ? null : await findTargetElement(work, target);
  const frame = element?.frame ?? work.tab.main();
  const context =
    work.tab.pageContext(frame) ?? fail({ code: 'element_not_found', target: 'page', reason: 'replaced' });
  await refuseNearSecrets(work, frame, context);
  const where = { tab: work.tab, element, context };
  recordScriptStep(work, { do: 'other', what: 'a script was run' });
  return actAndReport(work, element, false, () => evaluate(where, script, { timeoutMs }, work.signal));
}

/**
 * Refuses a script on a site where it could read typed secrets, or record what is typed later. A script runs only in
 * the checked execution context, not in a later document.
 * @throws {PeriscopeError} `script_blocked`
 */
async function refuseNearSecrets(work: OperationWork, frame: Frame, { origin }: PageContext): Promise<void> {
  const { tab, active } = work;
  const { secrets } = active;
  const group = active.tabs.all().filter(({ windows }) => windows === tab.windows);
  // Checks all tabs, because a page can put a secret into the URL of another window without a request that the gate
  // sees.
  const frames = active.tabs.all().flatMap((one) => one.frames());
  await secrets.sites.noteTyped(urlsWithSecret(frames, secrets.mask));
  await secrets.sites.noteTyped(await documentsGivenSecrets(work, group));
  // A blank document opened by another window may contain what was typed or shown in that window.
  if (
    tab.typedIn.has(frame.loaderId) ||
    tab.windows.isTypedInOther(tab.targetId) ||
    secrets.sites.isTyped([frame.url, ...documentUrls(tab.frames()), ...group.flatMap(urlsShownOrLoading)])
  ) {
    fail({
      code: 'script_blocked',
      reason:
        "a secret or a person's text was typed on this site in this session (in this tab, its frames or connected windows), and a script could read it",
      hint: 'Use browser_snapshot or browser_read. To run scripts on this site, use another session, or close this one first.',
    });
  }
  tab.windows.noteScripted(tab.main().loaderId);
  await secrets.sites.noteScripted(urlsInReachOfScript(frame, origin, (id) => tab.frame(id)));
}

/**
 * Documents to which a page passed a secret without a request, such as in `window.name`, which later documents of the
 * window can read.
 */
async function documentsGivenSecrets({ signal }: OperationWork, group: readonly OpenTab[]): Promise<string[]> {
  const documents = group.flatMap((tab) =>
    tab.frames().map(async (frame) => {
      if (!tab.session.isMasking) return [];
      const text = await callIn(tab, frame, pageScripts.readNameAndReferrer, [], signal);
      return tab.session.maskedPlaces(text).length > 0 && registrableDomain(frame.url) !== null ? [frame.url] : [];
    }),
  );
  return (await Promise.all(documents)).flat();
}
