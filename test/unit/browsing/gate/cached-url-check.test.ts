import { describe, expect, it } from 'vitest';
import { createCachedUrlDecider } from '#browsing/gate/cached-url-check.ts';
import { parseConfig } from '#core/config/config.ts';
import { netPolicy } from '#net/fetch/fetch-settings.ts';

const POLICY = netPolicy(parseConfig({}), []);

describe('deciding for a browser', () => {
  const url = 'https://site.acme.dev/page';

  it('looks a host and port up once, and again after a while', async () => {
    let asked = 0;
    let now = 0;
    const resolve = async () => [++asked === 1 ? '93.184.215.14' : '10.0.0.1'];
    const decide = createCachedUrlDecider({ policy: POLICY, resolve }, () => now);
    expect([await decide(url), await decide(`${url}?again`), asked]).toEqual([null, null, 1]);
    now = 3_600_000;
    expect(await decide(url)).toBe('the host name leads to an address that is not public');
  });

  it('does not allow an address with a password because its host was allowed', async () => {
    const decide = createCachedUrlDecider({ policy: POLICY, resolve: async () => ['93.184.215.14'] }, Date.now);
    expect(await decide(url)).toBeNull();
    expect(await decide('https://user:word@site.acme.dev/page')).toBe('it carries a user name or password');
  });

  it.each([
    'file:///etc/passwd',
    'chrome://version',
    'ftp://site.acme.dev/',
    'filesystem:http://site.acme.dev/x',
    'nonsense',
  ])('refuses %s', async (address) => {
    const decide = createCachedUrlDecider({ policy: POLICY, resolve: async () => ['93.184.215.14'] }, Date.now);
    expect(await decide(address)).not.toBeNull();
  });

  it('stays closed when a name cannot be looked up', async () => {
    const decide = createCachedUrlDecider(
      { policy: POLICY, resolve: () => Promise.reject(new Error('no answer')) },
      Date.now,
    );
    expect(await decide(url)).toMatch(/the host name could not be looked up$/);
  });
});
