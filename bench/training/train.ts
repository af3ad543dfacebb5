/**
 * Trains the trees that tell content from what surrounds it, and those that tell the kind of a page, and
 * writes model.ts and kind-model.ts in src/extract/html/main.
 * Usage: node bench/training/train.ts [FOLDER] [--half=a|b] [--without=0…4] [--out=FOLDER]. FOLDER as for
 * bench/extraction.ts. With --half only that half of the pages is trained on, with --without all but one part of five, so
 * that the rest can be measured honestly.
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { FEATURE_NAMES } from '#extract/html/main/features.ts';
import { honestKinds, loadDataset, trainKinds, withPageKinds } from './dataset.ts';
import type { PageRows } from './dataset.ts';
import { bin, train } from './gbdt.ts';
import type { Forest, Tree, TrainOptions } from './gbdt.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = resolve(process.argv[2]?.startsWith('--') === false ? process.argv[2] : join(root, '../shared/bench'));
const option = (name: string) => process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
const half = option('half');
const without = option('without');
const out = resolve(option('out') ?? join(root, 'src/extract/html/main'));

/** A few small forests that see different rows and columns err in different places. */
const BAG: readonly TrainOptions[] = [
  { trees: 70, depth: 6, rate: 0.11, lambda: 20, minHessian: 20, columns: 0.25, rows: 0.7, seed: 11 },
  { trees: 70, depth: 6, rate: 0.11, lambda: 30, minHessian: 30, columns: 0.2, rows: 0.6, seed: 12 },
  { trees: 70, depth: 5, rate: 0.13, lambda: 20, minHessian: 15, columns: 0.25, rows: 0.7, seed: 13 },
];

const data = loadDataset(folder);
if (data.width !== FEATURE_NAMES.length) throw new Error(`${data.width} features, ${FEATURE_NAMES.length} names`);
const isUsed = (page: PageRows) =>
  (half === undefined || page.half === half) && (without === undefined || page.fold !== Number(without));
const use: number[] = [];
for (const page of data.pages) if (isUsed(page)) use.push(...rowsOf(page));
const { matrix, width } = withPageKinds(data, honestKinds(data.pages, isUsed));
const binned = bin(matrix, width);
const forests: Forest[] = BAG.map((options) => train(binned, data.labels, data.weights, Int32Array.from(use), options));
const bias = forests.reduce((sum, forest) => sum + forest.bias, 0) / forests.length;
const trees = forests.flatMap((forest) => forest.trees.map((tree) => write(tree, 0, forests.length)));
const kinds = trainKinds(data.pages, isUsed).map((forest) => ({
  bias: forest.bias,
  trees: forest.trees.map((tree) => write(tree, 0, 1)),
}));
const identity = createHash('sha256')
  .update(JSON.stringify([bias, trees, kinds]))
  .digest('hex')
  .slice(0, 8);
const head =
  '// Written by bench/training/train.ts; trained on the WCXB development set (M. Foley 2026, CC-BY-4.0). Do not edit.';
writeFileSync(
  join(out, 'model.ts'),
  `${head}
/** Changes with every training: part of the extractor's version. */
export const MODEL = '${identity}';
export const BIAS = ${bias.toFixed(5)};
export const TREES: readonly string[] = [
${trees.map((tree) => `  '${tree}',`).join('\n')}
];
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
console.log(
  `${trees.length} trees from ${use.length} segments, ${trees.join('').length + JSON.stringify(kinds).length} characters, ${identity}`,
);

function rowsOf(page: PageRows): number[] {
  return page.texts.map((_, at) => page.start + at);
}

function write(tree: Tree, at: number, share: number): string {
  const node = tree[at];
  if (node === undefined) throw new Error('a tree without its node');
  if (node.feature < 0) return `=${short(node.value / share)}`;
  return `${node.feature}:${short(node.threshold)} ${write(tree, node.left, share)} ${write(tree, node.right, share)}`;
}

function short(value: number): string {
  return String(Number(value.toPrecision(4)));
}
