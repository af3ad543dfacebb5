import { describe, expect, it } from 'vitest';
import { CATALOG } from '#tools/catalog.ts';

/** The reader design's schemas, transcribed field for field. A difference here is a broken promise to clients. */

const loc = { type: 'integer', minimum: 0, default: 0 };
const numLines = { type: 'integer', minimum: 20, maximum: 200, default: 80 };
const viewport = {
  type: 'object',
  additionalProperties: false,
  properties: { start: { type: 'integer' }, end: { type: 'integer' } },
  required: ['start', 'end'],
};
const citation = {
  type: 'object',
  additionalProperties: false,
  properties: { cursor: { type: 'string' }, L_start: { type: 'integer' }, L_end: { type: 'integer' } },
  required: ['cursor', 'L_start', 'L_end'],
};
const opened = (title: string) => ({
  type: 'object',
  additionalProperties: false,
  properties: {
    cursor: { type: 'string' },
    url: { type: 'string', format: 'uri' },
    title: { type: 'string' },
    viewport,
    text: { type: 'string' },
    citation,
    render: { type: 'string' },
  },
  required: ['cursor', 'url', 'viewport', 'text', 'citation', 'render'],
  title,
});
const input = (title: string, properties: Record<string, unknown>, required: string[]) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required,
  title,
});

const DESIGN: Record<string, { input: unknown; output: unknown }> = {
  search: {
    input: input(
      'searchArguments',
      { query: { type: 'string' }, topn: { type: 'integer', minimum: 1, maximum: 10, default: 5 } },
      ['query'],
    ),
    output: {
      type: 'object',
      additionalProperties: false,
      properties: {
        cursor: { type: 'string' },
        results: {
          type: 'array',
          items: {
            type: 'object',
            additionalProperties: false,
            properties: {
              id: { type: 'integer', minimum: 1 },
              title: { type: 'string' },
              url: { type: 'string', format: 'uri' },
              snippet: { type: 'string' },
            },
            required: ['id', 'title', 'url'],
          },
        },
        render: { type: 'string' },
      },
      required: ['cursor', 'results', 'render'],
      title: 'searchOutput',
    },
  },
  open_result: {
    input: input(
      'openResultArguments',
      { cursor: { type: 'string' }, result_id: { type: 'integer', minimum: 1 }, loc, num_lines: numLines },
      ['cursor', 'result_id'],
    ),
    output: opened('openResultOutput'),
  },
  open_url: {
    input: input('openUrlArguments', { url: { type: 'string', format: 'uri' }, loc, num_lines: numLines }, ['url']),
    output: opened('openUrlOutput'),
  },
  scroll: {
    input: input(
      'scrollArguments',
      {
        cursor: { type: 'string' },
        loc: { type: 'integer', minimum: 0 },
        delta: { type: 'integer', minimum: -5000, maximum: 5000, default: 0 },
        num_lines: numLines,
      },
      ['cursor'],
    ),
    output: {
      type: 'object',
      additionalProperties: false,
      properties: {
        cursor: { type: 'string' },
        viewport,
        text: { type: 'string' },
        citation,
        render: { type: 'string' },
      },
      required: ['cursor', 'viewport', 'text', 'citation', 'render'],
      title: 'scrollOutput',
    },
  },
  find: {
    input: input(
      'findArguments',
      { cursor: { type: 'string' }, pattern: { type: 'string' }, is_regex: { type: 'boolean', default: false } },
      ['cursor', 'pattern'],
    ),
    output: {
      type: 'object',
      additionalProperties: false,
      properties: {
        cursor: { type: 'string' },
        matches: {
          type: 'array',
          items: {
            type: 'object',
            additionalProperties: false,
            properties: { loc: { type: 'integer' }, preview: { type: 'string' } },
            required: ['loc', 'preview'],
          },
        },
        render: { type: 'string' },
      },
      required: ['cursor', 'matches', 'render'],
      title: 'findOutput',
    },
  },
};

/** The design has no descriptions; ours are additions. */
function withoutDescriptions(schema: Record<string, unknown> | undefined) {
  const properties = Object.entries(schema?.['properties'] ?? {}).map(([name, property]) => {
    const { description: _, ...others } = property as Record<string, unknown>;
    return [name, others];
  });
  return { ...schema, properties: Object.fromEntries(properties) as unknown };
}

describe('the reader toolset', () => {
  it('has exactly the five tools of the design', () => {
    expect(CATALOG.filter((tool) => tool.toolset === 'reader').map((tool) => tool.name)).toEqual(Object.keys(DESIGN));
  });

  for (const [name, design] of Object.entries(DESIGN)) {
    const tool = CATALOG.find((candidate) => candidate.name === name);
    it(`has the input schema of the design for ${name}, with only a description of each parameter added`, () => {
      expect(withoutDescriptions(tool?.inputSchema())).toEqual(design.input);
    });
    it(`has the output schema of the design for ${name}, nothing more and nothing less`, () => {
      expect(tool?.outputSchema?.()).toEqual(design.output);
    });
  }
});
