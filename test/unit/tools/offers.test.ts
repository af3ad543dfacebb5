import { describe, expect, it } from 'vitest';
import { abilitiesOf } from '#core/abilities.ts';
import { parseConfig } from '#core/config/config.ts';
import { SCOPES } from '#core/principal.ts';
import { CATALOG, isToolOffered, mayCall, findMissingScope, offeredScopes } from '#tools/catalog.ts';

const abilities = (settings: Record<string, string>) => abilitiesOf(parseConfig(settings));
const all = abilities({ RENDER_ENABLED: 'true', EVALUATE_ENABLED: 'true' });
const without = {
  browser: abilities({ EVALUATE_ENABLED: 'true' }),
  scripts: abilities({ RENDER_ENABLED: 'true' }),
};

const optionsOf = (name: string, of: typeof all) =>
  JSON.stringify(CATALOG.find((tool) => tool.name === name)?.offer(of, SCOPES).inputSchema['properties']);

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
    expect(offered.filter(({ toolset }) => toolset === 'browser')).toEqual([]);
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
