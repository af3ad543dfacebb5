import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/**
 * Writes `src/browsing/in-page/sources.ts`: every script that is run in a page, as one function with all that it calls, the
 * way it is sent. With `--check` it only says whether the file is as it would be written.
 */

const folder = join(import.meta.dirname, '../src/browsing/in-page');
const file = join(folder, 'sources.ts');

const entry = await bundled(`export * from './all.ts'`);
const sources = await Promise.all(entry.names.map(async (name) => [name, await sourceOf(name)] as const));
const wanted = `// Made by scripts/page-scripts.ts: npm run page-scripts.
import type { ScriptName } from './scripts.ts';

/** What is sent to a page, by the name of the script. */
export const SOURCES: Readonly<Record<ScriptName, string>> = {
${sources.map(([name, source]) => `  ${name}: ${JSON.stringify(source)},\n`).join('')}};
`;

if (!process.argv.includes('--check')) {
  writeFileSync(file, wanted);
} else if (readFileSync(file, 'utf8') !== wanted) {
  console.error(
    'src/browsing/in-page/sources.ts is not what the scripts beside it make of it. Run npm run page-scripts.',
  );
  process.exitCode = 1;
}

/** A function that runs the script with what it is called with. */
async function sourceOf(name: string): Promise<string> {
  const { text } = await bundled(`export { ${name} } from './all.ts'`);
  const [ending, inner] = /export\s*\{(\w+)(?: as \w+)?\};?\s*$/u.exec(text) ?? [];
  if (ending === undefined || inner === undefined) throw new Error(`${name} is not one function: ${text}`);
  return `function(){"use strict";${text.slice(0, -ending.length)}return ${inner}.apply(this,arguments)}`;
}

async function bundled(contents: string): Promise<{ text: string; names: string[] }> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: folder, loader: 'ts' },
    bundle: true,
    minify: true,
    metafile: true,
    write: false,
    format: 'esm',
    // As old a browser as may run them.
    target: 'chrome126',
    // Letters outside of ASCII stay as they are.
    charset: 'utf8',
  });
  const [output] = Object.values(metafile.outputs);
  return { text: outputFiles[0]?.text ?? '', names: (output?.exports ?? []).toSorted() };
}
