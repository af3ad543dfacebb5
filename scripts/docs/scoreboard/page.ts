import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { PRICES_OF } from '#core/prices.ts';
import { DEFAULTS, total, usage } from '#scripts/docs/cost-model.ts';
import { table } from '#scripts/docs/markdown.ts';
import { BENCHES } from './benches.ts';
import type { Bench, Kind } from './benches.ts';
import { recordedRuns } from './recorded.ts';
import type { Recorded } from './recorded.ts';
import { standing } from './standing.ts';
import type { Standing } from './standing.ts';

const RUNS = join(import.meta.dirname, 'recorded.json');
const RIVALS = join(import.meta.dirname, '../../../bench/rivals/package.json');
const PEOPLE = [1, 1_000, 10_000] as const;

const KINDS_IN_ORDER = ['unseen', 'seen', 'own'] as const satisfies readonly Kind[];
const KINDS: Readonly<Record<Kind, string>> = {
  unseen: 'Unseen: nothing was trained or tuned on it.',
  seen: 'Seen: something of ours was trained or tuned on it.',
  own: 'Ours alone: pages, tasks, questions or the definition are our own.',
};

/** `docs/scoreboard.md`, from what the benches left; `npm run scoreboard` runs them. */
export function scoreboardPage(): string {
  const runs = recordedRuns.parse(JSON.parse(readFileSync(RUNS, 'utf8')));
  const versions = z
    .object({ dependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(RIVALS, 'utf8'))).dependencies;
  return [
    '# Scoreboard',
    '',
    'For the person who asks how good Periscope is, and beside whom. Written by `npm run scoreboard` from what the benches print; every table names the command that makes it anew. What others do better stands beside what ours does better. `bench/rivals` and `bench/apps` are installed with `npm ci` in these folders; other data is an argument, as each note says, and never part of the repository.',
    '',
    summary(runs),
    '',
    ...BENCHES.flatMap((bench) => section(bench, runs[bench.name], versions)),
    '## Costs',
    '',
    `Ours alone: reckoned from Cloudflare's prices of ${PRICES_OF} and from what calls cost as \`costs.test.ts\` in \`test/worker\` and \`test/browser\` counts it ([deploying.md](deploying.md#the-plan-and-what-it-costs)). By \`npm run docs\`.`,
    '',
    table(
      ['People', 'Dollars a month'],
      PEOPLE.map((people) => [people.toLocaleString('en'), total(usage(people, DEFAULTS)).toFixed(2)]),
    ),
    '',
  ].join('\n');
}

/** What others stand beside, unseen data first. */
function summary(runs: Readonly<Record<string, Recorded>>): string {
  const words = KINDS_IN_ORDER.map((kind) => {
    const all = BENCHES.filter((bench) => bench.kind === kind)
      .flatMap(({ name }) => runs[name]?.figures ?? [])
      .map(standing);
    const count = (wanted: Standing) => all.filter((one) => one === wanted).length;
    return [kind, count('best'), count('equal'), count('behind')].map(String);
  });
  return [
    table(['Figures beside others', 'ours is best', 'equal', 'behind'], words),
    '',
    'Few differences on a few dozen questions are beyond chance: intervals stand where there are any.',
  ].join('\n');
}

function section(bench: Bench, run: Recorded | undefined, versions: Readonly<Record<string, string>>): string[] {
  const rivals = (bench.rivals ?? []).map((name) => `\`${name}\` ${versions[name] ?? ''}`.trim());
  return [
    `## ${bench.title}`,
    '',
    [
      KINDS[bench.kind],
      bench.note,
      ...(rivals.length === 0 ? [] : [`Beside ${rivals.join(', ')}.`]),
      ...absentOf(bench, run),
    ].join(' '),
    '',
    `\`${bench.command}\`${bench.isTimed === true ? ', on a machine that does nothing else' : ''}. ${run === undefined ? 'Not run yet.' : provenance(run)}`,
    '',
    ...(run === undefined ? [] : [figureTable(run), '']),
  ];
}

function absentOf({ rivals = [] }: Bench, run: Recorded | undefined): string[] {
  const measured = new Set(run?.figures.flatMap(({ others }) => Object.keys(others)));
  const absent = rivals.filter((name) => !measured.has(name) && !measured.has(name.split('/').at(-1) ?? ''));
  return run === undefined || absent.length === 0 ? [] : [`Not in this run: ${absent.join(', ')}.`];
}

function provenance({ commit, isChanged, isOlder, date, machine, seeds, stated }: Recorded): string {
  if (stated !== undefined) {
    return `**Not run for this page**: the figures of [${stated}](${stated.replace(/^docs\//, '')}), at commit ${commit} of ${date}. Seeds: ${seeds}.`;
  }
  const since = isOlder ? ' **What it measures has changed since, and it was not run again.**' : '';
  const changes = isChanged ? ', with changes that were not committed yet' : '';
  return `Run on ${date} at commit ${commit}${changes}, on ${machine}. Seeds: ${seeds}.${since}`;
}

function figureTable({ figures }: Recorded): string {
  const others = [...new Set(figures.flatMap((figure) => Object.keys(figure.others)))];
  if (others.length === 0)
    return table(
      ['What', 'Ours'],
      figures.map(({ what, ours }) => [what, ours]),
    );
  return table(
    ['What', 'Ours', ...others, 'Ours is'],
    figures.map((figure) => [
      figure.what,
      figure.ours,
      ...others.map((name) => figure.others[name] ?? '–'),
      standing(figure),
    ]),
  );
}
