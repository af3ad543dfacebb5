import { evaluate, refuseBlocked } from '#browsing/act/evaluate.ts';
import type { Evaluated } from '#browsing/act/evaluate.ts';
import type { PageContext } from '#browsing/tabs/page-contexts.ts';
import type { Frame } from '#browsing/tabs/frame.ts';
import { addressesOf, addressesOfScript, inAddresses } from '#browsing/secrets/session-sites.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { callIn } from '#browsing/tabs/call-in-page.ts';
import { siteOf } from '#net/site.ts';
import { fail } from '#core/failures/failure.ts';
import { act, find } from './acting.ts';
import type { Acted } from './acting.ts';
import type { Work } from './perform.ts';

export type EvaluateInput = { script: string; selector: string | undefined; timeoutMs: number };

/** @throws {PeriscopeError} `script_blocked`, and what running a script throws */
export async function evaluateScript(
  work: Work,
  { script, selector, timeoutMs }: EvaluateInput,
): Promise<Acted<Evaluated>> {
  refuseBlocked(script);
  const element = selector === undefined ? null : await find(work, selector);
  const frame = element?.frame ?? work.tab.main();
  const context =
    work.tab.pageContext(frame) ?? fail({ code: 'element_not_found', target: 'page', reason: 'replaced' });
  await keepApart(work, frame, context);
  const where = { tab: work.tab, element, context };
  return act(work, element, false, () => evaluate(where, script, { timeoutMs }, work.signal));
}

/**
 * A script could read what was typed at its site, and hear what is typed there later. It is bound to the context that is
 * looked at here: a document that comes meanwhile does not run it.
 * @throws {PeriscopeError} `script_blocked`
 */
async function keepApart(work: Work, frame: Frame, { origin }: PageContext): Promise<void> {
  const { tab, live } = work;
  const { secrets } = live;
  // A page can put it into the address of another window, and no request has it.
  await secrets.sites.noteTyped(inAddresses(tab.frames(), secrets.hide));
  await secrets.sites.noteTyped(await handedOverTo(work));
  const inFrames = addressesOf(tab.frames());
  if (tab.typedIn.has(frame.loaderId) || secrets.sites.isTyped([frame.url, ...inFrames])) {
    fail({
      code: 'script_blocked',
      reason:
        'in this session a secret was typed, or a person has typed, on this site or on one that this tab shows in a frame, and a script could read it',
      hint: 'Use browser_snapshot or browser_read. To run scripts on this site, open it in another session; none runs here until this one is closed.',
    });
  }
  await secrets.sites.noteScripted(addressesOfScript(frame, origin, (id) => tab.frame(id)));
}

/** The addresses of documents that a page has left a secret to without a request: it stays while the window shows another site. */
async function handedOverTo({ tab, signal }: Work): Promise<string[]> {
  if (!tab.session.hides) return [];
  const given = tab.frames().map(async (frame) => {
    const text = await callIn(tab, frame, pageScripts.handedOver, [], signal);
    return tab.session.placesHidden(text).length > 0 && siteOf(frame.url) !== null ? [frame.url] : [];
  });
  return (await Promise.all(given)).flat();
}
