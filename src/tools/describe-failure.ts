import { messageOf } from '#core/failures/failure-message.ts';
import type { ElementProblem, Failure, FailureCode, SecretProblem } from '#core/failures/failure.ts';

/** What a model sees of a failure. `extra` holds the additional machine-readable fields. */
type FailureReport = {
  error: FailureCode | 'element_not_usable';
  message: string;
  hint: string;
  extra: Extra;
};

type Extra = Record<string, string | number | readonly string[]>;

/** What to do next, and the facts of a failure as fields. */
type Advice = [hint: string, extra?: Extra];

/** Failure → stable code, what happened, what to do next. */
export function describeFailure(failure: Failure): FailureReport {
  const [hint, extra = {}] = adviceFor(failure);
  const described = { error: codeOf(failure), message: messageOf(failure), hint, extra };
  if (failure.listed !== undefined) {
    const { done } = failure.listed;
    const before = done === 0 ? 'No step has been taken.' : 'The steps before it are taken: continue with this one.';
    return { ...described, hint: `${hint} ${before}`, extra: { steps_done: done, ...extra } };
  }
  if (failure.filling === undefined) return described;
  const { set } = failure.filling;
  if (set.length === 0) return { ...described, hint: `${hint} No field has been set by this call.` };
  const before = 'The fields before it are already set: continue with this one.';
  return { ...described, hint: `${hint} ${before}`, extra: { fields_set: set, ...extra } };
}

/** An element that exists but cannot be used has an error code of its own. */
function codeOf(failure: Failure): FailureReport['error'] {
  const isThere = failure.code === 'element_not_found' && failure.reason !== undefined && failure.reason !== 'replaced';
  return isThere ? 'element_not_usable' : failure.code;
}

