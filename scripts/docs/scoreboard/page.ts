import { table } from '#scripts/docs/markdown.ts';
import { isOnPage, TABLES } from './rows.ts';
import type { MeasuredRow, Row } from './rows.ts';
import { compare, numberIn } from './standing.ts';
import type { Standing } from './standing.ts';

/** The generated part of `docs/scoreboard.md`: three sentences, a chart and six tables. */
export function scoreboardPage(rows: readonly Row[]): string {
  const shown = rows.filter(isOnPage);
  return [
    sentences(rows, shown),
    '',
    '![How many times as good as the best rival each row is. Hollow: the difference may be chance.](scoreboard.svg)',
    '',
    ...Object.entries(TABLES).flatMap(([name, title]) => [
      `## ${title}`,
      '',
      section(shown.filter((row) => row.table === name)),
      '',
    ]),
  ].join('\n');
}

function sentences(rows: readonly Row[], shown: readonly MeasuredRow[]): string {
  const compared = shown.flatMap((row) => compare(row) ?? []);
  const count = (wanted: Standing) => compared.filter(({ standing }) => standing === wanted).length;
  const left = rows.filter(({ measured, isStale }) => measured !== undefined && isStale).length;
  const models = shown.filter(({ measured }) => measured.model !== undefined).length;
  const loop = models === 0 ? 'No row has a model in the loop' : `A model was in the loop of ${models} rows`;
  const remote = shown.some(({ id }) => id === 'remote-warm')
    ? 'a deployment was measured'
    : 'no deployment was measured';
  return [
    `Of ${compared.length} rows with a rival, Periscope is ahead in ${count('ahead')}, level in ${count('level')} and **behind in ${count('behind')}**.`,
    `${loop}, and ${remote}.`,
    `Rows older than the code they measure are left out: ${left}.`,
  ].join(' ');
}

function section(rows: readonly MeasuredRow[]): string {
  if (rows.length === 0) return 'No row of this table was measured on this version.';
  return table(
    ['What', 'Periscope', 'Others', 'Periscope is', 'Measured'],
    rows.map((row) => [
      `${row.what} (${row.data})`,
      own(row),
      others(row),
      standingText(row),
      `${row.measured.date}, ${row.measured.commit}: \`${row.command}\``,
    ]),
  );
}

function own({ measured: { value, n, interval, model } }: MeasuredRow): string {
  const range = interval === undefined ? '' : ` (${interval.map((end) => like(value, end)).join('–')})`;
  return `${value}${range}, n ${n.toLocaleString('en')}${model === undefined ? '' : `, ${model}`}`;
}

function others({ measured, published }: MeasuredRow): string {
  const run = Object.entries(measured.others).map(([name, value]) => `${name} ${value}`);
  const told = published.map(({ name, value, source }) => `${name} ${value} (published, not run here: ${source})`);
  return [...run, ...told].join('; ') || '–';
}

function standingText(row: MeasuredRow): string {
  const compared = compare(row);
  if (compared === null) return '–';
  return `${compared.standing}${compared.isWithinInterval ? ', may be chance' : ''}`;
}

/** An end of an interval, with as many decimals as the value. */
function like(value: string, end: number): string {
  const decimals = /^\d*\.(\d+)/.exec(value)?.[1]?.length ?? 0;
  const text = end.toFixed(decimals);
  return value.startsWith('.') && numberIn(text) < 1 ? text.replace(/^0/, '') : text;
}
