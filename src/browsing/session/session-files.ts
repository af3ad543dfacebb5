import { objectNamed } from '#core/objects.ts';
import type { Config } from '#core/config.ts';
import type { FileStore } from '#storage/kept-files.ts';
import { KeptFiles } from '#storage/kept-files.ts';
import type { FileLimits, PersonFiles } from '#storage/person-files.ts';
import type { Acted } from './acting.ts';
import type { Put } from '#browsing/act/put-file.ts';
import type { Caller } from './answers.ts';
import { Downloads } from './downloads.ts';
import type { Kept } from './kept.ts';
import type { Work } from './perform.ts';
import { putFileInto } from './put-file.ts';
import type { PutInput } from './put-file.ts';

/** The files of a session: each of whoever makes the call. */
export class SessionFiles {
  readonly #objects: DurableObjectNamespace<PersonFiles>;
  readonly #limits: FileLimits;
  readonly #report: (error: unknown) => void;

  constructor(
    objects: DurableObjectNamespace<PersonFiles>,
    { FILE_BYTES_MAX: each, FILES_BYTES_MAX: together }: Config,
    report: (error: unknown) => void,
  ) {
    this.#objects = objects;
    this.#limits = { each, together };
    this.#report = report;
  }

  of({ subject }: Pick<Caller, 'subject'>): FileStore {
    return objectNamed(this.#objects, subject);
  }

  /** @param hide a text without secrets that were typed in the session */
  downloads(caller: Caller, { key }: Kept, hide: (text: string) => string): Downloads {
    return new Downloads(this.of(caller), { session: key, limits: this.#limits, hide, report: this.#report });
  }

  put(work: Work, input: PutInput, { subject }: Caller): Promise<Acted<Put>> {
    return putFileInto(work, input, new KeptFiles(objectNamed(this.#objects, subject)), this.#limits.each);
  }

  /** What cannot be dropped now goes when its time is over. @returns how many files the session had brought */
  async drop(kept: Kept | null): Promise<number> {
    if (kept === null) return 0;
    try {
      return await objectNamed(this.#objects, kept.subject).removeOf(kept.key);
    } catch (error) {
      this.#report(error);
      return 0;
    }
  }
}
