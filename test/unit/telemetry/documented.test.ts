import { afterEach, describe, expect, it, vi } from 'vitest';
import { logCall } from '#telemetry/log.ts';
import guide from '../../../docs/observability.md?raw';

const SOURCES: Record<string, string> = import.meta.glob('../../../src/telemetry/*.ts', {
  eager: true,
  query: '?raw',
  import: 'default',
});
const source = Object.values(SOURCES).join('\n');

const isNamed = (name: string) => guide.includes(`\`${name}\``);

afterEach(() => {
  vi.restoreAllMocks();
});

describe('docs/observability.md', () => {
  it('names every field of the log line of a call', async () => {
    const log = vi.spyOn(console, 'log').mockReturnValue();
    const fact = { ts: '2026-11-21T22:30:00.000Z', requestId: 'test', tool: 'scroll' } as const;
    const ended = { ms: 1, cacheHit: true, status: 'ok', errorCode: null } as const;
    await logCall(
      { ...fact, ...ended, url: 'https://docs.acme.dev/' },
      { subject: 'somebody', secret: 'of the deployment', wholeUrls: true },
    );
    const { level, ...fields }: Record<string, unknown> = JSON.parse(String(log.mock.calls[0]?.[0]));
    expect(level).toBe('info');
    expect(Object.keys(fields)).toHaveLength(11);
    expect(Object.keys(fields).filter((name) => !isNamed(name))).toEqual([]);
  });

  it('names every event', () => {
    const events = Array.from(source.matchAll(/event: '(\w+)'/g), ([, name]) => name ?? '');
    expect(events).toContain('unexpected_error');
    expect(events.filter((name) => !isNamed(name))).toEqual([]);
  });
});
