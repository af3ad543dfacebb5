import type { MeasuredRow } from './rows.ts';

export type Standing = 'ahead' | 'level' | 'behind';

/** The best of the others, and how Periscope compares with it. */
export type Comparison = {
  best: { name: string; value: number };
  own: number;
  standing: Standing;
  /** True if the interval of Periscope's value holds the other value: the difference may be chance. */
  isWithinInterval: boolean;
};

/** @returns `null` if there is nothing to compare with */
export function compare({ measured, published, better }: Omit<MeasuredRow, 'id' | 'table'>): Comparison | null {
  const sign = better === 'high' ? 1 : -1;
  const others = [
    ...Object.entries(measured.others).map(([name, value]) => ({ name, value: numberIn(value) })),
    ...published.map(({ name, value }) => ({ name, value: numberIn(value) })),
  ];
  const [best] = others.toSorted((a, b) => sign * (b.value - a.value));
  if (best === undefined) return null;
  const own = numberIn(measured.value);
  const [low, high] = measured.interval ?? [own, own];
  const difference = sign * (own - best.value);
  return {
    best,
    own,
    standing: difference === 0 ? 'level' : difference > 0 ? 'ahead' : 'behind',
    isWithinInterval: difference !== 0 && low <= best.value && best.value <= high,
  };
}

/** The number that a value begins with. */
export function numberIn(value: string): number {
  return Number.parseFloat(value.replaceAll(',', ''));
}
