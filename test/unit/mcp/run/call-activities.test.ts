import { describe, expect, it } from 'vitest';
import type { Failure } from '#core/failures/failure.ts';
import { describeActivities } from '#mcp/run/call-activities.ts';

const PERSON = { subject: 'one', scopes: [], client: 'agent' };

function lineOf(name: string, toolset: 'reader' | 'browser', failure: Failure) {
  const fact = {
    ts: '2026-11-26T12:00:00.000Z',
    requestId: 'r',
    tool: name,
    url: null,
    ms: 5,
    cacheHit: null,
    status: 'error',
    errorCode: failure.code,
  } as const;
  return describeActivities({ name, toolset }, {}, { fact, failure }, PERSON)[0];
}

describe('the log line of a failed call', () => {
  it('states the reason and the remedy, without credentials', () => {
    const failure: Failure = {
      code: 'http_error',
      url: 'https://a.acme.dev/x?token=sesame-opens-every-door',
      statusCode: 404,
    };
    const line = lineOf('open_url', 'reader', failure);
    expect(line?.reason).toMatch(/^https:\/\/a\.acme\.dev\/x\?token=REDACTED answered HTTP 404\.$/u);
    expect(line?.hint).toMatch(/\w/u);
    expect(JSON.stringify(line)).not.toContain('sesame');
  });

  it('names the address and the element that the call was about', () => {
    const fact = { ts: '2026-11-26T12:00:00.000Z', requestId: 'r', url: null, ms: 5, cacheHit: null } as const;
    const line = (name: string, input: unknown) => {
      const failed = { ...fact, tool: name, status: 'error', errorCode: 'timeout' } as const;
      const failure: Failure = { code: 'timeout', what: 'The page', afterMs: 5 };
      return describeActivities({ name, toolset: 'browser' }, input, { fact: failed, failure }, PERSON)[0];
    };
    expect(line('browser_navigate', { url: 'https://a.example/x' })?.url).toBe('https://a.example/x');
    expect(line('browser_click', { selector: 'button "Send"' })?.words).toBe('button "Send"');
    expect(line('find_passages', { question: 'How many attempts?' })?.words).toBe('How many attempts?');
  });

  it('names only the argument for a browser tool, and no typed text or script', () => {
    const words = 'sesame opens';
    const wrong: Failure = { code: 'invalid_argument', field: 'fields.0.value', problem: words, hint: words };
    expect(lineOf('browser_fill', 'browser', wrong)).toMatchObject({
      reason: 'The argument fields.0.value did not fit.',
      hint: null,
    });
    const failed: Failure = { code: 'script_failed', reason: words };
    for (const failure of [wrong, failed])
      expect(JSON.stringify(lineOf('browser_evaluate', 'browser', failure))).not.toContain(words);
    expect(lineOf('browser_click', 'browser', { code: 'element_not_found', target: '#none' })?.reason).toContain(
      '#none',
    );
  });
});
