import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import about from '../../package.json';

const ROOT = join(import.meta.dirname, '../..');
/** Patterns such as `#support/*`, the most specific first. */
const ALIASES = Object.entries(about.imports).toSorted(([one], [other]) => other.length - one.length);
/** `import … from 'x'`, `export … from 'x'` and `import 'x'`, with what is between. */
const STATEMENT = /^(?:import|export)\b(?<names>[^;'"]*)'(?<from>[^']+)'/gmu;
const DYNAMIC = /\bimport\('(?<from>[^']+)'\)/gu;
const TYPES_ONLY = /^\s*type\b|^\s*\{(?:\s*type [^,}]+,?)+\s*\}/u;

const known = new Map<string, string[]>();

/** Everything that an import of a file runs: files by path, packages by name. Type imports are left out. */
export function reachOf(file: string): ReadonlySet<string> {
  const reached = new Set([file]);
  for (const one of reached) for (const next of importsOf(one)) reached.add(next);
  return reached;
}

function importsOf(file: string): string[] {
  const found = known.get(file) ?? readImports(file);
  known.set(file, found);
  return found;
}

function readImports(file: string): string[] {
  const path = join(ROOT, file);
  if (!/\.[jt]sx?$/u.test(file) || !existsSync(path)) return [];
  const source = readFileSync(path, 'utf8');
  const stated = [...source.matchAll(STATEMENT)].filter(({ groups }) => !TYPES_ONLY.test(groups?.['names'] ?? ''));
  return [...stated, ...source.matchAll(DYNAMIC)].map(({ groups }) => placeOf(groups?.['from'] ?? '', file));
}

function placeOf(name: string, importer: string): string {
  if (name.startsWith('.')) return normalize(join(dirname(importer), name));
  for (const [pattern, target] of ALIASES) {
    const start = pattern.slice(0, -1);
    if (name.startsWith(start)) return normalize(target.replace('*', name.slice(start.length)));
  }
  return name;
}
