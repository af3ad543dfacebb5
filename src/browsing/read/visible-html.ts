import { RENDER_LOOKS_MAX } from './limits.ts';
import { ATTRIBUTE_CHARS_MAX } from '#core/limits.ts';
import { cutToBytes } from '#core/text.ts';
import * as pageScripts from '#browsing/in-page/sources.js';
import { callIn, callOn } from '#browsing/tabs/call-in-page.ts';
import type { PageElement } from '#browsing/tabs/page-element.ts';
import type { Tab } from '#browsing/tabs/tab.ts';

/** Comes from the page, so it is data. */
export type SeenHtml = { html: string; isCut: boolean };

/**
 * The page, or one element, as HTML for extraction. What a person does not see is left out or marked as hidden in a way
 * that extraction knows. Open shadow trees are written as declarative ones, with the content of their slots. Text typed
 * into fields is never included.
 */
export async function visibleHtml(
  tab: Tab,
  element: PageElement | null,
  maxBytes: number,
  signal: AbortSignal,
): Promise<SeenHtml> {
  const options = {
    charsMax: maxBytes,
    attributeCharsMax: ATTRIBUTE_CHARS_MAX,
    looksMax: RENDER_LOOKS_MAX,
    hidesFields: tab.typedIn.has((element?.frame ?? tab.main()).loaderId),
  };
  const { html, isCut } =
    element === null
      ? await callIn(tab, tab.main(), pageScripts.visibleHtml, [options], signal)
      : await callOn(element, pageScripts.visibleHtml, [options], signal);
  const kept = cutToBytes(html, maxBytes);
  return { html: kept, isCut: isCut || kept.length < html.length };
}
