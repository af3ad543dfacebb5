import { browserWords, waitedInVain } from './describe-browser-failure.ts';
import type { Timeout } from './describe-browser-failure.ts';
import type { Failure, FailureReport, SecretProblem, Words } from './failure.ts';
import { quoted, words } from './failure.ts';

/** Failure → stable code, what happened, what to do next. Exhaustive: a new failure does not compile without its words. */
export function describeFailure(failure: Failure): FailureReport {
  const described = wordsFor(failure);
  const { filling } = failure;
  return { error: codeOf(failure), ...(filling === undefined ? described : whileFilling(described, filling)) };
}

/** What is there and cannot be used is called so. Between objects it has the code that earlier versions know. */
function codeOf(failure: Failure): FailureReport['error'] {
  const isThere = failure.code === 'element_not_found' && failure.reason !== undefined && failure.reason !== 'replaced';
  return isThere ? 'element_not_usable' : failure.code;
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
      if (failure.page !== undefined) return words(`The ${failure.reason}.`, PAGE_HINTS[failure.page]);
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
    case 'unknown_file':
      return words(
        failure.file === null ? 'This is no id of a file.' : `There is no file ${failure.file}.`,
        'Call browser_files with {"action": "list"} and use an id from it. Files go with the session that downloaded them.',
        failure.file === null ? {} : { file: failure.file },
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
        failure.of === 'memory'
          ? 'This server was reading as many large pages as its memory holds, so this one was not read.'
          : 'A part of this server is overloaded, so this call was not completed.',
        `Wait ${failure.retryAfterSeconds} s, then try again.`,
        { retry_after_seconds: failure.retryAfterSeconds },
      );
    case 'internal':
      return words(
        'Something went wrong inside the server.',
        `Try again; if it happens again, report request ${failure.requestId} to the person who runs this server.`,
        { request_id: failure.requestId },
      );
    case 'quote_not_found':
    case 'not_shareable':
    case 'citation_limit':
      return citationWords(failure);
    case 'unknown_secret':
    case 'secret_refused':
      return secretWords(failure);
    case 'unknown_session':
    case 'session_limit':
    case 'session_busy':
    case 'handed_over':
    case 'stale_ref':
    case 'element_not_found':
    case 'stale_picture':
    case 'script_blocked':
    case 'script_failed':
      return browserWords(failure);
  }
}

function tookTooLong({ what, afterMs, url }: Timeout): Words {
  return words(
    `${what} took longer than ${afterMs} ms.`,
    'Try once more; if it happens again, the source is too slow: use another one.',
    { after_ms: afterMs, ...(url === undefined ? {} : { url }) },
  );
}

function httpHint(status: number, retryAfterSeconds: number | undefined): string {
  if (retryAfterSeconds !== undefined) return `Wait ${retryAfterSeconds} s, then try again, or use another source.`;
  if (status === 404 || status === 410) return 'The page does not exist there. Search for its new address.';
  if (status === 401 || status === 403) return 'The page is not open to everyone. Use another source.';
  return 'Try again later, or use another source.';
}

type SecretFailure = Extract<Failure, { code: 'unknown_secret' | 'secret_refused' }>;

/** The words for a secret that is not typed. */
function secretWords(failure: SecretFailure): Words {
  const page = failure.page ?? '/console/secrets on this server';
  if (failure.code === 'unknown_secret') {
    const { name, site, known } = failure;
    const others =
      known.length === 0 ? 'The person has none for this page.' : `For this page the person has ${known.join(', ')}.`;
    return words(
      `The person has no secret "${name}". Nothing was typed. ${others}`,
      `${known.length === 0 ? '' : 'Use one of these. '}The person adds secrets at ${page}, or signs in themselves: browser_handoff.`,
      { name, site, secrets: known },
    );
  }
  const { name, reason, sites } = failure;
  const [problem, hint] = PROBLEMS[reason];
  return words(
    `The secret "${name}" was not typed: ${problem}.`,
    hint.replace('SITES', sites.join(', ')).replace('PAGE', page),
    { name, reason, sites },
  );
}

const PROBLEMS: Record<SecretProblem, [problem: string, hint: string]> = {
  site: [
    'the page with the field is not one of its sites',
    'Its sites are SITES. Open the page there. If the site is right, the person adds it at PAGE.',
  ],
  around: [
    'a page of another site has put the field in a frame',
    'Open the page of the field by itself. Its sites are SITES; the person adds the outer one at PAGE if it is right.',
  ],
  opaque: [
    'the page with the field has no site of its own (a sandboxed frame, about:, data: or blob:)',
    'Open the page of the field by itself, at one of SITES.',
  ],
  field: [
    'this is not a field for passwords, text, e-mail, telephone numbers or numbers',
    'Pass the field itself. Search boxes, addresses and rich text are not taken, as pages show and send what is in them.',
  ],
  form: [
    'its form is sent to another site',
    'Its sites are SITES. If the form may be sent there, the person adds that site at PAGE.',
  ],
  full: [
    'the field does not keep all of it: it takes fewer characters, or the page shortened it, took out signs, or replaced, locked or left the field half-way. What was typed was taken out again',
    'Pass the field that takes all of it, or the first of the boxes for a code. If browser_type was cut off, browser_fill types it at once. Else the person signs in: browser_handoff.',
  ],
  script: [
    'browser_evaluate has run on this site in this session, and what a script left behind could read it',
    'Sign in in another session, and do not use browser_evaluate on this site there. Or end this one with browser_close and begin again.',
  ],
  place: ['no field was named', 'Pass the field as selector: a secret is never typed at whatever has the focus.'],
  sealed: [
    'it was stored under another secret of this server and cannot be opened any more',
    'The person replaces it at PAGE.',
  ],
};

type CitationFailure = Extract<Failure, { code: 'quote_not_found' | 'not_shareable' | 'citation_limit' }>;

/** The words for failures of citing. */
function citationWords(failure: CitationFailure): Words {
  switch (failure.code) {
    case 'quote_not_found':
      return failure.near === null
        ? words(
            'The page does not say this, and nothing in it comes near.',
            `Look for the passage with find {"cursor":"${failure.cursor}","pattern":"…"}, and quote it word for word.`,
          )
        : words(
            'The page does not say exactly this.',
            `The nearest passage is in this answer. If it is the one you mean, call cite with its words; scroll {"cursor":"${failure.cursor}","loc":${failure.near.start}} shows it in the page.`,
            { L_start: failure.near.start, L_end: failure.near.end, quoted: failure.near.quoted },
          );
    case 'not_shareable':
      return words(
        `This quote cannot be shared: ${failure.reason}.`,
        'Call cite without share: the citation is then kept for the person alone.',
      );
    case 'citation_limit':
      return words(
        `${LIMIT_WORDS[failure.of]} (${failure.limit}).`,
        'The person can delete citations, or stop sharing them, in the console under Citations.',
        { limit: failure.limit },
      );
  }
}

const LIMIT_WORDS: Record<Extract<CitationFailure, { code: 'citation_limit' }>['of'], string> = {
  citations: 'The person already keeps as many citations as one person may',
  bytes: 'The pages that the person has cited already take as many bytes as one person may keep',
  shared: 'The person already shares as many quotes as one person may',
};

const PAGE_HINTS = {
  stopped:
    'Read the page with browser_snapshot. browser_navigate with a url, or with history "reload", runs scripts again.',
  closed: 'Open another page with browser_navigate. What happened until then is in the next result.',
} as const;
