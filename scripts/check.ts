import { spawnSync } from 'node:child_process';

/** The whole gate, in the order that fails fastest. `npm run check` and CI run exactly this. */
const steps: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  ['format', 'oxfmt', '--check'],
  ['lint', 'npm', 'run', '--silent', 'lint'],
  ['types', 'npm', 'run', '--silent', 'types'],
  ['dead code', 'knip'],
  ['tests', 'npm', 'test'],
];

for (const [name, command, ...args] of steps) {
  console.log(`\n── ${name}`);
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) {
    console.error(`\n${name}: failed`);
    process.exit(1);
  }
}
