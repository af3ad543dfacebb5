import { describe, expect, it } from 'vitest';
import { findLine } from '../../../bench/mutation/find-line.ts';
import { chooseTests } from '../../../bench/mutation/tests-of.ts';

describe('a broken line', () => {
  const mutant = {
    file: 'src/a.ts',
    from: 'return false;',
    to: 'return true;',
    before: ['const one = 1;', 'const two = 2;', 'if (one > two)'],
    after: ['}', 'function next() {'],
  };
  const around = ['const one = 1;', 'const two = 2;', 'if (one > two)', '  return false;', '}', 'function next() {'];

  it('is found by the lines around it when its file contains it twice', () => {
    const lines = ['if (other)', '  return false;', '', ...around];
    expect(findLine(mutant, [{ file: 'src/a.ts', lines }])).toEqual({ file: 'src/a.ts', row: 6 });
  });

  it('is found in the file it has moved to, and not in another file with the same line', () => {
    const files = [
      { file: 'src/b.ts', lines: ['if (other)', '  return false;'] },
      { file: 'src/c/d.ts', lines: ['', ...around] },
    ];
    expect(findLine(mutant, files)).toEqual({ file: 'src/c/d.ts', row: 4 });
    expect(findLine(mutant, files.slice(0, 1))).toBeNull();
  });

  it('is gone when its file has other content', () => {
    expect(findLine(mutant, [{ file: 'src/a.ts', lines: around.with(3, '  return null;') }])).toBeNull();
  });
});

describe('the tests of a broken file', () => {
  const test = (file: string, project: string, text = '') => ({ file, project, text });
  const choose = (file: string, tests: ReturnType<typeof test>[], sources = [{ file: '', text: '' }]) =>
    chooseTests(file, { tests, sources, isWide: false });

  it('are those that import it, the cheapest layer first', () => {
    const tests = [
      test('test/e2e/a.test.ts', 'e2e', `import { a } from '#net/a.ts';\n`),
      test('test/worker/net/b.test.ts', 'worker', `import {\n  a,\n} from '#net/a.ts';\n`),
      test('test/node/c.test.ts', 'node', `import { b } from '#net/b.ts';\nimport { a } from '#net/a.ts';\n`),
      test(
        'test/node/net/types.test.ts',
        'node',
        `import { b } from '#net/b.ts';\nimport type { A } from '#net/a.ts';\n`,
      ),
    ];
    expect(choose('src/net/a.ts', tests)).toEqual([
      { project: 'node', files: ['test/node/c.test.ts'] },
      { project: 'worker', files: ['test/worker/net/b.test.ts'] },
      { project: 'e2e', files: ['test/e2e/a.test.ts'] },
    ]);
  });

  it('are otherwise those of its folder in every layer, those with a similar name first', () => {
    const others = ['b', 'c', 'd', 'e', 'f', 'g'].map((name) => test(`test/node/net/fetch/${name}.test.ts`, 'node'));
    const tests = [
      ...others,
      test('test/node/net/fetch/gate-rules.test.ts', 'node'),
      test('test/browser/net/fetch/gate.test.ts', 'browser'),
      test('test/node/storage/gate.test.ts', 'node'),
    ];
    const [first, second, third, ...more] = choose('src/net/fetch/gate.ts', tests);
    expect(first?.files[0]).toBe('test/node/net/fetch/gate-rules.test.ts');
    expect(second?.project).toBe('node');
    expect(third).toEqual({ project: 'browser', files: ['test/browser/net/fetch/gate.test.ts'] });
    expect(more).toEqual([]);
  });

  it('are those of the callers of a page script if it runs in pages, with a browser first', () => {
    const sources = [
      { file: 'src/browsing/in-page/all.ts', text: `export { scroll } from '#browsing/in-page/page/pane.ts';` },
      { file: 'src/browsing/in-page/page/pane.ts', text: `import { size } from './sizes.ts';` },
      { file: 'src/browsing/act/scroll.ts', text: 'await call(pageScripts.scroll)' },
    ];
    const tests = [
      test('test/node/browsing/act/scroll.test.ts', 'node'),
      test('test/browser/browsing/act/scroll.test.ts', 'browser', `import { scroll } from '#browsing/act/scroll.ts';`),
      test('test/browser/browsing/see/other.test.ts', 'browser'),
    ];
    const [first, ...others] = choose('src/browsing/in-page/page/sizes.ts', tests, sources);
    expect(first).toMatchObject({ project: 'browser', files: [tests[1]?.file, tests[2]?.file] });
    expect(others).toEqual([{ project: 'node', files: [tests[0]?.file] }]);
  });
});
