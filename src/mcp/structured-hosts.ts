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
    host: 'Hermes Agent',
    pattern: /^hermes(?:-agent)?\b/i,
    why: 'shows both, so the text is paid for twice: NousResearch/hermes-agent#7118',
  },
];

/** Which results carry `structuredContent`. Without it a result's text says the same. */
export type StructuredUse = { results: boolean; errors: boolean };

/**
 * What the URL asks for, else what the host can be trusted with.
 *
 * Errors are the exception for clients that negotiated a version of the 2025 era: the TypeScript client library of that
 * era (v1, up to 1.32) holds the structure of an *error* against the tool's output schema and throws, so its host would
 * see a schema complaint instead of our message (decision 0003). `asked === 'on'` overrules that, too.
 */
export function structuredUse(
  asked: string | null,
  hostNames: readonly (string | null | undefined)[],
  negotiated2025: boolean,
): StructuredUse {
  if (asked === 'on') return { results: true, errors: true };
  const isTextOnly = hostNames.some(
    (name) => typeof name === 'string' && TEXT_ONLY_HOSTS.some(({ pattern }) => pattern.test(name.trim())),
  );
  if (asked === 'off' || isTextOnly) return { results: false, errors: false };
  return { results: true, errors: !negotiated2025 };
}
