import { CATALOG, CHATGPT_CATALOG } from '#tools/catalog.ts';
import type { Tool } from '#tools/define-tool.ts';
import { TOOLSET_NAMES } from '#tools/toolsets.ts';
import type { ToolsetName } from '#tools/toolsets.ts';

/** What the connector URL asks for: `?toolsets=reader,web` or `?toolsets=chatgpt`, and `?structured=on|off`. */
export type RequestOptions =
  | { ok: true; tools: readonly Tool[]; toolsets: readonly ToolsetName[]; structured: string | null }
  | { ok: false; problem: string };

export function parseRequestOptions(url: URL): RequestOptions {
  const structured = url.searchParams.get('structured');
  if (structured !== null && structured !== 'on' && structured !== 'off') {
    return { ok: false, problem: 'structured must be on or off' };
  }
  const asked = url.searchParams.get('toolsets');
  if (asked?.trim() === 'chatgpt') {
    // Its host requires the structure beside the text, whatever else is known about it.
    return { ok: true, tools: CHATGPT_CATALOG, toolsets: ['chatgpt'], structured: structured ?? 'on' };
  }
  const names = asked === null ? TOOLSET_NAMES : asked.split(',').map((name) => name.trim());
  const toolsets = TOOLSET_NAMES.filter((name) => names.some((candidate) => candidate === name));
  if (toolsets.length !== new Set(names).size) {
    const known = TOOLSET_NAMES.join(', ');
    return { ok: false, problem: `toolsets must be a comma-separated list out of: ${known}; or chatgpt, alone` };
  }
  return {
    ok: true,
    tools: CATALOG.filter((tool) => toolsets.some((name) => name === tool.toolset)),
    toolsets,
    structured,
  };
}
