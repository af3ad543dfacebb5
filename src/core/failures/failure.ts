import { OVERLOADED_RETRY_SECONDS } from '#core/limits.ts';
import type { FAILURES, FailureOf } from './failures.ts';

/**
 * A failure. Its strings are the server's own words or sanitized values (canonical URLs without secrets, numbers, names
 * from fixed lists), never upstream bodies or stack traces. Page text is only in fields that are declared for it, and
 * marked as page text.
 */
export type Failure = FailureOf<FailureCode>;

export type FailureCode = keyof typeof FAILURES;

/**
 * The exception by which a call fails on purpose. Any other exception that ends a call is reported as `internal`,
 * except {@link PartFailed}.
 */
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
 * Returns the failure of an error that was thrown on purpose or by a service of the platform, even if a library has
 * wrapped the error. `null` for an unexpected error.
 */
export function findFailure(error: unknown): Failure | null {
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

type Part = 'database' | 'store' | 'object';

/** A service of the platform failed. `cause` is the service's error, for the log only. */
export class PartFailed extends Error {
  override name = 'PartFailed';
  readonly part: Part;
  /** True if the service was overloaded and did not start the work. */
  readonly overloaded: boolean;
  /** True if the call may have had side effects before it failed. */
  readonly mayHaveActed: boolean;

  constructor(part: Part, cause: Error, acts: boolean) {
    // Preserves the message of the cause, because the OAuth library compares some messages.
    super(cause.message, { cause });
    this.part = part;
    this.overloaded = isOverloaded(cause);
    this.mayHaveActed = acts && !this.overloaded;
  }
}

/**
 * Calls a service of the platform. Its failures become {@link PartFailed}; errors of this project's code pass
 * unchanged.
 * @param acts true if the call is not idempotent
 */
export async function callPlatform<T>(part: Part, work: () => Promise<T>, acts = false): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isOfPlatform(error) ? new PartFailed(part, error, acts) : error;
  }
}

/** Matches errors of D1 that are this project's fault: an invalid statement, or a table that is missing. */
const WRONG_STATEMENT = /SQLITE_(?!BUSY|LOCKED|FULL|NOMEM|IOERR)/;
/**
 * Names of errors that the platform throws. An error from a Durable Object loses its class, so its name decides. Errors
 * of this project have other names.
 */
const PLATFORM_NAMES: ReadonlySet<string> = new Set(['Error', 'PartFailed']);

function isOfPlatform(error: unknown): error is Error {
  return error instanceof Error && PLATFORM_NAMES.has(error.name) && !WRONG_STATEMENT.test(error.message);
}

/** Matches messages of D1 and KV for brief failures. An error of a Durable Object has the field `retryable` instead. */
const PASSING_WORDS =
  /network connection lost|caused object to be reset|reset because its code was updated|due to transient issue|KV \w+ failed: 5\d\d/i;
/** Matches messages of D1 and KV for overload. An error of a Durable Object has the field `overloaded` instead. */
const OVERLOADED_WORDS = /is overloaded|429 too many requests/i;

/** True if a retry may soon succeed. False for overload, which a retry makes worse. */
function isTransient(error: unknown): boolean {
  if (!(error instanceof Error) || isOverloaded(error)) return false;
  return ('retryable' in error && error.retryable === true) || PASSING_WORDS.test(error.message);
}

/** True if the service refused the work because of overload. An immediate retry makes the overload worse. */
function isOverloaded(error: Error): boolean {
  return ('overloaded' in error && error.overloaded === true) || OVERLOADED_WORDS.test(error.message);
}

/**
 * Retries once after a transient failure. The work must be idempotent, because the first attempt may have succeeded and
 * only its response been lost.
 */
export async function retryOnce<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isTransient(error)) throw error;
    return work();
  }
}
