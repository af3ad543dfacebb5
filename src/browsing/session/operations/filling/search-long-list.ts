import { SECOND_MS } from '#core/limits.ts';
import { sleep, abortable } from '#core/flow/abort.ts';
import { scrollByWheel } from '#browsing/act/scroll.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { callOn, nullIfGone, callFunction, failElementGone } from '#browsing/tabs/call-in-page.ts';
import type { ListScrollResult } from '#browsing/in-page/script-types.ts';
import { pageElementOf } from '#browsing/locate/find.ts';
import { readNodeIdentity } from '#browsing/locate/node-identity.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import type { Page } from '#browsing/view/page/page.ts';
import type { OperationWork } from '#browsing/session/operations/perform.ts';
import type { PageElement } from '#browsing/tabs/tab.ts';
import { fill } from '#browsing/act/fields/fill.ts';
import { recordScriptStep, toScriptTarget, toScriptValue } from '#browsing/session/history/script.ts';
import { everyElement, hasTrueProperty } from '#browsing/tree/ax-tree.ts';

const SEARCH_MS_MAX = 12 * SECOND_MS;
const SEARCH_PART_MS = 1 * SECOND_MS;
const SEARCH_REST_MS = 4 * SECOND_MS;
/** For lists that scripts cannot scroll: distance in pixels of one wheel step. */
const WHEEL_PX = 180;
const WHEEL_DRAWN_MS = 60;

export type ListScrollEnd = Pick<ListScrollResult, 'ended' | 'moved' | 'at' | 'height'>;

export type OptionList = { page: Page; list: AxElement | null; options: AxElement[] };

type LongList = {
  value: string;
  shown: OptionList;
  now: (value: string) => Promise<OptionList>;
  pick: (found: OptionList, value: string) => AxElement | null;
  namesOf: (found: OptionList) => string[];
};

/**
 * Scrolls a virtualized list until it shows the option: first from its current position to the end, then from the top.
 * @returns the options shown at the end; `reach`: the searched part of the list; `null` if scripts cannot
 * scroll it
 */
export async function scrollLongListToOption(
  work: OperationWork,
  list: LongList,
): Promise<{ found: OptionList; reach: ListScrollEnd | null }> {
  const end = Math.min(Date.now() + SEARCH_MS_MAX, work.endsAt - SEARCH_REST_MS);
  let found = list.shown;
  let reach: ListScrollEnd | null = null;
  for (const { fromTop, isWhole } of PASSES) {
    const searched = await searchOnce(work, list, found, { fromTop, isWhole, end });
    if (searched === null) return { found: (await wheeledFor(work, list, end)) ?? found, reach };
    found = searched.found;
    reach = searched.reach;
    if (list.pick(found, list.value) !== null || !reach.ended) return { found, reach };
    if (list.namesOf(found).join() !== list.namesOf(list.shown).join()) continue;
    // If the list moved but shows the same options, it draws all of them. If it did not move, it may have been at its
    // end.
    if (reach.moved) return { found, reach };
    if (fromTop) return { found: (await wheeledFor(work, list, end)) ?? found, reach };
  }
  return { found, reach };
}

/** Whole names are searched before parts of names, because an option whose name equals the value is preferred. */
const PASSES = [
  { fromTop: false, isWhole: true },
  { fromTop: true, isWhole: true },
  { fromTop: true, isWhole: false },
] as const;

