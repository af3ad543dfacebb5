import { afterEach, describe, expect, it, vi } from 'vitest';
import { logUnexpected } from '#telemetry/log.ts';

afterEach(() => vi.restoreAllMocks());

describe('an error nobody planned for', () => {
  it('is logged with its name and where it was thrown, but never with its message', () => {
    const lines: string[] = [];
    vi.spyOn(console, 'error').mockImplementation((line: string) => void lines.push(line));
    logUnexpected(
      'r1',
      new TypeError('Failed query: select\nparams: 5ecre7,\n    at 5ecre7 (page.js:1:2)\nat 5ecre7:3:4'),
    );
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('"name":"TypeError"');
    expect(lines[0]).toMatch(/log\.test\.ts:\d+:\d+/);
    expect(lines[0]).not.toContain('5ecre7');
  });
});
