import { describe, expect, it } from 'vitest';
import { extract } from '#extract/extract.ts';
import { indentJson } from '#extract/json/json-extractor.ts';
import { DOCUMENT_LINES_MAX } from '#extract/limits.ts';
import { readText, FILE_URL } from './support.ts';

const parameters = Object.fromEntries(
  ['per-page', 'variables-per-page'].map((name, index) => [
    name,
    { name, in: 'query', description: `Results (max ${index === 0 ? 100 : 30}).`, schema: { type: 'integer' } },
  ]),
);
const many = Object.fromEntries(
  Array.from({ length: 20 }, (_, index) => [
    `/lamps/${index}`,
    { get: { summary: `Lamp ${index}`, responses: { 200: 'ok' } } },
  ]),
);
const API = {
  openapi: '3.1.0',
  info: { title: 'Lamps', version: '1', terms: 'none' },
  paths: many,
  components: { parameters, more: many },
};

/** The headings above a line, outermost first. */
function pathOf(lines: readonly string[], wanted: string): string[] {
  const path: string[] = [];
  let level = Infinity;
  for (let at = lines.findIndex((line) => line.includes(wanted)); at >= 0; at -= 1) {
    const [, marks = '', text = ''] = /^(#{1,6}) (.*)$/.exec(lines[at] ?? '') ?? [];
    if (marks === '' || marks.length >= level) continue;
    level = marks.length;
    path.unshift(text);
  }
  return path;
}

describe('escapes in strings', () => {
  it('are letters where a program escaped them', async () => {
    const sent = String.raw`{"caf\u00e9":"\ud83d\ude00 \u65e5\u672c \\u00e9 a\nb"}`;
    const { lines } = await readText('json', sent);
    expect(lines).toContain(String.raw`  "café": "😀 日本 \\u00e9 a\nb"`);
  });

  it('stay where the character is ASCII, invisible or half a pair', () => {
    const sent = String.raw`"\u0022 \u000a \u200b \u202e \ud800 \u3164 \ufe0f"`;
    expect(indentJson(sent)).toEqual([sent]);
  });
});

describe('long JSON', () => {
  it('shows each line below its keys', async () => {
    const { lines } = await readText('json', JSON.stringify(API));
    expect(pathOf(lines, 'max 30')).toEqual(['components', 'parameters', 'variables-per-page']);
    expect(pathOf(lines, 'Lamp 7')).toEqual(['paths', '/lamps/7']);
    expect(pathOf(lines, 'openapi')).toEqual([]);
  });

  it('keeps every line except the brackets of the divided values', async () => {
    const deep = {
      a: [[1, 2], ...Array.from({ length: 90 }, (_, id) => ({ id, text: '"{ [' }))],
      'b "c"': many,
      last: null,
    };
    const { lines } = await readText('json', JSON.stringify(deep));
    const shown = lines.filter((line) => !/^#|^```|^$/.test(line)).map((line) => line.trim());
    const all = indentJson(JSON.stringify(deep)).map((line) => line.trim());
    const divided = all.filter((line) => !/[{}[\]],?$/.test(line));
    expect(shown.filter((line) => !/[{}[\]],?$/.test(line))).toEqual(divided);
    expect(pathOf(lines, '"id": 44')[0]).toBe('a');
    expect(pathOf(lines, 'Lamp 3')).toEqual(['b "c"', '/lamps/3']);
  });

  it('reports when it has more lines than a document may have', async () => {
    const { cuts, pages, lines } = await readText('json', `[${'1,'.repeat(DOCUMENT_LINES_MAX + 1_000)}1]`);
    expect(cuts).toEqual([expect.stringContaining(String(DOCUMENT_LINES_MAX))]);
    expect(pages?.total).toBeGreaterThan(1);
    expect(lines.length).toBeLessThan(DOCUMENT_LINES_MAX / 2);
  });

  it('is one block when it has few lines', async () => {
    expect((await readText('json', JSON.stringify({ a: { b: [1, 2, 3, 4, 5] } }))).lines[0]).toBe('```json');
  });

  it('is read in parts, even if its end is missing', async () => {
    const text = JSON.stringify({
      paths: Object.fromEntries(
        Array.from({ length: 12_000 }, (_, id) => [`/lamps/${id}`, { id, text: 'x'.repeat(60), more: [1, 2] }]),
      ),
    });
    const read = (firstPage: number) =>
      extract({
        kind: 'json',
        text: text.slice(0, -500),
        bytes: new Uint8Array(),
        url: FILE_URL,
        mode: 'readable',
        firstPage,
        isCut: true,
      });
    const first = await read(1);
    const total = first.pages?.total ?? 0;
    expect(total).toBeGreaterThan(1);
    const second = await read(2);
    expect(second.pages).toEqual({ first: 2, last: 2, total });
    expect(second.anchors?.get('page=2')).toBe(0);
    const [wanted = ''] = second.lines.filter((line) => line.startsWith('  "id": '));
    expect(pathOf(second.lines, wanted)).toEqual(['paths', `/lamps/${/\d+/.exec(wanted)?.[0]}`]);
    expect((await read(total)).lines.join()).toContain('/lamps/1199');
  });
});
