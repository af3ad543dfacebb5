import { OVERLOADED_RETRY_SECONDS } from './limits.ts';
import { PartFailed } from './part-failed.ts';

/**
 * Every way a call can fail, as one tagged union, and the one place that turns a failure into words.
 * Strings inside a failure are either our own wording or values already made safe to show (canonical URLs with
 * secrets removed, numbers, names from our own lists): never upstream bodies, stack traces or page text.
 */
export type Failure = FailureCase & {
  /**
   * For a call that sets several fields: the field at which it failed, and those set before it, as the caller named
   * them.
   */
  filling?: { at: string; set: readonly string[]; total: number } | undefined;
};

type FailureCase =
  /** `quoted`: helpful words from the page, inside a fence. */
  | { code: 'invalid_argument'; field: string; problem: string; hint: string; quoted?: string | undefined }
  | { code: 'invalid_url'; problem: string }
  | { code: 'ssrf_blocked'; url: string; reason: string }
  | { code: 'robots_disallowed'; url: string; robotsUrl: string; reason: string }
  /** `only`: the one thing that can still reach the address. */
  | { code: 'fetch_failed'; url: string; reason: string; only?: 'browser' | undefined }
  | { code: 'http_error'; url: string; statusCode: number; retryAfterSeconds?: number | undefined }
  | { code: 'timeout'; what: string; afterMs: number; url?: string | undefined; instead?: Instead | undefined }
  | { code: 'too_large'; url: string; limitBytes: number }
  | { code: 'unsupported_mime'; url: string; mediaType: string }
  | { code: 'challenge_page'; url: string; kind: 'bot_wall' | 'login_wall'; statusCode: number }
  /** Without an address for HTML that the caller gave, and for what a browser shows now (`live`). */
  | { code: 'extract_failed'; url?: string | undefined; reason: string; of?: 'file' | 'live' | undefined }
  | { code: 'render_disabled'; reason: string }
  | { code: 'render_failed'; url?: string | undefined; reason: string }
  | { code: 'search_auth_error'; provider: string; reason: string }
  | { code: 'search_rate_limited'; provider: string; retryAfterSeconds: number }
  | { code: 'search_unavailable'; provider: string; reason: string }
  | { code: 'unknown_cursor'; cursor: string }
  | { code: 'result_out_of_range'; resultId: number; available: number }
  | { code: 'unknown_snapshot' }
  | { code: 'unknown_session'; session: string }
  | { code: 'session_limit'; limit: number; scope: 'subject' | 'deployment'; open: readonly string[] }
  | { code: 'session_busy'; session: string; place: number; afterMs: number }
  /** `snapshot`: what the page shows now, inside a fence. */
  | { code: 'stale_ref'; ref: string; reason: Staleness; snapshot?: string | undefined }
  /** With a reason when the element exists but cannot be acted on; `quoted` as above. */
  | {
      code: 'element_not_found';
      target: string;
      reason?: ElementProblem | undefined;
      quoted?: string | undefined;
      snapshot?: string | undefined;
    }
  | { code: 'stale_picture'; reason: PictureStaleness }
  | { code: 'script_blocked'; reason: string }
  | { code: 'script_failed'; reason: string; quoted?: string | undefined }
  | { code: 'permission_denied'; scopes: readonly string[]; tool: string }
  | {
      code: 'rate_limited';
      budget: string;
      scope: 'subject' | 'deployment';
      /** What raises it; `null` where nothing does. */
      setting: string | null;
      retryAfterSeconds: number;
    }
  | { code: 'cache_error'; reason: string }
  /**
   * For a part of the platform other than the database. `mayHaveActed`: the call was to act on a page, and may have
   * done so.
   */
  | { code: 'unavailable'; mayHaveActed?: true | undefined }
  | { code: 'overloaded'; retryAfterSeconds: number }
  | { code: 'internal'; requestId: string };

/** How it is where something was waited for in vain: in our words, in the page's, and what the page shows. */
type Instead = { problem: string; quoted?: string | undefined; snapshot?: string | undefined };

