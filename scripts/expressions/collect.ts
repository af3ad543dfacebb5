import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import type { CallExpression, NewExpression, Program } from 'oxc-parser';
import { valueOf } from './values.ts';

/** A regular expression of the code: a literal, or a call of `RegExp` whose arguments are constants. */
export type Found = { file: string; line: number; source: string; flags: string };
/** A call of `RegExp` with arguments that are known only at run time. `code` is its source on one line. */
export type Computed = { file: string; line: number; code: string };

const programs = new Map<string, Program>();

/** @param folder of the files, from the root of the project */
export function collect(folder: string): { found: Found[]; computed: Computed[] } {
  const found: Found[] = [];
  const computed: Computed[] = [];
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
    if (!/\.tsx?$/.test(name)) continue;
    const file = join(folder, name).replaceAll('\\', '/');
    const text = readFileSync(file, 'utf8');
    const lineOf = (offset: number) => text.slice(0, offset).split('\n').length;
    const takeCall = ({ callee, arguments: given, start, end }: CallExpression | NewExpression) => {
      if (callee.type !== 'Identifier' || callee.name !== 'RegExp') return;
      const [made, flags = ''] = given.map((one) => valueOf(one, file, programOf));
      const source = typeof made === 'object' && 'pattern' in made ? made.pattern : made;
      const line = lineOf(start);
      if (typeof source === 'string' && typeof flags === 'string') found.push({ file, line, source, flags });
      else computed.push({ file, line, code: text.slice(start, end).replaceAll(/\s+/g, ' ') });
    };
    new Visitor({
      Literal: (node) => {
        if (!('regex' in node)) return;
        found.push({ file, line: lineOf(node.start), source: node.regex.pattern, flags: node.regex.flags });
      },
      NewExpression: takeCall,
      CallExpression: takeCall,
    }).visit(programOf(file));
  }
  return { found, computed };
}

function programOf(file: string): Program {
  const known = programs.get(file);
  if (known !== undefined) return known;
  const { program, errors } = parseSync(file, readFileSync(file, 'utf8'));
  const [error] = errors;
  if (error !== undefined) throw new Error(`${file}: ${error.message}`);
  programs.set(file, program);
  return program;
}
