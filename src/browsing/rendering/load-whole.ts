import { fail } from '#core/errors.ts';
import {
  RENDER_EMPTY_MS_MAX,
  RENDER_HEIGHT_MAX,
  RENDER_LOAD_MS_MAX,
  RENDER_POLL_MS,
  RENDER_QUIET_MS,
  RENDER_STALLED_MS,
} from './limits.ts';
import { BROWSER_VIEWPORT, SHELL_TEXT_CHARS_MAX } from '#core/limits.ts';
import { redactUrl } from '#core/secret-addresses.ts';
import { abortable, sleep } from '#core/with-timeout.ts';
import * as pageScripts from '#browsing/in-page/sources.js';
import { callIn, isGone } from '#browsing/tabs/call-in-page.ts';
import { Consequences } from '#browsing/settle/consequences.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import { PageTimers } from './page-timers.ts';

type Rest = { stillLoading: boolean; height: number };

/**
 * Loads an address in a tab and waits until its text is there: resources are loaded, and the page has stopped changing.
 * For a page that shows almost nothing, its timers are run ahead, or it gets more time if that is not possible. A page
 * that never comes to rest is taken as it is.
 * @param endAt (ms since 1970) by which it returns
 * @throws {PeriscopeError} `fetch_failed` when no document arrived, `timeout` when it was not shown in time,
 *   `render_failed` when the page crashed
 */
export async function loadWhole(
  tab: OpenTab,
  url: string,
  endAt: number,
  signal: AbortSignal,
): Promise<{ stillLoading: boolean }> {
  const seen = new Consequences(tab);
  const timers = new PageTimers(tab);
  try {
    const begun = await abortable(tab.session.send('Page.navigate', { url }), signal);
    if (begun.isDownload === true || begun.errorText !== undefined) {
      fail({ code: 'fetch_failed', url: redactUrl(url), reason: 'the browser could not load it' });
    }
    // The browser answers when it has the document, and shows it a moment later.
    const loadMs = Math.max(Math.min(RENDER_LOAD_MS_MAX, endAt - Date.now()), 0);
    await seen.until(() => !tab.isBlank, loadMs, signal);
    if (tab.isBlank) fail({ code: 'timeout', what: 'Loading the page', afterMs: loadMs, url: redactUrl(url) });
    const first = await rest(tab, seen, timers, endAt, signal);
    if (first.height <= BROWSER_VIEWPORT.height || first.stillLoading) return first;
    await heighten(tab, Math.min(first.height, RENDER_HEIGHT_MAX), signal);
    return await rest(tab, seen, timers, endAt, signal);
  } finally {
    seen.stop();
    timers.stop();
  }
}

async function heighten(tab: OpenTab, height: number, signal: AbortSignal): Promise<void> {
  const { width } = BROWSER_VIEWPORT;
  const metrics = { width, height, deviceScaleFactor: 1, mobile: false };
  await abortable(tab.session.send('Emulation.setDeviceMetricsOverride', metrics), signal);
}

async function rest(
  tab: OpenTab,
  seen: Consequences,
  timers: PageTimers,
  endAt: number,
  signal: AbortSignal,
): Promise<Rest> {
  const loadEnd = Math.min(Date.now() + RENDER_LOAD_MS_MAX, endAt);
  let size = { chars: 0, height: 0 };
  let changedAt = Date.now();
  while (Date.now() < endAt) {
    await sleep(RENDER_POLL_MS, signal);
    await timers.keepPace(RENDER_POLL_MS);
    if (!tab.isOpen) fail({ code: 'render_failed', reason: 'the page crashed' });
    if (seen.isNavigating && Date.now() < loadEnd) continue;
    const now = await sizeOf(tab, signal);
    if (now.chars !== size.chars) changedAt = Date.now();
    size = now;
    const { height } = size;
    if (seen.isNavigating) return { stillLoading: true, height };
    const isEmpty = size.chars <= SHELL_TEXT_CHARS_MAX;
    const unchangedMs = Date.now() - changedAt;
    if (!isEmpty && unchangedMs >= RENDER_STALLED_MS) return { stillLoading: seen.isLoading, height };
    // What an answer brought is drawn a moment after it arrived.
    const quietMs = Date.now() - Math.max(changedAt, seen.lastEnd);
    const isReady = !isEmpty || timers.isAhead || timers.canRunAhead;
    const isQuiet = quietMs >= (isReady ? RENDER_QUIET_MS : RENDER_EMPTY_MS_MAX);
    if (!isQuiet || seen.isLoading) continue;
    if (!isEmpty || !timers.canRunAhead) return { stillLoading: false, height };
    await timers.runAhead(RENDER_EMPTY_MS_MAX, signal);
    changedAt = Date.now();
  }
  return { stillLoading: true, height: size.height };
}

const NO_SIZE = { chars: 0, height: 0 };

/** `null` while the document is being replaced. */
async function sizeOf(tab: OpenTab, signal: AbortSignal): Promise<{ chars: number; height: number }> {
  try {
    return await callIn(tab, tab.main(), pageScripts.textSize, [], signal);
  } catch (error) {
    if (!isGone(error)) throw error;
    return NO_SIZE;
  }
}