export type FailureCode = Failure['code'];

/**
 * Why a ref is refused. `gone`: its element or document is gone, or the ref no longer belongs to this session. In the
 * other cases the element still exists.
 */
export type Staleness = 'gone' | 'renamed' | 'surroundings';

/** Why a pixel of a tab's last picture is refused. `changed`: something else lies there, or the words around it changed. */
export type PictureStaleness = 'none' | 'document' | 'scrolled' | 'resized' | 'changed';

/** Why an existing element cannot be acted on. */
export type ElementProblem = 'covered' | 'hidden' | 'disabled' | 'readonly' | 'moved' | 'replaced' | 'unfocusable';

/** What a caller sees of a failure. `extra` holds the additional machine-readable fields. */
export type FailureReport = {
  error: FailureCode;
  message: string;
  hint: string;
  extra: Record<string, string | number | readonly string[]>;
};

/** The one exception our code throws on purpose. Anything else that reaches the runner is an `internal` failure. */
export class PeriscopeError extends Error {
  override name = 'PeriscopeError';
  readonly failure: Failure;
  constructor(failure: Failure, options?: ErrorOptions) {
    super(failure.code, options);
    this.failure = failure;
  }
}

export function fail(failure: Failure, options?: ErrorOptions): never {
  throw new PeriscopeError(failure, options);
}

/**
 * The failure to report for an error: one that we threw on purpose, or the part of the platform that failed, even if a
 * library has wrapped it. `null` for an unexpected error.
 */
export function failureIn(error: unknown): Failure | null {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if (inner instanceof PeriscopeError) return inner.failure;
    if (inner instanceof PartFailed) return ofPart(inner);
  }
  return null;
}

function ofPart({ part, overloaded, mayHaveActed }: PartFailed): Failure {
  if (overloaded) return { code: 'overloaded', retryAfterSeconds: OVERLOADED_RETRY_SECONDS };
  if (part === 'database') return { code: 'cache_error', reason: 'the database did not answer' };
  return mayHaveActed ? { code: 'unavailable', mayHaveActed } : { code: 'unavailable' };
}

type Words = Omit<FailureReport, 'error'>;

/** Failure → stable code, what happened, what to do next. Exhaustive: a new failure does not compile without its words. */
export function describeFailure(failure: Failure): FailureReport {
  const described = wordsFor(failure);
  const { filling } = failure;
  return { error: failure.code, ...(filling === undefined ? described : whileFilling(described, filling)) };
}

function whileFilling({ message, hint, extra }: Words, { at, set, total }: NonNullable<Failure['filling']>): Words {
  const before =
    set.length === 0
      ? 'No field has been set by this call.'
      : 'The fields before it are already set: continue with this one.';
  return words(`Field ${set.length + 1} of ${total} (${at}): ${message}`, `${hint} ${before}`, {
    ...(set.length === 0 ? {} : { fields_set: set }),
    ...extra,
  });
}

