import type { Child } from 'hono/jsx';

type Kind = 'name' | 'number' | 'bar' | 'text';

export type Column<Row> = {
  head: string;
  /** `name`: names the row. `bar`: a drawing, whose column header only screen readers get. */
  kind?: Kind;
  cell: (row: Row) => Child;
};

type Props<Row> = { label: string; columns: readonly Column<Row>[]; rows: readonly Row[] };

const STYLES: Record<Kind, string | undefined> = { name: undefined, number: 'number', bar: 'sharing', text: undefined };

export function DataTable<Row>({ label, columns, rows }: Props<Row>) {
  return (
    <div class="scrolls" tabindex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            {columns.map(({ head, kind = 'text' }) => (
              <th scope="col" class={STYLES[kind]}>
                {kind === 'bar' ? <span class="unseen">{head}</span> : head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {columns.map(({ kind = 'text', cell }) =>
                kind === 'name' ? <th scope="row">{cell(row)}</th> : <td class={STYLES[kind]}>{cell(row)}</td>,
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
