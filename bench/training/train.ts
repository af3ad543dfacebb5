/**
 * Trains the trees that tell content from what surrounds it, and those that tell the kind of a page.
 *   node bench/training/train.ts [FOLDER]          writes generated/models
 *   node bench/training/train.ts [FOLDER] --folds  writes nothing: trains without each fifth of the sites, and measures on it
 * FOLDER as for bench/extraction.ts.
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { FEATURE_NAMES } from '#extract/html/main/model/features.ts';
import { PAGE_KINDS } from '#extract/html/main/model/kind.ts';
import { FOLDS } from '../labelled.ts';
import { mean, resampled, formatShare } from '../interval.ts';
import { record } from '../record.ts';
import { loadDataset } from './dataset.ts';
import { Measured, measureWith } from './measure.ts';
import { trainModels } from './models.ts';
import type { Trained } from './models.ts';

const TREES_IN_LINE = 3;

const root = resolve(import.meta.dirname, '../..');
const folder = resolve(process.argv[2]?.startsWith('--') === false ? process.argv[2] : join(root, '../shared/bench'));
const out = join(root, 'generated/models');

const data = loadDataset(folder);
if (data.width !== FEATURE_NAMES.length) throw new Error(`${data.width} features, ${FEATURE_NAMES.length} names`);
if (process.argv.includes('--folds')) await measureFolds();
else writeModels(trainModels(data, () => true));

async function measureFolds(): Promise<void> {
  const measured = new Measured();
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const trained = trainModels(data, ({ page }) => page.fold !== fold);
    for (const { page } of data.pages) if (page.fold === fold) await measureWith(trained, page, measured);
    console.log(`without part ${fold + 1} of ${FOLDS} so far:\n${measured.table()}`);
  }
  const scores = measured.scoresOf('all');
  record({ row: 'wcxb-folds', n: scores.length, value: formatShare(mean(scores)), interval: resampled(scores, mean) });
}

function writeModels({ segments, kinds }: Trained): void {
  const identity = createHash('sha256')
    .update(JSON.stringify([segments, kinds]))
    .digest('hex')
    .slice(0, 8);
  const head =
    '// Written by bench/training/train.ts; trained on the WCXB development set (M. Foley 2026, CC-BY-4.0). Do not edit.';
  writeFileSync(
    join(out, 'model.ts'),
    `${head}
/** Changes with every training: part of the extractor's version. */
export const MODEL = '${identity}';
export const BIAS = ${segments.bias.toFixed(5)};
export const TREES: readonly string[] = [
${linesOf(segments.trees)
  .map((some) => `  '${some.join(';')}',`)
  .join('\n')}
].flatMap((some) => some.split(';'));
`,
  );
  writeFileSync(
    join(out, 'kind-model.ts'),
    `${head}
/** One forest for each of PAGE_KINDS, its trees divided by semicolons. */
export const KIND_FORESTS: readonly { bias: number; trees: readonly string[] }[] = [
${kinds.map((kind) => `  {\n    bias: ${kind.bias.toFixed(5)},\n    trees: '${kind.trees.join(';')}'.split(';'),\n  },`).join('\n')}
];
`,
  );
  writeFileSync(join(out, 'trained-on.ts'), trainedOn());
  console.log(
    `${segments.trees.length} trees from ${data.labels.length} segments of ${data.pages.length} pages, ${identity}`,
  );
}

/** The trees refer to features and kinds by number, so a test compares these lists with the code's. */
function trainedOn(): string {
  const list = (name: string, words: readonly string[]) =>
    `export const ${name}: readonly string[] = [\n${words.map((word) => `  '${word}',\n`).join('')}];\n`;
  return `// Written by bench/training/train.ts. Do not edit.
/** What the trees of model.ts and kind-model.ts were trained on, in the order of their numbers. */
${list('FEATURES', FEATURE_NAMES)}${list('KINDS', PAGE_KINDS)}`;
}

/** A file has fewer lines than there are trees. */
function linesOf(trees: readonly string[]): string[][] {
  const lines: string[][] = [];
  for (let at = 0; at < trees.length; at += TREES_IN_LINE) lines.push(trees.slice(at, at + TREES_IN_LINE));
  return lines;
}