function wordsFor(failure: Failure): Words {
  switch (failure.code) {
    case 'invalid_argument':
      return words(`${failure.field}: ${failure.problem}`, failure.hint, {
        field: failure.field,
        ...quoted(failure.quoted),
      });
    case 'invalid_url':
      return words(
        `The URL cannot be used: ${failure.problem}.`,
        'Pass an absolute http or https URL, such as https://example.com/page.',
      );
    case 'ssrf_blocked':
      return words(
        `${failure.url} is not allowed: ${failure.reason}.`,
        'Only public http and https addresses can be opened. Use a public URL; an operator can allow a host for development with ALLOWED_PRIVATE_HOSTS.',
        { url: failure.url },
      );
    case 'robots_disallowed':
      return words(
        `robots.txt does not allow reading ${failure.url}: ${failure.reason}.`,
        'Choose another source, or another page of this site that its robots.txt allows.',
        { url: failure.url, robots_url: failure.robotsUrl },
      );
    case 'fetch_failed':
      return words(
        `${failure.url} could not be fetched: ${failure.reason}.`,
        failure.only === 'browser'
          ? 'Use the host name of the site. If you have the browser tools, browser_navigate can open the IP address.'
          : 'Check the address; if it is right, try again later or use another source.',
        { url: failure.url },
      );
    case 'http_error':
      return words(
        `${failure.url} answered HTTP ${failure.statusCode}.`,
        httpHint(failure.statusCode, failure.retryAfterSeconds),
        {
          url: failure.url,
          status_code: failure.statusCode,
          ...(failure.retryAfterSeconds === undefined ? {} : { retry_after_seconds: failure.retryAfterSeconds }),
        },
      );
    case 'timeout':
      return failure.instead === undefined ? tookTooLong(failure) : waitedInVain(failure, failure.instead);
    case 'too_large':
      return words(
        `${failure.url} is larger than ${failure.limitBytes} bytes.`,
        'Open a smaller page of the same source, such as a single chapter; an operator can raise MAX_BYTES.',
        { url: failure.url, limit_bytes: failure.limitBytes },
      );
    case 'unsupported_mime':
      return words(
        `${failure.url} is ${failure.mediaType}, a type whose text cannot be read here.`,
        'Open an HTML, Markdown, plain text or JSON version of it.',
        { url: failure.url, media_type: failure.mediaType },
      );
    case 'challenge_page':
      return words(
        failure.kind === 'bot_wall'
          ? `${failure.url} answered with a bot check instead of the page.`
          : `${failure.url} answered with a sign-in page instead of the content.`,
        'Nothing was stored, and Periscope does not bypass such pages. Use another source, or ask the person for the text.',
        { url: failure.url, kind: failure.kind, status_code: failure.statusCode },
      );
    case 'extract_failed':
      return failure.url === undefined
        ? words(
            `No readable text was found: ${failure.reason}.`,
            failure.of === 'live'
              ? 'Call browser_snapshot to see what it shows, or browser_navigate to open another page.'
              : 'Pass the whole HTML of a page that shows text.',
          )
        : words(
            `No readable text was found at ${failure.url}: ${failure.reason}.`,
            failure.of === 'file'
              ? 'Open an HTML or plain text version of it, or another source.'
              : 'The page may need scripts to show its content; try another page of the site or another source.',
            { url: failure.url },
          );
    case 'render_disabled':
      return words(
        `Rendering is not available: ${failure.reason}.`,
        'Use mode "readable" or "raw", or ask the operator to enable rendering.',
      );
    case 'render_failed':
      return failure.url === undefined
        ? words(`The browser is not working: ${failure.reason}.`, 'Try again; web_open reads pages without a browser.')
        : words(
            `${failure.url} could not be rendered: ${failure.reason}.`,
            'Use mode "readable", or try again later.',
            { url: failure.url },
          );
    case 'search_auth_error':
      return words(
        `The search provider ${failure.provider} refused the key: ${failure.reason}.`,
        'Tell the person who runs this server to check the key of the provider.',
        { provider: failure.provider },
      );
    case 'search_rate_limited':
      return words(
        `The search provider ${failure.provider} accepts no more searches right now.`,
        `Wait ${failure.retryAfterSeconds} s, then search again.`,
        { provider: failure.provider, retry_after_seconds: failure.retryAfterSeconds },
      );
    case 'search_unavailable':
      return words(
        `The search provider ${failure.provider} gave no usable answer: ${failure.reason}.`,
        'Search again later, or open a URL you already know with open_url.',
        { provider: failure.provider },
      );
    case 'unknown_cursor':
      return words(
        'This cursor is unknown: it has expired, was dropped for newer ones, or was never issued to you.',
        'Call search or open_url again and use the cursor it returns.',
        { cursor: failure.cursor },
      );
    case 'result_out_of_range':
      return words(
        failure.available === 0
          ? 'This cursor has no search results to open.'
          : `result_id ${failure.resultId} is not in this list of ${failure.available}.`,
        failure.available === 0
          ? 'Call search first and pass the cursor it returns, or open the page with open_url.'
          : `Call open_result with a result_id from 1 to ${failure.available}.`,
        { result_id: failure.resultId, available: failure.available },
      );
    case 'unknown_snapshot':
      return words(
        'No snapshot with this hash is stored.',
        'Open the page again with web_open and use the snapshot it returns.',
      );
    case 'unknown_session':
      return words(
        `There is no browser session named "${failure.session}".`,
        'Call browser_launch or browser_navigate to start it.',
        { session: failure.session },
      );
    case 'session_limit':
      return words(
        failure.scope === 'subject'
          ? `You already have ${failure.limit} browser sessions open.`
          : `This server already has ${failure.limit} browser sessions open.`,
        failure.open.length === 0
          ? 'Try again later.'
          : `Close one of yours with browser_close, such as {"session": ${JSON.stringify(failure.open[0])}}, then try again.`,
        { limit: failure.limit, scope: failure.scope, open_sessions: failure.open },
      );
    case 'session_busy':
      return words(
        `The session "${failure.session}" was still busy after ${failure.afterMs} ms (place ${failure.place} in the queue).`,
        'Wait for the earlier call to end, or use another session name.',
        { session: failure.session, place: failure.place },
      );
    case 'stale_ref':
      return words(
        `${failure.ref} ${STALE_WORDS[failure.reason]}. Nothing was done with it.`,
        failure.snapshot === undefined
          ? 'Call browser_snapshot and use a ref from it.'
          : 'Use a ref from the new snapshot in this answer.',
        { ref: failure.ref, reason: failure.reason, ...freshSnapshot(failure.snapshot) },
      );
    case 'element_not_found':
      return failure.reason === undefined
        ? words(
            `No element matches ${failure.target}.`,
            failure.snapshot === undefined
              ? 'Call browser_snapshot and use a ref from it.'
              : 'Use a ref from the new snapshot in this answer.',
            { target: failure.target, ...freshSnapshot(failure.snapshot) },
          )
        : words(...ELEMENT_WORDS[failure.reason], {
            target: failure.target,
            reason: failure.reason,
            ...quoted(failure.quoted),
          });
    case 'stale_picture':
      return words(
        `${PICTURE_WORDS[failure.reason]} Nothing was done.`,
        'Call browser_screenshot and use the pixels of its picture, or pass a selector, which finds its element by itself.',
        { reason: failure.reason },
      );
    case 'script_blocked':
      return words(`The script was refused: ${failure.reason}.`, 'Rewrite it without the named construct.');
    case 'script_failed':
      return words(
        `The script did not finish: ${failure.reason}.`,
        'Correct the script, or make it do less, and run it again.',
        quoted(failure.quoted),
      );
    case 'permission_denied':
      return words(
        `${failure.tool} needs the permission ${failure.scopes.join(', ')}, which this connection was not given.`,
        'Ask the person to connect again and tick it on the consent page.',
        { scopes: failure.scopes },
      );
    case 'rate_limited':
      return words(
        failure.scope === 'subject'
          ? `Your budget of ${failure.budget} is used up.`
          : `This server's budget of ${failure.budget}, which all its users share, is used up.`,
        `Wait ${failure.retryAfterSeconds} s, then call again. ${failure.setting === null ? 'Make fewer calls at the same time.' : `The person who runs this server can raise ${failure.setting}.`}`,
        { budget: failure.budget, scope: failure.scope, retry_after_seconds: failure.retryAfterSeconds },
      );
    case 'cache_error':
      return words(
        `The page store failed: ${failure.reason}.`,
        'Try again; if it happens again, tell the person who runs this server.',
      );
    case 'unavailable':
      return words(
        'A part of this server did not answer.',
        failure.mayHaveActed === true
          ? 'The action may have been carried out: check with browser_snapshot before you try again.'
          : 'Try again; if it happens again, tell the person who runs this server.',
      );
    case 'overloaded':
      return words(
        'A part of this server is overloaded, so this call was not completed.',
        `Wait ${failure.retryAfterSeconds} s, then try again.`,
        { retry_after_seconds: failure.retryAfterSeconds },
      );
    case 'internal':
      return words(
        'Something went wrong inside the server.',
        `Try again; if it happens again, report request ${failure.requestId} to the person who runs this server.`,
        { request_id: failure.requestId },
      );
  }
}

