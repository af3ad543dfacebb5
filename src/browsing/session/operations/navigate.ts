import { CdpError, ignoreTargetGone } from '#browsing/cdp/connection.ts';
import { fail } from '#core/failures/failure.ts';
import { redactUrl } from '#core/secrets/secret-addresses.ts';
import { LEAVE_MS_MAX } from '#browsing/session/limits.ts';
import { resolveWithin, sleep } from '#core/flow/abort.ts';
import { unblockRenderer } from '#browsing/act/hanging-page.ts';
import { fenceQuote } from '#browsing/act/reach.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { callIn } from '#browsing/tabs/call-in-page.ts';
import { settleAfterLoad } from '#browsing/settle/settle.ts';
import { isUnreachableReason } from '#browsing/gate/cached-url-check.ts';
import { needsNoRequest } from '#browsing/gate/request-gate.ts';
import { failBlockedByRule } from '#browsing/rules/page-rules.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import type { DocumentResponse } from '#browsing/tabs/page-record.ts';
import { LIFECYCLE, watchDocumentArrival } from './document-arrival.ts';
import type { WaitUntil } from './document-arrival.ts';
import { beginHistoryMove } from './history-move.ts';
import type { BegunNavigation, HistoryEntry } from './history-move.ts';
import type { OperationWork } from './perform.ts';

const UNSAVED_FIELDS_SHOWN_MAX = 12;
const UNSAVED_CHARS_MAX = 500;

type NavigateOptions = {
  waitUntil: WaitUntil;
  timeoutMs: number;
  endsAt?: number;
  /** Called when the tab shows the new document. */
  onShown?: () => void;
};

export type NavigateResult = {
  status: number | null;
  mimeType: string | null;
  stillLoading: boolean;
  /** Set if only the beginning of the document came. */
  cut?: DocumentResponse['cut'];
  /** Set if the URL led to a file that is stored (`kept`) or still downloading (`coming`). The tab did not navigate. */
  file?: 'kept' | 'coming';
};

/** A way to begin a navigation. `hasLeft`: the tab has left the page from which it begins. */
type Navigation = {
  url: string;
  begin: (hasLeft: boolean) => Promise<BegunNavigation>;
  /** True if leaving the page first would remove the history entry. */
  isForward?: boolean;
};

/**
 * Opens a URL and waits until the document has reached `waitUntil`. For `load`, also waits until the page is idle.
 * @param url in canonical form; the request gate checks the URL and every redirect
 * @param timeoutMs time limit, after which a partly loaded document is used as it is
 * @param endsAt end of that time limit, for attempts that share it
 * @throws {PeriscopeError} `ssrf_blocked`, `blocked_by_rule`, `fetch_failed`, `unsupported_mime` for a download,
 * `timeout` if no document came, `invalid_argument` if the page asked to confirm leaving it
 */
export async function navigate(
  tab: OpenTab,
  url: string,
  options: NavigateOptions,
  signal: AbortSignal,
): Promise<NavigateResult> {
  return settleOn(tab, { url, begin: () => tab.session.send('Page.navigate', { url }) }, options, signal);
}

/** Goes back or forward, or reloads, and waits until the page is idle. @throws {PeriscopeError} errors of {@link navigate} */
export async function moveInHistory(
  tab: OpenTab,
  entry: HistoryEntry,
  { onShown = () => undefined, ...options }: Omit<NavigateOptions, 'waitUntil'>,
  signal: AbortSignal,
): Promise<NavigateResult> {
  const { url, step } = entry;
  const begin = (hasLeft: boolean) => beginHistoryMove(tab, entry, hasLeft, onShown);
  const navigation = { url, begin, isForward: step === 'forward' };
  return settleOn(tab, navigation, { ...options, onShown, waitUntil: 'load' }, signal);
}

async function settleOn(
  tab: OpenTab,
  navigation: Navigation,
  { waitUntil, timeoutMs, endsAt = Date.now() + timeoutMs, onShown = () => undefined }: NavigateOptions,
  signal: AbortSignal,
): Promise<NavigateResult> {
  const came: { last: Arrival } = { last: 'late' };
  const bring = async () => {
    came.last = await bringTo(tab, navigation, { waitUntil, timeoutMs, endsAt, onShown }, signal);
    // A download brings no document to wait for.
    return came.last === 'reached' || came.last === 'kept';
  };
  const hasReached = waitUntil === 'load' ? await settleAfterLoad(tab, bring, endsAt, signal) : await bring();
  if (came.last === 'kept' || came.last === 'coming') {
    return { status: null, mimeType: null, stillLoading: false, file: came.last };
  }
  return documentOf(tab, !hasReached);
}

/**
 * Asks the site rules and the gate before a tab navigates, because a later refusal would replace the page with an error
 * page.
 * @throws {PeriscopeError} `blocked_by_rule`, `ssrf_blocked`, `fetch_failed`
 */
