import { sanitizeText } from '#core/text/plain.ts';
import { cutToBytes, utf8Bytes } from '#core/text/text.ts';
import * as pageScripts from '#generated/page-scripts.js';
import type { SerializeHtmlOptions } from '#browsing/in-page/script-types.ts';
import type { VirtualList } from '#browsing/in-page/view/scrolling.ts';
import type { Tab, PageElement } from '#browsing/tabs/tab.ts';
import { callIn, callOn } from '#browsing/tabs/call-in-page.ts';
import { ATTRIBUTE_CHARS_MAX } from '#core/limits.ts';

/** Maximum characters of an attribute. Longer attributes, such as data URLs and inlined state, are shortened. */
const HTML_ATTRIBUTE_CHARS_MAX = 300;
/** Maximum elements whose computed style is read to find visible content inside a hidden element. */
const RENDER_LOOKS_MAX = 20_000;

export type PageHtmlOptions = { element: PageElement | null; maxBytes: number; keepsScripts: boolean };
/** `html` is page content, which the caller must fence. `notes` are the server's own words. */
export type PageHtml = { html: string; bytes: number; isCut: boolean; notes: string[] };

/**
 * The current HTML of the page or of one element. Open shadow trees are written as declarative shadow roots. Data URLs
 * and long attributes are shortened. Values of private fields, such as passwords, and documents in frames
 * are omitted. On a page in which someone typed, the contents of all fields are.
 */
export async function readHtmlOfPage(
  tab: Tab,
  { element, maxBytes, keepsScripts }: PageHtmlOptions,
  signal: AbortSignal,
): Promise<PageHtml> {
  const options: SerializeHtmlOptions = {
    charsMax: maxBytes,
    attributeCharsMax: HTML_ATTRIBUTE_CHARS_MAX,
    keepsScripts,
    hidesFields: tab.typedIn.has((element?.frame ?? tab.main()).loaderId),
  };
  const { html, isCut, scripts, styles, shadowRoots } =
    element === null
      ? await callIn(tab, tab.main(), pageScripts.serializeHtml, [options], signal)
      : await callOn(element, pageScripts.serializeHtml, [options], signal);
  const plain = sanitizeText(html);
  const kept = cutToBytes(plain, maxBytes);
  const isShortened = isCut || kept.length < plain.length;
  return {
    html: kept,
    bytes: utf8Bytes(kept),
    isCut: isShortened,
    notes: [
      ...(scripts + styles > 0 ? [`${scripts} scripts and ${styles} style sheets are left out`] : []),
      ...(shadowRoots > 0 ? [`${shadowRoots} shadow trees are written as <template shadowrootmode="open">`] : []),
      ...(isShortened
        ? [`the HTML continues after ${maxBytes} bytes: pass selector for a part of it, or a larger max_bytes`]
        : []),
    ],
  };
}

export type VisiblePageHtml = { html: string; isCut: boolean };

export function findVirtualListInTab(
  tab: Tab,
  element: PageElement | null,
  signal: AbortSignal,
): Promise<VirtualList | null> {
  return element === null
    ? callIn(tab, tab.main(), pageScripts.findVirtualList, [], signal)
    : callOn(element, pageScripts.findVirtualList, [], signal);
}

/**
 * The page or one element as HTML for extraction. Invisible content is omitted or marked as hidden. Open shadow trees
 * are written as declarative shadow roots, with the content of their slots. Text typed into fields is omitted, unless
 * `element` is itself a text field that is not private.
 * @param keepsValues true to include field values that are not private, for pages in which nobody types
 */
export async function readVisibleHtml(
  tab: Tab,
  element: PageElement | null,
  maxBytes: number,
  signal: AbortSignal,
  keepsValues = false,
): Promise<VisiblePageHtml> {
  const options = {
    charsMax: maxBytes,
    attributeCharsMax: ATTRIBUTE_CHARS_MAX,
    looksMax: RENDER_LOOKS_MAX,
    hidesFields: tab.typedIn.has((element?.frame ?? tab.main()).loaderId),
    keepsValues,
  };
  const { html, isCut } =
    element === null
      ? await callIn(tab, tab.main(), pageScripts.serializeVisibleHtml, [options], signal)
      : await callOn(element, pageScripts.serializeVisibleHtml, [options], signal);
  const kept = cutToBytes(html, maxBytes);
  return { html: kept, isCut: isCut || kept.length < html.length };
}