/** Exhaustive: a new failure does not compile without a hint. */
function adviceFor(failure: Failure): Advice {
  switch (failure.code) {
    case 'invalid_argument':
      return [failure.hint, { field: failure.field, ...quoted(failure.quoted) }];
    case 'invalid_url':
      return ['Pass an absolute http or https URL, such as https://example.com/page.'];
    case 'ssrf_blocked':
      return [
        'Only public http and https addresses can be opened. Use a public URL; an operator can allow a host for development with ALLOWED_PRIVATE_HOSTS.',
        { url: failure.url },
      ];
    case 'robots_disallowed':
      return [
        'Choose another source, or another page of this site that its robots.txt allows.',
        { url: failure.url, robots_url: failure.robotsUrl },
      ];
    case 'fetch_failed':
      return [fetchHint(failure), { url: failure.url }];
    case 'http_error':
      return [
        httpHint(failure),
        {
          url: failure.url,
          status_code: failure.statusCode,
          ...(failure.retryAfterSeconds === undefined ? {} : { retry_after_seconds: failure.retryAfterSeconds }),
          ...quoted(failure.quoted),
        },
      ];
    case 'payment_required':
      return [
        'This server never pays. Use another source, or ask the person, who may have access.',
        {
          url: failure.url,
          status_code: 402,
          ...(failure.scheme === null ? {} : { scheme: failure.scheme }),
          ...(failure.price === null ? {} : { price: failure.price }),
          ...quoted(failure.quoted),
        },
      ];
    case 'content_signal_disallowed':
      return [
        'Use another source. If the person asked for this very page, open_url opens it by itself.',
        { url: failure.url },
      ];
    case 'timeout':
      return timeoutAdvice(failure);
    case 'too_large':
      return [
        'Open a smaller page of the same source, such as a single chapter; an operator can raise MAX_BYTES.',
        { url: failure.url, limit_bytes: failure.limitBytes },
      ];
    case 'unsupported_mime':
      return [
        'Open an HTML, Markdown, plain text or JSON version of it.',
        { url: failure.url, media_type: failure.mediaType },
      ];
    case 'challenge_page':
      return [
        'Nothing was stored, and Periscope does not bypass such pages. Use another source, or ask the person for the text.',
        { url: failure.url, kind: failure.kind, status_code: failure.statusCode },
      ];
    case 'skipped':
      return failure.url === undefined
        ? ['Call the tool with other arguments: shorter or simpler ones.', {}]
        : [
            'Use another source. Do not open this page again: the server tries it again after a week.',
            { url: failure.url },
          ];
    case 'extract_failed':
      return extractAdvice(failure);
    case 'render_disabled':
      return ['Use mode "readable" or "raw", or ask the operator to enable rendering.'];
    case 'render_failed':
      if (failure.page !== undefined) return [PAGE_HINTS[failure.page]];
      return failure.url === undefined
        ? ['Try again; web_open reads pages without a browser.']
        : ['Use mode "readable", or try again later.', { url: failure.url }];
    case 'search_auth_error':
      return ['Tell the person who runs this server to check the key of the provider.', { provider: failure.provider }];
    case 'search_rate_limited':
      return [
        `Wait ${failure.retryAfterSeconds} s, then search again.`,
        { provider: failure.provider, retry_after_seconds: failure.retryAfterSeconds },
      ];
    case 'search_unavailable':
      return ['Search again later, or open a URL you already know with open_url.', { provider: failure.provider }];
    case 'unknown_cursor':
      return ['Call search or open_url again and use the cursor it returns.', { cursor: failure.cursor }];
    case 'result_out_of_range':
      return [
        failure.available === 0
          ? 'Call search first and pass the cursor it returns, or open the page with open_url.'
          : `Call open_result with a result_id from 1 to ${failure.available}.`,
        { result_id: failure.resultId, available: failure.available },
      ];
    case 'unknown_snapshot':
      return ['Open the page again with web_open and use the snapshot it returns.'];
    case 'unknown_file':
      return [
        'Call browser_files with {"action": "list"} and use an id from it. Files go with the session that downloaded them.',
        failure.file === null ? {} : { file: failure.file },
      ];
    case 'permission_denied':
      return [
        `Ask the user to reconnect this client and tick ${failure.scopes.join(' and ')} on the consent page${failure.option === undefined ? '' : `, or call ${failure.tool} without ${failure.option}`}.`,
        { scopes: failure.scopes },
      ];
    case 'rate_limited':
      return [
        `Wait ${failure.retryAfterSeconds} s, then call again. ${failure.setting === null ? 'Make fewer calls at the same time.' : `The person who runs this server can raise ${failure.setting}.`}`,
        { budget: failure.budget, scope: failure.scope, retry_after_seconds: failure.retryAfterSeconds },
      ];
    case 'cache_error':
      return ['Try again; if it happens again, tell the person who runs this server.'];
    case 'unavailable':
      return [
        failure.mayHaveActed === true
          ? 'The action may have been carried out: check with browser_snapshot before you try again.'
          : 'Try again; if it happens again, tell the person who runs this server.',
      ];
    case 'overloaded':
      return [
        `Wait ${failure.retryAfterSeconds} s, then try again.`,
        { retry_after_seconds: failure.retryAfterSeconds },
      ];
    case 'internal':
      return [
        `Try again; if it happens again, report request ${failure.requestId} to the person who runs this server.`,
        { request_id: failure.requestId },
      ];
    case 'quote_not_found':
      return quoteAdvice(failure);
    case 'not_shareable':
      return ['Call cite without share: the citation is then kept for the person alone.'];
    case 'citation_limit':
      return [
        'The person can delete citations, or stop sharing them, in the console under Citations.',
        { limit: failure.limit },
      ];
    case 'not_followed':
      return ['Only public pages are followed. A single page can be read with open_url, or in a browser session.'];
    case 'follow_limit':
      return [followLimitHint(failure), { limit: failure.limit }];
    case 'host_busy':
      return ['Call follow again later.', { retry_after_seconds: failure.retryAfterSeconds }];
    case 'unknown_library':
      return [
        failure.known.length === 0
          ? 'Nothing is followed yet: follow a page or a site first.'
          : `Use all, or one of: ${failure.known.join(', ')}.`,
        { libraries: failure.known },
      ];
    case 'unknown_secret':
      return [
        `${failure.known.length === 0 ? '' : 'Use one of these. '}The person adds secrets at ${failure.page ?? SECRETS_PAGE}, or signs in themselves: browser_handoff.`,
        { name: failure.name, site: failure.site, secrets: failure.known },
      ];
    case 'secret_refused':
      return [
        SECRET_HINTS[failure.reason]
          .replace('SITES', failure.sites.join(', '))
          .replace('PAGE', failure.page ?? SECRETS_PAGE),
        { name: failure.name, reason: failure.reason, sites: failure.sites },
      ];
    case 'unknown_session':
      return ['Call browser_launch or browser_navigate to start it.', { session: failure.session }];
    case 'session_limit':
      return [
        failure.open.length === 0
          ? 'Try again later.'
          : `Close one of yours with browser_close, such as {"session": ${JSON.stringify(failure.open[0])}}, then try again.`,
        { limit: failure.limit, scope: failure.scope, open_sessions: failure.open },
      ];
    case 'session_busy':
      return [
        'Wait for the earlier call to end, or use another session name.',
        { session: failure.session, place: failure.place },
      ];
    case 'cancelled':
      return ['Call browser_snapshot to see the page as it is now.'];
    case 'handed_over':
      return [
        `Call browser_handoff ${JSON.stringify({ reason: 'Please give the browser back when you are done.', session: failure.session })} to wait until they give it back. browser_snapshot, browser_screenshot, browser_read and browser_wait work meanwhile.`,
        { session: failure.session, for_seconds: failure.forSeconds },
      ];
    case 'stale_ref':
      return [refHint(failure), { ref: failure.ref, reason: failure.reason, ...freshWords(failure) }];
    case 'element_not_found':
      return failure.reason === undefined
        ? [refHint(failure), { target: failure.target, ...freshWords(failure) }]
        : [
            failure.where === undefined ? ELEMENT_HINTS[failure.reason] : OUTSIDE_HINT,
            {
              target: failure.target,
              reason: failure.reason,
              ...(failure.where === undefined ? {} : { where: failure.where }),
              ...quoted(failure.quoted),
            },
          ];
    case 'stale_picture':
      return [
        'Call browser_screenshot and use the pixels of its picture, or pass a selector, which finds its element by itself.',
        { reason: failure.reason },
      ];
    case 'script_blocked':
      return [failure.hint ?? 'Rewrite it without the named construct.'];
    case 'script_failed':
      return ['Correct the script, or make it do less, and run it again.', quoted(failure.quoted)];
  }
}