const STALE_WORDS: Record<Staleness, string> = {
  gone: 'no longer names an element of this page',
  renamed: 'named an element whose role, name or address has changed',
  surroundings:
    'named an element in a row, pane or section whose text has changed, so it may now be about something else (if that text changes all the time, pass a CSS selector)',
};

const PICTURE_WORDS: Record<PictureStaleness, string> = {
  none: 'There is no picture of this tab yet, so x and y name no place in it.',
  document: 'The tab has opened another page since its last picture was taken.',
  scrolled: 'The page has scrolled since the last picture of the tab was taken.',
  resized: 'The page has been zoomed or resized since the last picture of the tab was taken.',
  changed: 'What lies at this point is not what the last picture of the tab shows there: the page has changed.',
};

const ELEMENT_WORDS: Record<ElementProblem, [message: string, hint: string]> = {
  covered: [
    'The element is covered by another one, so the action would not reach it. Nothing was done with it.',
    'Close or complete what covers it (a dialog, a banner, a menu), then try again.',
  ],
  hidden: [
    'The element is on the page, but not visible. Nothing was done with it.',
    'Open the menu, tab or section that holds it, then call browser_snapshot.',
  ],
  disabled: [
    'The element is disabled. Nothing was done with it.',
    'Fill in what the page still asks for; that may enable it.',
  ],
  readonly: ['The field is read-only. Nothing was done with it.', 'Use the control on the page that sets this field.'],
  moved: [
    'The element kept moving, so nothing was done with it.',
    'Wait until the page has settled, call browser_snapshot, then try again.',
  ],
  replaced: [
    'The page replaced the element in the meantime, so nothing was done with it.',
    'Call browser_snapshot and use a ref from it.',
  ],
  unfocusable: [
    'The element cannot be typed into: the page moved the focus to another element or to none.',
    'Click the field first, call browser_snapshot, then use the ref of the field that appears.',
  ],
};

