import type { Shown } from './scripts.ts';

type Budget = { left: number; isCut: boolean; depthMax: number };

/**
 * Elements, functions and errors become texts that say what they are. Circular references are named as such.
 */
export function toJson(value: unknown, charsMax: number, depthMax: number): Shown {
  const budget = { left: charsMax, isCut: false, depthMax };
  const json = write(value, budget, []);
  return { json, isCut: budget.isCut };
}

function write(value: unknown, budget: Budget, above: readonly object[]): string {
  if (budget.left <= 0) {
    budget.isCut = true;
    return '"…"';
  }
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') {
    budget.left -= String(value).length;
    return Number.isFinite(value) ? String(value) : `"${value}"`;
  }
  if (typeof value === 'string') return quoteText(value, budget);
  if (typeof value === 'function') return quoteText(`function ${value.name}`, budget);
  if (typeof value === 'bigint' || typeof value === 'symbol') return quoteText(value.toString(), budget);
  if (typeof value !== 'object') return 'null';
  if (above.includes(value)) return '"(holds itself)"';
  const text = ownText(value);
  if (text !== null) return quoteText(text, budget);
  if (above.length >= budget.depthMax) {
    budget.isCut = true;
    return '"…"';
  }
  if (value instanceof Map) return writeList([...value.entries()], budget, [...above, value]);
  if (value instanceof Set) return writeList([...value], budget, [...above, value]);
  const isList = Array.isArray(value) || (Symbol.iterator in value && 'length' in value);
  return isList ? writeList(value, budget, [...above, value]) : writeMembers(value, budget, [...above, value]);
}

function writeList(list: object, budget: Budget, above: readonly object[]): string {
  const length = 'length' in list ? Number(list.length) : 0;
  const written: string[] = [];
  for (let at = 0; at < length; at += 1) {
    if (budget.left <= 0) {
      budget.isCut = true;
      break;
    }
    budget.left -= 2;
    written.push(write(Reflect.get(list, at), budget, above));
  }
  return `[${written.join(',')}]`;
}

function writeMembers(value: object, budget: Budget, above: readonly object[]): string {
  const written: string[] = [];
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined || typeof member === 'function') continue;
    if (budget.left <= 0) {
      budget.isCut = true;
      break;
    }
    const key = quoteText(name, budget);
    written.push(`${key}:${write(member, budget, above)}`);
  }
  return `{${written.join(',')}}`;
}

/** Describes a value that is not plain data in a few words. */
function ownText(value: object): string | null {
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (value instanceof RegExp) return String(value);
  if ('nodeType' in value && 'nodeName' in value) {
    const outer = 'outerHTML' in value ? String(value.outerHTML) : String(value.nodeName);
    return outer.length > 200 ? `${outer.slice(0, 200)}…` : outer;
  }
  if ('window' in value && value.window === value) return '(window)';
  return null;
}

function quoteText(text: string, budget: Budget): string {
  const isLong = text.length > budget.left;
  const kept = isLong ? `${text.slice(0, Math.max(budget.left, 0))}…` : text;
  if (isLong) budget.isCut = true;
  const quoted = JSON.stringify(kept);
  budget.left -= quoted.length;
  return quoted;
}
