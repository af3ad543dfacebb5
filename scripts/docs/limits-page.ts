import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#core/limits.ts';
import { code, table } from './markdown.ts';

/** `docs/limits.md`: every constant of every `limits.ts`, folder by folder, with its value and its reason. */
export async function limitsPage(): Promise<string> {
  const files = globSync('src/**/limits.ts').map((file) => file.replaceAll('\\', '/'));
  const parts = await Promise.all(files.toSorted().map(partOf));
  return [
    '# Limits',
    '',
    'Made from the `limits.ts` of each folder of `src` by `npm run docs`; edit those, not this page. What you can set yourself is in [configuration.md](configuration.md).',
    '',
    ...parts.flat(),
  ].join('\n');
}

/** A constant with what is written above it. One that only others in the file are made of has no row. */
const LIMIT = /(?:^\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?^export const (\w+)/gm;

async function partOf(file: string): Promise<string[]> {
  const values: Record<string, unknown> = await import(pathToFileURL(file).href);
  const rows = [...readFileSync(file, 'utf8').matchAll(LIMIT)].map(([, comment = '', name = '']) => [
    code(name),
    shown(name, values[name]),
    comment.replaceAll(/\s*\n?\s*\*\s+|\s+/g, ' ').trim(),
  ]);
  return rows.length === 0 ? [] : [`## \`${dirname(file)}\``, '', table(['Name', 'Value', 'What for'], rows), ''];
}

const SIZES: readonly (readonly [ending: RegExp, unit: string])[] = [
  [/_BYTES(?:_|$)/, 'bytes'],
  [/_CHARS(?:_|$)/, 'characters'],
];
const SPANS: readonly (readonly [ms: number, one: string])[] = [
  [DAY_MS, 'd'],
  [HOUR_MS, 'h'],
  [MINUTE_MS, 'min'],
  [SECOND_MS, 's'],
];

function shown(name: string, value: unknown): string {
  if (typeof value !== 'number') return code(JSON.stringify(value) ?? String(value));
  if (/_MS(?:_|$)/.test(name)) return span(value);
  if (/_SECONDS(?:_|$)/.test(name)) return span(value * SECOND_MS);
  const size = SIZES.find(([ending]) => ending.test(name));
  return size === undefined ? number(value) : `${number(value)} ${size[1]}`;
}

/** In the largest unit of which it is a whole number, so that 90 minutes are not 1.5 hours. */
function span(ms: number): string {
  const [unit, name] = SPANS.find(([length]) => ms > 0 && ms % length === 0) ?? [1, 'ms'];
  return `${number(ms / unit)} ${name}`;
}

function number(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 4 });
}
