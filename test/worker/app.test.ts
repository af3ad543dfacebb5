import { describe, expect, it } from 'vitest';
import { httpsRedirectUrl, findAccessRefusal } from '#app.ts';

const rules = (PUBLIC_URL: string, ALLOWED_ORIGINS: string[] = []) => ({ PUBLIC_URL, ALLOWED_ORIGINS });
const call = (url: string, origin: string | null, publicUrl: string, allowed?: string[]) =>
  findAccessRefusal(new Request(url, origin === null ? {} : { headers: { origin } }), rules(publicUrl, allowed));

describe('access rules', () => {
  it('allow requests without an origin, pages of this server and the connector hosts', () => {
    for (const origin of [
      null,
      'https://periscope.acme.dev',
      'https://claude.ai',
      'https://claude.com',
      'https://chatgpt.com',
    ]) {
      expect(call('https://periscope.acme.dev/mcp', origin, 'https://periscope.acme.dev')).toBeNull();
    }
  });

  it('refuse every other web origin, including look-alikes and opaque ones', () => {
    for (const origin of [
      'https://evil.dev',
      'https://claude.ai.evil.dev',
      'http://claude.ai',
      'null',
      'http://localhost:3000',
      'https://periscope.acme.dev.evil.dev',
    ]) {
      expect(call('https://periscope.acme.dev/mcp', origin, 'https://periscope.acme.dev')).not.toBeNull();
    }
  });

  it('allow the web origins that the operator lists, in exactly this spelling', () => {
    const from = (origin: string) =>
      call('https://periscope.acme.dev/mcp', origin, 'https://periscope.acme.dev', ['https://inspector.acme.dev']);
    expect(from('https://inspector.acme.dev')).toBeNull();
    for (const other of ['http://inspector.acme.dev', 'https://inspector.acme.dev:444', 'https://x.inspector.acme.dev'])
      expect(from(other)).not.toBeNull();
  });

  it("refuse an unknown host name, because DNS rebinding reaches a laptop under the attacker's name", () => {
    expect(call('http://rebound.evil.dev:8787/mcp', null, 'http://localhost:8787')).not.toBeNull();
    expect(call('http://127.0.0.1:8787/mcp', null, 'http://localhost:8787')).toBeNull();
    expect(call('http://[::1]:8787/mcp', null, 'http://localhost:8787')).toBeNull();
    expect(call('http://localhost:8787/mcp', null, 'https://periscope.acme.dev')).not.toBeNull();
  });

  it('apply to the requested host, whatever URL a header of a local runtime contains', () => {
    const asked = (url: string, host: string) =>
      findAccessRefusal(new Request(url, { headers: { host } }), rules('http://localhost:8787'));
    expect(asked('http://localhost:8787/mcp', 'localhost:8787')).toBeNull();
    expect(asked('http://127.0.0.1:8787/mcp', '127.0.0.1:8787')).toBeNull();
    expect(asked('http://[::1]:8787/mcp', '[::1]:8787')).toBeNull();
    for (const host of [
      'rebound.evil.dev:8787',
      'rebound.evil.dev',
      'localhost:9000',
      'evil@localhost:8787',
      'a b',
      '',
    ]) {
      expect(asked('http://localhost:8787/mcp', host)).not.toBeNull();
    }
    const named = (host: string) =>
      findAccessRefusal(
        new Request('https://periscope.acme.dev/mcp', { headers: { host } }),
        rules('https://periscope.acme.dev'),
      );
    expect(named('periscope.acme.dev:443')).toBeNull();
    expect(named('PERISCOPE.acme.dev')).toBeNull();
  });

  it('let local tools such as the Inspector call a local server, under any port', () => {
    expect(call('http://localhost:8787/mcp', 'http://localhost:6274', 'http://localhost:8787')).toBeNull();
    expect(call('http://localhost:8787/mcp', 'http://127.0.0.1:6274', 'http://localhost:8787')).toBeNull();
    expect(call('http://localhost:8787/mcp', 'https://evil.dev', 'http://localhost:8787')).not.toBeNull();
  });
});

describe('plain http', () => {
  const asked = (url: string, headers = {}) => httpsRedirectUrl(new Request(url, { headers }));

  it('is redirected to https, except on a laptop and behind a tunnel that has decrypted it', () => {
    expect(asked('http://periscope.acme.dev/sign-in?a=b')).toBe('https://periscope.acme.dev/sign-in?a=b');
    expect(asked('http://periscope.acme.dev/', { 'x-forwarded-proto': 'http' })).toBe('https://periscope.acme.dev/');
    expect(asked('http://periscope.acme.dev/', { 'x-forwarded-proto': 'https' })).toBeNull();
    expect(asked('https://periscope.acme.dev/')).toBeNull();
    expect(asked('http://localhost:8787/')).toBeNull();
    expect(asked('http://127.0.0.1:8787/')).toBeNull();
  });
});
