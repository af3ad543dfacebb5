import { FEATURE_NAMES } from '#extract/html/main/model/features.ts';
import { PAGE_KINDS, sumToOne, appendKindChances } from '#extract/html/main/model/kind.ts';
import type { KindChances } from '#extract/html/main/model/kind.ts';
import { FOLDS } from '../labelled.ts';
import type { Dataset, PageRows } from './dataset.ts';
import { bin, chanceOf, randomOf, train } from './gbdt.ts';
import type { Forest, Tree, TrainOptions } from './gbdt.ts';

/** Trees as `parseForest` reads them. */
export type WrittenForest = { bias: number; trees: string[] };
export type Trained = { segments: WrittenForest; kinds: WrittenForest[] };
/** True for pages to train on. */
export type Use = (page: PageRows) => boolean;

/** A few small forests that see different rows and columns make different errors. */
const BAG: readonly TrainOptions[] = [
  { trees: 100, depth: 6, rate: 0.11, lambda: 20, minHessian: 20, columns: 0.25, rows: 0.4, seed: 11 },
  { trees: 100, depth: 6, rate: 0.11, lambda: 30, minHessian: 30, columns: 0.2, rows: 0.4, seed: 12 },
  { trees: 100, depth: 5, rate: 0.13, lambda: 20, minHessian: 15, columns: 0.25, rows: 0.4, seed: 13 },
];
const KIND_OPTIONS: TrainOptions = {
  trees: 80,
  depth: 3,
  rate: 0.1,
  lambda: 3,
  minHessian: 1,
  columns: 0.3,
  rows: 0.8,
  seed: 5,
};
/**
 * Nearly all labelled pages are English. Features that depend on words of a language are hidden on one page in
 * `HIDDEN_EVERY`, so that the trees also work without them, as they must for languages without known words.
 */
const BY_WORDS = /^(?:text:|heading:|above:|since:|function$)/;
const HIDDEN_EVERY = 4;
/** Rows with a small weight are sampled and get more weight, because there are very many of them. */
const THIN_SEED = 7;

export function trainModels(data: Dataset, use: Use): Trained {
  const { matrix, width } = withPageKinds(data, honestKinds(data.pages, use));
  hideWords(data, matrix, width);
  const binned = bin(matrix, width);
  const { rows, weights } = thinned(data, use);
  const forests = BAG.map((options) => train(binned, data.labels, weights, rows, options));
  const bias = forests.reduce((sum, forest) => sum + forest.bias, 0) / forests.length;
  const trees = forests.flatMap((forest) => forest.trees.map((tree) => write(tree, 0, forests.length)));
  const kinds = trainKinds(data.pages, use).map((forest) => ({
    bias: forest.bias,
    trees: forest.trees.map((tree) => write(tree, 0, 1)),
  }));
  return { segments: { bias, trees }, kinds };
}

function thinned({ pages, weights }: Dataset, use: Use): { rows: Int32Array; weights: Float32Array } {
  const random = randomOf(THIN_SEED);
  const rows: number[] = [];
  const raised = Float32Array.from(weights);
  for (const page of pages) {
    for (let row = page.start; row < page.start + page.count; row += 1) {
      const chance = Math.min(1, Math.sqrt(weights[row] ?? 0));
      // Drawn for each row, so that the same rows stay for any choice of pages.
      if (random() >= chance || !use(page)) continue;
      rows.push(row);
      raised[row] = (weights[row] ?? 0) / chance;
    }
  }
  return { rows: Int32Array.from(rows), weights: raised };
}

/** One forest for each kind of page. */
function trainKinds(pages: readonly PageRows[], use: Use): Forest[] {
  const width = pages[0]?.kindRow.length ?? 0;
  const matrix = new Float32Array(pages.length * width);
  for (const [index, page] of pages.entries()) matrix.set(page.kindRow, index * width);
  const binned = bin(matrix, width);
  const rows = Int32Array.from(pages.flatMap((page, index) => (use(page) ? [index] : [])));
  const weights = new Float32Array(pages.length).fill(1);
  return PAGE_KINDS.map((kind) => {
    const labels = Float32Array.from(pages, ({ page }) => (page.truth.type === kind ? 1 : 0));
    return train(binned, labels, weights, rows, KIND_OPTIONS);
  });
}

/** Each page's kind, predicted by forests that were trained without its site, as for a page never seen before. */
function honestKinds(pages: readonly PageRows[], use: Use): KindChances[] {
  const kinds: KindChances[] = pages.map(() => []);
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const forests = trainKinds(pages, (some) => use(some) && some.page.fold !== fold);
    for (const [index, { page, kindRow }] of pages.entries()) {
      if (page.fold === fold) kinds[index] = sumToOne(forests.map((forest) => chanceOf(forest, kindRow)));
    }
  }
  return kinds;
}

/** The segments' rows, with their page's kind appended. */
function withPageKinds(data: Dataset, kinds: readonly KindChances[]): { matrix: Float32Array; width: number } {
  const width = data.width + PAGE_KINDS.length;
  const matrix = new Float32Array(data.labels.length * width);
  for (const [index, { start, count }] of data.pages.entries()) {
    for (let row = start; row < start + count; row += 1) {
      const own = data.matrix.subarray(row * data.width, (row + 1) * data.width);
      appendKindChances(own, kinds[index] ?? [], matrix.subarray(row * width, (row + 1) * width));
    }
  }
  return { matrix, width };
}

function hideWords({ pages }: Dataset, matrix: Float32Array, width: number): void {
  const hidden = FEATURE_NAMES.flatMap((name, at) => (BY_WORDS.test(name) ? [{ at, none: noneOf(name) }] : []));
  for (const [index, { start, count }] of pages.entries()) {
    if (index % HIDDEN_EVERY !== 0) continue;
    for (let row = start; row < start + count; row += 1) {
      for (const { at, none } of hidden) matrix[row * width + at] = none;
    }
  }
}

/** The value of a feature on a page without it. */
function noneOf(name: string): number {
  return name.startsWith('since:') ? -1 : 0;
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
