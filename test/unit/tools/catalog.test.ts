import { describe, expect, it } from 'vitest';
import { CATALOG, CHATGPT_CATALOG } from '#tools/catalog.ts';

const files = Object.keys(import.meta.glob(['../../../src/tools/{reader,web,library,browser}/**/*.ts']))
  .map((path) => path.split('/').at(-1)?.replace('.ts', '').replaceAll('-', '_') ?? '')
  .filter((name) => name !== 'shapes');

const schemaNodes = (schema: unknown): Record<string, unknown>[] => {
  if (typeof schema !== 'object' || schema === null) return [];
  return [schema as Record<string, unknown>, ...Object.values(schema).flatMap(schemaNodes)];
};

describe('the catalogue', () => {
  it('has one file for each tool, named after it', () => {
    expect(files.toSorted()).toEqual(CATALOG.map((tool) => tool.name).toSorted());
  });

  it('has no duplicate name, and only names that every host accepts', () => {
    expect(new Set(CATALOG.map((tool) => tool.name)).size).toBe(CATALOG.length);
    for (const tool of CATALOG) expect(tool.name).toMatch(/^[a-z][a-z0-9_]{0,39}$/);
  });

  it('has the two tools that ChatGPT expects, with one string each, in a separate profile', () => {
    const inputs = CHATGPT_CATALOG.map((tool) => [tool.name, tool.inputSchema()['properties']]);
    expect(inputs).toEqual([
      ['search', { query: { type: 'string', description: expect.any(String) } }],
      ['fetch', { id: { type: 'string', description: expect.any(String) } }],
    ]);
  });

  for (const tool of [...CATALOG, ...CHATGPT_CATALOG]) {
    describe(`the tool ${tool.name} of ${tool.toolset}`, () => {
      it('describes its purpose in one to three sentences', () => {
        expect(tool.title.length).toBeGreaterThan(2);
        const sentences = tool.description.match(/[^.]+\.(?=\s|$)/g) ?? [];
        expect(sentences.length).toBeGreaterThanOrEqual(1);
        expect(sentences.length).toBeLessThanOrEqual(3);
        expect(tool.description.length).toBeLessThanOrEqual(400);
      });

      it('sets all three hints', () => {
        expect(Object.values(tool.hints).every((hint) => typeof hint === 'boolean')).toBe(true);
        expect(tool.hints.readOnly && tool.hints.destructive).toBe(false);
      });

      it('has a flat, strict object schema without unions or references, small enough for every host', () => {
        const schema = tool.inputSchema();
        expect(schema['additionalProperties']).toBe(false);
        expect(JSON.stringify(schema).length).toBeLessThan(16_384);
        for (const node of schemaNodes(schema)) {
          for (const key of ['anyOf', 'oneOf', 'allOf', '$ref', 'not']) expect(node).not.toHaveProperty(key);
          expect(Array.isArray(node['type'])).toBe(false);
        }
        const scalars = ['string', 'integer', 'number', 'boolean'];
        const kinds = Object.values(schema['properties'] ?? {}).map((property) => {
          const { type, items } = property as { type: string; items?: { type: string } };
          return type === 'array' ? items?.type : type;
        });
        expect(kinds.filter((kind) => kind === undefined || !scalars.includes(kind))).toEqual([]);
      });

      it('refuses an unknown key and a number sent as text', () => {
        expect(tool.parse({ surprise: 1 }).ok).toBe(false);
      });
    });
  }
});
