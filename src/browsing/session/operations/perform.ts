import { fail, PeriscopeError } from '#core/failures/failure.ts';
import { TAB_BEGINS_MS, TITLE_CHARS_MAX } from '#core/limits.ts';
import { boundedAddress, oneLine } from '#core/text/text.ts';
import { abortable, withTimeout } from '#core/flow/abort.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import { loopWords } from '#browsing/tabs/page-record.ts';
import type { PageEvent, PageLoop } from '#browsing/tabs/page-record.ts';
import { requestTabFacts, tabFactsNow } from '#browsing/session/tab-facts.ts';
import type { PendingTabFacts, TabFacts } from '#browsing/session/tab-facts.ts';
import type { Texts } from '#core/text/page-texts.ts';
import { withPageTexts } from '#core/text/page-texts.ts';
import { STATE_TEXTS } from '#browsing/session/answers.ts';
import type { Done, SessionState, TabState } from '#browsing/session/answers.ts';
import { DOWNLOAD_REST_MS } from '#browsing/session/limits.ts';
import { tabOf } from '#browsing/session/live.ts';
import type { Live } from '#browsing/session/live.ts';

/** What an operation works with. */
export type Work = {
  live: Live;
  /** An operation that opens a tab goes on in it. */
  tab: OpenTab;
  signal: AbortSignal;
  /** When the call ends, in ms since 1970. */
  endsAt: number;
  /** What was asked for with the last look at the page. */
  beside?: PendingTabFacts;
};

export type TabChoice = {
  /** `t2`; the session's first tab when not given. */
  tab?: string | undefined;
  /** How dialogs that the call brings up are answered: dismissed when not given. */
  dialog?: { accept: boolean; text?: string | undefined } | undefined;
};

/**
 * Runs one operation on a tab and says what it left behind.
 * @param restored what could not be brought back, when the session had to be for this call
 * @param isLook whether the operation changes nothing: titles and walls are asked for at the same time
 * @param callMs how long the operation may take
 * @param texts whose the texts of its result are
 * @throws {PeriscopeError} of the operation; `timeout` when it takes longer than a call may
 */
export async function performed<T>(
  session: string,
  live: Live,
  choice: TabChoice,
  restored: SessionState['restored'],
  { isLook, callMs, texts }: { isLook: boolean; callMs: number; texts: Texts<T> },
  operation: (work: Work) => Promise<T>,
): Promise<Done<T>> {
  const tab = await wantedTab(live, choice.tab);
  // A ref may lead to another tab than the one that is named.
  const before = new Map(live.tabs.all().map((open) => [open, open.log.mark]));
  // Stays so until the next call: what a timer of the page opens after the answer is meant, too.
  for (const open of before.keys()) open.dialogs = choice.dialog ?? { accept: false };
  const work = { live, tab, ...(isLook ? { beside: requestTabFacts(live, tab) } : {}) };
  const result = await inTime(operation, work, callMs).catch((error: unknown) => {
    // An error cannot carry the events; the next result has them.
    for (const [open, mark] of before) {
      open.owedMark ??= mark;
      if (!open.isOpen) live.tabs.owe(untold(open, mark));
    }
    throw error;
  });
  await withTimeout(TAB_BEGINS_MS, (late) => live.tabs.ready(late));
  await live.downloads.atRest(DOWNLOAD_REST_MS);
  const events = [...live.tabs.takeOwed(), ...untold(work.tab, before.get(work.tab) ?? 0)];
  const { titles, wall: found } = await tabFactsNow(live, work.tab, work.beside);
  const wall = newWall(work.tab, found);
  const secrets = await live.secrets.fittingWall(wall, work.tab.main().url);
  const state = { ...stateOf(session, live, work.tab, restored, events, before, titles), wall, secrets };
  const { hide } = live.secrets;
  if (hide === null) return { state, result };
  return {
    state: withPageTexts(state, STATE_TEXTS, hide.from),
    result: withPageTexts<T>(result, texts, hide.from),
  };
}

