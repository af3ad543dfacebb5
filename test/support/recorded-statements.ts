import { env } from 'cloudflare:workers';

/** Notes the text of every statement that the Worker sends to D1, each once: lists of values have one length. */
export function recordStatements(): { statements: ReadonlySet<string>; stop: () => void } {
  const statements = new Set<string>();
  const owner = ownerOf(Reflect.get(env.DB, 'alwaysPrimarySession'), '_send');
  const before: unknown = Reflect.get(owner, '_send');
  if (typeof before !== 'function') throw new TypeError('D1 sends in another way');
  Reflect.set(owner, '_send', function (this: unknown, ...args: unknown[]) {
    for (const sql of textsIn(args[1])) statements.add(plain(sql));
    return Reflect.apply(before, this, args);
  });
  return { statements, stop: () => void Reflect.set(owner, '_send', before) };
}

/** One statement is sent as its text, several as a list. */
function textsIn(query: unknown): string[] {
  if (typeof query === 'string') return [query];
  if (Array.isArray(query)) return query.flatMap(textsIn);
  if (typeof query !== 'object' || query === null) return [];
  return textsIn(Reflect.get(query, 'sql') ?? Reflect.get(query, 'statement'));
}

function plain(sql: string): string {
  return sql
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\bin \((?:\?, ?)+\?\)/gi, 'in (?)')
    .trim();
}

function ownerOf(from: unknown, name: string): object {
  let owner = from;
  while (typeof owner === 'object' && owner !== null) {
    if (Object.hasOwn(owner, name)) return owner;
    owner = Object.getPrototypeOf(owner);
  }
  throw new TypeError(`nothing here has ${name}`);
}
