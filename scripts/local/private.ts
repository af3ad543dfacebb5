import { chmodSync, existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Stored data – page texts, sessions, secrets – belongs to the user who runs the server. Other users of the machine
 * must not read it, so everything that this process and its children write is private from the first byte.
 */

/** Permission bits of other users. */
const OTHERS = 0o077;

/** Applies to this process and everything that it starts. */
export function writePrivately(): void {
  process.umask(OTHERS);
}

/**
 * Removes the permissions of other users, at any depth. Links stay unchanged. Windows has no such permissions: the
 * folder's own rules apply there.
 * @returns paths that stay open because they belong to another user
 */
export function closeToOthers(path: string): string[] {
  if (process.platform === 'win32' || !existsSync(path)) return [];
  const { mode, isFolder, isLink } = look(path);
  if (isLink) return [];
  const open = (mode & OTHERS) === 0 || attempt(() => chmodSync(path, mode & ~OTHERS)) ? [] : [path];
  if (!isFolder) return open;
  return [...open, ...(list(path) ?? []).flatMap((name) => closeToOthers(join(path, name)))];
}

function look(path: string): { mode: number; isFolder: boolean; isLink: boolean } {
  const found = lstatSync(path);
  return { mode: found.mode & 0o7777, isFolder: found.isDirectory(), isLink: found.isSymbolicLink() };
}

function list(folder: string): string[] | null {
  try {
    return readdirSync(folder);
  } catch {
    return null; // It belongs to another user.
  }
}

function attempt(change: () => void): boolean {
  try {
    change();
    return true;
  } catch {
    return false;
  }
}
