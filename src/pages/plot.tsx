/** What a plot shows: for each place along it a value, of which `bad` is drawn apart. */
export type PlotItem = { label: string; value: number; bad?: number };

const [WIDTH, HEIGHT, GAP] = [1_000, 100, 0.2];

type Props = {
  title: string;
  /** What is counted, and where: the heads of the table. */
  heads: { label: string; value: string; bad?: string };
  items: readonly PlotItem[];
  /** How a value reads. */
  shown?: (value: number) => string;
};

/** Bars over time, drawn here and without a script, with the same numbers as a table. */
export function Plot({ title, heads, items, shown = String }: Props) {
  const most = Math.max(1, ...items.map(({ value }) => value));
  const step = WIDTH / Math.max(1, items.length);
  const sum = items.reduce((all, { value }) => all + value, 0);
  if (sum === 0) return <p>{title}: none in this time.</p>;
  return (
    <figure class="plot">
      <figcaption>
        {title}: {shown(sum)} in all, {shown(Math.max(0, ...items.map(({ value }) => value)))} at most.
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
        <div class="scrolls" tabindex={0} role="region" aria-label={`${title} as a table`}>
          <Table heads={heads} items={items} shown={shown} />
        </div>
      </details>
    </figure>
  );
}

function Bar({ at, wide, high, kind }: { at: number; wide: number; high: number; kind: 'bar' | 'bad' }) {
  if (high === 0) return null;
  const [x, y, width] = [at + (wide * GAP) / 2, HEIGHT - high, wide * (1 - GAP)].map((value) => value.toFixed(1));
  return <rect class={kind} x={x} y={y} width={width} height={high.toFixed(1)} />;
}

function Table({ heads, items, shown = String }: Pick<Props, 'heads' | 'items' | 'shown'>) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{heads.label}</th>
          <th scope="col" class="number">
            {heads.value}
          </th>
          {heads.bad === undefined ? null : (
            <th scope="col" class="number">
              {heads.bad}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {items.map(({ label, value, bad = 0 }) => (
          <tr>
            <td>{label}</td>
            <td class="number">{shown(value)}</td>
            {heads.bad === undefined ? null : <td class="number">{shown(bad)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** How much of a whole is taken, as a bar. Its numbers stand beside it. */
export function Share({ part, whole }: { part: number; whole: number }) {
  const width = whole === 0 ? 0 : Math.min(1, part / whole) * WIDTH;
  return (
    <svg class="share" viewBox={`0 0 ${WIDTH} 10`} preserveAspectRatio="none" aria-hidden="true">
      <rect class={part >= whole ? 'bad' : 'bar'} width={width.toFixed(1)} height="10" />
    </svg>
  );
}
