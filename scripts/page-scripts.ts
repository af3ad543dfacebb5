import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/**
 * Writes `src/browsing/in-page/sources.ts`: every script that is run in a page, as one function with all that it calls, the
 * way it is sent; and `src/pages/live-script.ts`: the script of the live view. With `--check` it only says whether the
 * files are as they would be written.
 */

const sourceFolder = join(import.meta.dirname, '../src');
const folder = join(sourceFolder, 'browsing/in-page');

const entry = await bundled(`export * from './all.ts'`);
const sources = await Promise.all(entry.names.map(async (name) => [name, await sourceOf(name)] as const));
const wanted = `// Made by scripts/page-scripts.ts: npm run page-scripts.
import type { ScriptName } from './scripts.ts';

/** What is sent to a page, by the name of the script. */
export const SOURCES: Readonly<Record<ScriptName, string>> = {
${sources.map(([name, source]) => `  ${name}: ${JSON.stringify(source)},\n`).join('')}};
`;

write('browsing/in-page/sources.ts', wanted);
write(
  'pages/live-script.ts',
  `// Made by scripts/page-scripts.ts: npm run page-scripts.

/** Of the page of the live view, as it is served. */
export const LIVE_SCRIPT = ${JSON.stringify(await liveScript())};
`,
);

function write(path: string, text: string): void {
  const file = join(sourceFolder, path);
  if (!process.argv.includes('--check')) {
    writeFileSync(file, text);
  } else if (readFileSync(file, 'utf8') !== text) {
    console.error(`src/${path} is not what the scripts beside it make of it. Run npm run page-scripts.`);
    process.exitCode = 1;
  }
}

async function liveScript(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(sourceFolder, 'pages/live-view/main.ts')],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: ['chrome111', 'firefox115', 'safari16.4'],
    charset: 'utf8',
  });
  return outputFiles[0]?.text.trim() ?? '';
}

/** A function that runs the script with what it is called with. */
async function sourceOf(name: string): Promise<string> {
  const { text } = await bundled(`export { ${name} } from './all.ts'`);
  const [ending, inner] = /export\s*\{([\w$]+)(?: as \w+)?\};?\s*$/u.exec(text) ?? [];
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
