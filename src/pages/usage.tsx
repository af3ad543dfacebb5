import { PATHS } from '#core/paths.ts';
import { ConsolePage } from './console-page.tsx';
import type { Visitor } from './console-page.tsx';
import { Plot, Share } from './plot.tsx';
import type { PlotItem } from './plot.tsx';

/** Calls of one tool. Times in ms: `at most` so long. */
export type ToolRow = { tool: string; calls: number; errors: number; p50: number; p95: number };

/** One budget of the last 24 hours. */
export type BudgetRow = { label: string; taken: number; limit: number };

/** Calls of one person, or of everyone. */
export type CallUse = { days: readonly PlotItem[]; tools: readonly ToolRow[]; isExact: boolean };

type Props = {
  visitor: Visitor;
  budgets: readonly BudgetRow[];
  /** Browser minutes of each of the last 24 hours. */
  browser: readonly PlotItem[];
  own: CallUse;
  /** Whether the person's calls are counted: they are with their activity. */
  isCounted: boolean;
  /** For the owner: budgets and calls of everyone together. */
  all: { budgets: readonly BudgetRow[]; calls: CallUse } | null;
  days: number;
};

/** `/console/usage`: what was used, and what is left. */
export function Usage({ visitor, budgets, browser, own, isCounted, all, days }: Props) {
  return (
    <ConsolePage visitor={visitor} title="Usage" at={PATHS.usage}>
      <p class="lead">What your models used, and what is left for them.</p>
      <h2>Budgets of the last 24 hours</h2>
      <Budgets rows={budgets} whose="Your budgets" />
      <p class="facts">
        Units are taken a few at a time, so that a little more than what was used may show. A budget that is used up
        comes back bit by bit over 24 hours.
      </p>
      <h2>Browser time</h2>
      <Plot
        title="Browser minutes by hour"
        heads={{ label: 'Hour (UTC)', value: 'Minutes' }}
        items={browser}
        shown={(value) => value.toFixed(value % 1 === 0 ? 0 : 1)}
      />
      <h2>Your calls of the last {days} days</h2>
      {isCounted || own.tools.length > 0 ? (
        <Calls use={own} title="Your calls" />
      ) : (
        <p>
          They are counted with your <a href={PATHS.activity}>activity</a>, which is switched off.
        </p>
      )}
      {all === null ? null : (
        <>
          <h2>Everyone on this server</h2>
          <p class="facts">As the owner you see the sums of all, never who did what.</p>
          <Budgets rows={all.budgets} whose="Budgets of everyone" />
          <Calls use={all.calls} title="Calls of everyone" />
        </>
      )}
    </ConsolePage>
  );
}

function Budgets({ rows, whose }: { rows: readonly BudgetRow[]; whose: string }) {
  return (
    <div class="scrolls" tabindex={0} role="region" aria-label={whose}>
      <table>
        <thead>
          <tr>
            <th scope="col">Budget</th>
            <th scope="col" class="number">
              Taken
            </th>
            <th scope="col" class="number">
              Of
            </th>
            <th scope="col" class="sharing">
              <span class="unseen">As a bar</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, taken, limit }) => (
            <tr>
              <th scope="row">{label}</th>
              <td class="number">{grouped(taken)}</td>
              <td class="number">{grouped(limit)}</td>
              <td class="sharing">
                <Share part={taken} whole={limit} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Calls({ use: { days, tools, isExact }, title }: { use: CallUse; title: string }) {
  if (tools.length === 0) {
    return (
      <p>
        There are none yet. <a href="/#connect">Connect a client</a> and ask its model to look something up.
      </p>
    );
  }
  const slowest = Math.max(...tools.map(({ p95 }) => p95));
  return (
    <>
      <Plot
        title={`${title} by day`}
        heads={{ label: 'Day (UTC)', value: 'Calls', bad: 'Failed' }}
        items={days}
        shown={grouped}
      />
      <div class="scrolls" tabindex={0} role="region" aria-label={`${title}, by tool`}>
        <table>
          <thead>
            <tr>
              <th scope="col">Tool</th>
              {['Calls', 'Failed', 'Median', '95 %'].map((head) => (
                <th scope="col" class="number">
                  {head}
                </th>
              ))}
              <th scope="col" class="sharing">
                <span class="unseen">95 % as a bar</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {tools.map((row) => (
              <ToolUse row={row} isExact={isExact} slowest={slowest} />
            ))}
          </tbody>
        </table>
      </div>
      <p class="facts">
        Median: half of the calls took {isExact ? 'no longer' : 'no longer than this limit of a histogram'}. 95 %: all
        but one in twenty.
      </p>
    </>
  );
}

function ToolUse({ row, isExact, slowest }: { row: ToolRow; isExact: boolean; slowest: number }) {
  const { tool, calls, errors, p50, p95 } = row;
  const time = (ms: number) => `${isExact ? '' : '≤ '}${grouped(ms)} ms`;
  return (
    <tr>
      <th scope="row">
        <code>{tool}</code>
      </th>
      <td class="number">{grouped(calls)}</td>
      <td class="number">{grouped(errors)}</td>
      <td class="number">{time(p50)}</td>
      <td class="number">{time(p95)}</td>
      <td class="sharing">
        <Share part={p95} whole={slowest * 1.01} />
      </td>
    </tr>
  );
}

function grouped(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
