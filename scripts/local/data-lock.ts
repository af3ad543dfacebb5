import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { IS_PACKAGE, START } from './project.ts';
import { StopError } from './stop-error.ts';

const SQLITE_BUSY = 5;

/**
 * Locks the data folder for this process until it ends: two Workers on one folder would each have their own state of
 * the same objects. The lock is SQLite's, so the system releases it however the process ends.
 * @throws {StopError} if another process holds it, or the folder is read-only
 */
export function holdData(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    held = new DatabaseSync(join(folder, 'in-use.sqlite'), { timeout: 0 });
    held.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    const code = error instanceof Error && 'errcode' in error ? error.errcode : null;
    if (code !== SQLITE_BUSY) {
      throw new StopError(
        `The data folder ${folder} cannot be written${error instanceof Error ? ` (${error.message})` : ''}.`,
      );
    }
    throw new StopError(
      `Another Periscope is already running with the data in ${folder}: stop it first, or give this one a folder of its own with ${START}${IS_PACKAGE ? '' : ' --'} --home FOLDER.`,
    );
  }
}

// Referenced so that the lock is not released by garbage collection.
let held: DatabaseSync | null = null;
