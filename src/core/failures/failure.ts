import { OVERLOADED_RETRY_SECONDS } from '#core/limits.ts';
import { isOverloaded } from './transient.ts';

/**
 * Every way a call can fail, as one tagged union. `failure-message.ts` says what happened; what to do next is for the floors above.
 * Strings inside a failure are either our own wording or values already made safe to show (canonical URLs with
 * secrets removed, numbers, names from our own lists): never upstream bodies, stack traces or page text. Members that hold
 * words of a page say so, and hold them inside a fence.
 */
export type Failure = FailureCase & {
  /**
   * For a call that sets several fields: the field at which it failed, and those set before it, as the caller named
   * them.
   */
  filling?: { at: string; set: readonly string[]; total: number } | undefined;
  /** For a call that takes several steps: how many of them were taken before it failed. */
  listed?: { done: number; total: number } | undefined;
};

type FailureCase =
  /** `quoted`: helpful words from the page, inside a fence. */
  | { code: 'invalid_argument'; field: string; problem: string; hint: string; quoted?: string | undefined }
  | { code: 'invalid_url'; problem: string }
  | { code: 'ssrf_blocked'; url: string; reason: string }
  | { code: 'robots_disallowed'; url: string; robotsUrl: string; reason: string }
  /** `only`: the one thing that can still reach the address; `needs`: what the site seems to wait for. */
  | { code: 'fetch_failed'; url: string; reason: string; only?: 'browser' | undefined; needs?: 'cookies' | undefined }
  /** `quoted`: the first words and links of the error page, inside a fence. */
  | {
      code: 'http_error';
      url: string;
      statusCode: number;
      retryAfterSeconds?: number | undefined;
      quoted?: string | undefined;
    }
  /** `scheme` and `price`: what the site named, in our words. `quoted`: as above. */
  | { code: 'payment_required'; url: string; scheme: string | null; price: string | null; quoted?: string | undefined }
  /** A search led to the page, and its site asks not to feed it to AI models. */
  | { code: 'content_signal_disallowed'; url: string }
  | { code: 'timeout'; what: string; afterMs: number; url?: string | undefined; instead?: Instead | undefined }
  | { code: 'too_large'; url: string; limitBytes: number }
  | { code: 'unsupported_mime'; url: string; mediaType: string }
  | { code: 'challenge_page'; url: string; kind: 'bot_wall' | 'login_wall'; statusCode: number }
  /** The server hung twice while it worked on the page or file. */
  /** `url`: of a page; without it, the arguments of the call are meant. */
  | { code: 'skipped'; url?: string }
  /** Without an address for HTML that the caller gave, and for what a browser shows now (`live`). */
  | { code: 'extract_failed'; url?: string | undefined; reason: string; of?: 'file' | 'live' | undefined }
  | { code: 'render_disabled'; reason: string }
  /** `page`: not the browser is at fault but the page, whose scripts were stopped, or whose tab was closed. */
  | { code: 'render_failed'; url?: string | undefined; reason: string; page?: 'stopped' | 'closed' | undefined }
  | { code: 'search_auth_error'; provider: string; reason: string }
  | { code: 'search_rate_limited'; provider: string; retryAfterSeconds: number }
  | { code: 'search_unavailable'; provider: string; reason: string }
  | { code: 'unknown_cursor'; cursor: string }
  | { code: 'result_out_of_range'; resultId: number; available: number }
  | { code: 'unknown_snapshot' }
  /** `near`: the lines that come nearest, their words inside a fence. */
  | { code: 'quote_not_found'; cursor: string; near: { start: number; end: number; quoted: string } | null }
  | { code: 'not_shareable'; reason: string }
  | { code: 'citation_limit'; of: 'citations' | 'bytes' | 'shared'; limit: number }
  /** A page that can be read, but may not be followed: `reason` in our words. */
  | { code: 'not_followed'; url: string; reason: string }
  /** `left`: pages that the person may still follow. */
  | { code: 'follow_limit'; of: 'follows' | 'pages' | 'deployment' | 'text' | 'all text'; limit: number; left: number }
  /** Rounds of what is followed ask this host for pages, one at a time. */
  | { code: 'host_busy'; url: string; retryAfterSeconds: number }
  | { code: 'unknown_library'; name: string; known: readonly string[] }
  /** `null`: what was given is no id of a file. */
  | { code: 'unknown_file'; file: string | null }
  | { code: 'unknown_session'; session: string }
  | { code: 'session_limit'; limit: number; scope: 'subject' | 'deployment'; open: readonly string[] }
  | { code: 'session_busy'; session: string; place: number; afterMs: number }
  /** Its caller cancelled it or went away. */
  | { code: 'cancelled' }
  /** A person drives it now. */
  | { code: 'handed_over'; session: string; forSeconds: number }
  /**
   * `alike`: what has the same role and name now, or with `ofRole` the same role only; inside a fence.
   */
  | {
      code: 'stale_ref';
      ref: string;
      reason: Staleness;
      alike?: string | undefined;
      ofRole?: true | undefined;
      snapshot?: string | undefined;
    }
  /** With a reason when the element exists but cannot be acted on; `quoted` as above. */
  | {
      code: 'element_not_found';
      target: string;
      reason?: ElementProblem | undefined;
      /** On which side of the window a hidden one lies. */
      where?: 'left' | 'right' | 'above' | 'below' | undefined;
      quoted?: string | undefined;
      alike?: string | undefined;
      snapshot?: string | undefined;
    }
  | { code: 'stale_picture'; reason: PictureStaleness }
  /** `known`: what the caller can type on this site instead. `page`: where a person keeps secrets, as doors add it. */
  | { code: 'unknown_secret'; name: string; site: string; known: readonly string[]; page?: string | undefined }
  | {
      code: 'secret_refused';
      name: string;
      reason: SecretProblem;
      sites: readonly string[];
      /** What ran the script that `reason` tells of. */
      by?: string | undefined;
      page?: string | undefined;
    }
  /** `hint` where no other script would do. */
  | { code: 'script_blocked'; reason: string; hint?: string | undefined }
  | { code: 'script_failed'; reason: string; quoted?: string | undefined }
  /** `option`: the parameter that needs the permission, where the tool itself does not. */
  | { code: 'permission_denied'; scopes: readonly string[]; tool: string; option?: string }
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
  /** `of`: too much is read at once; without it, a part of the platform is overloaded. */
  | { code: 'overloaded'; retryAfterSeconds: number; of?: 'memory' | undefined }
  | { code: 'internal'; requestId: string };

