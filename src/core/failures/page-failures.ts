import { isCursor } from '#core/document/citation.ts';
import { declareFailure, pageQuoteField } from './declare.ts';
import type { FailureAdvice } from './declare.ts';

type FetchFailed = { url: string; reason: string; only?: 'browser' | undefined; needs?: 'cookies' | undefined };
type HttpError = {
  url: string;
  statusCode: number;
  retryAfterSeconds?: number | undefined;
  quoted?: string | undefined;
};
/** A page that could not be read. */
type ExtractFailed = {
  url?: string | undefined;
  reason: string;
  of?: 'file' | 'live' | 'empty' | undefined;
  /** Address of the file that the browser downloaded last, to open instead. */
  file?: string | undefined;
  /** Name of the file to open instead. */
  quoted?: string | undefined;
};
type RenderFailed = { url?: string | undefined; reason: string; page?: 'stopped' | 'closed' | 'crashed' | undefined };
type QuoteNotFound = { cursor: string; near: { start: number; end: number; quoted: string } | null };
type CitationLimit = { of: 'citations' | 'bytes' | 'shared'; limit: number };

/** Reason for refusing a URL with a user name or password. This failure has its own hint. */
export const USER_INFO_IN_URL_PROBLEM = 'it carries a user name or password';

export const PAGE_FAILURES = {
  invalid_url: declareFailure<{ problem: string }>({
    message: (failure) => `The URL cannot be used: ${failure.problem}.`,
    advice: () => ['Pass an absolute http or https URL, such as https://example.com/page.'],
    texts: { problem: 'page' },
  }),
  ssrf_blocked: declareFailure<{ url: string; reason: string }>({
    message: (failure) => `${failure.url} is not allowed: ${failure.reason}.`,
    advice: (failure) => [
      failure.reason === USER_INFO_IN_URL_PROBLEM
        ? 'Remove the user name and password, which end at the @, from the URL. Pages that need them cannot be opened.'
        : 'Only public http and https addresses can be opened. Use a public URL; an operator can allow a host for development with ALLOWED_PRIVATE_HOSTS.',
      { url: failure.url },
    ],
    texts: { url: 'page', reason: 'page' },
  }),
  robots_disallowed: declareFailure<{ url: string; robotsUrl: string; reason: string }>({
    message: (failure) => `robots.txt does not allow reading ${failure.url}: ${failure.reason}.`,
    advice: (failure) => [
      'Choose another source, or another page of this site that its robots.txt allows.',
      { url: failure.url, robots_url: failure.robotsUrl },
    ],
    texts: { url: 'page', reason: 'page', robotsUrl: 'page' },
  }),
  /** `only`: set if only a browser session can open the URL. `needs`: a feature that the site seems to require. */
  fetch_failed: declareFailure<FetchFailed>({
    message: (failure) => `${failure.url} could not be fetched: ${failure.reason}.`,
    advice: (failure) => [fetchHint(failure), { url: failure.url }],
    texts: { url: 'page', reason: 'page', only: 'ours', needs: 'ours' },
  }),
  /** `quoted`: the first words and links of the error page, marked as page text. */
  http_error: declareFailure<HttpError>({
    message: (failure) => `${failure.url} answered HTTP ${failure.statusCode}.`,
    advice: (failure) => [
      httpHint(failure),
      {
        url: failure.url,
        status_code: failure.statusCode,
        ...(failure.retryAfterSeconds === undefined ? {} : { retry_after_seconds: failure.retryAfterSeconds }),
        ...pageQuoteField(failure.quoted),
      },
    ],
    texts: { url: 'page', quoted: 'page' },
  }),
  /** `scheme`, `price`: from the response, such as `x402` and `0.01 USD`. `quoted`: words marked as page text. */
  payment_required: declareFailure<{
    url: string;
    scheme: string | null;
    price: string | null;
    quoted?: string | undefined;
  }>({
    message: (failure) =>
      `${failure.url} asks for payment${failure.price === null ? '' : `: ${failure.price}`}${failure.scheme === null ? '' : ` (${failure.scheme})`}. Nothing was paid.`,
    advice: (failure) => [
      'This server never pays. Use another source, or ask the user, who may have access.',
      {
        url: failure.url,
        status_code: 402,
        ...(failure.scheme === null ? {} : { scheme: failure.scheme }),
        ...(failure.price === null ? {} : { price: failure.price }),
        ...pageQuoteField(failure.quoted),
      },
    ],
    texts: { url: 'page', scheme: 'ours', price: 'page', quoted: 'page' },
  }),
  content_signal_disallowed: declareFailure<{ url: string }>({
    message: (failure) =>
      `The site of ${failure.url} asks not to feed its pages to AI models (Content-Signal: ai-input=no).`,
    advice: (failure) => [
      'Use another source. If the user asked for this page, open it with open_url.',
      { url: failure.url },
    ],
    texts: { url: 'page' },
  }),
  too_large: declareFailure<{ url: string; limitBytes: number }>({
    message: (failure) => `${failure.url} is larger than ${failure.limitBytes} bytes.`,
    advice: (failure) => [
      'Open a smaller page of the same source, such as a single chapter; an operator can raise MAX_BYTES.',
      { url: failure.url, limit_bytes: failure.limitBytes },
    ],
    texts: { url: 'page' },
  }),
  unsupported_mime: declareFailure<{ url: string; mediaType: string }>({
    message: (failure) => `${failure.url} is ${failure.mediaType}, a type whose text cannot be read here.`,
    advice: (failure) => [
      'Open an HTML, Markdown, plain text or JSON version of the page.',
      { url: failure.url, media_type: failure.mediaType },
    ],
    texts: { url: 'page', mediaType: 'page' },
  }),
  challenge_page: declareFailure<{ url: string; kind: 'bot_wall' | 'login_wall'; statusCode: number }>({
    message: (failure) =>
      failure.kind === 'bot_wall'
        ? `${failure.url} answered with a bot check instead of the page.`
        : `${failure.url} answered with a sign-in page instead of the content.`,
    advice: (failure) => [
      'Use another source, or ask the user for the text. Periscope does not bypass such pages, and nothing was stored.',
      { url: failure.url, kind: failure.kind, status_code: failure.statusCode },
    ],
    texts: { url: 'page', kind: 'ours' },
  }),
  skipped: declareFailure<{ url?: string }>({
    message: (failure) =>
      failure.url === undefined
        ? 'This call is skipped: the server hung twice while it worked on a call with these arguments.'
        : `${failure.url} is skipped: the server hung twice while it worked on this page.`,
    advice: (failure) =>
      failure.url === undefined
        ? ['Call the tool with other arguments: shorter or simpler ones.']
        : [
            'Use another source. Do not open this page again: the server tries it again after a week.',
            { url: failure.url },
          ],
    texts: { url: 'page' },
  }),
  /** `url` is missing for HTML that the caller passed, and for the current page of a browser session (`live`). */
  extract_failed: declareFailure<ExtractFailed>({
    message: (failure) =>
      `No readable text was found${failure.url === undefined ? '' : ` at ${failure.url}`}: ${failure.reason}.`,
    advice: (failure) => extractAdvice(failure),
    texts: { url: 'page', reason: 'page', of: 'ours', file: 'ours', quoted: 'page' },
  }),
  render_disabled: declareFailure<{ reason: string; of?: 'picture' | undefined }>({
    message: (failure) =>
      `${failure.of === 'picture' ? 'Viewing pictures' : 'Rendering'} is not available: ${failure.reason}.`,
    advice: (failure) => [
      failure.of === 'picture'
        ? 'Call open_url for the facts and text of the file, or ask the operator to enable rendering.'
        : 'Use mode "readable" or "raw", or ask the operator to enable rendering.',
    ],
    texts: { reason: 'ours', of: 'ours' },
  }),
  not_viewable: declareFailure<{ url: string; mediaType: string }>({
    message: (failure) => `${failure.url} is ${failure.mediaType}, not a picture or a PDF.`,
    advice: (failure) => [
      'Read it with open_url. If you have the browser tools, call browser_navigate, then browser_screenshot to see a web page.',
      { url: failure.url, media_type: failure.mediaType },
    ],
    texts: { url: 'page', mediaType: 'page' },
  }),
  view_failed: declareFailure<{ url: string; reason: string }>({
    message: (failure) => `${failure.url} cannot be shown as a picture: ${failure.reason}.`,
    advice: (failure) => [
      'Call open_url for the facts and text of the file, or use another copy of it.',
      { url: failure.url },
    ],
    texts: { url: 'page', reason: 'ours' },
  }),
  /** `page`: set if the page itself is the cause: its scripts were stopped, or its tab was closed or crashed. */
  render_failed: declareFailure<RenderFailed>({
    message: (failure) => {
      if (failure.page !== undefined) return `The ${failure.reason}.`;
      return failure.url === undefined
        ? `The browser is not working: ${failure.reason}.`
        : `${failure.url} could not be rendered: ${failure.reason}.`;
    },
    advice: (failure) => {
      if (failure.page !== undefined) return [PAGE_HINTS[failure.page]];
      return failure.url === undefined
        ? ['Try again; web_open reads pages without a browser.']
        : ['Use mode "readable", or try again later.', { url: failure.url }];
    },
    texts: { url: 'page', reason: 'page', page: 'ours' },
  }),
  unknown_cursor: declareFailure<{ cursor: string }>({
    message: (failure) =>
      isCursor(failure.cursor)
        ? 'This cursor is unknown: it has expired, was removed to make room for newer ones, or was never issued to you.'
        : 'This is not a cursor: a cursor is c_ followed by 16 letters or digits.',
    advice: (failure) => [
      isCursor(failure.cursor)
        ? 'Call search or open_url again and use the cursor it returns.'
        : 'Pass only the cursor of an earlier result, c_…, without brackets and line numbers.',
      { cursor: failure.cursor },
    ],
    texts: { cursor: 'page' },
  }),
  result_out_of_range: declareFailure<{ resultId: number; available: number }>({
    message: (failure) =>
      failure.available === 0
        ? 'This cursor has no search results to open.'
        : `result_id ${failure.resultId} is not in this list of ${failure.available}.`,
    advice: (failure) => [
      failure.available === 0
        ? 'Call search first and pass the cursor it returns, or open the page with open_url.'
        : `Call open_result with a result_id from 1 to ${failure.available}.`,
      { result_id: failure.resultId, available: failure.available },
    ],
    texts: {},
  }),
  unknown_snapshot: declareFailure<object>({
    message: () => 'No snapshot with this hash is stored.',
    advice: () => ['Open the page again with web_open and use the snapshot it returns.'],
    texts: {},
  }),
  /** `near`: the lines of the page that are most similar to the quote, marked as page text. */
  quote_not_found: declareFailure<QuoteNotFound>({
    message: (failure) =>
      failure.near === null
        ? 'The page contains neither this quote nor anything similar.'
        : 'The page does not contain exactly this quote.',
    advice: (failure) => quoteAdvice(failure),
    texts: { cursor: 'page', near: { quoted: 'page' } },
  }),
  not_shareable: declareFailure<{ reason: string }>({
    message: (failure) => `This quote cannot be shared: ${failure.reason}.`,
    advice: () => ['Call cite without share. Only the user then sees the citation.'],
    texts: { reason: 'page' },
  }),
  citation_limit: declareFailure<CitationLimit>({
    message: (failure) => `${CITATION_LIMITS[failure.of]} (${failure.limit}).`,
    advice: (failure) => [
      'The user can delete citations, or stop sharing them, in the console under Citations.',
      { limit: failure.limit },
    ],
    texts: { of: 'ours' },
  }),
};

