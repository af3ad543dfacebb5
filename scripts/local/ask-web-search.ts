import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** The user's choice as a setting; `null` means not now. */
export type WebSearchChoice = { name: 'SEARCH_PROVIDERS' | 'BRAVE_API_KEY' | 'SEARXNG_URL'; value: string } | null;

/** Shows a prompt and reads one line; `null` at the end of the input. */
export type Ask = (prompt: string) => Promise<string | null>;

/** Number of invalid answers after which the question counts as answered with not now. */
const TRIES_MAX = 3;
/** The line in `.dev.vars` that tells later starts that the user has answered. */
const NOT_NOW = '# Web search: not now.';

/** Shown by a start that cannot ask, and written into the file. */
export const LINE_TO_ADD =
  'SEARCH_PROVIDERS=keenable (no key; Keenable receives your queries), or BRAVE_API_KEY=YOUR-KEY, or SEARXNG_URL=https://ADDRESS';

const KEENABLE = '[1] Keenable, no key';
const OTHERS = '[2] Brave key [3] SearXNG address [Enter] not now';
const RECEIVERS = 'The one you choose receives every search query';

/**
 * Asks which web search to use, and names who will receive the queries.
 * @param keyless true if a search without a key works: on the user's own machine, but not in a deployment
 */
export async function askWebSearch(ask: Ask, keyless: boolean): Promise<WebSearchChoice> {
  const question = keyless
    ? `${RECEIVERS}: Keenable (keenable.ai), Brave (brave.com), or the SearXNG instance.\nSearch the web? ${KEENABLE} ${OTHERS}: `
    : `${RECEIVERS}: Brave (brave.com), or the SearXNG instance. Keenable needs no key, but works with npm start only.\nSearch the web? ${OTHERS}: `;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const answer = (await ask(tries === 0 ? question : `Type ${keyless ? '1, ' : ''}2, 3, or Enter: `))?.trim() ?? '';
    if (answer === '') return null;
    if (answer === '1' && keyless) return { name: 'SEARCH_PROVIDERS', value: 'keenable' };
    if (answer === '2')
      return askFor('BRAVE_API_KEY', 'Brave API key (https://api-dashboard.search.brave.com): ', isKey, ask);
    if (answer === '3') return askFor('SEARXNG_URL', 'Address of the SearXNG instance (https://…): ', isAddress, ask);
  }
  return null;
}

async function askFor(
  name: 'BRAVE_API_KEY' | 'SEARXNG_URL',
  prompt: string,
  isRight: (value: string) => boolean,
  ask: Ask,
): Promise<WebSearchChoice> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const value = (await ask(prompt))?.trim() ?? '';
    if (value === '') return null;
    if (isRight(value)) return { name, value };
  }
  return null;
}

function isKey(value: string): boolean {
  return /^[\w.-]{8,200}$/.test(value);
}

function isAddress(value: string): boolean {
  return /^https?:\/\/[^\s'"#]+$/.test(value) && URL.canParse(value);
}

/** Adds the answer to `.dev.vars`, even if it is not now, so that no later start asks. */
export function keepChoice(file: string, choice: WebSearchChoice): void {
  const before = readFileSync(file, 'utf8');
  const added =
    choice === null
      ? `${NOT_NOW} To search it, add one line: ${LINE_TO_ADD}.`
      : `# Web search.\n${choice.name}=${choice.value}`;
  writeFileSync(file, `${before}${before === '' || before.endsWith('\n') ? '' : '\n'}${added}\n`, { mode: 0o600 });
}

/** @param text of `.dev.vars` */
export function wasAsked(text: string): boolean {
  return text.split('\n').some((line) => line.startsWith(NOT_NOW));
}

/**
 * Asks on the terminal of this process. `null` if nobody can answer: there is no terminal, or the process is in the
 * background, where the system would stop it when it reads.
 */
export function terminalAsk(): Ask | null {
  if (!process.stdin.isTTY || !process.stdout.isTTY || !isInForeground()) return null;
  return (prompt) =>
    new Promise((resolve) => {
      // Not in raw mode, so that Ctrl-C still stops the server.
      const lines = createInterface({ input: process.stdin, terminal: false });
      process.stdout.write(prompt);
      let answer: string | null = null;
      lines.once('line', (line) => {
        answer = line;
        lines.close();
      });
      lines.once('close', () => resolve(answer));
    });
}

/** Fields of `/proc/PID/stat` after the program's name: its process group, and the foreground group. */
const GROUP_FIELD = 2;
const FOREGROUND_FIELD = 5;

/** Also true on systems without `/proc`. */
function isInForeground(): boolean {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[GROUP_FIELD] === fields[FOREGROUND_FIELD];
  } catch {
    return true;
  }
}
