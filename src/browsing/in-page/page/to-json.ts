import type { CappedJson } from '#browsing/in-page/script-types.ts';
import { TextWithCutsBuilder } from '#browsing/in-page/view/cut.ts';

type Budget = { left: number; isCut: boolean; depthMax: number; json: TextWithCutsBuilder };

/**
 * Converts a script's result to JSON, in the page's own world. Elements, functions and errors become descriptive texts;
 * circular references are marked.
 */
export function toJson(value: unknown, charsMax: number, depthMax: number): CappedJson {
  const budget: Budget = { left: charsMax, isCut: false, depthMax, json: new TextWithCutsBuilder() };
  write(value, budget, []);
  return { json: budget.json.cut(budget.json.chars), isCut: budget.isCut };
}

function write(value: unknown, budget: Budget, above: readonly object[]): void {
  const { json } = budget;
  if (budget.left <= 0) {
    budget.isCut = true;
    return json.add('"…"');
  }
  if (value === null || value === undefined) return json.add('null');
  if (typeof value === 'boolean') return json.add(String(value));
  if (typeof value === 'number') {
    budget.left -= String(value).length;
    return json.add(Number.isFinite(value) ? String(value) : `"${value}"`);
  }
  if (typeof value === 'string') return quoteText(words(value), budget);
  if (typeof value === 'function') return quoteText(words(`function ${value.name}`), budget);
  if (typeof value === 'bigint' || typeof value === 'symbol') return quoteText(words(value.toString()), budget);
  if (typeof value !== 'object') return json.add('null');
  if (above.includes(value)) return json.add('"(holds itself)"');
  const text = ownText(value);
  if (text !== null) return quoteText(text, budget);
  if (above.length >= budget.depthMax) {
    budget.isCut = true;
    return json.add('"…"');
  }
  if (value instanceof Map) return writeList([...value.entries()], budget, [...above, value]);
  if (value instanceof Set) return writeList([...value], budget, [...above, value]);
  const isList = Array.isArray(value) || (Symbol.iterator in value && 'length' in value);
  return isList ? writeList(value, budget, [...above, value]) : writeMembers(value, budget, [...above, value]);
}

function writeList(list: object, budget: Budget, above: readonly object[]): void {
  const length = 'length' in list ? Number(list.length) : 0;
  budget.json.add('[');
  for (let at = 0; at < length; at += 1) {
    if (budget.left <= 0) {
      budget.isCut = true;
      break;
    }
    budget.left -= 2;
    if (at > 0) budget.json.add(',');
    write(Reflect.get(list, at), budget, above);
  }
  budget.json.add(']');
}

function writeMembers(value: object, budget: Budget, above: readonly object[]): void {
  let isFirst = true;
  budget.json.add('{');
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined || typeof member === 'function') continue;
    if (budget.left <= 0) {
      budget.isCut = true;
      break;
    }
    if (!isFirst) budget.json.add(',');
    isFirst = false;
    quoteText(words(name), budget);
    budget.json.add(':');
    write(member, budget, above);
  }
  budget.json.add('}');
}

/** `max`: maximum characters of the text. */
type Words = { text: string; max: number };

function words(text: string): Words {
  return { text, max: text.length };
}

/** Maximum characters of an element's HTML: enough to recognize the element. */
const ELEMENT_CHARS_MAX = 200;

function ownText(value: object): Words | null {
  if (value instanceof Error) return words(`${value.name}: ${value.message}`);
  if (value instanceof Date) return words(Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString());
  if (value instanceof RegExp) return words(String(value));
  if ('nodeType' in value && 'nodeName' in value) {
    const outer = 'outerHTML' in value ? String(value.outerHTML) : String(value.nodeName);
    return { text: outer, max: ELEMENT_CHARS_MAX };
  }
  if ('window' in value && value.window === value) return words('(window)');
  return null;
}

function quoteText({ text, max }: Words, budget: Budget): void {
  const room = Math.max(budget.left, 0);
  if (max > room) budget.isCut = true;
  const { chars } = budget.json;
  budget.json.add('"');
  budget.json.addCut(text, Math.min(max, room), (part) => JSON.stringify(part).slice(1, -1));
  budget.json.add('"');
  budget.left -= budget.json.chars - chars;
}
