import { basename, dirname } from 'node:path';
import type { Batch, TestFile } from './vitest.ts';

type Source = { file: string; text: string };

/** Vitest projects, the cheapest first. Page scripts run only in Chromium, so their tests have another order. */
const LAYERS = ['node', 'worker', 'browser', 'e2e'];
const LAYERS_OF_PAGE_SCRIPTS = ['browser', 'worker', 'node', 'e2e'];
const IN_PAGE = 'src/browsing/in-page/';
const SCRIPTS_OF_OUR_PAGES = /^src\/web\/(?:\w+\/)*script\//u;
/** If a folder has fewer tests, those of the folder around it run, too. */
const FOLDER_TESTS_MIN = 6;
/** The nearest tests of a folder. With more of them, a mutant would take too long. */
const FOLDER_TESTS_MAX = 24;
const SCRIPT_TESTS_MAX = 16;
/** A test that imports the caller of a script counts as much as one that shares a word of its name and folder. */
const CALLER_WEIGHT = 4;
/** Size of the first batch, of tests with similar names. It catches most mutants, so the other tests need not start. */
const FIRST_BATCH = 4;

export function isPageScript(file: string): boolean {
  return file.startsWith(IN_PAGE) || SCRIPTS_OF_OUR_PAGES.test(file);
}

/** Chooses the tests of a file of `src`, in the order in which they run. `isWide` adds those of its folder. */
export function chooseTests(
  file: string,
  { tests, sources, isWide }: { tests: readonly TestFile[]; sources: readonly Source[]; isWide: boolean },
): Batch[] {
  if (isPageScript(file)) return inBatches(testsOfScript(file, tests, sources), LAYERS_OF_PAGE_SCRIPTS);
  const direct = nearest(file, importing(file, tests));
  const own = inBatches(direct, LAYERS);
  if (direct.length > 0 && !isWide) return own;
  const others = testsOfFolder(file, tests).filter((test) => !direct.includes(test));
  return [...own, ...inBatches(nearest(file, others).slice(0, FOLDER_TESTS_MAX), LAYERS)];
}

/** Tests that import more of a file than its types. */
function importing(file: string, tests: readonly TestFile[]): TestFile[] {
  const name = file.replace(/^src\//u, '#').replaceAll('.', String.raw`\.`);
  const pattern = new RegExp(String.raw`(?:^import (?!type )[^;]*?from |import\(|^import )'${name}'`, 'mu');
  return tests.filter((test) => pattern.test(test.text));
}

/** Tests of the folder that mirrors the file's folder. If they are few, also those of the folders around it. */
function testsOfFolder(file: string, tests: readonly TestFile[]): TestFile[] {
  let folder = dirname(file).replace(/^src\/?/u, '');
  for (;;) {
    const pattern = folder === '' ? /^test\/[^/]+\/[^/]+$/u : new RegExp(`^test/[^/]+/${folder}/`, 'u');
    const found = tests.filter((test) => pattern.test(test.file));
    if (found.length >= FOLDER_TESTS_MIN || !folder.includes('/')) return found;
    folder = dirname(folder);
  }
}

/** Tests that run a script in pages: they import its caller, or are in the caller's folder. */
function testsOfScript(file: string, tests: readonly TestFile[], sources: readonly Source[]): TestFile[] {
  if (!file.startsWith(IN_PAGE)) {
    return nearest(
      file,
      tests.filter(({ project }) => project === 'browser' || project === 'e2e'),
    )
      .filter((test) => likeness(file, test.file) > 0)
      .slice(0, SCRIPT_TESTS_MAX);
  }
  const names = scriptsThatUse(file, sources);
  const calls = new RegExp(String.raw`pageScripts\.(?:${names.join('|')})\b`, 'u');
  const callers = sources.filter(({ text }) => calls.test(text));
  const direct = [
    ...tests.filter((test) => calls.test(test.text)),
    ...callers.flatMap((caller) => importing(caller.file, tests)),
  ];
  const score = (test: TestFile) =>
    likeness(file, test.file, names) + CALLER_WEIGHT * direct.filter((other) => other === test).length;
  const all = new Set([...direct, ...callers.flatMap((caller) => testsOfFolder(caller.file, tests))]);
  return [...all].sort((one, other) => score(other) - score(one)).slice(0, SCRIPT_TESTS_MAX);
}

/** Names of `in-page/all.ts` whose functions are in the file, or in one that imports it. */
function scriptsThatUse(file: string, sources: readonly Source[]): string[] {
  const users = new Set([file]);
  for (const user of users) {
    const path = user.replace(IN_PAGE, '');
    const name = new RegExp(`(?:#browsing/in-page/${path}|\\./${basename(path)})'`, 'u');
    for (const { file: other, text } of sources) {
      if (other.startsWith(IN_PAGE) && !other.endsWith('/all.ts') && name.test(text)) users.add(other);
    }
  }
  const all = sources.find(({ file: other }) => other === `${IN_PAGE}all.ts`)?.text ?? '';
  return [...all.matchAll(/export \{([^}]+)\} from '#([^']+)'/gu)].flatMap(([, names = '', path]) =>
    users.has(`src/${path}`) ? names.split(',').flatMap((name) => name.trim() || []) : [],
  );
}

/** Sorts tests by the words that their names share with the file's. */
function nearest(file: string, tests: readonly TestFile[]): TestFile[] {
  return [...tests].sort((one, other) => likeness(file, other.file) - likeness(file, one.file));
}

/** Words of the names count three times those of the folders. */
function likeness(file: string, test: string, names: readonly string[] = []): number {
  const ofName = wordsOf([basename(file), ...names].join('-'));
  const ofFolders = wordsOf(dirname(file.replace(IN_PAGE, '')));
  const words = [...wordsOf(test.replace(/^test\/[^/]+\//u, ''))];
  return words.reduce((sum, word) => sum + (ofName.has(word) ? 3 : ofFolders.has(word) ? 1 : 0), 0);
}

function wordsOf(path: string): Set<string> {
  const words = path.replaceAll(/\.(?:test\.)?tsx?$/gu, '').match(/[A-Z]?[a-z\d]+/gu) ?? [];
  return new Set(words.map((word) => word.toLowerCase()));
}

function inBatches(tests: readonly TestFile[], layers: readonly string[]): Batch[] {
  const known = layers.filter((layer) => tests.some(({ project }) => project === layer));
  const others = new Set(tests.map(({ project }) => project).filter((project) => !layers.includes(project)));
  return [...known, ...others].flatMap((project) => {
    const files = tests.filter((test) => test.project === project).map(({ file }) => file);
    const parts = files.length > FIRST_BATCH + 1 ? [files.slice(0, FIRST_BATCH), files.slice(FIRST_BATCH)] : [files];
    return parts.map((part) => ({ project, files: part }));
  });
}
