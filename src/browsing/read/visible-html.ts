import { RENDER_LOOKS_MAX } from './limits.ts';
import { ATTRIBUTE_CHARS_MAX } from '#core/limits.ts';
import { cutToBytes } from '#core/text.ts';
import { callIn, callOn } from '#browsing/tabs/call-in-page.ts';
import type { PageElement } from '#browsing/tabs/page-element.ts';
import type { Tab } from '#browsing/tabs/tab.ts';

/** The page's own words: data. */
export type SeenHtml = { html: string; isCut: boolean };

/**
 * The page, or one element of it, as HTML that extraction can read: what a person does not see is marked as hidden, in
 * the way extraction knows, or left out; open shadow trees are written as declared ones, with what stands in their
 * slots. Never what has been typed into a field.
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
  };
  const { html, isCut } =
    element === null
      ? await callIn(tab, tab.main(), 'visibleHtml', [options], signal)
      : await callOn(element, 'visibleHtml', [options], signal);
  const kept = cutToBytes(html, maxBytes);
  return { html: kept, isCut: isCut || kept.length < html.length };
}
