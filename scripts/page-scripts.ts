import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encode } from '@jridgewell/sourcemap-codec';
import { build, transform } from 'esbuild';
import { declarations } from './page-scripts/declarations.ts';
import { HIDDEN_MEMBER_FUNCTIONS, readHiddenMembers } from './page-scripts/read-hidden-members.ts';

/**
 * Writes `generated/page-scripts.js`: the source of every script that runs in a page, as one function with everything
 * that it calls. `page-scripts.d.ts` has the types, and its source map leads editors from the name to the function.
 * Also writes `generated/live-script.ts` and `generated/copy-script.ts`: the scripts of the pages that people see. With
 * `--check` it only reports whether the files are current.
 */

const sourceFolder = join(import.meta.dirname, '../src');
const folder = join(sourceFolder, 'browsing/in-page');
const generatedFolder = join(import.meta.dirname, '../generated');
/** The oldest browser that may run them. Letters outside of ASCII are kept. */
const FORM = { format: 'esm', target: 'chrome126', charset: 'utf8' } as const;
/**
 * Scripts that visit every element. They read members with `createDomReaders`, which costs less than a look at each object
 * before its member is read. `test/browser/tools/named-fields.test.ts` tests them.
 */
const VISITS_WHOLE_PAGE: ReadonlySet<string> = new Set([
  'collectDomFacts',
  'documentSize',
  'readDocumentPart',
  'serializeHtml',
  'serializeVisibleHtml',
]);
const NOTE = '// Made by scripts/page-scripts.ts: npm run page-scripts.';

const { names } = await bundled(`export * from './all.ts'`);
const sources = await Promise.all(
  names.map(async (name) => `export const ${name} = ${JSON.stringify(await sourceOf(name))};\n`),
);
write('page-scripts.js', `${NOTE}\n${sources.join('')}`);
writeDeclarations();
write('live-script.ts', await pageScript('LIVE_SCRIPT', 'live/script/main.ts', 'Of the page of the live view'));
write('copy-script.ts', await pageScript('COPY_SCRIPT', 'script/copy.ts', 'Of pages with something to copy'));

function write(path: string, text: string): void {
  const file = join(generatedFolder, path);
  if (!process.argv.includes('--check')) {
    writeFileSync(file, text);
  } else if (readFileSync(file, 'utf8') !== text) {
    console.error(`generated/${path} is not what the scripts beside it make of it. Run npm run page-scripts.`);
    process.exitCode = 1;
  }
}

/** Types of the sources, and a source map from each name to its function, which "go to definition" follows. */
function writeDeclarations(): void {
  const lines = [NOTE, ...declarations(names), '//# sourceMappingURL=page-scripts.d.ts.map'];
  write('page-scripts.d.ts', `${lines.join('\n')}\n`);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /^[\w/-]+\.ts$/u.test(file))
    .toSorted();
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').split('\n'));
  const mappings = lines.map((line): [number, number, number, number][] => {
    const [before, name] = /^(export declare const )(\w+)/u.exec(line)?.slice(1) ?? [];
    if (before === undefined || name === undefined) return [];
    const [at] = texts.flatMap((text, file) =>
      placeOf(name, text).map(([row, column]) => [file, row, column] as const),
    );
    if (at === undefined) throw new Error(`${name} is no function that a file of in-page exports`);
    return [[before.length, ...at]];
  });
  const map = {
    version: 3,
    file: 'page-scripts.d.ts',
    sourceRoot: '../src/browsing/in-page/',
    sources: files,
    names: [],
    mappings: encode(mappings),
  };
  write('page-scripts.d.ts.map', `${JSON.stringify(map)}\n`);
}

/** Row and column of the name where the function is declared, counted from 0. */
function placeOf(name: string, text: readonly string[]): [number, number][] {
  const row = text.findIndex((line) => new RegExp(`^export (?:async )?function ${name}\\b`, 'u').test(line));
  return row === -1 ? [] : [[row, text[row]?.indexOf(name) ?? 0]];
}

async function pageScript(name: string, entry: string, what: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(sourceFolder, 'web', entry)],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: ['chrome111', 'firefox115', 'safari16.4'],
    charset: 'utf8',
  });
  const text = JSON.stringify(outputFiles[0]?.text.trim() ?? '');
  return `${NOTE}\n\n/** ${what}, as it is served. */\nexport const ${name} = ${text};\n`;
}

/** A function that runs the script with its own arguments. */
async function sourceOf(name: string): Promise<string> {
  const helpers = `export { ${HIDDEN_MEMBER_FUNCTIONS.join()} } from './elements/hidden-members.ts';`;
  const bundle = await bundled(`export { ${name} } from './all.ts';${helpers}`);
  const [exported] = /export \{[^}]*\};\s*$/u.exec(bundle.text) ?? [];
  const [, own] = new RegExp(`\\b(?:([\\w$]+) as )?${name}\\b`, 'u').exec(exported ?? '') ?? [];
  if (exported === undefined) throw new Error(`${name} is no function: ${bundle.text}`);
  const guarded = VISITS_WHOLE_PAGE.has(name) ? (text: string) => text : readHiddenMembers;
  const code = `${guarded(bundle.text.slice(0, -exported.length))}export { ${own ?? name} };`;
  const { code: text } = await transform(code, { ...FORM, minify: true, treeShaking: true });
  const [end, called] = /export\s*\{([\w$]+)(?: as \w+)?\};?\s*$/u.exec(text) ?? [];
  if (end === undefined || called === undefined) throw new Error(`${name} is not one function: ${text}`);
  return `function(){"use strict";${text.slice(0, -end.length)}return ${called}.apply(this,arguments)}`;
}

async function bundled(contents: string): Promise<{ text: string; names: string[] }> {
  const { outputFiles, metafile } = await build({
    ...FORM,
    stdin: { contents, resolveDir: folder, loader: 'ts' },
    bundle: true,
    minifySyntax: true,
    metafile: true,
    write: false,
  });
  const [output] = Object.values(metafile.outputs);
  return { text: outputFiles[0]?.text ?? '', names: (output?.exports ?? []).toSorted() };
}
