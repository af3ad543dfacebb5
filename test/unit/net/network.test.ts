import { describe, expect, it } from 'vitest';
import { parseConfig } from '#core/config/config.ts';
import { productionNetDeps } from '#net/fetch/network.ts';
import { netPolicy } from '#net/fetch/fetch-settings.ts';

const deps = productionNetDeps(netPolicy(parseConfig({}), []), { get: async () => null, put: async () => {} });

describe('productionNetDeps', () => {
  it('sleeps until the time or the signal, whichever comes first', async () => {
    await deps.sleep(1, new AbortController().signal);
    const controller = new AbortController();
    const long = deps.sleep(60_000, controller.signal);
    controller.abort(new Error('enough'));
    await expect(long).rejects.toThrow('enough');
    await expect(deps.sleep(60_000, AbortSignal.abort(new Error('before')))).rejects.toThrow('before');
  });

  it('shares the memory of an isolate between requests', async () => {
    const entry = { outcome: 'open', body: new Uint8Array(0), expiresAt: deps.now() + 60_000 } as const;
    await deps.robotsStore.put('https://shared.example.net', entry);
    const other = productionNetDeps(deps.policy, { get: async () => null, put: async () => {} });
    expect(await other.robotsStore.get('https://shared.example.net')).toEqual(entry);
    expect(other.hostPermits).toBe(deps.hostPermits);
  });
});
