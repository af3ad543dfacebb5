import { within } from '#core/flow/abort.ts';
import { PeriscopeError } from '#core/failures/failure.ts';
import type { InvalidField } from '#browsing/act/invalid-fields.ts';
import { guardCopies } from '#browsing/secrets/guard-copies.ts';
import { settled } from '#browsing/settle/settle.ts';
import type { PageElement } from '#browsing/tabs/page-element.ts';
import { resolveTarget } from '#browsing/target/resolve.ts';
import { changesBetween, lookAfter } from '#browsing/view/changes.ts';
import type { Changes } from '#browsing/view/changes.ts';
import { lookAt, viewOf } from '#browsing/view/view.ts';
import type { Look, View } from '#browsing/view/view.ts';
import {
  CHANGES_BESIDE_VIEW_CHARS_MAX,
  CHANGES_CHARS_MAX,
  DOWNLOAD_REST_MS,
  DOWNLOAD_WAIT_MS,
  LOOK_BEFORE_MS_MAX,
} from '#browsing/session/limits.ts';
import { requestTabFacts } from '#browsing/session/tab-facts.ts';
import { refuseStopped } from './perform.ts';
import type { Work } from './perform.ts';

/** What every action says beside its own result. */
export type Acted<T> = T & {
  /** Whether the tab shows another address, or another document: one that a form was sent for may have the same address. */
  hasMoved: boolean;
  /** Whether it is another document. All refs from before are stale then. */
  isNewDocument: boolean;
  stillLoading: boolean;
  /** Whether the page had come to rest. */
  isQuiet?: boolean;
  /** Lines that a view of the page shows now and did not show before; `null` for another document or one that does not answer. */
  changes?: Changes | null;
  /** The page afterwards, when it was asked for. Called as tools call it: an answer of an object keeps its fields. */
  snapshot: View | null;
};

export function tabsOf({ tab, live }: Work) {
  return { tab, byId: (id: string) => live.tabs.byId(id) };
}

/** What the browser shows a person beside the page, and no view contains. */
export function tellInvalid({ tab }: Work, fields: readonly InvalidField[] = []): void {
  for (const { name, problem } of fields) tab.log.add({ kind: 'invalid_field', name, problem });
}

/**
 * Acts, waits for what that sets off, and tells what the page shows now that it did not show before.
 * @param own elements whose own change the answer tells in another way
 */
export async function act<T extends object>(
  work: Work,
  element: PageElement | null,
  withSnapshot: boolean,
  action: () => Promise<T>,
  own: (result: T) => readonly PageElement[] = () => [],
): Promise<Acted<T>> {
  const { tab, live } = work;
  refuseStopped(tab);
  const before = loadedDocument(work);
  const shownBefore = live.looks.get(tab) ?? (await orNull(within(lookAround(work), LOOK_BEFORE_MS_MAX, work.signal)));
  await guardCopies(tab, work.signal);
  // Only what a click or a key sets off may open tabs; a page that is merely loading may not.
  live.isActing = true;
  const restBy = Date.now() + DOWNLOAD_WAIT_MS;
  const done = settled(tab, element, action, work.signal);
  const { result, settled: rest } = await done.finally(() => (live.isActing = false));
  await live.downloads.atRest(Math.max(restBy - Date.now(), DOWNLOAD_REST_MS), work.signal);
  const seen = await seeAfter(work, { before, shownBefore, withSnapshot }, () => own(result));
  return { ...result, ...rest, ...seen };
}

type Before = { before: LoadedDocument; shownBefore: Look | null; withSnapshot: boolean };

/** Where the tab is now, what it shows that it did not show before, and all of it when that was asked for. */
export async function seeAfter(
  work: Work,
  { before, shownBefore, withSnapshot }: Before,
  own: () => readonly PageElement[] = () => [],
): Promise<Pick<Acted<object>, 'hasMoved' | 'isNewDocument' | 'changes' | 'snapshot'>> {
  const { tab, live } = work;
  const moved = movedSince(before, work);
  const isTold = tab.isOpen && shownBefore !== null && !moved.isNewDocument;
  // Of a large page, the part that the model saw last.
  const part = moved.isNewDocument ? null : (live.looks.get(tab)?.part?.from ?? null);
  const look = () => {
    work.beside = requestTabFacts(live, tab);
    return lookAround(work, part);
  };
  const shown = withSnapshot && tab.isOpen ? await look() : isTold ? await orNull(look()) : null;
  const ownRefs = new Set(own().flatMap((one) => live.refs.refOf(one) ?? []));
  const maxChars = withSnapshot ? CHANGES_BESIDE_VIEW_CHARS_MAX : CHANGES_CHARS_MAX;
  return {
    ...moved,
    changes: isTold && shown !== null ? changesBetween(shownBefore, shown, ownRefs, maxChars) : null,
    snapshot: withSnapshot && shown !== null ? viewOf(shown, {}) : null,
  };
}

/** @param partFrom of a large page, the node that the part begins with */
export async function lookAround({ tab, live, signal }: Work, partFrom: number | null = null): Promise<Look> {
  const shown = lookAfter(live.looks.get(tab) ?? null, await lookAt(tab, live.refs, null, {}, signal, partFrom));
  live.looks.set(tab, shown);
  return shown;
}

/** For additional facts: a page that does not answer is not waited for. */
async function orNull(look: Promise<Look | null>): Promise<Look | null> {
  try {
    return await look;
  } catch (error) {
    if (!(error instanceof PeriscopeError)) throw error;
    return null;
  }
}

type LoadedDocument = { loaderId: string; url: string };

export function loadedDocument({ tab }: Work): LoadedDocument {
  const { loaderId, url } = tab.main();
  return { loaderId, url };
}

function movedSince(before: LoadedDocument, work: Work): { hasMoved: boolean; isNewDocument: boolean } {
  const now = loadedDocument(work);
  const isNewDocument = now.loaderId !== before.loaderId;
  return { hasMoved: isNewDocument || now.url !== before.url, isNewDocument };
}

/** A ref may lead to another tab than the one the call names; then the call goes on there. */
export async function find(work: Work, selector: string): Promise<PageElement> {
  const element = await resolveTarget(selector, tabsOf(work), work.live.refs, work.signal);
  work.tab = work.live.tabs.byId(element.tab.id) ?? work.tab;
  return element;
}
