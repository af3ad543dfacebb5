import { describe, expect, it } from 'vitest';
import { packagesOf, wrongDoors, wrongMentions } from '#scripts/docs/mentions.ts';

const DOCUMENTS: Record<string, string> = {
  'docs/storage.md': '# Storage\n\n## What is *kept*, where\n\n## Twice\n\n## Twice\n',
};
const repository = {
  files: new Set(['README.md', 'docs/storage.md', 'src/core/errors.ts', 'src/core/limits.ts', 'bench/load.ts']),
  commands: new Set(['start', 'bench:load']),
  words: new Set(['MAX_BYTES', 'open_url', 'defineTool']),
  read: (file: string) => DOCUMENTS[file] ?? '',
};
const wrongIn = (text: string, file = 'README.md') => wrongMentions(file, text, repository);

describe('wrongMentions', () => {
  it.each([
    'plain words, and snake_case without code format',
    '`src/core/errors.ts`, `core/errors.ts`, `errors.ts`, the folder `src/core`, all of `src/**/limits.ts`',
    '`src/tools/TOOLSET/NAME.ts` is for the reader to fill in',
    '`npm run start`, or\n\n```sh\nnpm run bench:load\nnode bench/load.ts\n```',
    'the setting `MAX_BYTES`, the tool `open_url`, the function `defineTool`, `plain` and `@e12`',
    '[a page](docs/storage.md), [a part](docs/storage.md#what-is-kept-where), [again](docs/storage.md#twice-1), [site](https://a.example/x)',
  ])('finds nothing in: %s', (text) => {
    expect(wrongIn(text)).toEqual([]);
  });

  it.each([
    ['a file', 'see `src/core/gone.ts`', 'src/core/gone.ts'],
    ['a file in a command', '```sh\nnode bench/gone.ts\n```', 'bench/gone.ts'],
    ['the end of a path', '`gone/errors.ts`', 'gone/errors.ts'],
    ['a folder', '`src/gone`', 'src/gone'],
    ['a command', 'run `npm run gone`', 'gone'],
    ['a setting', '`GONE_BYTES`', 'GONE_BYTES'],
    ['a tool', '`gone_tool`', 'gone_tool'],
    ['a function', '`goneTool`', 'goneTool'],
    ['a document', '[x](docs/gone.md)', 'docs/gone.md'],
    ['a heading', '[x](docs/storage.md#gone)', 'docs/storage.md#gone'],
    ['a heading of the same page', '# Here\n\n[x](#gone)', '#gone'],
  ])('finds the missing target %s', (_, text, mention) => {
    expect(wrongIn(text)).toEqual([`README.md: ${mention} does not exist.`]);
  });

  it('resolves a link from the folder of its document', () => {
    expect(wrongIn('[x](../README.md), [y](storage.md)', 'docs/cache.md')).toEqual([]);
    expect(wrongIn('[x](README.md)', 'docs/cache.md')).toEqual(['docs/cache.md: README.md does not exist.']);
  });

  it('ignores names that other projects define', () => {
    expect(wrongMentions('README.md', '`pass_ip` and `GONE_BYTES`', repository, new Set(['pass_ip']))).toEqual([
      'README.md: GONE_BYTES does not exist.',
    ]);
  });
});

describe('wrongDoors', () => {
  const table =
    '| Dependency | Imported in |\n| --- | --- |\n| `re2js` | `core/regex.ts` |\n| `drizzle-orm`, `zod` | `storage/` |\n';

  it('finds an import that another folder owns', () => {
    const imports = new Map([
      ['src/core/regex.ts', ['re2js']],
      ['src/storage/db.ts', ['drizzle-orm', 'zod']],
      ['src/reading/find.ts', ['re2js', 'hono']],
    ]);
    expect(wrongDoors(table, imports)).toEqual([
      'src/reading/find.ts imports re2js, which belongs to src/core/regex.ts.',
    ]);
  });

  it('recognises a package however it is imported, and ignores type imports', () => {
    const source = `import { a } from '@scope/one/part';\nimport type { B } from 'two';\nimport { c } from '#core/c.ts';
import { d } from './d.ts';\nconst e = await import('three/e');\nimport {\n  f,\n} from 'four';\n`;
    expect(packagesOf(source)).toEqual(['@scope/one', 'three', 'four']);
  });
});
