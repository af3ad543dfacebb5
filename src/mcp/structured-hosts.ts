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

/** Whether results carry `structuredContent`: what the URL asks for, else what the host can be trusted with. */
export function wantsStructured(asked: string | null, hostNames: readonly (string | null | undefined)[]): boolean {
  if (asked === 'on') return true;
  if (asked === 'off') return false;
  return !hostNames.some(
    (name) => typeof name === 'string' && TEXT_ONLY_HOSTS.some(({ pattern }) => pattern.test(name.trim())),
  );
}
