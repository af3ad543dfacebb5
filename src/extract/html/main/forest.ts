/** Decision trees in one array: node by node `feature, threshold, left, right`, a leaf as `-1, value, 0, 0`. */
export type Forest = { bias: number; roots: readonly number[]; nodes: Float64Array };

const NODE = 4;

/** Reads the text form that `bench/training/train.ts` writes: trees as `feature:threshold` and `=value`, depth first. */
export function readForest(bias: number, trees: readonly string[]): Forest {
  const numbers: number[] = [];
  const roots: number[] = [];
  for (const tree of trees) {
    const tokens = tree.split(' ');
    roots.push(numbers.length);
    readTree(tokens, numbers);
  }
  return { bias, roots, nodes: Float64Array.from(numbers) };
}

/** Depth first: a branch's left side stands behind it; where its right side begins is filled in when the left is read. */
function readTree(tokens: readonly string[], numbers: number[]): void {
  const waiting: number[] = [];
  for (const token of tokens) {
    const at = numbers.length;
    if (token.startsWith('=')) {
      numbers.push(-1, Number(token.slice(1)), 0, 0);
      const branch = waiting.pop();
      if (branch !== undefined) numbers[branch + 3] = at + NODE;
      continue;
    }
    const colon = token.indexOf(':');
    numbers.push(Number(token.slice(0, colon)), Number(token.slice(colon + 1)), at + NODE, 0);
    waiting.push(at);
  }
}

/** The sum of the leaves that `row` leads to: log odds. */
export function scoreOf({ bias, roots, nodes }: Forest, row: Float32Array): number {
  let score = bias;
  for (const root of roots) {
    let at = root;
    for (let feature = nodes[at] ?? -1; feature >= 0; feature = nodes[at] ?? -1) {
      at = (row[feature] ?? 0) < (nodes[at + 1] ?? 0) ? (nodes[at + 2] ?? 0) : (nodes[at + 3] ?? 0);
    }
    score += nodes[at + 1] ?? 0;
  }
  return score;
}
