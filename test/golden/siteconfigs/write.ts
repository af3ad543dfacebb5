import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { siteGoldenOf } from './golden.ts';

/**
 * Writes the expected Markdown of each named page (`sphinx-classic`), or of every page that has none. Read
 * the result: an expectation that nobody has read tests nothing.
 */
const folder = import.meta.dirname;
const files = readdirSync(folder);
const named = process.argv.slice(2);
for (const file of files.filter((name) => name.endsWith('.html'))) {
  const name = file.slice(0, -'.html'.length);
  const wanted = named.length > 0 ? named.includes(name) : !files.includes(`${name}.md`);
  if (!wanted) continue;
  writeFileSync(join(folder, `${name}.md`), await siteGoldenOf(name, readFileSync(join(folder, file), 'utf8')));
  process.stdout.write(`${name}\n`);
}
