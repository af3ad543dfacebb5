import type { TextOrigins } from '#core/text/page-texts.ts';
import { mapPageTextsUntyped } from '#core/text/page-texts.ts';
import type { Failure, FailureCode } from '#core/failures/failure.ts';
import type { Hide } from '#browsing/secrets/mask.ts';

type FailureTexts = { readonly [Code in FailureCode]: Exclude<TextOrigins<Extract<Failure, { code: Code }>>, 'page'> };

const CODE = { code: 'ours', filling: 'page' } as const;
const OF_PAGE = { ...CODE, url: 'page', reason: 'page' } as const;

const FAILURE_TEXTS: FailureTexts = {
  invalid_argument: { ...CODE, field: 'ours', problem: 'page', hint: 'page', quoted: 'page' },
  invalid_url: { ...CODE, problem: 'page' },
  ssrf_blocked: OF_PAGE,
  robots_disallowed: { ...OF_PAGE, robotsUrl: 'page' },
  fetch_failed: { ...OF_PAGE, only: 'ours', needs: 'ours' },
  http_error: { ...CODE, url: 'page', quoted: 'page' },
  payment_required: { ...CODE, url: 'page', scheme: 'ours', price: 'page', quoted: 'page' },
  content_signal_disallowed: { ...CODE, url: 'page' },
  timeout: {
    ...CODE,
    what: 'ours',
    url: 'page',
    instead: { problem: 'ours', quoted: 'page', snapshot: 'page' },
  },
  too_large: { ...CODE, url: 'page' },
  unsupported_mime: { ...CODE, url: 'page', mediaType: 'page' },
  challenge_page: { ...CODE, url: 'page', kind: 'ours' },
  skipped: { ...CODE, url: 'page' },
  extract_failed: { ...OF_PAGE, of: 'ours' },
  render_disabled: { ...CODE, reason: 'ours' },
  render_failed: { ...OF_PAGE, page: 'ours' },
  search_auth_error: { ...CODE, provider: 'ours', reason: 'page' },
  search_rate_limited: { ...CODE, provider: 'ours' },
  search_unavailable: { ...CODE, provider: 'ours', reason: 'page' },
  unknown_cursor: { ...CODE, cursor: 'page' },
  result_out_of_range: CODE,
  unknown_snapshot: CODE,
  quote_not_found: { ...CODE, cursor: 'page', near: { quoted: 'page' } },
  not_shareable: { ...CODE, reason: 'page' },
  citation_limit: { ...CODE, of: 'ours' },
  not_followed: OF_PAGE,
  follow_limit: { ...CODE, of: 'ours' },
  host_busy: { ...CODE, url: 'page' },
  unknown_library: { ...CODE, name: 'page', known: 'page' },
  unknown_file: { ...CODE, file: 'page' },
  unknown_session: { ...CODE, session: 'ours' },
  session_limit: { ...CODE, scope: 'ours', open: 'ours' },
  session_busy: { ...CODE, session: 'ours' },
  cancelled: CODE,
  handed_over: { ...CODE, session: 'ours' },
  stale_ref: { ...CODE, ref: 'ours', reason: 'ours', alike: 'page', snapshot: 'page' },
  element_not_found: {
    ...CODE,
    target: 'page',
    reason: 'ours',
    where: 'ours',
    quoted: 'page',
    alike: 'page',
    snapshot: 'page',
  },
  stale_picture: { ...CODE, reason: 'ours' },
  unknown_secret: { ...CODE, name: 'ours', site: 'page', known: 'ours', page: 'ours' },
  secret_refused: { ...CODE, name: 'ours', reason: 'ours', sites: 'ours', by: 'ours', page: 'ours' },
  script_blocked: { ...CODE, reason: 'ours', hint: 'ours' },
  script_failed: { ...CODE, reason: 'ours', quoted: 'page' },
  permission_denied: { ...CODE, scopes: 'ours', tool: 'ours', option: 'ours' },
  rate_limited: { ...CODE, budget: 'ours', scope: 'ours', setting: 'ours' },
  cache_error: { ...CODE, reason: 'ours' },
  unavailable: CODE,
  overloaded: { ...CODE, of: 'ours' },
  internal: { ...CODE, requestId: 'ours' },
};

export function shownFailure(failure: Failure, hide: Hide | null): Failure {
  return hide === null ? failure : withTextsOf(failure, FAILURE_TEXTS[failure.code], hide);
}

/** The compiler does not see that both belong to the same failure code. */
function withTextsOf(failure: Failure, texts: unknown, hide: Hide): Failure;
function withTextsOf(failure: unknown, texts: unknown, hide: Hide): unknown {
  return mapPageTextsUntyped(failure, texts, hide.from);
}
