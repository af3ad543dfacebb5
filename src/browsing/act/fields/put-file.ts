import { KIB } from '#core/limits.ts';
import { toBase64 } from '#core/text/base64.ts';
import { fail } from '#core/failures/failure.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { callOn } from '#browsing/tabs/call-in-page.ts';
import type { PageElement } from '#browsing/tabs/tab.ts';
import type { PutFileOutcome } from '#browsing/in-page/script-types.ts';

/** Size of a piece of a file. In base64 it stays under 1 MB, which every browser service accepts. */
const PUT_PIECE_BYTES = 512 * KIB;

export type FileToUpload = {
  name: string;
  mediaType: string;
  bytes: number;
  pieces: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
};

export type FileUploadResult = { how: 'field' | 'dropped'; held: number };

/**
 * Gives a file to a page as if the user had chosen or dropped it. The page gets a name and bytes, never a path.
 * @throws {PeriscopeError} `element_not_found` for a disabled or replaced field, `invalid_argument` for an element that
 * takes no files
 */
export async function uploadFileToElement(
  element: PageElement,
  file: FileToUpload,
  signal: AbortSignal,
): Promise<FileUploadResult> {
  await element.tab.askFirst?.({ kind: 'upload', element }, signal);
  let isFirst = true;
  for await (const piece of file.pieces()) {
    for (let from = 0; from < piece.byteLength || isFirst; from += PUT_PIECE_BYTES) {
      const part = toBase64(piece.subarray(from, from + PUT_PIECE_BYTES));
      await callOn(element, pageScripts.addFilePiece, [part, isFirst], signal);
      isFirst = false;
    }
  }
  const { outcome, held } = await callOn(element, pageScripts.putFile, [file.name, file.mediaType, file.bytes], signal);
  if (outcome === 'field' || outcome === 'dropped') return { how: outcome, held };
  return refuse(outcome);
}

function refuse(outcome: Exclude<PutFileOutcome['outcome'], 'field' | 'dropped'>): never {
  if (outcome === 'disabled') fail({ code: 'element_not_found', target: 'file field', reason: 'disabled' });
  if (outcome === 'broken') fail({ code: 'element_not_found', target: 'file field', reason: 'replaced' });
  fail({
    code: 'invalid_argument',
    field: 'selector',
    problem: 'is neither a file field nor a drop zone for files; nothing was done',
    hint: 'Pass the file field or the drop zone. Or click the button that opens the file chooser, then call browser_files without selector.',
  });
}

export function refuseFillingFileField(): never {
  return fail({
    code: 'invalid_argument',
    field: 'selector',
    problem: 'this is a file field; nothing was done',
    hint: 'Call browser_files with action "put", this selector, and the file: its id as file, or name and text.',
  });
}
