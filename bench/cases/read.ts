import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Call } from '../browser/subjects.ts';

/** A case in a folder: pages, and a `.steps` file with the calls and the condition that must hold after them. */
export type Case = { name: string; calls: Call[]; mustBe: string };

export function readCases(folder: string, url: string): Case[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted()
    .map((name) => {
      const parts = partsOf(readFileSync(join(folder, name, `${name}.steps`), 'utf8'));
      const mustBe = Object.entries(parts).find(([key]) => key.startsWith('must be true'))?.[1] ?? '';
      const text = [parts['calls'], parts['also']].filter(Boolean).join('\n');
      return { name, calls: callsIn(text, `${url}/${name}`), mustBe: mustBe.replaceAll(/\s+/g, ' ') };
    });
}

/** Reads `key: text`, where the text may continue in further lines. */
function partsOf(text: string): Record<string, string> {
  const parts: Record<string, string> = {};
  let key = '';
  for (const line of text.split('\n')) {
    const [, begun, rest] = /^([a-z][a-z ]*)(?: \([^)]*\))?:(?!\/\/)(.*)$/.exec(line) ?? [];
    if (begun !== undefined) key = begun;
    parts[key] = `${parts[key] ?? ''}${rest ?? line}\n`;
  }
  return Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, value.trim()]));
}

const EACH = /^one (browser_\w+) each: (\{.*?\}) and (.*)$/;
const CALL = /^(browser_\w+)\s*(.*)$/s;

/** A call is `TOOL {…}`, `TOOL […]` for steps, or `TOOL target`. TOOL may be omitted if it stays the same. */
export function callsIn(text: string, url: string): Call[] {
  let tool = '';
  return segmentsOf(text).flatMap((segment): Call[] => {
    const words = segment.replace(/^then /, '');
    const [, each, first, others] = EACH.exec(words) ?? [];
    if (each !== undefined && first !== undefined && others !== undefined) {
      const labels = others.split(', ').map((label) => /^(.+?)(?:\(=(.*)\))?$/.exec(label) ?? []);
      const more = labels.map(([, label, value = 'a']) => ({ selectors: [label], values: [value] }));
      return [JSON.parse(first), ...more].map((args) => ({ tool: each, args }));
    }
    const [, named, rest = words] = CALL.exec(words) ?? [];
    tool = named ?? tool;
    return [{ tool, args: argsOf(tool, rest.trim(), url) }];
  });
}

function argsOf(tool: string, rest: string, url: string): Record<string, unknown> {
  if (rest.startsWith('[')) return { steps: JSON.parse(rest) };
  if (rest.startsWith('{')) return JSON.parse(rest.replaceAll('…/', `${url}/`));
  if (tool === 'browser_navigate') {
    const [page = ''] = rest.split(' ');
    return { url: `${url}/${page}`, ...(rest.endsWith('(snapshot)') ? { snapshot: true } : {}) };
  }
  return rest === '' ? {} : { selector: rest };
}

/** Splits calls at semicolons and new lines outside of quotes. */
function segmentsOf(text: string): string[] {
  const segments: string[] = [];
  let current = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charAt(at);
    if (letter === '"' && text.charAt(at - 1) !== '\\') isQuoted = !isQuoted;
    if (!isQuoted && (letter === ';' || letter === '\n')) {
      segments.push(current);
      current = '';
    } else current += letter;
  }
  return [...segments, current].map((segment) => segment.trim()).filter((segment) => segment !== '');
}