export async function failIfUrlForbidden(
  url: string,
  { active, signal }: Pick<OperationWork, 'active' | 'signal'>,
): Promise<void> {
  active.rules.checkOpening(url);
  const reason = needsNoRequest(url) ? null : await active.decide(url);
  signal.throwIfAborted();
  if (reason !== null) failByGate({ url, reason });
}

function documentOf({ response }: OpenTab, stillLoading: boolean): NavigateResult {
  const document = { status: response?.status ?? null, mimeType: response?.mimeType ?? null, stillLoading };
  return response?.cut === undefined ? document : { ...document, cut: response.cut };
}

type Arrival = 'reached' | 'late' | 'kept' | 'coming';

async function bringTo(
  tab: OpenTab,
  { url, begin, isForward = false }: Navigation,
  { waitUntil, timeoutMs, endsAt, onShown }: Required<NavigateOptions>,
  signal: AbortSignal,
): Promise<Arrival> {
  const msLeft = () => Math.max(endsAt - Date.now(), 0);
  const mark = tab.log.mark;
  const leaves = tab.loops.opensMany || (tab.keepsNavigating && !isForward);
  if (leaves) await leave(tab, endsAt, signal);
  const { loaderId } = tab.main();
  const arrival = watchDocumentArrival(tab, LIFECYCLE[waitUntil]);
  const stopUnblocking = unblockWhileLeft(tab, signal);
  try {
    signal.throwIfAborted();
    const begun = await resolveWithin(begin(leaves), msLeft(), signal);
    if (begun === null) return tab.filesDownloading > 0 ? 'coming' : await failTooSlow(tab, url, timeoutMs);
    if (begun.isDownload === true) fail({ code: 'unsupported_mime', url: redactUrl(url), mediaType: 'a download' });
    await failIfStayed(tab, mark, signal);
    if (begun.errorText !== undefined && isSaved(tab, url, mark)) return 'kept';
    if (begun.errorText !== undefined) failNavigation(tab, url, begun.errorText, mark);
    // There is no loader id if only the fragment of the URL changed, or if the browser restored a document.
    if (begun.loaderId === undefined) return 'reached';
    if ((await resolveWithin(arrival.of(begun.loaderId, onShown), msLeft(), signal)) === true) return 'reached';
    // A page that hangs keeps its place, although the next document has begun to arrive.
    return tab.isOpen && tab.main().loaderId === loaderId ? await failTooSlow(tab, url, timeoutMs) : 'late';
  } finally {
    stopUnblocking();
    arrival.stop();
  }
}

/**
 * Stops the scripts of the page that a tab leaves, if one of its documents does not respond for {@link LEAVE_MS_MAX}:
 * a loop in an event such as `beforeunload` would keep the tab. Checks until the next document has come.
 * @returns stops the checks
 */
function unblockWhileLeft(tab: OpenTab, signal: AbortSignal): () => void {
  const stopping = new AbortController();
  const until = AbortSignal.any([signal, stopping.signal]);
  const { loaderId } = tab.main();
  const check = async () => {
    for (;;) {
      await sleep(LEAVE_MS_MAX, until);
      if (!tab.isOpen || tab.main().loaderId !== loaderId) return;
      const processes = new Map(tab.frames().map((frame) => [frame.session.id, frame])).values();
      await Promise.all([...processes].map((frame) => unblockRenderer(tab, frame, until, tab.sizes.mayBeBusy(frame))));
    }
  };
  check().catch((error: unknown) => (until.aborted ? undefined : ignoreTargetGone(error)));
  return () => stopping.abort();
}

/** Leaves the page with its scripts disabled. Otherwise, they might navigate or open dialogs without end. */
async function leave(tab: OpenTab, endsAt: number, signal: AbortSignal): Promise<void> {
  const { session } = tab;
  const inTime = (answer: Promise<unknown>) =>
    resolveWithin(answer, Math.min(Math.max(endsAt - Date.now(), 0), LEAVE_MS_MAX), signal);
  const scripts = (isDisabled: boolean) =>
    inTime(session.send('Emulation.setScriptExecutionDisabled', { value: isDisabled }));
  try {
    await scripts(true);
    await inTime(session.send('Page.navigate', { url: tab.loops.opensMany ? ELSEWHERE : 'about:blank' }));
  } finally {
    await scripts(false);
    tab.loops.reset();
  }
}

/**
 * An empty document with its own process. `about:blank` would share the process of the previous page. That page's
 * timers would run again on leaving, and if they opened a dialog, Chromium would wait for it forever.
 */
const ELSEWHERE = 'data:,';

