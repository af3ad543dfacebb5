import type { Texts } from '#core/text/page-texts.ts';
import { changedTexts } from '#core/text/page-texts.ts';
import type { Failure, FailureCode } from '#core/failures/failure.ts';
import type { Evaluated } from '#browsing/act/evaluate.ts';
import type { Clicked } from '#browsing/act/click.ts';
import type { Put } from '#browsing/act/put-file.ts';
import type { ScrollPosition } from '#browsing/act/scroll.ts';
import type { PageHtml, SeenHtml } from '#browsing/read/html.ts';
import type { LogLines } from '#browsing/read/log.ts';
import type { Screenshot } from '#browsing/see/screenshot.ts';
import type { Hide } from '#browsing/secrets/mask.ts';
import type { Waited } from '#browsing/target/wait-for.ts';
import type { View } from '#browsing/view/view.ts';
import type { Acted } from '#browsing/session/operations/acting.ts';
import type { Launched } from './answers.ts';
import type { FilledField } from '#browsing/session/operations/fill-fields.ts';
import type { Handoff } from './handover.ts';
import type { Navigated } from '#browsing/session/operations/navigate.ts';
import type { PointedOut } from '#browsing/session/operations/point.ts';

/** Whose the texts are in what the operations of a session give. Secrets that were typed are hidden in those of pages. */

export const NOTHING: Texts<null> = 'page';
export const LAUNCHED: Texts<Launched> = { settings: { colorScheme: 'ours', locale: 'ours', timezone: 'ours' } };
export const VIEW: Texts<View> = { text: 'page', next: 'ours' };
export const ACTED: Texts<Acted<object>> = { changes: { lines: 'page' }, snapshot: VIEW };
export const EVALUATED: Texts<Acted<Evaluated>> = { ...ACTED, json: 'page' };
export const NAVIGATED: Texts<Navigated & { snapshot: View | null }> = {
  mimeType: 'page',
  file: 'ours',
  snapshot: VIEW,
};
export const CLICKED: Texts<Acted<Clicked>> = { ...ACTED, landed: 'ours', invalid: 'page' };
export const FILLED: Texts<Acted<{ fields: FilledField[] }>> = {
  ...ACTED,
  fields: { kind: 'ours', value: 'page', selector: 'page' },
};
export const WAITED: Texts<Acted<Waited>> = ACTED;
export const SCROLLED: Texts<Acted<{ place: ScrollPosition }>> = ACTED;
export const POINTED: Texts<Acted<PointedOut>> = {
  ...ACTED,
  under: 'page',
  toUnder: 'page',
  selected: 'page',
  landed: 'ours',
};
export const LOGGED: Texts<LogLines> = { lines: 'page', failed: 'ours' };
export const PUT: Texts<Acted<Put>> = { ...ACTED, how: 'ours' };
export const PICTURED: Texts<{ picture: Screenshot; snapshot: View | null }> = {
  picture: { jpegBase64: 'ours', note: 'ours' },
  snapshot: VIEW,
};
export const PAGE_HTML: Texts<PageHtml> = { html: 'page', notes: 'ours' };
export const READ: Texts<SeenHtml & { url: string }> = { html: 'page', url: 'page' };
export const HANDED: Texts<Handoff> = { state: 'ours' };

type FailureTexts = { readonly [Code in FailureCode]: Exclude<Texts<Extract<Failure, { code: Code }>>, 'page'> };

const CODE = { code: 'ours', filling: 'page' } as const;
const OF_PAGE = { ...CODE, url: 'page', reason: 'page' } as const;

const FAILURE_TEXTS: FailureTexts = {
  invalid_argument: { ...CODE, field: 'ours', problem: 'page', hint: 'page', quoted: 'page' },
  invalid_url: { ...CODE, problem: 'page' },
  ssrf_blocked: OF_PAGE,
  robots_disallowed: { ...OF_PAGE, robotsUrl: 'page' },
  fetch_failed: { ...OF_PAGE, only: 'ours' },
  http_error: { ...CODE, url: 'page' },
  timeout: {
    ...CODE,
    what: 'ours',
    url: 'page',
    instead: { problem: 'ours', quoted: 'page', snapshot: 'page' },
  },
  too_large: { ...CODE, url: 'page' },
  unsupported_mime: { ...CODE, url: 'page', mediaType: 'page' },
  challenge_page: { ...CODE, url: 'page', kind: 'ours' },
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
  unknown_file: { ...CODE, file: 'page' },
  unknown_session: { ...CODE, session: 'ours' },
  session_limit: { ...CODE, scope: 'ours', open: 'ours' },
  session_busy: { ...CODE, session: 'ours' },
  handed_over: { ...CODE, session: 'ours' },
  stale_ref: { ...CODE, ref: 'ours', reason: 'ours', snapshot: 'page' },
  element_not_found: { ...CODE, target: 'page', reason: 'ours', quoted: 'page', snapshot: 'page' },
  stale_picture: { ...CODE, reason: 'ours' },
  // Names and sites of secrets are a person's.
  unknown_secret: { ...CODE, name: 'ours', site: 'page', known: 'ours', page: 'ours' },
  secret_refused: { ...CODE, name: 'ours', reason: 'ours', sites: 'ours', page: 'ours' },
  script_blocked: { ...CODE, reason: 'ours', hint: 'ours' },
  script_failed: { ...CODE, reason: 'ours', quoted: 'page' },
  permission_denied: { ...CODE, scopes: 'ours', tool: 'ours' },
  rate_limited: { ...CODE, budget: 'ours', scope: 'ours', setting: 'ours' },
  cache_error: { ...CODE, reason: 'ours' },
  unavailable: CODE,
  overloaded: { ...CODE, of: 'ours' },
  internal: { ...CODE, requestId: 'ours' },
};

/** A failure without what was typed as a secret. */
export function shownFailure(failure: Failure, hide: Hide | null): Failure {
  return hide === null ? failure : withTextsOf(failure, FAILURE_TEXTS[failure.code], hide);
}

/** The compiler does not see that texts and failure are of one code. */
function withTextsOf(failure: Failure, texts: unknown, hide: Hide): Failure;
function withTextsOf(failure: unknown, texts: unknown, hide: Hide): unknown {
  return changedTexts(failure, texts, hide.from);
}
