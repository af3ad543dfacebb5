import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { livePath } from '#core/paths.ts';
import { call, connect } from './demo/client.ts';
import { BROWSER_PATH, startDemoSite } from './demo/site.ts';
import { launchServer } from './local/launch.ts';
import { makePassphrase } from './local/settings.ts';
import { startPage } from './pictures/page.ts';
import type { Page } from './pictures/page.ts';

/**
 * `npm run pictures`: the pictures of the landing page, of a real citation and a real live view. It starts the Worker and
 * the site of the demo, has a model read and drive, looks at both as a person does, and writes `generated/pictures.ts`.
 */

const QUOTE = 'A job whose attempts are used up moves to the dead letter queue of its name.';
const SIZE = { width: 880, height: 560 };
const QUALITY = 55;
const BYTES_MAX = 40_000;
const SCHEMES = ['light', 'dark'] as const;

const passphrase = makePassphrase();
const home = mkdtempSync(join(tmpdir(), 'periscope-pictures-'));
process.on('exit', () => rmSync(home, { recursive: true, force: true }));

const site = await startDemoSite();
const server = await launchServer({
  home,
  settings: { ALLOWED_PRIVATE_HOSTS: site.host, OWNER_PASSPHRASE: passphrase, SESSION_IDLE_MINUTES: '30' },
});
const page = await startPage(SIZE);
try {
  const { origin } = new URL(server.mcpUrl);
  const client = await connect(server);
  const { structured } = await call(client, 'open_url', { url: `${site.origin}/retries` });
  const { link } = (await call(client, 'cite', { cursor: structured.cursor, quote: QUOTE })).structured;
  await call(client, 'browser_navigate', { url: site.origin + BROWSER_PATH });
  await signIn(page, origin);
  const pictures = [
    ...(await taken(page, 'citation', link, `document.querySelector('mark') !== null`)),
    ...(await taken(page, 'live', origin + livePath('default'), `!document.getElementById('canvas').hidden`)),
  ];
  writeFileSync(join(import.meta.dirname, '../generated/pictures.ts'), moduleOf(pictures));
  for (const { name, bytes } of pictures) console.log(`${name}.webp: ${bytes.length} bytes`);
  await client.close();
} finally {
  await page.close();
  await server.stop();
  await site.close();
}

type Taken = { name: string; bytes: Buffer };

async function signIn(at: Page, origin: string): Promise<void> {
  await at.open(`${origin}/sign-in?next=/console`, `document.forms.length > 0`);
  await at.run(`document.querySelector('#passphrase').value = ${JSON.stringify(passphrase)}`);
  await at.run(`document.querySelector('button.primary').click()`);
  await at.waitFor(`location.pathname === '/console'`);
}

async function taken(at: Page, name: string, url: string, until: string): Promise<Taken[]> {
  const pictures: Taken[] = [];
  for (const scheme of SCHEMES) {
    await at.view(scheme);
    await at.open(url, until);
    const bytes = await at.picture(QUALITY);
    if (bytes.length > BYTES_MAX) throw new Error(`${name} has ${bytes.length} bytes, more than ${BYTES_MAX}.`);
    pictures.push({ name: `${name}-${scheme}`, bytes });
  }
  return pictures;
}

function moduleOf(pictures: readonly Taken[]): string {
  const entries = pictures.map(({ name, bytes }) => `  ['${name}', '${bytes.toString('base64')}'],\n`);
  return `// Made by scripts/pictures.ts: npm run pictures.

/** Of the landing page: WebP in base64, ${SIZE.width} × ${SIZE.height} pixels. */
export const PICTURES: readonly (readonly [name: string, base64: string])[] = [
${entries.join('')}];
`;
}
