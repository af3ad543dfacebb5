import { CATALOG } from '#tools/catalog.ts';
import type { Tool } from '#tools/define-tool.ts';
import { TOOLSETS, TOOLSET_NAMES } from '#tools/toolsets.ts';
import type { ToolsetName } from '#tools/toolsets.ts';

/** What the connector URL asks for: `?toolsets=reader,web` and `?structured=on|off`. */
export type RequestOptions =
  | { ok: true; tools: readonly Tool[]; toolsets: readonly ToolsetName[]; structured: string | null }
  | { ok: false; problem: string };

export function parseRequestOptions(url: URL): RequestOptions {
  const structured = url.searchParams.get('structured');
  if (structured !== null && structured !== 'on' && structured !== 'off') {
    return { ok: false, problem: 'structured must be on or off' };
  }
  const asked = url.searchParams.get('toolsets');
  const names = asked === null ? TOOLSET_NAMES : asked.split(',').map((name) => name.trim());
  const toolsets = names.filter(isToolset);
  if (toolsets.length !== names.length || toolsets.length === 0) {
    return { ok: false, problem: `toolsets must be a comma-separated list out of: ${TOOLSET_NAMES.join(', ')}` };
  }
  return { ok: true, tools: CATALOG.filter((tool) => toolsets.includes(tool.toolset)), toolsets, structured };
}

function isToolset(name: string): name is ToolsetName {
  return Object.hasOwn(TOOLSETS, name);
}
