/**
 * Decision trees in flat arrays. The left child of a branch is the next node, and `rights` has the index of its right
 * child. A leaf has feature -1.
 */
export type DecisionForest = {
  bias: number;
  roots: Int32Array;
  features: Int16Array;
  /**
   * For a branch, the threshold: rows with a lower value of the feature go left. For a leaf, the amount added to the
   * score.
   */
  values: Float64Array;
  rights: Int32Array;
};

/** Reads trees from `bench/training/train.ts`: depth first, `feature:threshold` for a branch, `=value` for a leaf. */
export function parseForest(bias: number, trees: readonly string[]): DecisionForest {
  const builder = new Builder();
  for (const tree of trees) {
    builder.startTree();
    for (const token of tree.split(' ')) {
      if (token.startsWith('=')) builder.leaf(Number(token.slice(1)));
      else {
        const colon = token.indexOf(':');
        builder.branch(Number(token.slice(0, colon)), Number(token.slice(colon + 1)));
      }
    }
  }
  return builder.forest(bias);
}

/** Returns the score of a row in log odds: the bias plus the sum of the leaves that the row reaches. */
export function scoreFeatureRow({ bias, roots, features, values, rights }: DecisionForest, row: Float32Array): number {
  let score = bias;
  for (let tree = 0; tree < roots.length; tree += 1) {
    let at = roots[tree] ?? 0;
    for (let feature = features[at] ?? -1; feature >= 0; feature = features[at] ?? -1) {
      at = (row[feature] ?? 0) < (values[at] ?? 0) ? at + 1 : (rights[at] ?? 0);
    }
    score += values[at] ?? 0;
  }
  return score;
}

export type FeatureRanges = { lowest: Float32Array; highest: Float32Array };

export function findFeatureRanges(rows: readonly Float32Array[]): FeatureRanges {
  const lowest = Float32Array.from(rows[0] ?? []);
  const highest = Float32Array.from(lowest);
  for (const row of rows) widen(lowest, highest, row);
  return { lowest, highest };
}

function widen(lowest: Float32Array, highest: Float32Array, row: Float32Array): void {
  for (let feature = 0; feature < row.length; feature += 1) {
    const value = row[feature] ?? 0;
    if (value < (lowest[feature] ?? 0)) lowest[feature] = value;
    else if (value > (highest[feature] ?? 0)) highest[feature] = value;
  }
}

/**
 * Removes branches at which all rows within `ranges` go the same way. This does not change the scores of these rows.
 */
export function pruneForest(forest: DecisionForest, { lowest, highest }: FeatureRanges): DecisionForest {
  const { bias, features, values, rights } = forest;
  const roots = new Int32Array(forest.roots.length);
  const pruned = {
    bias,
    roots,
    features: new Int16Array(features.length),
    values: new Float64Array(features.length),
    rights: new Int32Array(features.length),
  };
  /** Right children that are still to be read, each after the branch that leads to it. */
  const waiting: number[] = [];
  let size = 0;
  for (const [tree, root] of forest.roots.entries()) {
    roots[tree] = size;
    for (let at = root; ;) {
      const feature = features[at] ?? -1;
      const value = values[at] ?? 0;
      if (feature >= 0 && (highest[feature] ?? 0) < value) at += 1;
      else if (feature >= 0 && (lowest[feature] ?? 0) >= value) at = rights[at] ?? 0;
      else {
        pruned.features[size] = feature;
        pruned.values[size] = value;
        if (feature >= 0) waiting.push(size, rights[at] ?? 0);
        size += 1;
        const next = feature >= 0 ? at + 1 : waiting.pop();
        if (next === undefined) break;
        at = next;
        const branch = feature >= 0 ? undefined : waiting.pop();
        if (branch !== undefined) pruned.rights[branch] = size;
      }
    }
  }
  return {
    bias,
    roots,
    features: pruned.features.slice(0, size),
    values: pruned.values.slice(0, size),
    rights: pruned.rights.slice(0, size),
  };
}

class Builder {
  private readonly roots: number[] = [];
  private readonly features: number[] = [];
  private readonly values: number[] = [];
  private readonly rights: number[] = [];
  /** Branches whose left child is still being read. */
  private waiting: number[] = [];

  startTree(): void {
    this.roots.push(this.features.length);
    this.waiting = [];
  }

  branch(feature: number, threshold: number): void {
    this.waiting.push(this.features.length);
    this.add(feature, threshold);
  }

  leaf(value: number): void {
    this.add(-1, value);
    const branch = this.waiting.pop();
    if (branch !== undefined) this.rights[branch] = this.features.length;
  }

  forest(bias: number): DecisionForest {
    return {
      bias,
      roots: Int32Array.from(this.roots),
      features: Int16Array.from(this.features),
      values: Float64Array.from(this.values),
      rights: Int32Array.from(this.rights),
    };
  }

  private add(feature: number, value: number): void {
    this.features.push(feature);
    this.values.push(value);
    this.rights.push(0);
  }
}
