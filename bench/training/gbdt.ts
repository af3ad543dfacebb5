/** Gradient-boosted trees on binned features, logistic loss, soft labels. Deterministic for a given seed. */

export type TreeNode = { feature: number; threshold: number; bin: number; left: number; right: number; value: number };
export type Tree = TreeNode[];
export type Forest = { bias: number; trees: Tree[] };

export type TrainOptions = {
  trees: number;
  depth: number;
  rate: number;
  lambda: number;
  minHessian: number;
  /** Share of the features that each tree sees. */
  columns: number;
  /** Share of the rows that each tree sees. */
  rows: number;
  seed: number;
};

const BINS = 64;

export type Binned = { edges: Float32Array[]; columns: Uint8Array[]; rows: number };

export function bin(matrix: Float32Array, width: number): Binned {
  const rows = matrix.length / width;
  const edges: Float32Array[] = [];
  const columns: Uint8Array[] = [];
  const step = Math.max(1, Math.floor(rows / 20_000));
  for (let feature = 0; feature < width; feature += 1) {
    const sample: number[] = [];
    for (let row = 0; row < rows; row += step) sample.push(matrix[row * width + feature] ?? 0);
    sample.sort((a, b) => a - b);
    const cuts: number[] = [];
    for (let cut = 1; cut < BINS; cut += 1) {
      const at = sample[Math.floor((cut * sample.length) / BINS)] ?? 0;
      if (cuts.length === 0 || at > (cuts.at(-1) ?? 0)) cuts.push(at);
    }
    const first = sample[0] ?? 0;
    const edge = Float32Array.from(cuts.filter((cut) => cut > first).map((cut) => Number(cut.toPrecision(4))));
    const column = new Uint8Array(rows);
    for (let row = 0; row < rows; row += 1) column[row] = upper(edge, matrix[row * width + feature] ?? 0);
    edges.push(edge);
    columns.push(column);
  }
  return { edges, columns, rows };
}

