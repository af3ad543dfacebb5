import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { configurationPage } from './docs/configuration-page.ts';
import { costTables } from './docs/cost-tables.ts';
import { hopTable } from './docs/hops.ts';
import { listTools, TOOLSETS_IN_USE } from './docs/list-tools.ts';
import { manifests } from './docs/manifests.ts';
import { scaleTables } from './docs/scale/page.ts';
import { chart } from './docs/scoreboard/chart.ts';
import { scoreboardPage } from './docs/scoreboard/page.ts';
import { isOnPage, readRows } from './docs/scoreboard/rows.ts';
import { sortedJson } from './docs/sorted-json.ts';
import { toolsOverview, toolsPage } from './docs/tools-page.ts';

/**
 * Writes the files that are generated from the catalog, the configuration schema and the measurements: `docs/tools.md`,
 * `docs/configuration.md`, the tool table of the README, the tables of costs in `docs/deploying.md`, of hops in
 * `docs/storage.md` and of `docs/scale.md`, `docs/scoreboard.md` with its chart, the manifests of the project and
 * `test/toolsnaps/`. With `--check` it only reports the files that are not current.
 */

process.chdir(join(import.meta.dirname, '..'));
const OXFMT = 'node_modules/oxfmt/bin/oxfmt';
const SNAPS = 'test/toolsnaps';

const wanted = new Map<string, string>([
  ['docs/tools.md', await toolsPage()],
  ['docs/configuration.md', formatted(await configurationPage())],
  ['README.md', withPart('README.md', 'tools', await toolsOverview())],
  ['docs/deploying.md', withPart('docs/deploying.md', 'costs', costTables())],
  ...manifests(readFileSync('package.json', 'utf8')).map(([file, text]): [string, string] => [
    file,
    file.endsWith('.json') ? formatted(text, file) : text,
  ]),
  ['docs/scoreboard.md', withPart('docs/scoreboard.md', 'scoreboard', scoreboardPage(readRows()))],
  ['docs/scoreboard.svg', chart(readRows().filter(isOnPage))],
  ['docs/scale.md', withPart('docs/scale.md', 'scale', scaleTables())],
  ['docs/storage.md', withPart('docs/storage.md', 'hops', hopTable())],
  ...(await toolsnaps()),
]);
const stray = globSync(`${SNAPS}/**/*.*`).filter((file) => !wanted.has(file.replaceAll('\\', '/')));
const stale = [...wanted].filter(([file, text]) => !existsSync(file) || readFileSync(file, 'utf8') !== text);

if (process.argv.includes('--check')) {
  const files = [...stale.map(([file]) => file), ...stray];
  for (const file of files) console.error(`${file} does not match the sources.`);
  if (files.length > 0) {
    console.error('Run npm run docs, check the difference, and commit it.');
    process.exitCode = 1;
  }
} else {
  for (const [file, text] of stale) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    console.log(`wrote ${file}`);
  }
  for (const file of stray) {
    rmSync(file);
    console.log(`removed ${file}`);
  }
}

/** Named `<toolset>/<tool>.json`, because two toolsets may use the same name. */
async function toolsnaps(): Promise<[string, string][]> {
  const listed = await Promise.all(
    TOOLSETS_IN_USE.map(async (toolset) => ({ toolset, tools: await listTools(`?toolsets=${toolset}`, false) })),
  );
  return listed.flatMap(({ toolset, tools }) =>
    tools.map((tool): [string, string] => [`${SNAPS}/${toolset}/${tool.name}.json`, sortedJson(tool)]),
  );
}

/** A page with its generated part between markers; people write the rest. */
function withPart(file: string, name: string, part: string): string {
  const text = readFileSync(file, 'utf8');
  const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from < 0 || to < from) {
    console.error(`${file} needs the lines ${start} and ${end} around what is generated.`);
    process.exit(1);
  }
  return `${text.slice(0, from + start.length)}\n\n${formatted(part)}\n${text.slice(to)}`;
}

/** The text in the form that `npm run format` gives to a file of this name. */
function formatted(text: string, file = 'generated.md'): string {
  const run = spawnSync(process.execPath, [OXFMT, `--stdin-filepath=${file}`], {
    input: text,
    encoding: 'utf8',
  });
  if (run.status !== 0) throw new Error(`oxfmt: ${run.error?.message ?? run.stderr}`);
  return run.stdout;
}