/** A wall that asks for a person. Each document is reported once. */
function newWall(tab: OpenTab, wall: TabFacts['wall']): TabFacts['wall'] {
  if (!tab.isOpen) return '';
  const told = `${tab.main().loaderId} ${wall}`;
  const isNew = tab.toldWall !== told;
  tab.toldWall = told;
  return isNew ? wall : '';
}

/** The events of this call and of failed calls before it, and what was answered or refused between calls. */
function untold(tab: OpenTab, mark: number): PageEvent[] {
  const { log, toldMark, owedMark } = tab;
  const from = owedMark ?? mark;
  const late = log.since(toldMark, from).filter(({ kind }) => MATTERS_LATE.has(kind));
  tab.toldMark = log.mark;
  tab.owedMark = null;
  return [...late, ...log.since(from)];
}

const MATTERS_LATE: ReadonlySet<PageEvent['kind']> = new Set(['chooser', 'dialog', 'download', 'file', 'popup']);

async function wantedTab(live: Live, id: string | undefined): Promise<OpenTab> {
  const tab = tabOf(live, id);
  if (tab !== null) return tab;
  if (id === undefined) return live.tabs.open(live.contextId);
  const open = live.tabs.all().map((other) => other.id);
  return fail({
    code: 'invalid_argument',
    field: 'tab',
    problem: `is not an open tab; the open tabs are ${open.length === 0 ? 'none' : open.join(', ')}`,
    hint: 'Leave it out for the first tab, or pass one of these.',
  });
}

async function inTime<T>(
  operation: (work: Work) => Promise<T>,
  at: Omit<Work, 'signal' | 'endsAt'>,
  callMs: number,
): Promise<T> {
  const endsAt = Date.now() + callMs;
  const looped = new AbortController();
  at.live.tabs.looped = (tab, loop, how) => looped.abort(inLoop(tab, loop, how));
  return withTimeout(callMs, async (late) => {
    const signal = AbortSignal.any([late, looped.signal]);
    try {
      return await abortable(operation(Object.assign(at, { signal, endsAt })), signal);
    } catch (error) {
      if (looped.signal.aborted) throw looped.signal.reason;
      if (!late.aborted || error !== late.reason) throw error;
      return fail({ code: 'timeout', what: 'The page', afterMs: callMs });
    } finally {
      at.live.tabs.looped = null;
    }
  });
}

function inLoop({ id }: OpenTab, loop: PageLoop, page: 'stopped' | 'closed'): PeriscopeError {
  const opened = `page of tab ${id} opened ${loopWords(loop)}`;
  const reason =
    page === 'closed'
      ? `${opened} and could not be stopped, so the tab was closed`
      : `${opened}, so its scripts were stopped`;
  return new PeriscopeError({ code: 'render_failed', page, reason });
}

/** @throws {PeriscopeError} when scripts are stopped in the tab: what is done to its page would have no effect */
export function refuseStopped({ id, loops: { stoppedFor } }: OpenTab): void {
  if (stoppedFor === null) return;
  const reason = `page of tab ${id} opened ${loopWords(stoppedFor)}, so its scripts are stopped. Nothing was done`;
  fail({ code: 'render_failed', page: 'stopped', reason });
}

function stateOf(
  session: string,
  live: Live,
  tab: OpenTab,
  restored: SessionState['restored'],
  events: SessionState['events'],
  before: ReadonlyMap<OpenTab, number>,
  titles: ReadonlyMap<string, string>,
): SessionState {
  const titleOf = (of: OpenTab) => oneLine(of.session.told(titles.get(of.targetId) ?? '', 'page'), TITLE_CHARS_MAX);
  const state = (of: OpenTab): TabState => ({
    id: of.id,
    url: boundedAddress(of.session.told(of.main().url, 'page')),
    title: titleOf(of),
  });
  const all = live.tabs.all();
  const title = titleOf(tab);
  const isTitleNew = title !== tab.toldTitle;
  tab.toldTitle = title;
  return {
    session,
    tab: tab.isOpen ? state(tab) : null,
    isTitleNew,
    tabs: all.map(state),
    restored,
    stopped: tab.isOpen ? tab.loops.stoppedFor : null,
    events,
    opened: all.filter((other) => !before.has(other) && other !== tab).map(state),
  };
}
