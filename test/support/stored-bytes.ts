import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Reads all files of a folder. */
export function* storedIn(folder: string): Generator<[path: string, bytes: Buffer]> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* storedIn(path);
    else yield [path, readFileSync(path)];
  }
}
