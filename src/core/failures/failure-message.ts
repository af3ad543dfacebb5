import type { ElementProblem, Failure, PictureStaleness, SecretProblem, Staleness } from './failure.ts';

/** What happened, in a sentence for anybody. Exhaustive: a new failure does not compile without its message. */
export function messageOf(failure: Failure): string {
  const { filling, listed } = failure;
  const message = messageFor(failure);
  if (listed !== undefined) return `Step ${listed.done + 1} of ${listed.total}: ${message}`;
  if (filling === undefined) return message;
  return `Field ${filling.set.length + 1} of ${filling.total} (${filling.at}): ${message}`;
}

function messageFor(failure: Failure): string {
  switch (failure.code) {
    case 'invalid_argument':
      return `${failure.field}: ${failure.problem}`;
    case 'invalid_url':
      return `The URL cannot be used: ${failure.problem}.`;
    case 'ssrf_blocked':
      return `${failure.url} is not allowed: ${failure.reason}.`;
    case 'robots_disallowed':
      return `robots.txt does not allow reading ${failure.url}: ${failure.reason}.`;
    case 'fetch_failed':
      return `${failure.url} could not be fetched: ${failure.reason}.`;
    case 'http_error':
      return `${failure.url} answered HTTP ${failure.statusCode}.`;
    case 'payment_required':
      return `${failure.url} asks for payment${failure.price === null ? '' : `: ${failure.price}`}${failure.scheme === null ? '' : ` (${failure.scheme})`}. Nothing was paid.`;
    case 'content_signal_disallowed':
      return `A search led to ${failure.url}, and its site asks not to feed its pages to AI models (Content-Signal: ai-input=no).`;
    case 'timeout':
      return failure.instead === undefined
        ? `${failure.what} took longer than ${failure.afterMs} ms.`
        : `${failure.what} within ${failure.afterMs} ms: ${failure.instead.problem}.`;
    case 'too_large':
      return `${failure.url} is larger than ${failure.limitBytes} bytes.`;
    case 'unsupported_mime':
      return `${failure.url} is ${failure.mediaType}, a type whose text cannot be read here.`;
    case 'challenge_page':
      return failure.kind === 'bot_wall'
        ? `${failure.url} answered with a bot check instead of the page.`
        : `${failure.url} answered with a sign-in page instead of the content.`;
    case 'skipped':
      return failure.url === undefined
        ? 'This call is skipped: the server hung twice while it worked on a call with these arguments.'
        : `${failure.url} is skipped: the server hung twice while it worked on this page.`;
    case 'extract_failed':
      return `No readable text was found${failure.url === undefined ? '' : ` at ${failure.url}`}: ${failure.reason}.`;
    case 'render_disabled':
      return `Rendering is not available: ${failure.reason}.`;
    case 'render_failed':
      if (failure.page !== undefined) return `The ${failure.reason}.`;
      return failure.url === undefined
        ? `The browser is not working: ${failure.reason}.`
        : `${failure.url} could not be rendered: ${failure.reason}.`;
    case 'search_auth_error':
      return `The search provider ${failure.provider} refused the key: ${failure.reason}.`;
    case 'search_rate_limited':
      return `The search provider ${failure.provider} accepts no more searches right now.`;
    case 'search_unavailable':
      return `The search provider ${failure.provider} gave no usable answer: ${failure.reason}.`;
    case 'unknown_cursor':
      return 'This cursor is unknown: it has expired, was dropped for newer ones, or was never issued to you.';
    case 'result_out_of_range':
      return failure.available === 0
        ? 'This cursor has no search results to open.'
        : `result_id ${failure.resultId} is not in this list of ${failure.available}.`;
    case 'unknown_snapshot':
      return 'No snapshot with this hash is stored.';
    case 'unknown_file':
      return failure.file === null ? 'This is no id of a file.' : `There is no file ${failure.file}.`;
    case 'permission_denied':
      return `${failure.tool}${failure.option === undefined ? '' : ` with ${failure.option}`} needs the permission ${failure.scopes.join(', ')}, which this connection was not given.`;
    case 'rate_limited':
      return failure.scope === 'subject'
        ? `Your budget of ${failure.budget} is used up.`
        : `This server's budget of ${failure.budget}, which all its users share, is used up.`;
    case 'cache_error':
      return `The page store failed: ${failure.reason}.`;
    case 'unavailable':
      return 'A part of this server did not answer.';
    case 'overloaded':
      return failure.of === 'memory'
        ? 'This server was reading as many large pages as its memory holds, so this one was not read.'
        : 'A part of this server is overloaded, so this call was not completed.';
    case 'internal':
      return 'Something went wrong inside the server.';
    case 'quote_not_found':
      return failure.near === null
        ? 'The page does not say this, and nothing in it comes near.'
        : 'The page does not say exactly this.';
    case 'not_shareable':
      return `This quote cannot be shared: ${failure.reason}.`;
    case 'citation_limit':
      return `${CITATION_LIMITS[failure.of]} (${failure.limit}).`;
    case 'not_followed':
      return `${failure.url} cannot be followed. ${failure.reason}`;
    case 'follow_limit':
      return `${FOLLOW_LIMITS[failure.of]} (${failure.limit}).`;
    case 'host_busy':
      return `The host of ${failure.url} is asked for followed pages now, one at a time, and its turn is taken.`;
    case 'unknown_library':
      return `Nothing that is followed has the name or address "${failure.name}".`;
    case 'unknown_secret':
      return `The person has no secret "${failure.name}". Nothing was typed. ${othersKnown(failure.known)}`;
    case 'secret_refused':
      return `The secret "${failure.name}" was not typed: ${secretProblem(failure.reason, failure.by)}.`;
    case 'unknown_session':
      return `There is no browser session named "${failure.session}".`;
    case 'session_limit':
      return failure.scope === 'subject'
        ? `You already have ${failure.limit} browser sessions open.`
        : `This server already has ${failure.limit} browser sessions open.`;
    case 'session_busy':
      return `The session "${failure.session}" was still busy after ${failure.afterMs} ms (place ${failure.place} in the queue).`;
    case 'cancelled':
      return 'The call was cancelled before it ended. What it had already done on the page stays done.';
    case 'handed_over':
      return `A person has been driving the session "${failure.session}" for ${failure.forSeconds} s. Nothing was done.`;
    case 'stale_ref':
      return `${failure.ref} ${STALE[failure.reason]}. Nothing was done with it.`;
    case 'element_not_found':
      if (failure.reason === undefined) return `No element matches ${failure.target}.`;
      return failure.where === undefined ? UNUSABLE[failure.reason] : outside(failure.where);
    case 'stale_picture':
      return `${STALE_PICTURE[failure.reason]} Nothing was done.`;
    case 'script_blocked':
      return `The script was refused: ${failure.reason}.`;
    case 'script_failed':
      return `The script did not finish: ${failure.reason}.`;
  }
}

