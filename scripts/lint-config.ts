import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FLOORS, INNER } from './lint/floors.ts';
import type { Floor } from './lint/floors.ts';
import { EXCEPTIONS, RULES } from './lint/rules.ts';

/** `npm run floors`: writes `.oxlintrc.json` from the floors and the rules. With `--check`, it only compares. */

const FILE = '.oxlintrc.json';
const OXFMT = 'node_modules/oxfmt/bin/oxfmt';

type Override = { files: readonly string[]; rules: Readonly<Record<string, unknown>> };

process.chdir(join(import.meta.dirname, '..'));
const text = formatted({ ...RULES, overrides: [...roomRules(), ...EXCEPTIONS] });

if (!process.argv.includes('--check')) {
  writeFileSync(FILE, text);
} else if (readFileSync(FILE, 'utf8') !== text) {
  console.error(`${FILE} does not match scripts/lint. Run npm run floors and commit the difference.`);
  process.exitCode = 1;
}

function roomRules(): Override[] {
  return FLOORS.flatMap((floor, at) =>
    floor.rooms.flatMap((room) => {
      const lower = allowedBelow(FLOORS, at, floor).map((name) => `${name}/**`);
      const inner = INNER[room];
      const whole = override(inner === undefined ? `${room}/**` : `${room}/*`, [`${room}/**`, ...lower], floor.rule);
      return inner === undefined ? [whole] : [whole, ...innerRules(room, lower)];
    }),
  );
}

function innerRules(outer: string, lower: readonly string[]): Override[] {
  const { floors = [], shared = [] } = INNER[outer] ?? {};
  return floors.flatMap((floor, at) =>
    floor.rooms.map((room) => {
      const own = [room, ...allowedBelow(floors, at, floor)].map((name) => `${outer}/${name}/**`);
      const outside = lower.filter((name) => !floor.not?.includes(name.replace('/**', '')));
      return override(
        `${outer}/${room}/**`,
        [...own, ...shared.map((file) => `${outer}/${file}`), ...outside],
        floor.rule,
      );
    }),
  );
}

function allowedBelow(floors: readonly Floor[], at: number, { not = [] }: Floor): string[] {
  return floors.slice(0, at).flatMap(({ rooms }) => rooms.filter((room) => !not.includes(room)));
}

function override(folder: string, allowed: readonly string[], message: string): Override {
  const group = ['../**', '#*.ts', '#*/**', '!#generated/**', ...allowed.map((path) => `!#${path}`)];
  return {
    files: [`src/${folder}`],
    rules: { 'no-restricted-imports': ['error', { patterns: [{ group, message }] }] },
  };
}

/** The text in the form that `npm run format` gives it. */
function formatted(config: object): string {
  const run = spawnSync(process.execPath, [OXFMT, `--stdin-filepath=${FILE}`], {
    input: JSON.stringify(config),
    encoding: 'utf8',
  });
  if (run.status !== 0) throw new Error(`oxfmt: ${run.error?.message ?? run.stderr}`);
  return run.stdout;
}
