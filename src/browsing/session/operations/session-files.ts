import { uploadFileToElement } from '#browsing/act/fields/put-file.ts';
import type { FileToUpload, FileUploadResult } from '#browsing/act/fields/put-file.ts';
import type { PageElement } from '#browsing/tabs/tab.ts';
import { fail } from '#core/failures/failure.ts';
import { safeFileName } from '#core/document/file-facts.ts';
import { detectMediaType } from '#net/types/sniff.ts';
import type { FileStore } from '#storage/person/stored-files.ts';
import { actAndReport, findTargetElement } from './acting.ts';
import type { ActionResult } from './acting.ts';
import type { OperationWork } from './perform.ts';
import { partNamed } from '#core/objects.ts';
import type { Config } from '#core/config/config.ts';
import { StoredFiles } from '#storage/person/stored-files.ts';
import type { FileByteLimits } from '#storage/person/person-files.ts';
import type { PersonStore } from '#storage/person/person-store.ts';
import type { Caller } from '#browsing/session/replies.ts';
import { Downloads } from './downloads.ts';
import type { SessionRecord } from '#browsing/session/parking.ts';

export type UploadInput = { file: { id: string } | { name: string; text: string }; target: string | undefined };

/** Puts a file into a field. Without `selector`, uses the field whose file chooser the page opened last. */
async function putFileInto(
  work: OperationWork,
  { file, target }: UploadInput,
  files: StoredFiles,
  bytesMax: number,
): Promise<ActionResult<FileUploadResult>> {
  const toPut = 'id' in file ? await stored(file.id, files) : written(file, bytesMax);
  const element = target === undefined ? await chosenField(work) : await findTargetElement(work, target, 'field');
  const put = await actAndReport(work, element, false, () => uploadFileToElement(element, toPut, work.signal));
  if (target === undefined) work.tab.chooser = null;
  return put;
}

async function stored(id: string, files: StoredFiles): Promise<FileToUpload> {
  const facts = await files.facts(id);
  if (facts === null) return fail({ code: 'unknown_file', file: id });
  return { ...facts, pieces: () => files.pieces(facts) };
}

function written({ name, text }: { name: string; text: string }, bytesMax: number): FileToUpload {
  const bytes = new TextEncoder().encode(text);
  if (bytes.byteLength > bytesMax) {
    fail({
      code: 'invalid_argument',
      field: 'text',
      problem: `has ${bytes.byteLength} bytes, more than the ${bytesMax} that a file may have here`,
      hint: 'Pass less text. Nothing was done.',
    });
  }
  const safe = safeFileName(name);
  return { name: safe, mediaType: detectMediaType(null, safe, bytes), bytes: bytes.byteLength, pieces: () => [bytes] };
}

async function chosenField({ tab }: OperationWork): Promise<PageElement> {
  const { chooser } = tab;
  const objectId = (await chooser?.objectId) ?? null;
  const isThere = chooser !== null && tab.frame(chooser.frame.id)?.loaderId === chooser.frame.loaderId;
  if (chooser === null || objectId === null || !isThere) {
    return fail({
      code: 'invalid_argument',
      field: 'selector',
      problem: 'is missing, and the page has no file chooser open',
      hint: 'Pass the file field or the drop zone, or click what opens the file chooser first. Nothing was done.',
    });
  }
  const { frame, backendNodeId } = chooser;
  return { tab, frame, backendNodeId, objectId, role: 'file field', name: '' };
}

export class SessionFiles {
  readonly #objects: DurableObjectNamespace<PersonStore>;
  readonly #limits: FileByteLimits;
  readonly #report: (error: unknown) => void;

  constructor(
    objects: DurableObjectNamespace<PersonStore>,
    { FILE_BYTES_MAX: each, FILES_BYTES_MAX: together }: Config,
    report: (error: unknown) => void,
  ) {
    this.#objects = objects;
    this.#limits = { each, together };
    this.#report = report;
  }

  of({ subject }: Pick<Caller, 'subject'>): FileStore {
    return partNamed(this.#objects, subject, 'files');
  }

  downloads(caller: Caller, { key }: SessionRecord, mask: (text: string) => string): Downloads {
    return new Downloads(this.of(caller), { session: key, limits: this.#limits, mask, report: this.#report });
  }

  put(work: OperationWork, input: UploadInput, { subject }: Caller): Promise<ActionResult<FileUploadResult>> {
    return putFileInto(work, input, new StoredFiles(partNamed(this.#objects, subject, 'files')), this.#limits.each);
  }

  /**
   * Deletes the stored files of a session. Files that cannot be deleted expire later.
   * @returns number of deleted files
   */
  async drop(record: SessionRecord | null): Promise<number> {
    if (record === null) return 0;
    try {
      return await partNamed(this.#objects, record.subject, 'files').removeOf(record.key);
    } catch (error) {
      this.#report(error);
      return 0;
    }
  }
}