const CITATION_LIMITS: Record<Extract<Failure, { code: 'citation_limit' }>['of'], string> = {
  citations: 'The person already keeps as many citations as one person may',
  bytes: 'The pages that the person has cited already take as many bytes as one person may keep',
  shared: 'The person already shares as many quotes as one person may',
};

const FOLLOW_LIMITS: Record<Extract<Failure, { code: 'follow_limit' }>['of'], string> = {
  follows: 'The person already follows as many pages and sites as one person may',
  pages: 'That is more pages than the person may still follow; all together they may follow',
  deployment: 'All who use this server together already follow as many pages as it may',
  text: 'What the person follows keeps as much text as it may, in bytes',
  'all text': 'What all who use this server follow together keeps as much text as it may, in bytes',
};

function othersKnown(known: readonly string[]): string {
  return known.length === 0
    ? 'The person has none for this page.'
    : `For this page the person has ${known.join(', ')}.`;
}

function secretProblem(reason: SecretProblem, by = 'a script of the caller'): string {
  if (reason !== 'script') return SECRET_PROBLEMS[reason];
  return `${by} has run in this session, on this site or in a window that opened this one or was opened by it, and what a script left behind could read it`;
}

const SECRET_PROBLEMS: Record<Exclude<SecretProblem, 'script'>, string> = {
  site: 'the page with the field is not one of its sites',
  around: 'a page of another site has put the field in a frame',
  opaque: 'the page with the field has no site of its own (a sandboxed frame, about:, data: or blob:)',
  field: 'this is not a field for passwords, text, e-mail, telephone numbers or numbers',
  form: 'its form is sent to another site',
  full: 'the field does not keep all of it: it takes fewer characters, or the page shortened it, took out signs, or replaced, locked or left the field half-way. What was typed was taken out again',
  place: 'no field was named',
  sealed: 'it was stored under another secret of this server and cannot be opened any more',
};

const STALE: Record<Staleness, string> = {
  gone: 'no longer names an element of this page',
  renamed: 'named an element whose role, name or address has changed',
  surroundings:
    'named an element in a row, pane or section whose text has changed, so it may now be about something else (if that text changes all the time, pass a CSS selector)',
};

const STALE_PICTURE: Record<PictureStaleness, string> = {
  none: 'There is no picture of this tab yet, so x and y name no place in it.',
  document: 'The tab has opened another page since its last picture was taken.',
  scrolled: 'The page has scrolled since the last picture of the tab was taken.',
  resized: 'The page has been zoomed or resized since the last picture of the tab was taken.',
  changed: 'What lies at this point is not what the last picture of the tab shows there: the page has changed.',
};

function outside(where: keyof typeof SIDES): string {
  return `The element lies ${SIDES[where]} the window, where nobody can scroll to, as in a drawer that is closed. Nothing was done with it.`;
}

const SIDES = { left: 'left of', right: 'right of', above: 'above', below: 'below' } as const;

const UNUSABLE: Record<ElementProblem, string> = {
  covered: 'The element is covered by another one, so the action would not reach it. Nothing was done with it.',
  hidden: 'The element is on the page, but not visible. Nothing was done with it.',
  disabled: 'The element is disabled. Nothing was done with it.',
  readonly: 'The field is read-only. Nothing was done with it.',
  moved: 'The element kept moving, so nothing was done with it.',
  replaced: 'The page replaced the element in the meantime, so nothing was done with it.',
  unfocusable: 'The element cannot be typed into: the page moved the focus to another element or to none.',
};
