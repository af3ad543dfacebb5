import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { findLine, neighboursOf } from './find-line.ts';
import type { Mutant } from './find-line.ts';

const mutant = z.object({
  file: z.string(),
  from: z.string(),
  to: z.string(),
  before: z.array(z.string()),
  after: z.array(z.string()),
});

/** Patterns in a line and their replacements. Spaces keep types and arrows out. */
const CHANGES: readonly (readonly [RegExp, string])[] = [
  [/ === /u, ' !== '],
  [/ !== /u, ' === '],
  [/ < /u, ' >= '],
  [/ > /u, ' <= '],
  [/ <= /u, ' > '],
  [/ >= /u, ' < '],
  [/ && /u, ' || '],
  [/ \|\| /u, ' && '],
  [/ \+ 1\b/u, ' + 2'],
  [/ - 1\b/u, ' - 2'],
  [/\bif \(!/u, 'if ('],
  [/\breturn true;/u, 'return false;'],
  [/\breturn false;/u, 'return true;'],
  [/^(\s+)(?:await )?[\w.#]+\(.*\);$/u, '$1'],
  [/^(export const [A-Z_]+ = )(\d+)\b/u, '$11$2'],
];
/** Matches comments, imports, types, and rules of style sheets. */
const NO_CODE = /^\s*(?:\/?\*|\/\/|import |type )|; \}$/u;

const path = join(import.meta.dirname, 'sample.json');

export function readSample(): Mutant[] {
  return z.array(mutant).parse(JSON.parse(readFileSync(path, 'utf8')));
}

/** Chooses lines by a hash of the seed and their words, one per file. */
export function drawSample(seed: string, count: number): Mutant[] {
  return drawOrder(seed).slice(0, count);
}

/** Replaces each line that is gone by the next one in the order of the draw whose file has no line in the sample. */
export function redrawGone(sample: readonly Mutant[], seed: string): Mutant[] {
  const sources = allSources();
  const places = sample.map((one) => findLine(one, sources));
  const taken = new Set(places.map((place) => place?.file));
  const next = drawOrder(seed).filter(({ file }) => !taken.has(file));
  return sample.flatMap((one, at) => (places[at] === null ? (next.shift() ?? []) : one));
}

function drawOrder(seed: string): Mutant[] {
  const rank = ({ file, from, to }: Mutant) =>
    createHash('sha256').update([seed, file, from, to].join('\n')).digest('hex');
  const ranked = sourceFiles()
    .flatMap((file) => mutantsOf(file, linesOf(file)))
    .map((one) => ({ one, rank: rank(one) }));
  ranked.sort((first, second) => (first.rank < second.rank ? -1 : 1));
  const files = new Set<string>();
  return ranked.map(({ one }) => one).filter(({ file }) => !files.has(file) && files.add(file));
}

export function allSources(): { file: string; lines: string[] }[] {
  return sourceFiles().map((file) => ({ file, lines: linesOf(file) }));
}

function sourceFiles(): string[] {
  return globSync('src/**/*.{ts,tsx}').toSorted();
}

function linesOf(file: string): string[] {
  return readFileSync(file, 'utf8').split('\n');
}

function mutantsOf(file: string, lines: readonly string[]): Mutant[] {
  return lines.flatMap((text, row) => {
    if (NO_CODE.test(text)) return [];
    return CHANGES.filter(([pattern]) => pattern.test(text)).map(([pattern, to]) => ({
      file,
      from: text.trim(),
      to: text.replace(pattern, to).trim(),
      ...neighboursOf(lines, row),
    }));
  });
}
