import { isOverloaded } from './passing.ts';

/** What the platform runs beside the Worker: D1, the key-value store, and the objects. */
export type Part = 'database' | 'store' | 'object';

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
