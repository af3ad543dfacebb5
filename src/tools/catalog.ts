import type { Tool } from './define-tool.ts';
import { chatgptFetch } from './chatgpt/fetch.ts';
import { chatgptSearch } from './chatgpt/search.ts';
import { browserClick } from './browser/browser-click.ts';
import { browserClose } from './browser/browser-close.ts';
import { browserDo } from './browser/browser-do.ts';
import { browserEvaluate } from './browser/browser-evaluate.ts';
import { browserFiles } from './browser/browser-files.ts';
import { browserFill } from './browser/browser-fill.ts';
import { browserHandoff } from './browser/browser-handoff.ts';
import { browserHtml } from '#tools/browser/look/browser-html.ts';
import { browserLaunch } from './browser/browser-launch.ts';
import { browserLog } from '#tools/browser/look/browser-log.ts';
import { browserNavigate } from './browser/browser-navigate.ts';
import { browserPoint } from './browser/browser-point.ts';
import { browserRead } from '#tools/browser/look/browser-read.ts';
import { browserScreenshot } from '#tools/browser/look/browser-screenshot.ts';
import { browserScroll } from './browser/browser-scroll.ts';
import { browserSnapshot } from '#tools/browser/look/browser-snapshot.ts';
import { browserType } from './browser/browser-type.ts';
import { browserWait } from './browser/browser-wait.ts';
import { changesTool } from './library/changes.ts';
import { followTool } from './library/follow.ts';
import { findTool } from './reader/find.ts';
import { openResultTool } from './reader/open-result.ts';
import { openUrlTool } from './reader/open-url.ts';
import { scrollTool } from './reader/scroll.ts';
import { searchTool } from './reader/search.ts';
import { findPassages } from './web/find-passages.ts';
import { cacheGet } from './web/cache-get.ts';
import { cachePurge } from './web/cache-purge.ts';
import { webBatchOpen } from './web/web-batch-open.ts';
import { webExtract } from './web/web-extract.ts';
import { webOpen } from './web/web-open.ts';
import { viewImage } from './web/view-image.ts';
import { citeTool } from './web/cite.ts';
import { webSearch } from './web/web-search.ts';
import type { Abilities } from '#core/abilities.ts';
import type { Principal, Scope } from '#core/principal.ts';
import { isJsonObject } from '#core/text/json.ts';

/** All tools in the order that clients see. A connection gets all of them, or the toolsets of `?toolsets=`. */
export const CATALOG: readonly Tool[] = [
  searchTool,
  openResultTool,
  openUrlTool,
  scrollTool,
  findTool,
  webSearch,
  webOpen,
  webBatchOpen,
  findPassages,
  webExtract,
  viewImage,
  citeTool,
  cacheGet,
  cachePurge,
  followTool,
  changesTool,
  browserLaunch,
  browserNavigate,
  browserSnapshot,
  browserClick,
  browserFill,
  browserType,
  browserDo,
  browserPoint,
  browserScroll,
  browserWait,
  browserScreenshot,
  browserEvaluate,
  browserHtml,
  browserRead,
  browserLog,
  browserFiles,
  browserHandoff,
  browserClose,
];

/** Tools for `?toolsets=chatgpt`. ChatGPT prescribes their names, so they are not part of the catalogue. */
export const CHATGPT_CATALOG: readonly Tool[] = [chatgptSearch, chatgptFetch];

/**
 * True if this deployment has the abilities that the tool needs, such as a browser. Other tools are not offered to any
 * caller.
 */
export function isToolOffered(tool: Pick<Tool, 'toolset' | 'ability' | 'scope'>, abilities: Abilities): boolean {
  if (tool.toolset === 'browser' && !abilities.browser) return false;
  if (tool.ability !== null && !abilities[tool.ability]) return false;
  return tool.scope !== 'browser:evaluate' || abilities.scripts;
}

/** The permissions that enable at least one tool or option of this deployment, in the order of the catalogue. */
export function offeredScopes(abilities: Abilities): Scope[] {
  const offered = CATALOG.filter((tool) => isToolOffered(tool, abilities));
  return [...new Set(offered.flatMap((tool) => [tool.scope, ...tool.optionScopes.map(({ scope }) => scope)]))];
}

export function mayCall({ scopes }: Pick<Principal, 'scopes'>, tool: Pick<Tool, 'scope'>): boolean {
  return scopes.includes(tool.scope);
}

/** A permission that the caller lacks for a call. `option`: the parameter that needs it; `null` for the tool itself. */
export type MissingScope = { scope: Scope; option: string | null };

/** The permission that the caller lacks for a call with these arguments, or `null`. */
export function findMissingScope(
  { scopes }: Pick<Principal, 'scopes'>,
  tool: Pick<Tool, 'scope' | 'optionScopes'>,
  input: unknown,
): MissingScope | null {
  const isSet = (option: string) => isJsonObject(input) && Object.hasOwn(input, option) && input[option] === true;
  const needed = [{ scope: tool.scope, option: null }, ...tool.optionScopes.filter(({ option }) => isSet(option))];
  const missing = needed.find(({ scope }) => !scopes.includes(scope));
  return missing === undefined ? null : { scope: missing.scope, option: missing.option };
}