function fetchHint({ only, needs }: FetchFailed): string {
  if (only === 'browser')
    return 'Use the host name of the site. If you have the browser tools, browser_navigate can open the IP address.';
  if (needs === 'cookies')
    return 'The site seems to need cookies, and pages are fetched without them. If you have the browser tools, open it with browser_navigate and read it with browser_read; otherwise use another source.';
  return 'Check the address; if it is right, try again later or use another source.';
}

function httpHint({ statusCode, retryAfterSeconds, quoted: words }: HttpError): string {
  if (retryAfterSeconds !== undefined) return `Wait ${retryAfterSeconds} s, then try again, or use another source.`;
  if (statusCode === 404 || statusCode === 410)
    return words === undefined
      ? 'The page does not exist there. Look for its new address on other pages of the site, or use another source.'
      : 'The page does not exist there. The message of the site is quoted here: if it names a new address, open that; if not, use another source.';
  if (statusCode === 304)
    return 'The site answered that the page has not changed, without sending it. Open another address of the page, or another source.';
  const hint =
    statusCode === 401 || statusCode === 403
      ? 'The page is not open to everyone. Use another source.'
      : 'Try again later, or use another source.';
  return words === undefined ? hint : `${hint} The message of the site is quoted here.`;
}

function extractAdvice({ url, of, file, quoted }: ExtractFailed): FailureAdvice {
  if (file !== undefined) {
    const call = `open_url ${JSON.stringify({ url: file })}`;
    return [
      `To read the file that the browser downloaded last, call ${call}. Its name is quoted here.`,
      { url: file, ...pageQuoteField(quoted) },
    ];
  }
  if (url !== undefined) return [NO_TEXT_HINTS[of ?? 'scripted'], { url }];
  return [of === 'live' ? NO_TEXT_HINTS.live : 'Pass the whole HTML of a page that shows text.'];
}