/** What is there instead of what was waited for: in our words, in the page's words, and as a view of the page. */
export type Instead = { problem: string; quoted?: string | undefined; snapshot?: string | undefined };

export type FailureCode = Failure['code'];

/**
 * Why a ref is refused. `gone`: its element or document is gone, or the ref no longer belongs to this session. In the
 * other cases the element still exists.
 */
export type Staleness = 'gone' | 'renamed' | 'surroundings';

/** Why a pixel of a tab's last picture is refused. `changed`: something else lies there, or the words around it changed. */
export type PictureStaleness = 'none' | 'document' | 'scrolled' | 'resized' | 'changed';

/**
 * Why a secret is not typed. `site`, `around`: the page, or one around it, is of another site; `opaque`: of none; `form`:
 * what it is typed into is sent elsewhere; `script`: a script of the caller runs in the page; `place`: no field is named;
 * `sealed`: it cannot be opened any more.
 */
export type SecretProblem = 'site' | 'around' | 'opaque' | 'field' | 'form' | 'full' | 'script' | 'place' | 'sealed';

/** Why an existing element cannot be acted on. */
export type ElementProblem = 'covered' | 'hidden' | 'disabled' | 'readonly' | 'moved' | 'replaced' | 'unfocusable';

/** The one exception our code throws on purpose. Anything else that reaches the runner is an `internal` failure. */
export class PeriscopeError extends Error {
  override name = 'PeriscopeError';
  readonly failure: Failure;
  constructor(failure: Failure, options?: ErrorOptions) {
    super(failure.code, options);
    this.failure = failure;
  }
}

/** @throws {PeriscopeError} always */
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

/** What the platform runs beside the Worker: D1, the key-value store, and the objects. */
type Part = 'database' | 'store' | 'object';

/** A part of the platform did not do what it was asked. `cause` is what it said, which is for the log only. */
export class PartFailed extends Error {
  override name = 'PartFailed';
  readonly part: Part;
  /** It had too much to do, and took nothing on. */
  readonly overloaded: boolean;
  /** It was to act, and may have done so before it failed. */
  readonly mayHaveActed: boolean;

  constructor(part: Part, cause: Error, acts: boolean) {
    // Its words, as the OAuth library knows some of them.
    super(cause.message, { cause });
    this.part = part;
    this.overloaded = isOverloaded(cause);
    this.mayHaveActed = acts && !this.overloaded;
  }
}

/**
 * Asks a part of the platform for something. What it fails with names the part; an error of our own code stays as it is.
 * @param acts whether doing it twice would not come to the same
 */
export async function askedOf<T>(part: Part, work: () => Promise<T>, acts = false): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isOfPlatform(error) ? new PartFailed(part, error, acts) : error;
  }
}

/** What D1 says when a statement is wrong, or the tables are those of another version. */
const WRONG_STATEMENT = /SQLITE_(?!BUSY|LOCKED|FULL|NOMEM|IOERR)/;
/** Errors that come from an object arrive with their name alone: those of code have others. */
const PLATFORM_NAMES: ReadonlySet<string> = new Set(['Error', 'PartFailed']);

function isOfPlatform(error: unknown): error is Error {
  return error instanceof Error && PLATFORM_NAMES.has(error.name) && !WRONG_STATEMENT.test(error.message);
}
