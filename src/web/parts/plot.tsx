import { DataTable } from './table.tsx';
import type { Column } from './table.tsx';

export type BarChartItem = { label: string; value: number; bad?: number };

const [WIDTH, HEIGHT, GAP] = [1_000, 100, 0.2];

type PlotProps = {
  title: string;
  heads: { label: string; value: string; bad?: string };
  items: readonly BarChartItem[];
  shown?: (value: number) => string;
};

/** A bar chart over time, drawn without a script, with its numbers as a table. */
export function BarChart({ title, heads, items, shown = String }: PlotProps) {
  const most = Math.max(1, ...items.map(({ value }) => value));
  const step = WIDTH / Math.max(1, items.length);
  const total = items.reduce((all, { value }) => all + value, 0);
  const columns: Column<BarChartItem>[] = [
    { head: heads.label, cell: ({ label }) => label },
    { head: heads.value, kind: 'number', cell: ({ value }) => shown(value) },
    ...(heads.bad === undefined ? [] : [failedColumn(heads.bad, shown)]),
  ];
  if (total === 0) return <p>{title}: none in this time.</p>;
  return (
    <figure class="plot">
      <figcaption>
        {title}: {shown(total)} total, peak {shown(Math.max(0, ...items.map(({ value }) => value)))}.
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {items.map(({ value, bad = 0 }, index) => (
          <>
            <Bar at={index * step} wide={step} high={(value / most) * HEIGHT} kind="bar" />
            <Bar at={index * step} wide={step} high={(bad / most) * HEIGHT} kind="bad" />
          </>
        ))}
      </svg>
      <div class="ends" aria-hidden="true">
        <span>{items[0]?.label}</span>
        <span>{items.at(-1)?.label}</span>
      </div>
      <details>
        <summary>{title} as a table</summary>
        <DataTable label={`${title} as a table`} columns={columns} rows={items} />
      </details>
    </figure>
  );
}

function failedColumn(head: string, shown: (value: number) => string): Column<BarChartItem> {
  return { head, kind: 'number', cell: ({ bad = 0 }) => shown(bad) };
}

function Bar({ at, wide, high, kind }: { at: number; wide: number; high: number; kind: 'bar' | 'bad' }) {
  if (high === 0) return null;
  const [x, y, width] = [at + (wide * GAP) / 2, HEIGHT - high, wide * (1 - GAP)].map((value) => value.toFixed(1));
  return <rect class={kind} x={x} y={y} width={width} height={high.toFixed(1)} />;
}

/** A bar that shows a part of a whole. @param more an amount after `part`, in a paler colour */
export function ShareBar({ part, more = 0, whole }: { part: number; more?: number; whole: number }) {
  const wide = (amount: number) => (whole === 0 ? 0 : Math.min(1, amount / whole) * WIDTH).toFixed(1);
  const isFull = part + more >= whole;
  return (
    <svg class="share" viewBox={`0 0 ${WIDTH} 10`} preserveAspectRatio="none" aria-hidden="true">
      {more === 0 ? null : <rect class={isFull ? 'bad' : 'reserved'} width={wide(part + more)} height="10" />}
      <rect class={isFull ? 'bad' : 'bar'} width={wide(part)} height="10" />
    </svg>
  );
}