type Of<C extends FailureCode> = Extract<Failure, { code: C }>;

function timeoutAdvice({ what, afterMs, url, instead }: Of<'timeout'>): Advice {
  if (instead === undefined) {
    return [
      isOfBrowser(what)
        ? 'Call browser_snapshot: it may have been done all the same. If the page does not answer, browser_navigate opens it anew.'
        : 'Try once more; if it happens again, the source is too slow: use another one.',
      { after_ms: afterMs, ...(url === undefined ? {} : { url }) },
    ];
  }
  return [
    instead.snapshot === undefined
      ? 'Call browser_snapshot to see what the page shows instead.'
      : 'The snapshot in this answer is what the page shows instead: go on from there, or wait again if the page is still at work.',
    { after_ms: afterMs, ...quoted(instead.quoted), ...freshSnapshot(instead.snapshot) },
  ];
}

/** A page that is open in a browser is no source that could be another one. */
function isOfBrowser(what: string): boolean {
  return what === 'The page' || what === 'Reading the page';
}

function extractAdvice({ url, of }: Of<'extract_failed'>): Advice {
  if (url !== undefined) {
    return [
      of === 'file'
        ? 'Open an HTML or plain text version of it, or another source.'
        : 'The page may need scripts to show its content; try another page of the site or another source.',
      { url },
    ];
  }
  return [
    of === 'live'
      ? 'Call browser_snapshot to see what it shows, or browser_navigate to open another page.'
      : 'Pass the whole HTML of a page that shows text.',
  ];
}

function quoteAdvice({ cursor, near }: Of<'quote_not_found'>): Advice {
  if (near === null) {
    return [`Look for the passage with find {"cursor":"${cursor}","pattern":"…"}, and quote it word for word.`];
  }
  return [
    `The nearest passage is in this answer. If it is the one you mean, call cite with its words; scroll {"cursor":"${cursor}","loc":${near.start}} shows it in the page.`,
    { L_start: near.start, L_end: near.end, quoted: near.quoted },
  ];
}

function fetchHint({ only, needs }: Of<'fetch_failed'>): string {
  if (only === 'browser')
    return 'Use the host name of the site. If you have the browser tools, browser_navigate can open the IP address.';
  if (needs === 'cookies')
    return 'The site sets a cookie and seems to wait for it, and pages are fetched without cookies. If you have the browser tools, browser_navigate opens it with cookies and browser_read reads it; if not, use another source.';
  return 'Check the address; if it is right, try again later or use another source.';
}

