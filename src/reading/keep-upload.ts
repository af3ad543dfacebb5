import type { FileFacts } from '#core/file-facts.ts';
import { safeFileName } from '#core/file-facts.ts';
import { fileType } from '#net/types/file-type.ts';
import { keepFile } from '#storage/person/stored-files.ts';
import type { FileStore, KeepOptions } from '#storage/person/stored-files.ts';
import type { NoRoom } from '#storage/person/person-files.ts';

/** Keeps a file that a person uploaded, which belongs to no session. @returns what is known of it, or why it is not kept */
export function keepUpload(
  store: FileStore,
  file: File,
  keeping: Omit<KeepOptions, 'session'>,
): Promise<FileFacts | NoRoom> {
  const name = safeFileName(file.name);
  const reader = file.stream().getReader();
  return keepFile(
    store,
    {
      name,
      typeOf: (head) => fileType(file.type, name, head),
      read: async () => (await reader.read()).value ?? null,
    },
    { session: '', ...keeping },
  );
}
