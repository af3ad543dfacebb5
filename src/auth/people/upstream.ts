import {
  AuthorizationResponseError,
  INVALID_SERVER_METADATA,
  MISSING_SERVER_METADATA,
  OperationProcessingError,
  PARSE_ERROR,
  RESPONSE_IS_NOT_CONFORM,
  RESPONSE_IS_NOT_JSON,
  ResponseBodyError,
  UnsupportedOperationError,
  WWWAuthenticateChallengeError,
} from 'oauth4webapi';
import type { Config } from '#core/config/config.ts';
import { UPSTREAM_BODY_BYTES_MAX, UPSTREAM_SIGN_IN_STEP_MS_MAX } from '#auth/limits.ts';
import { readBodyText } from '#core/flow/read-capped.ts';
import { withTimeout } from '#core/flow/abort.ts';
import type { UpstreamAccount } from './account.ts';

/** Fetches from a provider. The operator configures the provider's URLs, so the address gate does not check them. */
export type UpstreamFetch = (
  url: string,
  init: {
    method: string;
    headers: Record<string, string>;
    body: string | null;
    redirect: 'manual';
    signal: AbortSignal;
  },
) => Promise<Response>;

/** One pending sign-in at a provider. `state`, `nonce` and `verifier` are random and used once. */
export type SignInFlow = { redirectUri: string; state: string; nonce: string; verifier: string };

export type Upstream = {
  way: UpstreamAccount['way'];
  label: string;
  /** URL of the provider's sign-in page. @throws {UpstreamError} */
  authorizationUrl: (flow: SignInFlow) => Promise<URL>;
  /**
   * Verifies the provider's response.
   * @param answer the query string of the provider's redirect
   * @throws {UpstreamError}
   */
  identify: (answer: URLSearchParams, flow: SignInFlow) => Promise<UpstreamAccount>;
};

/**
 * `denied`: the user or the provider refused. `unreachable`: no complete response came in time. `unreadable`: the
 * response is malformed. `refused`: the response does not prove the user's identity, or the provider does not know this
 * client.
 */
export type UpstreamErrorKind = 'denied' | 'unreachable' | 'unreadable' | 'refused';

export class UpstreamError extends Error {
  override name = 'UpstreamError';
  readonly trouble: UpstreamErrorKind;
  /** The reason as one word for the log: a code of the OAuth library or of RFC 6749, never the provider's text. */
  readonly detail: string;

  constructor(trouble: UpstreamErrorKind, detail: string, options?: ErrorOptions) {
    super(`${trouble} (${detail})`, options);
    this.trouble = trouble;
    this.detail = detail;
  }
}

const SERVER_ERROR_MIN = 500;
const OK_MAX = 299;

/**
 * The fetch function for the OAuth library. Limits the size of each response and the time of all requests together.
 * @throws {UpstreamError} `unreachable` without a complete response, or with a server error (5xx); `unreadable` if the
 *   response is not JSON
 */
export function createBoundedFetch(fetch: UpstreamFetch, signal: AbortSignal) {
  return async (
    url: string,
    init: { method?: string; headers?: Record<string, string>; body?: unknown } = {},
  ): Promise<Response> => {
    const { status, headers, text } = await whole(() =>
      fetch(url, {
        method: init.method ?? 'GET',
        headers: init.headers ?? {},
        body: init.body instanceof URLSearchParams ? init.body.toString() : null,
        redirect: 'manual',
        signal,
      }),
    );
    if (status >= SERVER_ERROR_MIN) throw new UpstreamError('unreachable', `status_${status}`);
    if (!isJson(text)) throw new UpstreamError('unreadable', status > OK_MAX ? `status_${status}` : 'no_json');
    const passedOn = new Headers();
    for (const name of ['content-type', 'www-authenticate']) {
      const value = headers.get(name);
      if (value !== null) passedOn.set(name, value);
    }
    return new Response(text, { status, headers: passedOn });
  };
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

async function whole(ask: () => Promise<Response>) {
  try {
    const response = await ask();
    const { status, headers } = response;
    const text = await readBodyText(response.body, UPSTREAM_BODY_BYTES_MAX);
    if (text !== null) return { status, headers, text };
  } catch (error) {
    throw new UpstreamError('unreachable', error instanceof Error ? error.name : 'unknown', { cause: error });
  }
  throw new UpstreamError('unreachable', 'too_large');
}

/**
 * Runs the checks of a provider's response and turns every error into an `UpstreamError`. Responses can be wrong in
 * more ways than the library has errors for, and each error must lead to a page that explains it.
 * @throws {UpstreamError}
 */
export async function runUpstreamSignIn<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  try {
    return await withTimeout(UPSTREAM_SIGN_IN_STEP_MS_MAX, run);
  } catch (error) {
    if (error instanceof UpstreamError) throw error;
    if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
      const isDenied = error instanceof AuthorizationResponseError && error.error === 'access_denied';
      throw new UpstreamError(isDenied ? 'denied' : 'refused', codeOf(error.error), { cause: error });
    }
    const isKnown =
      error instanceof OperationProcessingError ||
      error instanceof UnsupportedOperationError ||
      error instanceof WWWAuthenticateChallengeError;
    const code = isKnown ? codeOf(error.code) : 'malformed';
    throw new UpstreamError(UNREADABLE.has(code) ? 'unreadable' : 'refused', code, { cause: error });
  }
}

const UNREADABLE: ReadonlySet<string> = new Set([
  INVALID_SERVER_METADATA,
  MISSING_SERVER_METADATA,
  PARSE_ERROR,
  RESPONSE_IS_NOT_CONFORM,
  RESPONSE_IS_NOT_JSON,
]);

/** An error code such as `invalid_client`. Any other text becomes `unknown`, because the provider controls the text. */
function codeOf(text: string | undefined): string {
  return text !== undefined && /^\w{1,60}$/.test(text) ? text : 'unknown';
}

/** True if `ALLOWED_USERS` contains e-mail addresses. Otherwise this server does not ask providers for them. */
export function hasAllowedEmailEntries(config: Config): boolean {
  return config.ALLOWED_USERS.some((entry) => entry.includes('@') && !/^(?:oidc|github):/.test(entry));
}
