/** Latencies in milliseconds. */
export type Summary = { count: number; p50: number; p95: number; max: number };

/** Average CPU time of the server for one call, in milliseconds; `null` if it cannot be read. */
export type Cost = { cpu: number | null };

export function summarise(latencies: readonly number[]): Summary {
  const sorted = latencies.toSorted((a, b) => a - b);
  return {
    count: sorted.length,
    p50: quantile(sorted, 0.5),
    p95: quantile(sorted, 0.95),
    max: rounded(sorted.at(-1) ?? Number.NaN),
  };
}

/** The smallest value that at least `share` of the values do not exceed. */
function quantile(sorted: readonly number[], share: number): number {
  return rounded(sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN);
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Calls of one kind: its name, the number of calls at most, and the call. */
export type Series<Name> = { name: Name; count: number; step: (index: number) => Promise<unknown> };

/**
 * Runs several series, one call of each at a time, so that other work of the machine affects all of them alike.
 * `readCpu` returns the CPU time that the server has used so far. Ends when each series has made its `count` of calls
 * or `budgetMs` have passed, after at least two rounds.
 */
export async function measure<Name>(
  all: readonly Series<Name>[],
  budgetMs: number,
  readCpu: (() => number) | null,
): Promise<(Name & Summary & Cost)[]> {
  const latencies = all.map((): number[] => []);
  const cpu = all.map(() => 0);
  const rounds = Math.max(...all.map(({ count }) => count));
  const end = performance.now() + budgetMs;
  for (let round = 0; round < rounds && (round < 2 || performance.now() < end); round += 1) {
    for (const [index, { count, step }] of all.entries()) {
      if (round >= count) continue;
      const cpuBefore = readCpu?.() ?? 0;
      const before = performance.now();
      await step(round);
      latencies[index]?.push(performance.now() - before);
      cpu[index] = (cpu[index] ?? 0) + (readCpu?.() ?? 0) - cpuBefore;
    }
  }
  return all.map(({ name }, index) => {
    const summary = summarise(latencies[index] ?? []);
    return { ...name, ...summary, cpu: readCpu === null ? null : rounded((cpu[index] ?? 0) / summary.count) };
  });
}

/** Columns aligned, numbers to the right. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          /^[\d–]/.test(cell) || column > 1 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