async function searchOnce(
  work: OperationWork,
  { value, now }: LongList,
  shown: OptionList,
  { fromTop, isWhole, end }: { fromTop: boolean; isWhole: boolean; end: number },
): Promise<{ found: OptionList; reach: ListScrollEnd } | null> {
  const last = shown.options.at(-1);
  let option = last === undefined ? null : await pageElementOf(work.tab, last);
  let moved = false;
  for (let isFirst = true; ; isFirst = false) {
    if (option === null) return null;
    const ms = Math.max(Math.min(SEARCH_PART_MS, end - Date.now()), 0);
    const args: [string, number, boolean, boolean] = [value, ms, fromTop && isFirst, isWhole];
    const reach = await callOn(option, pageScripts.scrollListToOption, args, work.signal).catch(nullIfGone);
    if (reach?.isThere === false) return null;
    moved ||= reach === null || reach.moved;
    const found = reach === null || !reach.isFound ? null : await now(value);
    const isOver = reach !== null && (reach.isFound || reach.ended || Date.now() >= end);
    if (reach !== null && isOver) return { found: found ?? (await now(value)), reach: { ...reach, moved } };
    // Finds the last option again, because a virtualized list reuses or removes elements that scroll out of view.
    const next = (await now(value)).options.at(-1);
    option = next === undefined ? null : await pageElementOf(work.tab, next);
    if (Date.now() >= end && reach === null) return null;
  }
}

/**
 * Searches by mouse wheel.
 * @returns `null` if the option is not found before the end of the list or of the time
 */
async function wheeledFor(work: OperationWork, { value, shown, now, pick, namesOf }: LongList, end: number) {
  let found = shown;
  for (let still = 0; still < 2 && Date.now() < end;) {
    const last = found.options.at(-1);
    const inList = last === undefined ? null : await pageElementOf(work.tab, last);
    if (inList === null) return null;
    await scrollByWheel(inList, WHEEL_PX, work.signal);
    await sleep(WHEEL_DRAWN_MS, work.signal);
    const names = namesOf(found).join();
    found = await now(value);
    if (pick(found, value) !== null) return found;
    still = namesOf(found).join() === names ? still + 1 : 0;
  }
  return null;
}

/** The widget that a page shows in place of the `<select>` of a label; `null` for any other element. */
export async function findWidget(element: PageElement, signal: AbortSignal): Promise<PageElement | null> {
  const { tab, frame, objectId: label } = element;
  const { session } = frame;
  const asked = callFunction(session, { objectId: label }, pageScripts.widgetOf, [], {});
  const answer = await abortable(asked, signal).catch(failElementGone(element.role));
  const { objectId } = answer.result;
  if (objectId === undefined) return null;
  const { node } = await session.send('DOM.describeNode', { objectId });
  const { backendNodeId } = node;
  const { role, name } = await readNodeIdentity(tab, frame, backendNodeId, objectId);
  return { tab, frame, backendNodeId, objectId, role, name };
}

const TEXT_ROLES: ReadonlySet<string> = new Set(['searchbox', 'textbox', 'combobox']);

/**
 * The empty text field to which a list moved the focus when it opened. Typing into it filters or fetches the options. A
 * field that has text, or had the focus before, belongs to the page, and a search would overwrite its text.
 */
export async function findListSearchField(
  { tab }: OperationWork,
  list: PageElement,
  page: Page,
  before: Page,
): Promise<PageElement | null> {
  const had = new Set(focusedFields(before, list).map(({ backendNodeId }) => backendNodeId));
  const found = focusedFields(page, list).find(({ value, backendNodeId }) => value === '' && !had.has(backendNodeId));
  return found === undefined || found.backendNodeId === list.backendNodeId ? null : pageElementOf(tab, found);
}

function focusedFields({ documents }: Page, { frame }: PageElement): AxElement[] {
  const root = documents.find((one) => one.frame.id === frame.id)?.root;
  const all = root === undefined ? [] : [...everyElement(root)];
  return all.filter(
    (one) => TEXT_ROLES.has(one.role) && hasTrueProperty(one, 'focused') && one.properties.has('editable'),
  );
}

export async function typeInListSearchField(work: OperationWork, field: PageElement, value: string): Promise<void> {
  const at = toScriptTarget(work, field);
  await fill(field, value, work.signal);
  recordScriptStep(work, { do: 'fill', at, field: 'text', value: toScriptValue(value, false) });
}
