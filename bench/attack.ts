import { parseArgs } from 'node:util';
import { addresses, addressesOfPages } from './attack/addresses.ts';
import { askEffects } from './attack/ask.ts';
import { bombs, measured } from './attack/bombs-run.ts';
import { consolePages } from './attack/console-pages.ts';
import { crowdWaits } from './attack/crowds.ts';
import { doorGrants } from './attack/door-grants.ts';
import { doorHost } from './attack/door-host.ts';
import { doorRefresh } from './attack/door-refresh.ts';
import { doorTokens } from './attack/door-tokens.ts';
import { liveSockets } from './attack/live-sockets.ts';
import { othersHandles } from './attack/others-handles.ts';
import { othersPages } from './attack/others-pages.ts';
import { startRig } from './attack/rig.ts';
import { ruleEffects } from './attack/rules.ts';
import { scriptedAddresses } from './attack/scripted-addresses.ts';
import { secretsAndModels } from './attack/secrets-models.ts';
import { secretsAndSites } from './attack/secrets-sites.ts';
import type { Rig } from './attack/rig.ts';
import { runPart } from './attack/try.ts';
import type { Outcome, Part } from './attack/try.ts';
import { browserVectors } from './attack/vectors-browser.ts';
import { readerVectors } from './attack/vectors-reader.ts';
import { record } from './record.ts';
import { columns } from './spine/stats.ts';

/**
 * `npm run bench:attack [-- PART… --only PATTERN --shared]`: attacks the server of `npm start` from outside, as people with an
 * account of their own and as pages that they open. It starts the server, the sites and the provider that it needs, on
 * loopback, and ends them. It prints a table of what was tried and what got through, and fails when anything did.
 * PATTERN is a regular expression for the names of tries; `--shared` says that others use the machine, too. docs/testing.md
 * says more.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, shared: { type: 'boolean', default: false } },
});
const only = new RegExp(values.only ?? '');

const PARTS: Readonly<Record<string, readonly ((rig: Rig) => Promise<Part>)[]>> = {
  others: [othersPages, othersHandles, doorTokens, doorGrants, doorRefresh, doorHost],
  addresses: [addresses, addressesOfPages],
  pages: [readerVectors, scriptedAddresses],
  live: [browserVectors],
  console: [consolePages, liveSockets],
  secrets: [secretsAndModels, secretsAndSites],
  rules: [ruleEffects],
  ask: [askEffects],
  bombs: [(rig) => bombs(rig, values.shared)],
};

const unknown = positionals.filter((name) => !(name in PARTS));
if (unknown.length > 0)
  throw new Error(`There is no part ${unknown.join(', ')}; there are ${Object.keys(PARTS).join(', ')}.`);
const chosen = positionals.length === 0 ? Object.keys(PARTS) : positionals;
const started = performance.now();
const outcomes: Outcome[] = [];
for (const name of chosen) {
  const before = outcomes.length;
  await attack(PARTS[name] ?? []);
  if (values.only === undefined) recordPart(name, outcomes.slice(before));
}
report();
process.exitCode = outcomes.length > 0 && outcomes.every(({ detail }) => detail === null) ? 0 : 1;

/** Each group has its own server, so that effects of one group do not reach the next. */
async function attack(parts: readonly ((rig: Rig) => Promise<Part>)[]): Promise<void> {
  const rig = await startRig();
  try {
    for (const make of parts) {
      const { name, tries } = await make(rig);
      outcomes.push(...(await runPart({ name, tries: tries.filter((one) => only.test(one.name)) }, say)));
    }
  } finally {
    await rig.close();
  }
}

function recordPart(name: string, all: readonly Outcome[]): void {
  const withstood = all.filter(({ detail }) => detail === null).length;
  record({ row: `attack-${name}`, n: all.length, value: `${withstood} of ${all.length}` });
}

function say({ part, name, detail }: Outcome): void {
  if (detail !== null) console.log(`FAILED  ${part}: ${name}: ${detail}`);
}

function report(): void {
  const parts = [...new Set(outcomes.map(({ part }) => part))];
  const rows = parts.map((part) => {
    const all = outcomes.filter((one) => one.part === part);
    const failed = all.filter(({ detail }) => detail !== null).length;
    return [part, String(all.length), String(all.length - failed), String(failed)];
  });
  const failed = outcomes.filter(({ detail }) => detail !== null);
  if (measured.length > 0) {
    console.log(
      '\nHow long a ping of another person took, in ms; starved is the share of the time the Worker had no core',
    );
    console.log(
      columns([
        ['while', 'seconds', 'max', 'own', 'median', 'pings'],
        ...measured.map(({ name, waits, seconds }) => [
          name,
          seconds.toFixed(1),
          waits.max.toFixed(0),
          waits.own.toFixed(0),
          waits.median.toFixed(0),
          String(waits.pings),
        ]),
      ]),
    );
  }
  if (crowdWaits.length > 0) {
    console.log('\nHow long another person waited for a page, in ms');
    console.log(
      columns([
        ['beside', 'opened', 'idle', 'took', 'own'],
        ...crowdWaits.map(({ crowd, look, idleMs, ms, ownMs }) => [
          crowd,
          look,
          idleMs.toFixed(0),
          ms.toFixed(0),
          ownMs.toFixed(0),
        ]),
      ]),
    );
  }
  console.log(`\n${columns([['part', 'tries', 'withstood', 'failed'], ...rows])}`);
  for (const { part, name, detail } of failed) console.log(`  ${part}: ${name}\n    ${detail}`);
  const seconds = ((performance.now() - started) / 1_000).toFixed(0);
  console.log(`${outcomes.length} tries, ${failed.length} got through, ${seconds} s`);
}