function httpHint({ statusCode, retryAfterSeconds, quoted: words }: Of<'http_error'>): string {
  if (retryAfterSeconds !== undefined) return `Wait ${retryAfterSeconds} s, then try again, or use another source.`;
  if (statusCode === 404 || statusCode === 410)
    return words === undefined
      ? 'The page does not exist there. Search for its new address.'
      : 'The page does not exist there. What the site says instead is quoted here: if it names a new address, open that; if not, search for one.';
  const hint =
    statusCode === 401 || statusCode === 403
      ? 'The page is not open to everyone. Use another source.'
      : 'Try again later, or use another source.';
  return words === undefined ? hint : `${hint} What the site says is quoted here.`;
}

type Shown = { alike?: string | undefined; ofRole?: true | undefined; snapshot?: string | undefined };

function refHint({ alike, ofRole, snapshot }: Shown): string {
  if (ofRole === true)
    return 'Nothing is called so now. What has its role is in this answer: use a ref of it if you see the one you mean, or look for it with browser_snapshot and find.';
  if (alike !== undefined) return 'What is called so now is in this answer: use its ref if it is the one you mean.';
  return snapshot === undefined ? USE_SNAPSHOT : 'Use a ref from the new snapshot in this answer.';
}

function freshWords({ alike, snapshot }: Shown): Extra {
  return alike === undefined ? freshSnapshot(snapshot) : { alike };
}

/** Words of the page that help, inside a fence. */
function quoted(text: string | undefined): Extra {
  return text === undefined ? {} : { quoted: text };
}

function freshSnapshot(text: string | undefined): Extra {
  return text === undefined ? {} : { snapshot: text };
}

const SECRETS_PAGE = '/console/secrets on this server';
const USE_SNAPSHOT = 'Call browser_snapshot and use a ref from it.';

const PAGE_HINTS: Record<NonNullable<Of<'render_failed'>['page']>, string> = {
  stopped:
    'Read the page with browser_snapshot. browser_navigate with a url, or with history "reload", runs scripts again.',
  closed: 'Open another page with browser_navigate. What happened until then is in the next result.',
};

const SECRET_HINTS: Record<SecretProblem, string> = {
  site: 'Its sites are SITES. Open the page there. If the site is right, the person adds it at PAGE.',
  around:
    'Open the page of the field by itself. Its sites are SITES; the person adds the outer one at PAGE if it is right.',
  opaque: 'Open the page of the field by itself, at one of SITES.',
  field:
    'Pass the field itself. Search boxes, addresses and rich text are not taken, as pages show and send what is in them.',
  form: 'Its sites are SITES. If the form may be sent there, the person adds that site at PAGE.',
  full: 'Pass the field that takes all of it, or the first of the boxes for a code. If browser_type was cut off, browser_fill types it at once. Else the person signs in: browser_handoff.',
  script:
    'Sign in in another session, and do not use browser_evaluate on this site there. Or end this one with browser_close and begin again.',
  place: 'Pass the field as selector: a secret is never typed at whatever has the focus.',
  sealed: 'The person replaces it at PAGE.',
};

const OUTSIDE_HINT =
  'Bring it in: click the button of its menu or drawer, or an arrow of its carousel, then try again. Some pages show it in a wider window only: browser_launch with width.';

const ELEMENT_HINTS: Record<ElementProblem, string> = {
  covered: 'Close or complete what covers it (a dialog, a banner, a menu), then try again.',
  hidden: 'Open the menu, tab or section that holds it, then call browser_snapshot.',
  disabled: 'Fill in what the page still asks for; that may enable it.',
  readonly: 'Use the control on the page that sets this field.',
  moved: 'Wait until the page has settled, call browser_snapshot, then try again.',
  replaced: USE_SNAPSHOT,
  unfocusable: 'Click the field first, call browser_snapshot, then use the ref of the field that appears.',
};

const END_IT = 'End what is followed no longer: follow with every: 0.';

function followLimitHint({ of, left }: Extract<Failure, { code: 'follow_limit' }>): string {
  switch (of) {
    case 'pages':
      return left > 0 ? `Pass a smaller max_pages (up to ${left}). ${END_IT}` : END_IT;
    case 'deployment':
      return `${END_IT} The operator can raise FOLLOW_PAGES_TOTAL.`;
    case 'text':
      return `${END_IT} The operator can raise FOLLOW_BYTES_PER_PERSON.`;
    case 'all text':
      return `${END_IT} The operator can raise FOLLOW_BYTES_TOTAL.`;
    case 'follows':
      return END_IT;
  }
}
