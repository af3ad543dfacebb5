import { putFile } from '#browsing/act/put-file.ts';
import type { FileToPut, Put } from '#browsing/act/put-file.ts';
import type { PageElement } from '#browsing/tabs/page-element.ts';
import { fail } from '#core/errors.ts';
import { safeFileName } from '#core/file-facts.ts';
import { fileType } from '#net/file-type.ts';
import type { KeptFiles } from '#storage/kept-files.ts';
import { act, find } from './acting.ts';
import type { Acted } from './acting.ts';
import type { Work } from './perform.ts';

/** A file by its id, or text to make one of. */
export type PutInput = { file: { id: string } | { name: string; text: string }; selector: string | undefined };

/** Puts a file into a field, a drop zone, or the field whose chooser the page opened last. */
export async function putFileInto(
  work: Work,
  { file, selector }: PutInput,
  files: KeptFiles,
  bytesMax: number,
): Promise<Acted<Put>> {
  const toPut = 'id' in file ? await kept(file.id, files) : written(file, bytesMax);
  const element = selector === undefined ? await chosenField(work) : await find(work, selector);
  const put = await act(work, element, false, () => putFile(element, toPut, work.signal));
  if (selector === undefined) work.tab.chooser = null;
  return put;
}

async function kept(id: string, files: KeptFiles): Promise<FileToPut> {
  const facts = await files.facts(id);
  if (facts === null) return fail({ code: 'unknown_file', file: id });
  return { ...facts, pieces: () => files.pieces(facts) };
}

function written({ name, text }: { name: string; text: string }, bytesMax: number): FileToPut {
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
  return { name: safe, mediaType: fileType(null, safe, bytes), bytes: bytes.byteLength, pieces: () => [bytes] };
}

async function chosenField({ tab }: Work): Promise<PageElement> {
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
