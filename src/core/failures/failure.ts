import { OVERLOADED_RETRY_SECONDS } from '#core/limits.ts';
import type { FAILURES, FailureOf } from './failures.ts';
import { isOverloaded } from './transient.ts';

/**
 * Strings inside a failure are either our own wording or values already made safe to show (canonical URLs with secrets
 * removed, numbers, names from our own lists): never upstream bodies, stack traces or page text. Fields that hold words of a
 * page say so, and hold them inside a fence.
 */
export type Failure = FailureOf<FailureCode>;

export type FailureCode = keyof typeof FAILURES;

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
