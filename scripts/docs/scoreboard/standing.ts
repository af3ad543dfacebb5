import type { Figure } from './recorded.ts';

export type Standing = 'best' | 'equal' | 'behind' | '';

/** How ours is beside the best of the others; nothing where there is nothing to compare. */
export function standing({ ours, others = {}, best = 'high' }: Pick<Figure, 'ours' | 'others' | 'best'>): Standing {
  const own = numberIn(ours);
  const beside = Object.values(others)
    .map(numberIn)
    .filter((one) => !Number.isNaN(one));
  if (Number.isNaN(own) || beside.length === 0) return '';
  const first = best === 'high' ? Math.max(...beside) : Math.min(...beside);
  if (own === first) return 'equal';
  return own > first === (best === 'high') ? 'best' : 'behind';
}

/** The number that a cell begins with. */
function numberIn(cell: string): number {
  return Number.parseFloat(cell.replaceAll(',', ''));
}