const NO_TEXT_HINTS = {
  file: 'Open an HTML or plain text version of it, or another source.',
  live: 'The page may draw its content as a picture, such as a canvas: call browser_screenshot to see it. Call browser_snapshot for its controls, or browser_navigate to open another page.',
  empty:
    'The page may be empty, hide its text or draw it as a picture. Check its address, or use another source. If you have the browser tools, look at it with browser_navigate and browser_screenshot.',
  scripted:
    'The page may show its content only with scripts. If web_open offers mode "rendered", call it with the same url and this mode; otherwise use another source.',
};

function quoteAdvice({ cursor, near }: QuoteNotFound): FailureAdvice {
  if (near === null) {
    return [`Look for the passage with find {"cursor":"${cursor}","pattern":"…"}, and quote it word for word.`];
  }
  return [
    `The most similar passage is below. If it is the right one, call cite with its words; scroll {"cursor":"${cursor}","loc":${near.start}} shows it in the page.`,
    { L_start: near.start, L_end: near.end, quoted: near.quoted },
  ];
}

const PAGE_HINTS: Record<NonNullable<RenderFailed['page']>, string> = {
  stopped:
    'Read the page with browser_snapshot. browser_navigate with a url, or with history "reload", runs scripts again.',
  crashed:
    'Open another page with browser_navigate. The same page may crash again; web_open reads it without this browser.',
  closed: 'Open another page with browser_navigate. The next result lists what happened before.',
};

const CITATION_LIMITS: Record<CitationLimit['of'], string> = {
  citations: 'The user has reached the limit of saved citations',
  bytes: "The stored text of the user's cited pages has reached its limit in bytes",
  shared: 'The user has reached the limit of shared quotes',
};
