/**
 * Measures reports of changes in documentation. Usage:
 *
 * npm run bench:compare -- PAIRS [--edited=CORPUS] [--only=a,b] [--pages=N] [--seed=N] [--show]
 *
 * PAIRS has a folder for each package, with the HTML of two versions in `v1` and `v2`. The expected result is a
 * difference of the sources: the texts that one version has more often than the other in its main part (by a selector
 * for each generator). Years of a copyright are no change.
 *
 * CORPUS has a folder of HTML for each package. A script edits pages, and the expected result is its edits. A reported
 * block is right if it is an expected one, contains it, or is part of it.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { extract } from '#extract/extract.ts';
import { runToEnd } from '#core/flow/turns.ts';
import { compareDocuments } from '#library/compare/compare.ts';
import type { BlockChange, DocumentLines } from '#library/compare/compare.ts';
import { editPage } from './compare/edit-page.ts';
import { plain, sourceBlocks } from './compare/source-blocks.ts';

const argument = (name: string) =>
  process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3) ?? null;
const pairs = resolve(process.argv.slice(2).find((word) => !word.startsWith('--')) ?? '.');
const edited = argument('edited');
const only = argument('only')?.split(',') ?? null;
const pagesMax = Number(argument('pages') ?? 60);
const seed = Number(argument('seed') ?? 29);
const show = process.argv.includes('--show');
const FILE_BYTES_MAX = 600_000;
const COPYRIGHT = /^.{0,40}(?:©|\(c\)|copyright)\W.{0,200}\b(?:19|20)\d\d\b/i;

type Sides = { gone: string[]; come: string[] };
type Score = {
  truth: number;
  found: number;
  told: number;
  right: number;
  pages: number;
  quiet: number;
  falseAlarms: number;
};

const all = none();
if (existsSync(pairs) && edited === null) {
  for (const name of namesIn(pairs)) report(name, await versions(name), all);
}
if (edited !== null) {
  for (const name of namesIn(resolve(edited))) report(name, await edits(resolve(edited), name), all);
}
report('all', all);

function namesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name !== 'debs' && (only === null || only.includes(name)))
    .toSorted();
}

async function versions(name: string): Promise<Score> {
  const score = none();
  const folder = join(pairs, name, 'v1');
  const files = chosen(globSync(join(folder, '**/*.html*')).map((file) => relative(folder, file)));
  // Pages whose text differs come first; the others must report no change.
  const texts = files.flatMap((file) => {
    const [one, other] = [join(folder, file), join(pairs, name, 'v2', file)];
    return isPage(one) && isPage(other) ? [{ file, one: read(one), other: read(other) }] : [];
  });
  let taken = 0;
  for (const { file, one, other } of texts) {
    if (one === other || taken >= pagesMax) continue;
    taken += 1;
    const truth = differenceOf(sourceBlocks(one), sourceBlocks(other));
    judge(`${name} ${file}`, truth, await told(one, other, file), score);
  }
  return score;
}

async function edits(corpus: string, name: string): Promise<Score> {
  const score = none();
  const files = chosen(globSync(join(corpus, name, '**/*.html*')).filter(isPage)).slice(0, pagesMax);
  for (const file of files) {
    const before = read(file);
    const { html, truth } = editPage(before, seedOf(file));
    if (truth !== null) judge(`${name} ${file}`, truth, await told(before, html, file), score);
  }
  return score;
}

/** A fixed order that does not depend on their names. */
function chosen(files: readonly string[]): string[] {
  return files.toSorted((a, b) => seedOf(a) - seedOf(b));
}

function seedOf(text: string): number {
  return createHash('sha256').update(`${seed} ${text}`).digest().readUInt32LE();
}

function isPage(file: string): boolean {
  if (!/\.html?(?:\.[a-z]{2}(?:[._-][\w-]+)*)?$/.test(file) || file.endsWith('.gz') || !existsSync(file)) return false;
  const facts = statSync(file);
  return facts.isFile() && facts.size <= FILE_BYTES_MAX;
}

function read(file: string): string {
  return readFileSync(file, 'utf8');
}

function differenceOf(one: readonly string[], other: readonly string[]): Sides {
  const [before, after] = [one, other].map((texts) => texts.filter((text) => !COPYRIGHT.test(text)));
  return { gone: without(before ?? [], after ?? []), come: without(after ?? [], before ?? []) };
}

/** The texts that `one` has more often than `other`. */
function without(one: readonly string[], other: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of other) counts.set(text, (counts.get(text) ?? 0) + 1);
  return one.filter((text) => {
    const left = counts.get(text) ?? 0;
    counts.set(text, left - 1);
    return left <= 0;
  });
}

async function told(before: string, after: string, file: string): Promise<Sides & { changes: BlockChange[] }> {
  const [one, other] = [await document(before, file), await document(after, file)];
  const changes = runToEnd(compareDocuments(one, other));
  const texts = (side: 'gone' | 'new') =>
    changes.flatMap(({ kind, words }) => {
      const text = words.filter((word) => word.kind === 'same' || word.kind === side).map((word) => word.text);
      const isThere = kind === 'changed' || kind === (side === 'gone' ? 'removed' : 'added');
      return isThere ? [text.join('')] : [];
    });
  return { changes, gone: texts('gone'), come: texts('new') };
}

async function document(text: string, file: string): Promise<DocumentLines> {
  const url = `https://docs.example/${file.replaceAll(/[^\w./-]/g, '_')}`;
  const { lines, restStart } = await extract({ kind: 'html', text, bytes: new Uint8Array(), url, mode: 'readable' });
  return { lines, restStart: restStart ?? null };
}

function judge(name: string, truth: Sides, ours: Sides & { changes: BlockChange[] }, score: Score): void {
  score.pages += 1;
  const isQuiet = truth.gone.length + truth.come.length === 0;
  if (isQuiet) score.quiet += 1;
  if (isQuiet && ours.changes.length > 0) score.falseAlarms += 1;
  for (const side of ['gone', 'come'] as const) {
    const [wanted, given] = [truth[side].map(plain), ours[side].map(plain)];
    const missed = wanted.filter((text) => !given.some((one) => holds(one, text)));
    const wrong = given.filter((text) => !wanted.some((one) => holds(one, text)));
    score.truth += wanted.length;
    score.found += wanted.length - missed.length;
    score.told += given.length;
    score.right += given.length - wrong.length;
    if (!show) continue;
    for (const text of missed.slice(0, 4)) console.log(`  ${name}: missed (${side}) ${text.slice(0, 160)}`);
    for (const text of wrong.slice(0, 4)) console.log(`  ${name}: wrong (${side}) ${text.slice(0, 160)}`);
  }
}

function holds(one: string, other: string): boolean {
  return one.includes(other) || other.includes(one);
}

function none(): Score {
  return { truth: 0, found: 0, told: 0, right: 0, pages: 0, quiet: 0, falseAlarms: 0 };
}

function report(name: string, score: Score, sum?: Score): void {
  if (sum !== undefined) {
    sum.truth += score.truth;
    sum.found += score.found;
    sum.told += score.told;
    sum.right += score.right;
    sum.pages += score.pages;
    sum.quiet += score.quiet;
    sum.falseAlarms += score.falseAlarms;
  }
  const share = (part: number, whole: number) => (whole === 0 ? '–' : (part / whole).toFixed(3));
  console.log(
    `${name.padEnd(22)} ${score.pages} pages: ${score.truth} blocks changed, recall ${share(score.found, score.truth)}; ` +
      `${score.told} told, precision ${share(score.right, score.told)}; ${score.quiet} pages without a change, ${score.falseAlarms} told of`,
  );
}
