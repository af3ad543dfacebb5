import { describe, expect, it } from 'vitest';
import { createInvalidArgumentFailure } from '#mcp/run/invalid-argument.ts';
import { errorResult, successResult } from '#mcp/run/result.ts';
import { describeFailure } from '#core/failures/describe-failure.ts';
import { RESULT_TEXT_BYTES_MAX } from '#core/limits.ts';
import { utf8Bytes } from '#core/text/text.ts';
import { CATALOG } from '#tools/catalog.ts';

function refuse(name: string, given: unknown) {
  const tool = CATALOG.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  const parsed = tool.parse(given);
  if (parsed.ok) throw new Error('the call was accepted');
  return describeFailure(createInvalidArgumentFailure(tool, given, parsed.issues));
}

describe('a refused argument', () => {
  it('names the field, and shows the corrected call', () => {
    expect(refuse('open_result', { cursor: 'c_1', result_id: '2' })).toMatchObject({
      error: 'invalid_argument',
      message: 'result_id: must be an integer, not "2"',
      hint: 'Call open_result with {"cursor":"c_1","result_id":2}.',
      extra: { field: 'result_id' },
    });
  });

  it('lists the parameters when a key is unknown', () => {
    expect(refuse('search', { query: 'x', top_n: 3 })).toMatchObject({
      message: 'top_n: is not a parameter, but topn is; the parameters are: query, topn',
      hint: 'Call search with {"query":"x","topn":3}.',
    });
  });

  it('corrects a number to its range', () => {
    expect(refuse('open_url', { url: 'https://a.dev', num_lines: 500 })).toMatchObject({
      message: 'num_lines: must be at most 200, not 500',
      hint: 'Call open_url with {"url":"https://a.dev","num_lines":200}.',
    });
    expect(refuse('scroll', { cursor: 'c', loc: -1 }).hint).toBe('Call scroll with {"cursor":"c","loc":0}.');
    expect(refuse('browser_scroll', { amount: -1.5 }).hint).toBe('Call browser_scroll with {"amount":0}.');
    expect(refuse('scroll', { cursor: 'c', delta: 1.5 }).hint).toBe('Call scroll with {"cursor":"c","delta":2}.');
  });

  it('is reported as missing', () => {
    expect(refuse('find', { cursor: 'c_1' })).toMatchObject({
      message: 'pattern: is required and must be a string',
      hint: 'Call find with {"cursor":"c_1","pattern":"<pattern>"}.',
    });
    expect(refuse('find', [])).toMatchObject({ error: 'invalid_argument' });
    expect(refuse('find', null).message).toContain('must be an object');
  });

  it('reports every problem of a call at once, and corrects nothing silently', () => {
    const { message } = refuse('find', { cursor: 7, pattern: true, is_regex: 'true', extra: 1 });
    for (const field of ['cursor', 'pattern', 'is_regex', 'extra']) expect(message).toContain(field);
  });
});

describe('results', () => {
  it('report a failure with code, message, hint and fields both in the text and in the structure', () => {
    const failure = { code: 'http_error', url: 'https://a.dev/x', statusCode: 404 } as const;
    const { content, structuredContent, isError } = errorResult(failure, true);
    expect(isError).toBe(true);
    expect(structuredContent).toEqual({
      error: 'http_error',
      message: 'https://a.dev/x answered HTTP 404.',
      hint: 'The page does not exist there. Look for its new address on other pages of the site, or use another source.',
      url: 'https://a.dev/x',
      status_code: 404,
    });
    const text = JSON.stringify(content);
    for (const part of ['http_error', 'answered HTTP 404', 'Look for its new address', 'status_code: 404']) {
      expect(text).toContain(part);
    }
    expect(errorResult(failure, false)).not.toHaveProperty('structuredContent');
  });

  it('quote the page of a failure in both channels, with its purpose', () => {
    const quoted = '⟦0123456789abcdef\nMoved to /new.\n0123456789abcdef⟧';
    const failure = { code: 'http_error', url: 'https://a.dev/x', statusCode: 410, quoted } as const;
    const { content, structuredContent } = errorResult(failure, true);
    expect(structuredContent).toMatchObject({ quoted, hint: expect.stringContaining('quoted here') });
    expect(content[0]).toMatchObject({ text: expect.stringContaining(`quoted:\n${quoted}`) });
  });

  it('are cut at a line end with a note when a tool returns too much', () => {
    const text = Array.from({ length: 5000 }, (_, n) => `line ${n} é`.repeat(3)).join('\n');
    const [block] = successResult({ text, structured: {} }, false, false).content;
    const shown = block?.type === 'text' ? block.text : '';
    expect(utf8Bytes(shown)).toBeLessThanOrEqual(RESULT_TEXT_BYTES_MAX);
    expect(shown.endsWith('\n[cut here: the result was too large]')).toBe(true);
    expect(text.startsWith(shown.slice(0, shown.lastIndexOf('\n')))).toBe(true);
  });
});
