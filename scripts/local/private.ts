import { chmodSync, existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What is kept here – page texts, sessions, secrets – is for the person who runs it. Others with a login on the machine
 * can read none of it: whatever this process and its children write is private from the first byte.
 */

/** Bits of a mode that let somebody else in. */
const OTHERS = 0o077;

/** From here on, for this process and all it starts. */
export function writePrivately(): void {
  process.umask(OTHERS);
}

/**
 * Takes what is there away from others, at any depth; links are left alone. Windows has no such modes: there the folder's
 * own rules hold.
 * @returns paths that stay open to others, because they belong to somebody else
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
    return null; // somebody else's
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
