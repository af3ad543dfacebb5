import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeRedirectDestination, classifyRedirectUri, supportedRedirects } from '#auth/server/client-metadata.ts';
import { stories } from '#support/stories.ts';

const SITE = 'https://client.acme.dev/callback';

describe('a redirect URI', () => {
  it.each([
    ['https://client.acme.dev/callback', { kind: 'site', host: 'client.acme.dev' }],
    ['https://client.acme.dev:8443/', { kind: 'site', host: 'client.acme.dev:8443' }],
    ['http://localhost:57470/callback', { kind: 'loopback', host: 'localhost' }],
    ['http://127.0.0.1/', { kind: 'loopback', host: '127.0.0.1' }],
    ['http://[::1]:9/cb', { kind: 'loopback', host: '[::1]' }],
    ['https://localhost/cb', { kind: 'loopback', host: 'localhost' }],
    ['cursor://anysphere.cursor-mcp/oauth/callback', { kind: 'app', scheme: 'cursor' }],
    ['CURSOR://anysphere.cursor-mcp/oauth/callback', { kind: 'app', scheme: 'cursor' }],
    ['vscode://saoudrizwan.claude-dev/cb?a=b&c=%20', { kind: 'app', scheme: 'vscode' }],
    ['vscode-insiders://x/y', { kind: 'app', scheme: 'vscode-insiders' }],
    ['warp://mcp/oauth2callback', { kind: 'app', scheme: 'warp' }],
    ['com.example:/', { kind: 'app', scheme: 'com.example' }],
    ['com.example.app:/oauth2redirect', { kind: 'app', scheme: 'com.example.app' }],
    ['com.example-1.app://cb/', { kind: 'app', scheme: 'com.example-1.app' }],
    ['cursor://localhost/cb', { kind: 'app', scheme: 'cursor' }],
  ])('%s leads to the expected place', (uri, place) => {
    expect(classifyRedirectUri(uri)).toEqual(place);
    expect(supportedRedirects([uri])).toEqual([uri]);
  });

  it.each([
    'http://client.acme.dev/callback',
    'http://localhost.acme.dev/',
    'http://127.0.0.1@acme.dev/',
    'https://user:word@acme.dev/',
    'https://acme.dev/cb#part',
    'https://acme.dev/#',
    'https://*.acme.dev/cb',
    'https://acme.dev\\@other.dev/',
    'https://acme.dev/a b',
    ' https://acme.dev/',
    'ftp://acme.dev/cb',
    'ws://acme.dev/cb',
    'wss://acme.dev/cb',
    'gopher://acme.dev/cb',
    'ldap://acme.dev/cb',
    'webcal://acme.dev/cb',
    'googlechrome://acme.dev/cb',
    'intent://acme.dev/cb',
    'ms-msdt:/id',
    'search-ms:/query',
    'x-apple.systempreferences:/x',
    'itms-services://x/',
    'chrome://settings',
    'chrome-extension://abcdef/cb',
    'mailto:/x',
    'tel:/1',
    'myapp://callback',
    'cursor:opaque',
    'cursor:',
    'com.example:opaque',
    'com.example:/cb#part',
    'cursor://user:word@host/cb',
    'cursor://user@host/cb',
    'cursor://x/ y',
    'cursor://x/\ny',
    'cursor:\\\\x',
    'cursor://*',
    'cursor://x/"><b>',
    'com.:/x',
    '.com:/x',
    'com..x:/x',
    'c.x:/x',
    '1com.x:/x',
    'cursor',
    '/callback',
    '//acme.dev/cb',
    '',
    '*',
    'java\tscript:/alert',
    'jav\u0430script:/alert',
    '\u0001javascript:/alert',
  ])('%j leads nowhere, alone or in a list', (uri) => {
    expect(classifyRedirectUri(uri)).toBeNull();
    expect(supportedRedirects([uri])).toBeNull();
    expect(supportedRedirects([SITE, uri]) ?? [SITE]).toEqual([SITE]);
  });

  it.each([
    'javascript:alert(1)',
    'JavaScript://x/%0aalert(1)',
    'data:text/html,x',
    'data:/x',
    'vbscript:/x',
    'file:///x',
    'blob:https://x/y',
    'filesystem:https://x/y',
    'about:blank',
    'view-source:https://x/',
  ])('%s makes the whole registration fail', (uri) => {
    expect(classifyRedirectUri(uri)).toBeNull();
    expect(supportedRedirects([SITE, uri])).toBeNull();
  });

  it('is shown by its scheme alone when an app opens it, because its host is not a web site', () => {
    const place = classifyRedirectUri('cursor://accounts.bank.dev/cb');
    expect(place === null ? '' : describeRedirectDestination(place)).toBe('cursor: (an app on this device)');
  });

  it('never leads to a scheme that browsers open themselves, however it is spelled', () => {
    const own = ['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:', 'ftp:', 'ws:', 'intent:', 'http:'];
    const scheme = fc.constantFrom(...own.map((one) => one.slice(0, -1)), 'https', 'cursor', 'com.example');
    const noise = fc.string({ maxLength: 2 });
    const uri = fc.tuple(noise, scheme, noise, fc.constantFrom(':', ':/', '://', '%3a//'), fc.string());
    const leads = (parts: readonly string[]) => {
      const place = classifyRedirectUri(parts.join(''));
      const goesTo = URL.parse(parts.join(''))?.protocol ?? '';
      if (place === null) return true;
      return place.kind === 'app' ? goesTo === `${place.scheme}:` && !own.includes(goesTo) : /^https?:$/u.test(goesTo);
    };
    expect(() => fc.assert(fc.property(uri, leads), { numRuns: stories(500) })).not.toThrow();
  });
});
