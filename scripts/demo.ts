import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Client } from '@modelcontextprotocol/client';
import { showBrowser } from './demo/browser.ts';
import { call, connect, heading, shownCall } from './demo/client.ts';
import type { Result } from './demo/client.ts';
import { DEMO_PATHS, startDemoSite } from './demo/site.ts';
import type { DemoSite } from './demo/site.ts';
import { launchServer } from './local/launch.ts';
import type { LaunchedServer } from './local/launch.ts';
import { livePath } from '#core/paths.ts';
import { makeSecret } from './local/settings.ts';

/**
 * `npm run demo`: the main features without a key and without a network. Starts the Worker with a temporary data folder
 * and a small bundled site, connects the official client, and prints what a model would see. If there is a browser, the
 * model also drives it. At the end it offers a citation and a live view to open, and waits for a user at a terminal.
 */

const home = mkdtempSync(join(tmpdir(), 'periscope-demo-'));
process.on('exit', () => rmSync(home, { recursive: true, force: true }));

/** Lines that `scroll` shows before the cited line. */
const LINES_BEFORE = 5;
const signInKey = makeSecret();
let server: LaunchedServer | null = null;
let site: DemoSite | null = null;
// Without this, a server that is still running would write files after the folder is deleted.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => void stop().finally(() => process.exit(130)));
}
try {
  site = await startDemoSite();
  server = await launchServer({
    home,
    // CACHE_TTL_SECONDS of 0 makes every opening ask the site again, so that the edit at the end is noticed.
    settings: { ALLOWED_PRIVATE_HOSTS: site.host, CACHE_TTL_SECONDS: '0', LOCAL_SIGN_IN_KEY: signInKey },
  });
  const client = await connect(server);
  const link = await show(client, site);
  const { tools } = await client.listTools();
  const hasBrowser = tools.some(({ name }) => name === 'browser_navigate');
  if (!hasBrowser) heading(`The browser tools are skipped: ${browserRow(server.output())}`);
  const session = hasBrowser ? await showBrowser(client, site.origin) : null;
  await client.close();
  await showPerson(link, session === null ? null : new URL(livePath(session), server.mcpUrl).href);
} catch (error) {
  console.error(error);
  if (server !== null) console.error(`\nThe server printed:\n${server.output()}`);
  process.exitCode = 1;
} finally {
  await stop();
}

async function stop(): Promise<void> {
  await server?.stop();
  await site?.close();
}

/** @returns the link to the citation */
async function show(client: Client, { origin, edit }: DemoSite): Promise<string> {
  heading(`A model reads ${DEMO_PATHS.length} pages of a small site, so that local search knows them.`);
  for (const path of DEMO_PATHS) {
    const { structured } = await call(client, 'open_url', { url: origin + path });
    console.log(`  ${structured.title}`);
  }

  heading('It searches, and opens the first result.');
  const results = await shownCall(client, 'search', { query: 'retry delay jitter dead letter queue', topn: 3 });
  const page = await shownCall(client, 'open_result', {
    cursor: results.structured.cursor,
    result_id: 1,
    num_lines: 20,
  });
  const { cursor } = page.structured;

  heading('It looks for a word, and reads what stands around it.');
  const line = firstMatch(await shownCall(client, 'find', { cursor, pattern: 'dead letter' }));
  await shownCall(client, 'scroll', { cursor, loc: Math.max(0, line - LINES_BEFORE), num_lines: 20 });

  heading('It cites a line: the quote is checked word for word, and kept.');
  const cited = await lineAt(client, cursor, line);
  const { link } = (await shownCall(client, 'cite', { cursor, quote: cited })).structured;

  heading('The site changes the page. A new opening sees it; the citation still says what was read.');
  edit('/retries', 'dead letter queue of its name', 'archive, which is emptied every night');
  const again = await call(client, 'open_url', { url: `${origin}/retries`, num_lines: 20 });
  const now = await call(client, 'find', { cursor: again.structured.cursor, pattern: 'emptied every night' });
  console.log(`  now    ${now.text.split('\n').find((text) => text.includes('emptied')) ?? '(not found)'}`);
  const still = await lineAt(client, cursor, line);
  console.log(`  cited  L${line}: ${still}`);
  if (still !== cited) throw new Error('The cited line changed.');
  return link;
}

/** @param live link to the live view, if there is a session */
async function showPerson(link: string, live: string | null): Promise<void> {
  heading('Now it is your turn: you check the citation, and watch the browser of the model.');
  if (!process.stdin.isTTY) {
    console.log('  This needs a terminal, in which the demo waits for you.');
    return;
  }
  const { origin, pathname } = new URL(link);
  const signIn = new URLSearchParams({ once: signInKey, next: pathname }).toString();
  console.log(`  The citation, as it was read. Ask whether the page still says so:\n  ${origin}/sign-in?${signIn}`);
  if (live !== null) console.log(`\n  The browser of the model, as it is now. Take it over:\n  ${live}`);
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  await terminal.question('\n  The demo runs until you press Enter. ');
  terminal.close();
}

function firstMatch({ structured }: Result): number {
  const [match] = structured.matches;
  if (match === undefined) throw new Error('find found nothing.');
  return match.loc;
}

/** One line at the cursor, read through a tool as a model would. */
async function lineAt(client: Client, cursor: string, line: number): Promise<string> {
  const { structured } = await call(client, 'scroll', { cursor, loc: line, num_lines: 20 });
  return structured.text.split('\n')[line - (structured.viewport?.start ?? 0)] ?? '';
}

/** The reason why there is no browser, from the output of the start. */
function browserRow(welcome: string): string {
  return /^\s*Browser\s+(.*)$/m.exec(welcome)?.[1] ?? 'this server has none.';
}