type TooLong = Extract<FailureCase, { code: 'timeout' }>;

function tookTooLong({ what, afterMs, url }: TooLong): Words {
  return words(
    `${what} took longer than ${afterMs} ms.`,
    'Try once more; if it happens again, the source is too slow: use another one.',
    { after_ms: afterMs, ...(url === undefined ? {} : { url }) },
  );
}

function waitedInVain({ what, afterMs }: TooLong, { problem, quoted: found, snapshot }: Instead): Words {
  return words(
    `${what} within ${afterMs} ms: ${problem}.`,
    snapshot === undefined
      ? 'Call browser_snapshot to see what the page shows instead.'
      : 'The snapshot in this answer is what the page shows instead: go on from there, or wait again if the page is still at work.',
    { after_ms: afterMs, ...quoted(found), ...freshSnapshot(snapshot) },
  );
}

function quoted(text: string | undefined): FailureReport['extra'] {
  return text === undefined ? {} : { quoted: text };
}

function freshSnapshot(text: string | undefined): FailureReport['extra'] {
  return text === undefined ? {} : { snapshot: text };
}

function words(message: string, hint: string, extra: FailureReport['extra'] = {}): Words {
  return { message, hint, extra };
}

function httpHint(status: number, retryAfterSeconds: number | undefined): string {
  if (retryAfterSeconds !== undefined) return `Wait ${retryAfterSeconds} s, then try again, or use another source.`;
  if (status === 404 || status === 410) return 'The page does not exist there. Search for its new address.';
  if (status === 401 || status === 403) return 'The page is not open to everyone. Use another source.';
  return 'Try again later, or use another source.';
}