/** The number of edges that are <= value. */
function upper(edges: Float32Array, value: number): number {
  let low = 0;
  let high = edges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((edges[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function train(
  data: Binned,
  labels: Float32Array,
  weights: Float32Array,
  use: Int32Array,
  options: TrainOptions,
): Forest {
  const random = randomOf(options.seed);
  let positive = 0;
  let all = 0;
  for (const row of use) {
    positive += (labels[row] ?? 0) * (weights[row] ?? 0);
    all += weights[row] ?? 0;
  }
  const bias = Math.log(positive / (all - positive));
  const score = new Float32Array(data.rows).fill(bias);
  const gradient = new Float32Array(data.rows);
  const hessian = new Float32Array(data.rows);
  const trees: Tree[] = [];
  for (let index = 0; index < options.trees; index += 1) {
    for (const row of use) {
      const p = 1 / (1 + Math.exp(-(score[row] ?? 0)));
      const weight = weights[row] ?? 0;
      gradient[row] = weight * (p - (labels[row] ?? 0));
      hessian[row] = Math.max(1e-6, weight * p * (1 - p));
    }
    const rows = options.rows < 1 ? use.filter(() => random() < options.rows) : use;
    const features = data.columns.map((_, feature) => feature).filter(() => random() < options.columns);
    const tree = grow(data, gradient, hessian, Int32Array.from(rows), features, options);
    trees.push(tree);
    for (const row of use) score[row] = (score[row] ?? 0) + leafOf(tree, data, row);
  }
  return { bias, trees };
}

type Split = { gain: number; feature: number; bin: number };
type Histogram = { g: Float64Array; h: Float64Array };

function grow(
  data: Binned,
  gradient: Float32Array,
  hessian: Float32Array,
  rows: Int32Array,
  features: number[],
  options: TrainOptions,
): Tree {
  const tree: Tree = [];
  const queue: { node: number; rows: Int32Array; depth: number; histogram: Histogram }[] = [];
  const add = (some: Int32Array, depth: number, histogram: Histogram): number => {
    let g = 0;
    let h = 0;
    for (const row of some) {
      g += gradient[row] ?? 0;
      h += hessian[row] ?? 0;
    }
    tree.push({
      feature: -1,
      threshold: 0,
      bin: 0,
      left: 0,
      right: 0,
      value: (-g / (h + options.lambda)) * options.rate,
    });
    if (depth < options.depth) queue.push({ node: tree.length - 1, rows: some, depth, histogram });
    return tree.length - 1;
  };
  add(rows, 0, histogramOf(data, gradient, hessian, rows, features));
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
    const split = bestSplit(item.histogram, features, options);
    if (split === null) continue;
    const column = data.columns[split.feature] as Uint8Array;
    const left = item.rows.filter((row) => (column[row] ?? 0) <= split.bin);
    const right = item.rows.filter((row) => (column[row] ?? 0) > split.bin);
    if (left.length === 0 || right.length === 0) continue;
    const node = tree[item.node] as TreeNode;
    node.feature = split.feature;
    node.bin = split.bin;
    node.threshold = data.edges[split.feature]?.[split.bin] ?? 0;
    const smallIsLeft = left.length <= right.length;
    const deepest = item.depth + 1 >= options.depth;
    const small = deepest ? item.histogram : histogramOf(data, gradient, hessian, smallIsLeft ? left : right, features);
    const large = deepest ? item.histogram : subtract(item.histogram, small);
    node.left = add(left, item.depth + 1, smallIsLeft ? small : large);
    node.right = add(right, item.depth + 1, smallIsLeft ? large : small);
  }
  return tree;
}

function histogramOf(
  data: Binned,
  gradient: Float32Array,
  hessian: Float32Array,
  rows: Int32Array,
  features: number[],
): Histogram {
  const g = new Float64Array(features.length * BINS);
  const h = new Float64Array(features.length * BINS);
  for (const [index, feature] of features.entries()) {
    const column = data.columns[feature] as Uint8Array;
    const base = index * BINS;
    for (let at = 0; at < rows.length; at += 1) {
      const row = rows[at] as number;
      const slot = base + (column[row] as number);
      g[slot] = (g[slot] as number) + (gradient[row] as number);
      h[slot] = (h[slot] as number) + (hessian[row] as number);
    }
  }
  return { g, h };
}

function subtract(whole: Histogram, part: Histogram): Histogram {
  return {
    g: whole.g.map((value, index) => value - (part.g[index] ?? 0)),
    h: whole.h.map((value, index) => value - (part.h[index] ?? 0)),
  };
}

function bestSplit({ g, h }: Histogram, features: number[], options: TrainOptions): Split | null {
  let best: Split | null = null;
  for (const [index, feature] of features.entries()) {
    const base = index * BINS;
    let allG = 0;
    let allH = 0;
    for (let slot = 0; slot < BINS; slot += 1) {
      allG += g[base + slot] ?? 0;
      allH += h[base + slot] ?? 0;
    }
    let leftG = 0;
    let leftH = 0;
    for (let slot = 0; slot < BINS - 1; slot += 1) {
      leftG += g[base + slot] ?? 0;
      leftH += h[base + slot] ?? 0;
      const rightH = allH - leftH;
      if (leftH < options.minHessian || rightH < options.minHessian) continue;
      const rightG = allG - leftG;
      const gain =
        (leftG * leftG) / (leftH + options.lambda) +
        (rightG * rightG) / (rightH + options.lambda) -
        (allG * allG) / (allH + options.lambda);
      if (gain > (best?.gain ?? 1e-3)) best = { gain, feature, bin: slot };
    }
  }
  return best;
}

function leafOf(tree: Tree, data: Binned, row: number): number {
  let node = tree[0] as TreeNode;
  while (node.feature >= 0) {
    const value = data.columns[node.feature]?.[row] ?? 0;
    node = tree[value <= node.bin ? node.left : node.right] as TreeNode;
  }
  return node.value;
}

/** The raw score of one row of features: a value below a node's threshold goes left. */
export function scoreOf(forest: Forest, row: ArrayLike<number>): number {
  let score = forest.bias;
  for (const tree of forest.trees) {
    let node = tree[0] as TreeNode;
    while (node.feature >= 0)
      node = tree[(row[node.feature] ?? 0) < node.threshold ? node.left : node.right] as TreeNode;
    score += node.value;
  }
  return score;
}

export function chanceOf(forest: Forest, row: ArrayLike<number>): number {
  return 1 / (1 + Math.exp(-scoreOf(forest, row)));
}

export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
