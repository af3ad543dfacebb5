import { describe, expect, it } from 'vitest';
import { CONFIG_NAMES, ConfigError, parseConfig } from '#core/config/config.ts';
import { describeWebSearch } from '#core/search-engines.ts';
import { VERSION } from '#generated/about.ts';
import manifest from '../../../../package.json';

const problem = (env: Record<string, string>) => {
  try {
    parseConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
  }
  return null;
};

describe('configuration', () => {
  it('has a default for everything but keys, and browser features are off by default', () => {
    expect(parseConfig({})).toMatchObject({
      MAX_BYTES: 5_000_000,
      TIMEOUT_MS: 20_000,
      RESPECT_ROBOTS: true,
      RENDER_ENABLED: false,
      EVALUATE_ENABLED: false,
      CURSOR_TTL_HOURS: 24,
      ALLOWED_PRIVATE_HOSTS: [],
    });
  });

  it('treats an empty value as unset', () => {
    expect(parseConfig({ MAX_BYTES: '', LOCAL_ACCESS_TOKEN: ' ' })).toMatchObject({ MAX_BYTES: 5_000_000 });
  });

  it('names the variable and its allowed values in an error, and never its value', () => {
    expect(problem({ MAX_BYTES: 'sesame' })).toBe(
      'Configuration: MAX_BYTES must be a whole number from 10000 to 20000000.',
    );
    expect(problem({ TIMEOUT_MS: '999999' })).toContain('TIMEOUT_MS must be a whole number from 1000 to 40000');
    expect(problem({ RESPECT_ROBOTS: 'yes' })).toContain('RESPECT_ROBOTS must be true or false');
    expect(problem({ ALLOWED_PRIVATE_HOSTS: '127.0.0.1' })).toContain('ALLOWED_PRIVATE_HOSTS must be');
    expect(problem({ LOCAL_ACCESS_TOKEN: 'short-secret' })).not.toContain('short-secret');
    expect(problem({ SEARCH_PROVIDERS: 'google' })).toContain('SEARCH_PROVIDERS');
    expect(problem({ SEARCH_PROVIDERS: 'exa' })).toContain('names exa, so EXA_API_KEY must be set too');
    expect(problem({ SEARCH_PROVIDERS: 'keenable', PUBLIC_URL: 'https://reader.example.org' })).toContain(
      'keenable, for npm start only',
    );
    expect(problem({ SEARXNG_URL: 'ftp://x' })).toContain('SEARXNG_URL must be an http or https URL');
  });

  it('refuses the development exception on a public URL', () => {
    expect(problem({ PUBLIC_URL: 'https://periscope.acme.dev', ALLOWED_PRIVATE_HOSTS: '127.0.0.1:8080' })).toContain(
      'ALLOWED_PRIVATE_HOSTS is for development only',
    );
    expect(problem({ PUBLIC_URL: 'http://localhost:8787', ALLOWED_PRIVATE_HOSTS: '127.0.0.1:8080' })).toBeNull();
  });

  it('refuses a short passphrase, and a URL that would send a passphrase unencrypted', () => {
    expect(problem({ PUBLIC_URL: 'http://periscope.acme.dev' })).toContain('PUBLIC_URL must be https');
    expect(problem({ PUBLIC_URL: 'http://192.168.1.5:8787' })).toContain('PUBLIC_URL must be https');
    expect(problem({ PUBLIC_URL: 'http://127.0.0.1:8787' })).toBeNull();
    expect(problem({ OWNER_PASSPHRASE: 'short' })).toContain('OWNER_PASSPHRASE must have 12 to 1000 characters');
    expect(problem({ OWNER_PASSPHRASE: 'long enough now' })).toBeNull();
  });

  it('defines every name once', () => {
    expect(new Set(CONFIG_NAMES).size).toBe(CONFIG_NAMES.length);
    expect(CONFIG_NAMES).toContain('LOCAL_ACCESS_TOKEN');
  });

  it('has the same version as the package', () => {
    expect(manifest.version).toBe(VERSION);
  });
});

describe('browser sessions', () => {
  it('leave room for rendering among the 200 browsers of the plan', () => {
    expect(parseConfig({ MAX_SESSIONS: '196' }).MAX_SESSIONS).toBe(196);
    expect(() => parseConfig({ MAX_SESSIONS: '197' })).toThrow('MAX_SESSIONS must be a whole number from 1 to 196');
    expect(parseConfig({}).MAX_SESSIONS).toBeLessThanOrEqual(196);
  });

  it('keep an idle browser for ten minutes when browsers cost money', () => {
    expect(parseConfig({}).SESSION_IDLE_MINUTES).toBe(10);
  });
});

describe('the described scope of a web search', () => {
  const words = (settings: Record<string, unknown>) => describeWebSearch(parseConfig(settings));

  it('excludes the web without a provider, and when the owner turns it off', () => {
    expect(words({})).toBeNull();
    expect(words({ BRAVE_API_KEY: 'k', SEARCH_PROVIDERS: 'local' })).toBeNull();
  });

  it('names the providers, and whether they are asked at once', () => {
    const keys = { BRAVE_API_KEY: 'k', EXA_API_KEY: 'k' };
    expect(words(keys)).toBe('the web, through Exa and Brave');
    expect(words({ ...keys, TAVILY_API_KEY: 'k' })).toBe('the web, through Exa and Brave, else Tavily');
    expect(words({ ...keys, SEARCH_PROVIDERS: 'brave,exa' })).toBe('the web, through Brave and Exa');
    expect(words({ AI: {} })).toBe('the web, through the Web Search API of Cloudflare');
  });

  it('names a third party without a key as a receiver of the queries', () => {
    expect(words({ SEARCH_PROVIDERS: 'keenable' })).toMatch(
      /Keenable \(keenable\.ai\), a third party that sees the queries/,
    );
  });
});
