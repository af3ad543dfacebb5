import type { Abilities } from '#core/config.ts';
import type { Principal, Scope } from '#core/principal.ts';
import { CATALOG } from './catalog.ts';
import type { Tool } from './define-tool.ts';

/** Whether this deployment has what the tool needs. A tool that is not offered does not exist for any caller. */
export function isOffered(tool: Pick<Tool, 'toolset' | 'scope'>, { browser, scripts }: Abilities): boolean {
  if (tool.toolset === 'browser' && !browser) return false;
  return tool.scope !== 'browser:evaluate' || scripts;
}

/** The permissions that give access to at least one tool of this deployment, in the order of the catalogue. */
export function offeredScopes(abilities: Abilities): Scope[] {
  return [...new Set(CATALOG.filter((tool) => isOffered(tool, abilities)).map((tool) => tool.scope))];
}

/** Whether the caller has the permission that the tool needs. */
export function mayCall({ scopes }: Pick<Principal, 'scopes'>, tool: Pick<Tool, 'scope'>): boolean {
  return scopes.includes(tool.scope);
}
