import { fail } from '#core/failures/failure.ts';
import { resolveWithin } from '#core/flow/abort.ts';
import { SECOND_MS, SESSION_TABS_MAX } from '#core/limits.ts';
import { canonicalizeUrl } from '#net/fetch/canonical-url.ts';
import { ignoreTargetGone, CdpError } from '#browsing/cdp/connection.ts';
import type { View } from '#browsing/view/view.ts';
import { crashFailure, requestTabFacts } from './perform.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import { awaitViewWithinTime } from './acting.ts';
import { LEAVE_MS_MAX } from '#browsing/session/limits.ts';
import { failIfUrlForbidden, moveInHistory, navigate } from './navigate.ts';
import type { NavigateResult } from './navigate.ts';
import { findHistoryEntry } from './history-move.ts';
import type { HistoryNavigation } from './history-move.ts';
import type { WaitUntil } from './document-arrival.ts';
import type { OperationWork } from './perform.ts';
import { recordScriptStep } from '#browsing/session/history/script.ts';
import { takeTabView } from './look-operations.ts';
import type { TabSettings } from '#browsing/tabs/settings.ts';

type NavigateInput = {
  url: string | undefined;
  history: HistoryNavigation | undefined;
  newTab: boolean;
  waitUntil: WaitUntil;
  timeoutMs: number;
  snapshot: boolean;
};

export async function navigateTab(
  work: OperationWork,
  { url, history, newTab, snapshot: withSnapshot, ...options }: NavigateInput,
): Promise<NavigateResult & { snapshot: View | null; isUnread?: true }> {
  const entry = url === undefined ? await findHistoryEntry(work.tab, history ?? 'reload') : null;
  const address = entry?.url ?? addressOf(url ?? '');
  await failIfUrlForbidden(address, work);
  if (newTab) work.tab = await openTab(work);
  if (newTab) recordScriptStep(work, { do: 'other', what: 'a new tab was opened' });
  recordScriptStep(work, entry === null ? { do: 'go', url: url ?? '' } : { do: 'history', to: entry.step });
  const { tab, active } = work;
  const endsAt = Date.now() + options.timeoutMs;
  // The earlier page may still send the effects of an act, so its sockets stay refused until it has gone.
  const bounds = { ...options, endsAt, onShown: () => active.tabs.guards.sockets.free(tab) };
  const navigated = await active.rules.duringAct(tab, () =>
    entry === null ? goTo(work, address, bounds) : moveInHistory(tab, entry, bounds, work.signal),
  );
  if (withSnapshot) work.tabFacts = requestTabFacts(work.active, work.tab);
  if (!withSnapshot) return { ...navigated, snapshot: null };
  const view = await awaitViewWithinTime(work, takeTabView(work, {}), Math.max(endsAt - Date.now(), VIEW_MS_MIN));
  if (view === null) return { ...navigated, snapshot: null, isUnread: true };
  return { ...navigated, snapshot: work.active.sent.once(work.tab, view) };
}

/** Minimum time for the view of a page that took all of its time to load. Most views take less than 1 s. */
const VIEW_MS_MIN = 3 * SECOND_MS;

/** Opens a URL. If the tab closes meanwhile, uses a new tab: leaving a page that hangs may crash its tab. */
async function goTo(
  work: OperationWork,
  url: string,
  options: Parameters<typeof navigate>[2],
): Promise<NavigateResult> {
  const { tab, signal } = work;
  const { loaderId } = tab.main();
  await endBusyPage(tab, signal);
  try {
    if (tab.isOpen) {
      const navigated = await navigate(tab, url, options, signal);
      if (tab.isOpen || navigated.file !== undefined) return navigated;
    }
  } catch (error) {
    if (!(await hasGone(tab, signal))) throw error;
  }
  // If the new document itself crashed the tab, it would crash another tab as well.
  if (tab.hasCrashed && tab.main().loaderId !== loaderId) fail(crashFailure(tab));
  work.tab = await openTab(work);
  work.active.rules.noteAct(work.tab);
  const again = await navigate(work.tab, url, options, signal);
  return work.tab.hasCrashed ? fail(crashFailure(work.tab)) : again;
}

/**
 * Closes the tab of a page whose description keeps its process busy. A document of the same site would load in the same
 * process, after minutes.
 */
async function endBusyPage(tab: OpenTab, signal: AbortSignal): Promise<void> {
  if (!tab.sizes.mayBeBusy(tab.main())) return;
  const answer = tab.session.send('Runtime.evaluate', { expression: '0' }).catch(ignoreTargetGone);
  if (
    (await resolveWithin(
      answer.then(() => true),
      LEAVE_MS_MAX,
      signal,
    )) === null
  )
    tab.endHung();
}

/**
 * True if the tab has closed. Sends a command first and waits for the answer, because Chromium reports the failed
 * navigation before the crash that caused it.
 */
async function hasGone(tab: OpenTab, signal: AbortSignal): Promise<boolean> {
  if (!tab.isOpen) return true;
  const answer = tab.session.send('Runtime.evaluate', { expression: '0' });
  await resolveWithin(answer.catch(ignoreTargetGone), LEAVE_MS_MAX, signal);
  return !tab.isOpen;
}

/** @throws {PeriscopeError} `invalid_argument` if the session has the maximum number of tabs */
async function openTab({ active }: OperationWork): Promise<OpenTab> {
  if (active.tabs.all().length < SESSION_TABS_MAX) return active.tabs.open(active.contextId);
  return fail({
    code: 'invalid_argument',
    field: 'new_tab',
    problem: `the session already has ${SESSION_TABS_MAX} tabs, the most it may have`,
    hint: 'Close one with browser_close and its tab, or continue in an open one.',
  });
}

/**
 * Canonical URL with its fragment, which many web apps use for routing.
 * @throws {PeriscopeError} `invalid_url`
 */
function addressOf(url: string): string {
  const canonical = canonicalizeUrl(url);
  const hash = url.indexOf('#');
  return hash === -1 ? canonical : canonical + url.slice(hash).trim();
}

export async function closeTab(work: OperationWork): Promise<null> {
  const closed = work.tab;
  await work.active.tabs.close(closed);
  work.active.refs.forgetTab(closed.id);
  return null;
}

/** @throws {PeriscopeError} `invalid_argument` for a locale or time zone that the browser does not know */
export async function changeTabSettings(
  { active: { tabs } }: OperationWork,
  change: Partial<TabSettings>,
): Promise<TabSettings> {
  const settings = { ...tabs.settings, ...change };
  await tabs.applySettings(settings).catch((error: unknown) => {
    const refused = error instanceof CdpError ? REFUSALS.find(({ method }) => method === error.method) : undefined;
    if (refused === undefined || change[refused.field] === undefined) throw error;
    const { field, example } = refused;
    const hint = `Pass one such as ${JSON.stringify({ [field]: example })}, or leave it out.`;
    fail({ code: 'invalid_argument', field, problem: 'is not one that the browser knows', hint });
  });
  return settings;
}

const REFUSALS = [
  { method: 'Emulation.setLocaleOverride', field: 'locale', example: 'de-DE' },
  { method: 'Emulation.setTimezoneOverride', field: 'timezone', example: 'Europe/Berlin' },
] as const;
