import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = 'browsing/in-page';

const FUNCTION =
  /^export declare function (?<name>\w+)\((?:this: (?<self>[^,)]+)(?:, )?)?(?<params>.*)\): (?<result>[^]*?);\n(?=[a-z]|$)/gmu;
const IMPORT = /^import (?:type )?\{ (.*) \} from '(?:(#.*)|\.\/(.*))';$/gmu;
/** Types of the DOM and of a watch of timers, which leave the page only as handles. */
const HANDLE = /\b(?:AnyElement|Element|Node|object|unknown|TimerWatch)\b/u;

type Script = { source: string; imports: Map<string, string> };

/**
 * Declares the source of each script with the type of its function, as the compiler reports it. Handles are objects, and a
 * promise is its result, because Chromium waits for it.
 */
export function declarations(names: readonly string[]): string[] {
  const scripts = compiled();
  const used = names.map((name) => {
    const script = scripts.get(name);
    if (script === undefined) throw new Error(`${name} is no function that a file of in-page exports`);
    return script;
  });
  const imports = new Map([['ScriptSource', `#${FOLDER}/script-types.ts`]]);
  for (const { source, imports: own } of used) {
    for (const [name, from] of own) if (new RegExp(`\\b${name}\\b`, 'u').test(source)) imports.set(name, from);
  }
  const byFile = Map.groupBy(
    [...imports].toSorted(([one], [other]) => (one < other ? -1 : 1)),
    ([, from]) => from,
  );
  return [
    ...[...byFile].map(([from, some]) => `import type { ${some.map(([name]) => name).join(', ')} } from '${from}';`),
    ...names.map((name, at) => `export declare const ${name}: ${used[at]?.source ?? ''};`),
  ];
}

function compiled(): Map<string, Script> {
  const out = mkdtempSync(join(tmpdir(), 'page-scripts-'));
  const options = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--removeComments', '--noCheck'];
  execFileSync(
    join(ROOT, 'node_modules/.bin/tsc'),
    ['-p', `src/${FOLDER}`, ...options, '--rootDir', '.', '--outDir', out],
    { cwd: ROOT, stdio: 'inherit' },
  );
  const folder = join(out, 'src', FOLDER);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.d.ts'));
  const scripts = files.flatMap((file) =>
    scriptsOf(readFileSync(join(folder, file), 'utf8'), `#${FOLDER}/${dirname(file)}`),
  );
  rmSync(out, { recursive: true });
  return new Map(scripts);
}

/** @param place the folder of the file, as it is written in imports */
function scriptsOf(text: string, place: string): [string, Script][] {
  const imports = new Map(
    [...text.matchAll(IMPORT)].flatMap(([, names = '', from, beside = '']) =>
      names.split(', ').map((name): [string, string] => [name, from ?? `${place}/${beside}`]),
    ),
  );
  return [...text.matchAll(FUNCTION)].map(({ groups }) => {
    const { name = '', self = '', params = '', result = '' } = groups ?? {};
    return [name, { source: sourceType(self, params, result), imports }];
  });
}

/** `this` shows where a script runs: an element, or a document, which is the window or not named at all. */
function sourceType(self: string, params: string, result: string): string {
  const signature = `(${params.replace(/\{[^{}]*\}(?=: \w)/gu, 'given')}) => ${result.replace(/^Promise<(.*)>$/su, '$1')}`;
  const of =
    HANDLE.test(signature) || self === 'TimerWatch'
      ? 'handles'
      : self === '' || self.includes('Window')
        ? 'document'
        : 'element';
  return `ScriptSource<'${of}', ${signature.replaceAll(/\b(?:AnyElement|Element|Node)\b/gu, 'object').replaceAll(/\s+/gu, ' ')}>`;
}