/** Fails if a `beforeunload` dialog was dismissed. Leaving would lose typed text, so the caller must consent. */
async function failIfStayed(tab: OpenTab, mark: number, signal: AbortSignal): Promise<void> {
  const asked = tab.log
    .since(mark)
    .filter((event) => event.kind === 'dialog' && event.type === 'beforeunload' && event.answer === 'dismissed');
  if (asked.length === 0) return;
  const fields = await callIn(tab, tab.main(), pageScripts.listUnsavedFields, [UNSAVED_FIELDS_SHOWN_MAX], signal);
  const quoted = fields.length === 0 ? {} : { quoted: await fenceQuote(fields.join(' | '), UNSAVED_CHARS_MAX) };
  tab.log.remove(asked);
  fail({
    code: 'invalid_argument',
    field: 'dialog',
    problem: 'is "dismiss", but the page asks to confirm leaving it: text typed into it would be lost',
    hint: 'Send or save it first, or repeat the call with dialog "accept" to leave the page without it.',
    ...quoted,
  });
}

async function failTooSlow(tab: OpenTab, url: string, timeoutMs: number): Promise<never> {
  await resolveWithin(tab.session.send('Page.stopLoading'), LEAVE_MS_MAX).catch((error: unknown) => {
    // Chromium may already have discarded the page. Its error is ignored, because the call fails with a timeout anyway.
    if (!(error instanceof CdpError)) throw error;
  });
  return fail({ code: 'timeout', what: 'Loading the page', afterMs: timeoutMs, url: redactUrl(url) });
}

/**
 * True if the URL led to a file that was stored; false if it did not lead to a file.
 * @throws {PeriscopeError} `fetch_failed` for a file that was not stored
 */
function isSaved(tab: OpenTab, url: string, mark: number): boolean {
  const saved = tab.log.since(mark).findLast(({ kind }) => kind === 'file' || kind === 'download');
  if (saved?.kind !== 'download') return saved !== undefined;
  const reason = `it is a file, which was not kept: ${saved.reason ?? 'the browser refused it'}`;
  return fail({ code: 'fetch_failed', url: redactUrl(url), reason });
}

function failNavigation(tab: OpenTab, url: string, errorText: string, mark: number): never {
  failIfRefused(tab, mark);
  return failNotLoaded(url, errorText);
}

function failNotLoaded(url: string, errorText: string): never {
  const reason = ERRORS.find(([name]) => errorText.includes(name))?.[1] ?? 'the browser could not load it';
  return fail({ code: 'fetch_failed', url: redactUrl(url), reason });
}

/** @throws {PeriscopeError} `fetch_failed` if the tab shows the error page of the browser */
export function failIfBrowserErrorPage(tab: OpenTab, mark = 0): void {
  const { url, isError } = tab.main();
  if (isError !== true) return;
  const failed = tab.log.since(mark).findLast((event) => event.kind === 'failed_request' && event.url === url);
  failNotLoaded(url, failed?.kind === 'failed_request' ? failed.problem : '');
}

function failIfRefused(tab: OpenTab, mark: number): void {
  const refused = tab.log.since(mark).find((event) => event.kind === 'refused' && event.isDocument);
  if (refused?.kind !== 'refused') return;
  // Removed from the log, so that no later result repeats the refused request, which the error below names.
  tab.log.remove([refused]);
  if (refused.rule !== undefined) failBlockedByRule(refused.rule, 'leave');
  failByGate(refused);
}

function failByGate({ url, reason }: { url: string; reason: string }): never {
  fail({ code: isUnreachableReason(reason) ? 'fetch_failed' : 'ssrf_blocked', url: redactUrl(url), reason });
}

const ERRORS: readonly (readonly [string, string])[] = [
  ['NAME_NOT_RESOLVED', 'the host name does not exist or has no address'],
  ['CONNECTION_REFUSED', 'the site refuses connections'],
  ['CONNECTION_TIMED_OUT', 'the site does not answer'],
  ['TIMED_OUT', 'the site does not answer'],
  ['CERT_', 'the certificate of the site is not valid'],
  ['SSL_', 'no secure connection to the site could be made'],
  ['TOO_MANY_REDIRECTS', 'it redirects in a loop'],
  ['EMPTY_RESPONSE', 'the site cannot be reached, or closed the connection without an answer'],
  ['CONNECTION_', 'the connection to the site broke'],
  ['TUNNEL_CONNECTION_FAILED', 'the site cannot be reached'],
  ['PROXY_CONNECTION_FAILED', 'the browser has no connection to the network'],
  ['CONTENT_DECODING', 'its compressed body is damaged or cut off'],
  ['ABORTED', 'it returned no document to show, so the tab still shows its earlier page'],
  ['UNSAFE_REDIRECT', 'it leads to an address that is not http or https'],
  ['UNKNOWN_URL_SCHEME', 'it leads to an address that is not http or https'],
  ['INTERNET_DISCONNECTED', 'there is no network'],
];
