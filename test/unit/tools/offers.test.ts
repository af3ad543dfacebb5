import { describe, expect, it } from 'vitest';
import { abilitiesOf } from '#core/abilities.ts';
import { parseConfig } from '#core/config/config.ts';
import { describeFailure } from '#core/failures/describe-failure.ts';
import { SCOPES } from '#core/principal.ts';
import { CATALOG, CHATGPT_CATALOG, isToolOffered, mayCall, findMissingScope, offeredScopes } from '#tools/catalog.ts';

const abilities = (settings: Record<string, string>) => abilitiesOf(parseConfig(settings));
const all = abilities({ RENDER_ENABLED: 'true', EVALUATE_ENABLED: 'true' });
const without = {
  browser: abilities({ EVALUATE_ENABLED: 'true' }),
  scripts: abilities({ RENDER_ENABLED: 'true' }),
};

const optionsOf = (name: string, of: typeof all) =>
  JSON.stringify(CATALOG.find((tool) => tool.name === name)?.offer(of, SCOPES).inputSchema['properties']);

/** Tools whose description says that a deployment without web search searches its own pages. */
const SEARCHES_LOCALLY = ['web_search'];
/** The condition under which a hint offers a tool that the deployment may lack. */
const CONDITION = /If you have the browser tools|If web_open offers/;
/** Failures of pages, outside of browser sessions, whose hints differ. */
const PAGE_PROBLEMS = [
  { code: 'http_error', statusCode: 404 },
  { code: 'http_error', statusCode: 410, quoted: 'Moved' },
  { code: 'http_error', statusCode: 403 },
  { code: 'http_error', statusCode: 500 },
  { code: 'http_error', statusCode: 304 },
  { code: 'fetch_failed' },
  { code: 'fetch_failed', only: 'browser' },
  { code: 'fetch_failed', needs: 'cookies' },
  { code: 'extract_failed' },
  { code: 'extract_failed', of: 'empty' },
  { code: 'extract_failed', of: 'file' },
  { code: 'not_viewable', mediaType: 'text/html' },
  { code: 'view_failed' },
  { code: 'render_failed' },
  { code: 'render_disabled' },
  { code: 'render_disabled', of: 'picture' },
  { code: 'challenge_page', kind: 'bot_wall', statusCode: 403 },
  { code: 'payment_required', scheme: null, price: null },
  { code: 'unsupported_mime', mediaType: 'video/mp4' },
] as const;

describe('the tools that a deployment offers', () => {
  it('exclude filters that need a web search without one, and rendering without a browser', () => {
    expect(optionsOf('web_search', all)).not.toContain('goggles');
    expect(optionsOf('web_search', all)).toContain('domain_allowlist');
    const searching = [{ BRAVE_API_KEY: 'key' }, { EXA_API_KEY: 'key' }, { SEARCH_PROVIDERS: 'keenable' }];
    for (const settings of searching) expect(optionsOf('web_search', abilities(settings))).toContain('goggles');
    expect(optionsOf('web_search', abilities({ BRAVE_API_KEY: 'key', SEARCH_PROVIDERS: 'local' }))).not.toContain(
      'goggles',
    );
    for (const name of ['web_open', 'web_batch_open']) {
      expect(optionsOf(name, all)).toContain('"rendered"');
      expect(optionsOf(name, without.browser)).not.toContain('"rendered"');
    }
  });

  it('have descriptions that name no tool, mode or search that the deployment lacks', () => {
    for (const one of [abilities({}), without.browser, without.scripts, all]) {
      const offered = CATALOG.filter((tool) => isToolOffered(tool, one));
      const missing = CATALOG.filter((tool) => !offered.includes(tool)).map(({ name }) => name);
      for (const tool of [...offered, ...CHATGPT_CATALOG]) {
        const text = JSON.stringify(tool.offer(one, SCOPES));
        expect([tool.name, missing.filter((name) => text.includes(name))]).toEqual([tool.name, []]);
        if (!one.browser) expect(text).not.toMatch(/rendered|\bbrowser\b/);
        if (!one.webSearch && !SEARCHES_LOCALLY.includes(tool.name))
          expect(text).not.toMatch(/search the web|web_search/i);
      }
    }
  });

  it('have hints that name browser tools, modes and searches only on a condition', () => {
    const page = { url: 'https://a.dev/x', reason: 'x' };
    const hints = new Set(PAGE_PROBLEMS.map((problem) => describeFailure({ ...page, ...problem }).hint));
    expect(hints.size).toBe(PAGE_PROBLEMS.length);
    const offering = [...hints].filter((hint) => /browser_|web_search|rendered|\bsearch for\b/i.test(hint));
    expect(offering.filter((hint) => !CONDITION.test(hint))).toEqual([]);
    expect(offering).toHaveLength(5);
  });

  it('are the whole catalogue with a browser and with scripts allowed', () => {
    expect(CATALOG.filter((tool) => !isToolOffered(tool, all))).toEqual([]);
    expect(offeredScopes(all)).toEqual([
      'web:read',
      'cite:share',
      'cache:purge',
      'library:follow',
      'browser:use',
      'browser:evaluate',
    ]);
  });

  it('exclude browser tools and their permission without a browser', () => {
    const offered = CATALOG.filter((tool) => isToolOffered(tool, without.browser));
    expect(offered.length).toBeGreaterThan(0);
    expect(offered.filter(({ toolset, name }) => toolset === 'browser' || name === 'view_image')).toEqual([]);
    expect(offeredScopes(without.browser)).toEqual(['web:read', 'cite:share', 'cache:purge', 'library:follow']);
  });

  it('exclude the tool that runs scripts, and its permission, if scripts are off', () => {
    const missing = CATALOG.filter((tool) => !isToolOffered(tool, without.scripts));
    expect(missing.map(({ name }) => name)).toEqual(['browser_evaluate']);
    expect(offeredScopes(without.scripts)).not.toContain('browser:evaluate');
  });

  it('ask users for the permissions of the listed tools, and for no others', () => {
    for (const some of [all, without.browser, without.scripts]) {
      const scopes = offeredScopes(some);
      const callable = CATALOG.filter((tool) => isToolOffered(tool, some) && mayCall({ scopes }, tool));
      expect(callable).toEqual(CATALOG.filter((tool) => isToolOffered(tool, some)));
      for (const scope of scopes) {
        const others = { scopes: scopes.filter((one) => one !== scope) };
        const asks = (tool: (typeof CATALOG)[number]) =>
          Object.fromEntries(tool.optionScopes.map(({ option }) => [option, true]));
        expect(callable.some((tool) => findMissingScope(others, tool, asks(tool))?.scope === scope)).toBe(true);
      }
    }
  });

  it('include an option and its description only for users with its permission', () => {
    const withOptions = CATALOG.filter(({ optionScopes }) => optionScopes.length > 0);
    expect(withOptions.map(({ name }) => name)).toEqual(['cite']);
    for (const tool of withOptions) {
      for (const { option, scope, description } of tool.optionScopes) {
        const lacking = tool.offer(
          all,
          SCOPES.filter((one) => one !== scope),
        );
        expect(lacking.description).not.toContain(option);
        expect(JSON.stringify(lacking.inputSchema)).not.toContain(option);
        const whole = tool.offer(all, SCOPES);
        expect(whole).toEqual({ description: tool.description, inputSchema: tool.inputSchema() });
        expect(whole.description.endsWith(` ${description}`)).toBe(true);
        expect(Object.keys(whole.inputSchema['properties'] as object)).toContain(option);
      }
    }
  });
});
