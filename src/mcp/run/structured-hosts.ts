type Host = { host: string; pattern: RegExp; why: string };

/**
 * Hosts that show the model `structuredContent` in addition to the text block, or instead of it. Their results have
 * only the text, so that page text reaches the model only once. A host is matched by its name in `clientInfo` or the
 * product in `User-Agent`. Clients of the 2025 era send `clientInfo` only in `initialize`, so the `User-Agent` decides
 * later.
 */
const TEXT_ONLY_HOSTS: readonly Host[] = [
  {
    host: 'Claude Code',
    pattern: /^claude[- ]?code\b/i,
    why: 'shows structured JSON instead of the text: anthropics/claude-code#79944, #55677, #59480',
  },
  {
    host: 'VS Code',
    pattern: /^(?:visual studio code|vs ?code)\b/i,
    why: 'shows structured JSON instead of the text: microsoft/vscode#290063',
  },
  {
    host: 'Cursor',
    pattern: /^cursor\b/i,
    why: 'shows structured JSON when there is any: modelcontextprotocol/modelcontextprotocol#1411',
  },
  {
    host: 'ChatGPT',
    pattern: /^(?:openai-mcp|chatgpt)\b/i,
    why: 'shows both, so the text is paid for twice: NousResearch/hermes-agent#7118',
  },
  {
    host: 'Copilot CLI and Copilot for JetBrains',
    pattern: /^(?:github-copilot\b|copilot(?:-cli|-intellij)?(?:\/|$))/i,
    why: 'shows both, so the text is paid for twice: github/copilot-cli#4515, microsoft/copilot-intellij-feedback#2058; its name is that of #1268',
  },
  {
    host: 'Codex',
    pattern: /^codex\b/i,
    why: 'shows structured JSON instead of the text: anomalyco/opencode#32074 follows it; openai/codex#45637 exports both',
  },
  {
    host: 'opencode',
    pattern: /^opencode\b/i,
    why: 'shows structured JSON instead of the text since anomalyco/opencode#32074, and the text alone before it (#38923)',
  },
  {
    host: 'OpenClaw',
    pattern: /^openclaw\b/i,
    why: 'shows structured JSON instead of the text: openclaw/openclaw#87540',
  },
  {
    host: 'Hermes Agent',
    pattern: /^hermes(?:-agent)?\b/i,
    why: 'shows both, so the text is paid for twice, up to NousResearch/hermes-agent#96807: #7118',
  },
];

/** Hosts that check an error's structured content against the tool's output schema and then hide its message. */
const ERRORS_AS_TEXT_HOSTS: readonly Host[] = [
  {
    host: 'MCP Inspector',
    pattern: /^(?:mcp-)?inspector(?:-|\b)/i,
    why: 'measured with 2.12.0: the message of a failed call is replaced by a complaint about the schema',
  },
];

/** True for the kinds of results that get `structuredContent`. Without it, the text has the same information. */
export type StructuredUse = { results: boolean; errors: boolean };

/**
 * Decides whether results and errors get `structuredContent`: by the option `structured` of the URL, or else by the
 * host.
 *
 * Clients that negotiated a version of the 2025 era get errors as text only: the TypeScript client library of that era
 * (v1, up to 1.32) validates an *error* against the tool's output schema and throws, so the host would show a schema
 * complaint instead of our message (decision 0003). Some hosts of the new era do the same.
 */
export function decideStructuredUse(
  asked: string | null,
  hostNames: readonly (string | null | undefined)[],
  negotiated2025: boolean,
): StructuredUse {
  if (asked === 'on') return { results: true, errors: true };
  if (asked === 'off' || isAmong(TEXT_ONLY_HOSTS, hostNames)) return { results: false, errors: false };
  return { results: true, errors: !negotiated2025 && !isAmong(ERRORS_AS_TEXT_HOSTS, hostNames) };
}

function isAmong(hosts: readonly { pattern: RegExp }[], names: readonly (string | null | undefined)[]): boolean {
  return names.some((name) => typeof name === 'string' && hosts.some(({ pattern }) => pattern.test(name.trim())));
}
