import type { Abilities } from '#core/abilities.ts';
import type { Principal, Scope } from '#core/principal.ts';
import { CATALOG } from './catalog.ts';
import type { Tool } from './define-tool.ts';

/** Whether this deployment has what the tool needs. A tool that it does not offer does not exist for anybody. */
export function isOffered(tool: Pick<Tool, 'toolset' | 'scope'>, { browser, scripts }: Abilities): boolean {
  if (tool.toolset === 'browser' && !browser) return false;
  return tool.scope !== 'browser:evaluate' || scripts;
}

/** The permissions behind which this deployment has tools, in the order of the catalogue. */
export function offeredScopes(abilities: Abilities): Scope[] {
  return [...new Set(CATALOG.filter((tool) => isOffered(tool, abilities)).map((tool) => tool.scope))];
}

/** Whether the caller was granted what the tool needs. */
export function mayCall({ scopes }: Pick<Principal, 'scopes'>, tool: Pick<Tool, 'scope'>): boolean {
  return scopes.includes(tool.scope);
}
