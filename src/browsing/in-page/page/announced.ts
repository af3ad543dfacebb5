import { truncateWithContext } from '#browsing/in-page/view/cut.ts';
import type { TextWithCuts } from '#core/text/page-texts.ts';
import { scriptState } from './script-state.ts';

type Watch = { texts: Set<string>; observer: MutationObserver };

declare global {
  interface ScriptState {
    announced?: Watch;
  }
}

/** Live regions and status messages, in which pages announce events. */
const LIVE = '[role="alert"],[role="status"],[role="log"],[aria-live="polite"],[aria-live="assertive"],output';
const TEXTS_MAX = 20;
const TEXT_CHARS_MAX = 200;

/**
 * Records short messages that a document shows from now on, because they may disappear before the next view. The
 * observer runs in the isolated world, so the page cannot detect it.
 * @param goesOn true to continue recording, false to stop
 * @returns the messages since the last call
 */
export function takeAnnouncements(goesOn: boolean): TextWithCuts[] {
  const { texts = new Set<string>(), observer } = scriptState().announced ?? {};
  if (observer !== undefined) note(observer.takeRecords(), texts);
  const told = [...texts].map((text) => truncateWithContext(text, TEXT_CHARS_MAX));
  texts.clear();
  if (!goesOn) {
    observer?.disconnect();
    delete scriptState().announced;
  } else if (observer === undefined) watch();
  return told;
}

function watch(): void {
  const texts = new Set<string>();
  const observer = new MutationObserver((records) => note(records, texts));
  observer.observe(document, { subtree: true, childList: true, characterData: true });
  scriptState().announced = { texts, observer };
}

function note(records: readonly MutationRecord[], texts: Set<string>): void {
  const regions = new Set<Element>();
  for (const { type, target, addedNodes } of records) {
    if (type === 'childList' && addedNodes.length === 0) continue;
    const at = target instanceof Element ? target : target.parentElement;
    const around = at === null ? null : closest(at);
    if (around !== null) regions.add(around);
    else for (const node of addedNodes) for (const region of regionsIn(node)) regions.add(region);
  }
  for (const region of regions) {
    const text = textOf(region);
    if (text !== '' && texts.size < TEXTS_MAX) texts.add(text);
  }
}

/** Reads the method from the prototype, because a form field named `closest` would hide it. */
function closest(element: Element): Element | null {
  const find: Element['closest'] = Reflect.get(Element.prototype, 'closest');
  return find.call(element, LIVE);
}

function regionsIn(node: Node): Element[] {
  if (!(node instanceof Element)) return [];
  const find: Element['querySelectorAll'] = Reflect.get(Element.prototype, 'querySelectorAll');
  return Element.prototype.matches.call(node, LIVE) ? [node] : [...find.call(node, LIVE)];
}

/** Lists of options do not count as announcements, although some are live regions. */
const LISTS = '[role="listbox"],[role="menu"],[role="tree"],[role="grid"]';

/** Text of a live region; `''` for lists of options, and for a region that is invisible or only for screen readers. */
function textOf(region: Element): string {
  if (Element.prototype.matches.call(region, LISTS)) return '';
  const { width, height } = Element.prototype.getBoundingClientRect.call(region);
  const isDrawn = Element.prototype.checkVisibility.call(region, { visibilityProperty: true });
  if (!isDrawn || width <= 1 || height <= 1 || !(region instanceof HTMLElement)) return '';
  const text: string = Reflect.get(HTMLElement.prototype, 'innerText', region);
  return text.replace(/\s+/gu, ' ').trim();
}
