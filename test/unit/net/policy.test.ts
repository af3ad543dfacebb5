import { describe, expect, it } from 'vitest';
import { parseConfig } from '#core/config/config.ts';
import { netPolicy, productTokenOf } from '#net/fetch/fetch-settings.ts';

describe('netPolicy', () => {
  it('names the product, its version and a contact', () => {
    expect(netPolicy(parseConfig({}), [], '1.2.3').userAgent).toBe('Periscope/1.2.3');
    expect(netPolicy(parseConfig({ PUBLIC_URL: 'https://reader.example.org' }), [], '1.2.3').userAgent).toBe(
      'Periscope/1.2.3 (+https://reader.example.org/)',
    );
    expect(netPolicy(parseConfig({ USER_AGENT: 'Lens/2 (+mailto:a@example.org)' }), [])).toMatchObject({
      userAgent: 'Lens/2 (+mailto:a@example.org)',
      productToken: 'Lens',
    });
  });

  it('knows its own hosts with and without port', () => {
    const policy = netPolicy(parseConfig({ PUBLIC_URL: 'https://reader.example.org' }), [
      'A.Workers.dev:8443',
      'b.example.net',
    ]);
    expect([...policy.ownHosts]).toEqual(['a.workers.dev', 'b.example.net', 'reader.example.org']);
  });
});

describe('productTokenOf', () => {
  it.each([
    ['Periscope/0.1 (+https://x/)', 'Periscope'],
    ['Mozilla/5.0 (compatible; LensBot/1.0; +https://x/)', 'LensBot'],
    ['Mozilla/5.0 (X11; Linux)', 'Periscope'],
    ['  odd', 'Periscope'],
  ])('of %j is %s', (userAgent, token) => {
    expect(productTokenOf(userAgent)).toBe(token);
  });
});
