import { describe, expect, it } from 'vitest';
import { wrongCalls, wrongGuide } from '#scripts/docs/tool-calls.ts';
import type { CallableTool } from '#scripts/docs/tool-calls.ts';

const tool = (...parameters: string[]): CallableTool => ({
  words: new Set(parameters),
  accepts: (input) =>
    typeof input === 'object' && input !== null && Object.keys(input).every((name) => parameters.includes(name)),
});
const TOOLS = new Map([
  ['open_url', tool('url')],
  ['web_open', tool('url', 'refresh')],
  ['cite', tool('cursor', 'quote', 'share')],
]);
const OTHERS = new Set(['quote_not_found']);

describe('a document', () => {
  it.each([
    'Call `open_url {"url": "https://a.example/"}`.',
    '```\nweb_open {"url": "https://a.example/", "refresh": true}\n```',
    '`cite` with the `cursor` and the `quote` makes a citation; `share: true` of `cite` shares it.',
    'A `LogLine` with `wrong`, `wrong` of `no_tool`, and `other_tool {"a": 1}` are nobody’s.',
  ])('may contain: %s', (text) => {
    expect(wrongCalls('docs/a.md', text, TOOLS)).toEqual([]);
  });

  it.each([
    ['Call `open_url {"refresh": true}`.', 'docs/a.md: open_url refuses {"refresh": true}.'],
    ['Call `open_url` with `{"url: 1}`.', 'docs/a.md: open_url refuses {"url: 1}.'],
    [
      'Call `cite` with the `cursor` and a `quotation`.',
      'docs/a.md: the parameter quotation belongs to cite, which does not have it.',
    ],
    [
      'Pass `refresh: true` of `open_url`.',
      'docs/a.md: the parameter refresh belongs to open_url, which does not have it.',
    ],
  ])('may not contain: %s', (text, problem) => {
    expect(wrongCalls('docs/a.md', text, TOOLS)).toEqual([problem]);
  });
});

describe('a skill', () => {
  it.each([
    '1. `open_url` reads a `url`. Pass `refresh`, too, where `web_open` reads it.',
    '- If `cite` answers `quote_not_found`, look at `@e12` and `【c_…†L1-L2】`.',
  ])('may contain: %s', (text) => {
    expect(wrongGuide('skills/a/SKILL.md', text, TOOLS, OTHERS)).toEqual([]);
  });

  it.each([
    ['- Open it again with `refresh`.', 'skills/a/SKILL.md: the parameter refresh names no tool.'],
    [
      '1. `web_open` has `refresh`.\n2. `open_url` has `refresh`.',
      'skills/a/SKILL.md: the parameter refresh belongs to open_url, which does not have it.',
    ],
    [
      '1. `open_url` has `refresh: true`.',
      'skills/a/SKILL.md: the parameter refresh belongs to open_url, which does not have it.',
    ],
  ])('may not contain: %s', (text, problem) => {
    expect(wrongGuide('skills/a/SKILL.md', text, TOOLS, OTHERS)).toEqual([problem]);
  });
});
