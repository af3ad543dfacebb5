import type { FileFacts } from '#core/document/file-facts.ts';
import { safeFileName } from '#core/document/file-facts.ts';
import { detectMediaType } from '#net/types/sniff.ts';
import { storeFile } from '#storage/person/stored-files.ts';
import type { FileStore, StoreFileOptions } from '#storage/person/stored-files.ts';
import type { FileNotStoredReason } from '#storage/person/person-files.ts';

export function storeUpload(
  store: FileStore,
  file: File,
  keeping: Omit<StoreFileOptions, 'session'>,
): Promise<FileFacts | FileNotStoredReason> {
  const name = safeFileName(file.name);
  const reader = file.stream().getReader();
  return storeFile(
    store,
    {
      describe: async (head) => ({ name, mediaType: detectMediaType(file.type, name, head) }),
      read: async () => (await reader.read()).value ?? null,
    },
    { session: '', ...keeping },
  );
}
