import { dirname, join } from 'node:path';
import type { Expression, Program } from 'oxc-parser';

type Bound = { value: Expression; file: string };

/** The constants of a file, and those that it imports, by name. */
export type Bindings = { find: (name: string) => Bound | undefined };

/** Where the imports of `#…` of the project are, as its `package.json` says. */
const HOME = 'src';

export function bindingsOf(file: string, read: (file: string) => Program): Bindings {
  const { body } = read(file);
  return {
    find: (name) => {
      for (const statement of body) {
        const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
        if (declared?.type === 'VariableDeclaration' && declared.kind === 'const')
          for (const { id, init } of declared.declarations)
            if (id.type === 'Identifier' && id.name === name && init !== null) return { value: init, file };
        if (statement.type !== 'ImportDeclaration') continue;
        for (const one of statement.specifiers) {
          if (one.type !== 'ImportSpecifier' || one.local.name !== name || one.imported.type !== 'Identifier') continue;
          const from = fileOf(statement.source.value, file);
          return from === null ? undefined : bindingsOf(from, read).find(one.imported.name);
        }
      }
      return undefined;
    },
  };
}

function fileOf(specifier: string, file: string): string | null {
  if (specifier.startsWith('./')) return join(dirname(file), specifier);
  return specifier.startsWith('#') && !specifier.startsWith('#generated/') ? join(HOME, specifier.slice(1)) : null;
}
