/**
 * Hosts that show the model `structuredContent` instead of, or beside, the text block. They get the text alone, so that
 * page text reaches the model exactly once. Matched on the name in `clientInfo` or the product in User-Agent; a client
 * of the 2025 era names itself only when it initialises, so there the User-Agent decides.
 */
const TEXT_ONLY_HOSTS: readonly { host: string; pattern: RegExp; why: string }[] = [
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
    host: 'Copilot CLI',
    pattern: /^(?:github-copilot\b|copilot(?:-cli)?\/)/i,
    why: 'shows both, so the text is paid for twice: github/copilot-cli#4515; its name is that of #1268',
  },
  {
    host: 'Hermes Agent',
    pattern: /^hermes(?:-agent)?\b/i,
    why: 'shows both, so the text is paid for twice: NousResearch/hermes-agent#7118',
  },
];

/** Hosts that hold the structure of an error against the output schema of its tool, and then show neither. */
const ERRORS_AS_TEXT_HOSTS: readonly { host: string; pattern: RegExp; why: string }[] = [
  {
    host: 'MCP Inspector',
    pattern: /^(?:mcp-)?inspector(?:-|\b)/i,
    why: 'measured with 2.12.0: the message of a failed call is replaced by a complaint about the schema',
  },
];

/** Which results carry `structuredContent`. Without it a result's text says the same. */
export type StructuredUse = { results: boolean; errors: boolean };

/**
 * What the URL asks for, else what the host can be trusted with.
 *
 * Errors are the exception for clients that negotiated a version of the 2025 era: the TypeScript client library of that
 * era (v1, up to 1.32) holds the structure of an *error* against the tool's output schema and throws, so its host would
 * see a schema complaint instead of our message (decision 0003); some hosts of the new era do the same. `asked === 'on'`
 * overrules that, too.
 */
export function structuredUse(
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
