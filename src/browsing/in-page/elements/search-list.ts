import { parentElementOf } from './safe-dom.ts';
import { foldText } from './folded-words.ts';
import type { ListScrollResult } from '#browsing/in-page/script-types.ts';

/** Share of the visible part of a list that one step scrolls. Below 1, so that no option is skipped. */
const STEP_SHARE = 0.8;
/** Time to wait at the end of a list for more options to load. */
const MORE_MS = 700;
/** Time to wait for a list to draw after scrolling. */
const DRAWN_MS = 50;

/**
 * Scrolls the list around an option until an option with the words appears, the list ends, or the time is up.
 * @param fromTop true to start at the beginning of the list
 * @param isWhole true if the words are the full name of the option
 */
export async function scrollListToOption(
  this: Element,
  wanted: string,
  ms: number,
  fromTop: boolean,
  isWhole: boolean,
): Promise<ListScrollResult> {
  const end = performance.now() + ms;
  const pane = paneAround(this);
  const from = pane?.scrollTop;
  const told = (isFound: boolean, ended: boolean) => ({
    isFound,
    isThere: pane !== null,
    ended,
    moved: pane !== null && pane.scrollTop !== from,
    at: Math.round((pane?.scrollTop ?? 0) + (pane?.clientHeight ?? 0)),
    height: Math.round(pane?.scrollHeight ?? 0),
  });
  if (pane === null) return told(false, false);
  const words = foldText(wanted);
  if (fromTop) await scrollTo(pane, 0);
  for (let lastChange = performance.now(); ;) {
    const option = drawnIn(pane, words, isWhole);
    if (option !== null) await showWhole(option, pane);
    if (option !== null) return told(true, false);
    if (performance.now() >= end) return told(false, false);
    const before = pane.scrollTop;
    await scrollTo(pane, before + Math.max(pane.clientHeight * STEP_SHARE, 1));
    if (pane.scrollTop > before) lastChange = performance.now();
    else if (performance.now() > lastChange + MORE_MS) return told(drawnIn(pane, words, isWhole) !== null, true);
  }
}

/** Scrolls a clipped option fully into view now: if the click scrolled the list, the list might replace the option. */
async function showWhole(option: Element, pane: Element): Promise<void> {
  const [its, shown] = [option.getBoundingClientRect(), pane.getBoundingClientRect()];
  if (its.top >= shown.top && its.bottom <= shown.bottom) return;
  await scrollTo(pane, pane.scrollTop + its.top - shown.top - (shown.height - its.height) / 2);
}

async function scrollTo(pane: Element, top: number): Promise<void> {
  pane.scrollTo({ top, behavior: 'instant' });
  for (let frame = 0; frame < 2; frame += 1) {
    await new Promise<void>((resolve) => {
      requestAnimationFrame(() => resolve());
      setTimeout(resolve, DRAWN_MS);
    });
  }
}

/**
 * The element that scrolls a virtualized list, even one without a scroll bar; `null` if no element scrolls the list.
 */
function paneAround(option: Element): Element | null {
  for (let at = parentElementOf(option); at !== null; at = parentElementOf(at)) {
    if (at.localName === 'body' || at.localName === 'html') return null;
    if (at.scrollHeight > at.clientHeight + 1 && getComputedStyle(at).overflowY !== 'visible') return at;
  }
  return null;
}

/** The option in the list that contains the words or, with `isWhole`, whose text equals them; `null` for none. */
function drawnIn(pane: Element, wanted: string, isWhole: boolean): Element | null {
  const texts = document.createTreeWalker(pane, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    let around: Element | null = parentElementOf(text);
    for (let steps = 0; around !== null && around !== pane && steps < AROUND_MAX; steps += 1) {
      const words = foldText(around.textContent ?? '');
      if (isWhole ? words === wanted : words.includes(wanted)) return around;
      if (words.length > wanted.length) break;
      around = parentElementOf(around);
    }
  }
  return null;
}

/** Maximum levels climbed from a text node to its option. */
const AROUND_MAX = 4;
