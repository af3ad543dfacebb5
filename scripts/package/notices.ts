import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { StopError } from '#scripts/local/stop-error.ts';

const packageSchema = z.object({ name: z.string(), version: z.string(), license: z.string().optional() });

const LICENCE_FILE = /^(?:licen[cs]e|notice|copying)(?:[.-].*)?$/i;

/** A file of a package that is bundled into another package: pnpm's folder has its name and version. */
const INSIDE = /\/\.pnpm\/((?:@[^+/]+\+)?[^@/]+)@([^_/]+)/;
/** Paths in a source map that belong to no package. */
const OWN_FOLDERS = /\/(?:src|dist)$/;
/** A file of an installed package. */
const INSTALLED = /^(?:.*?\/)?(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//;

/**
 * The packages of these files, in order.
 * @returns their folders, and the names of those that are inside another package
 */
export function packagesOf(project: string, files: readonly string[]): { folders: string[]; inside: string[] } {
  const inside = new Set<string>();
  const folders = new Set<string>();
  for (const file of files) {
    const [, name, version] = INSIDE.exec(file) ?? [];
    const folder = INSTALLED.exec(file)?.[1];
    if (name !== undefined) inside.add(`${name.replace('+', '/')} ${version}`);
    else if (folder === undefined) continue;
    else if (existsSync(join(project, folder, 'package.json'))) folders.add(folder);
    else if (!OWN_FOLDERS.test(folder)) inside.add(folder.slice('node_modules/'.length));
  }
  return { folders: [...folders].sort(), inside: [...inside].sort() };
}

/**
 * The licence notices that distribution requires: each package with its version and the text of its licence.
 * @throws {StopError} if a package states no licence
 */
export function noticesOf(project: string, { folders, inside }: ReturnType<typeof packagesOf>): string {
  const parts = folders.map((folder) => {
    const path = join(project, folder);
    const { name, version, license } = packageSchema.parse(
      JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')),
    );
    const texts = readdirSync(path).filter((file) => LICENCE_FILE.test(file));
    if (license === undefined && texts.length === 0) throw new StopError(`${name} ${version} states no licence.`);
    const read = (file: string) => readFileSync(join(path, file), 'utf8').trim();
    return [`${name} ${version} (${license ?? 'see below'})`, ...texts.map(read)].join('\n\n');
  });
  const built = inside.map(
    (name) => `${name}\n\nIt came inside one of the packages above, without a text of its licence.`,
  );
  return `Periscope is built with the packages below.\n\n${[...parts, ...built].map((part) => `${LINE}\n${part}\n`).join('\n')}`;
}

const LINE = '-'.repeat(80);
