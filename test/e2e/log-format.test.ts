import { describe, expect, it } from 'vitest';
import { readable, readLogFormat } from '#scripts/local/log-format.ts';

const CALL = {
  level: 'info',
  ts: '2026-11-23T18:09:12.500Z',
  request_id: 'r',
  person: 'p',
  tool: 'open_url',
  origin: 'https://docs.acme.dev',
  url_hash: 'h',
  ms: 34,
  cache_hit: false,
  status: 'ok',
  error_code: null,
};
const shown = (fields: object) => readable(JSON.stringify(fields));

describe('a line of the log on a terminal', () => {
  it('shows for a call its time, tool, target, duration and result', () => {
    expect(shown(CALL)).toMatch(/^\d\d:09:12 {2}open_url {14}docs\.acme\.dev {2}34 ms {2}✓$/);
    expect(shown({ ...CALL, url: 'https://docs.acme.dev/page' })).toContain('  docs.acme.dev/page  ');
    expect(shown({ ...CALL, origin: null, status: 'error', error_code: 'invalid_argument' })).toMatch(
      /open_url {14}34 ms {2}✗ invalid_argument$/,
    );
  });

  it('shows problems with their facts and stack frames, and omits normal events', () => {
    const trouble = { level: 'error', ts: CALL.ts, event: 'unexpected_error', request_id: 'r', name: 'TypeError' };
    expect(shown({ ...trouble, stack: ['at f (a.ts:1:2)'] })).toMatch(
      /^\d\d:09:12 {2}unexpected error {2}name TypeError\n {4}at f \(a\.ts:1:2\)$/,
    );
    expect(shown({ level: 'info', ts: CALL.ts, event: 'cache_swept', ms: 3 })).toBeNull();
  });

  it('is unchanged if it has another format', () => {
    for (const line of ['uncaught exception: Error', '{"level":"error"}', '']) expect(readable(line)).toBe(line);
  });
});

describe('LOG_FORMAT', () => {
  it('selects the format, and without it only a terminal gets text', () => {
    expect([readLogFormat(undefined, true), readLogFormat('', false)]).toEqual(['text', 'json']);
    expect([readLogFormat('json', true), readLogFormat('text', false)]).toEqual(['json', 'text']);
    expect(() => readLogFormat('yaml', true)).toThrow('LOG_FORMAT must be json or text.');
  });
});
