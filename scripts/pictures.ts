import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { livePath } from '#core/paths.ts';
import { LOGO_SVG } from '#web/public/mark.ts';
import { call, connect } from './demo/client.ts';
import { BROWSER_PATH, startDemoSite } from './demo/site.ts';
import { launchServer } from './local/launch.ts';
import { makePassphrase } from './local/settings.ts';
import { startPage } from './pictures/page.ts';
import type { Page } from './pictures/page.ts';

/**
 * `npm run pictures`: takes the pictures of the landing page and of the README, which show a real citation, console and
 * live view. It starts the Worker and the site of the demo, drives both as a model would, visits both as a user would,
 * and writes `generated/pictures.ts` and `docs/pictures`.
 */

const QUOTE = 'A job whose attempts are used up moves to the dead letter queue of its name.';
const SIZE = { width: 880, height: 560 };
/** Wide enough for the side bar of the console. */
const DESK = { width: 1280, height: 815 };
const QUALITY = 55;
const BYTES_MAX = 60_000;
/** The link preview of chats: the size that they ask for, as PNG, which all of them accept. */
const PREVIEW = { width: 1200, height: 630 };
/** The icon that browsers and lists of connectors show next to a name. */
const ICON = { width: 48, height: 48 };
const SCHEMES = ['light', 'dark'] as const;
const IN_README = ['citation', 'console', 'live'] as const;

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
  writeReadme([...pictures, await overview(origin)]);
  pictures.push({ name: 'preview.png', bytes: await preview() }, { name: 'favicon.ico', bytes: await icon() });
  writeFileSync(join(import.meta.dirname, '../generated/pictures.ts'), moduleOf(pictures));
  for (const { name, bytes } of pictures) console.log(`${name}: ${bytes.length} bytes`);
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
    const bytes = await at.picture({ format: 'webp', quality: QUALITY });
    pictures.push(small({ name: `${name}-${scheme}.webp`, bytes }));
  }
  return pictures;
}

async function overview(origin: string): Promise<Taken> {
  const at = await startPage(DESK);
  try {
    await at.view('light');
    await signIn(at, origin);
    return small({ name: 'console-light.webp', bytes: await at.picture({ format: 'webp', quality: QUALITY }) });
  } finally {
    await at.close();
  }
}

/** The README shows the pictures in light colours. */
function writeReadme(pictures: readonly Taken[]): void {
  for (const name of IN_README) {
    const picture = pictures.find((one) => one.name === `${name}-light.webp`);
    if (picture === undefined) throw new Error(`There is no picture of ${name}.`);
    writeFileSync(join(import.meta.dirname, `../docs/pictures/${name}.webp`), picture.bytes);
    console.log(`docs/pictures/${name}.webp: ${picture.bytes.length} bytes`);
  }
}

function small(picture: Taken): Taken {
  const { name, bytes } = picture;
  if (bytes.length > BYTES_MAX) throw new Error(`${name} has ${bytes.length} bytes, more than ${BYTES_MAX}.`);
  return picture;
}

async function preview(): Promise<Buffer> {
  const at = await startPage(PREVIEW);
  try {
    const style =
      'margin:0;height:100vh;display:grid;align-content:center;gap:24px;padding:0 96px;background:#fbfbf9;color:#1b1f24;font:44px/1.35 system-ui,sans-serif';
    const content = `<meta charset="utf-8"><body style="${style}"><div style="width:140px">${LOGO_SVG}</div><b style="font-size:84px;line-height:1">Periscope</b><span>The web for your language model: search, read, cite and drive it, and check everything.</span>`;
    await at.open(`data:text/html,${encodeURIComponent(content)}`, 'document.body !== null');
    return small({ name: 'preview.png', bytes: await at.picture({ format: 'png' }) }).bytes;
  } finally {
    await at.close();
  }
}

/** For programs that ask for `/favicon.ico` regardless of the page: the mark as PNG, in an icon file. */
async function icon(): Promise<Buffer> {
  const at = await startPage(ICON);
  try {
    await at.makeTransparent();
    await at.open(
      `data:text/html,${encodeURIComponent(`<body style="margin:0">${LOGO_SVG}`)}`,
      'document.body !== null',
    );
    return inIconFile(await at.picture({ format: 'png' }));
  } finally {
    await at.close();
  }
}

/** An icon file with one picture: a header of 6 bytes, an entry of 16, then the PNG. */
function inIconFile(png: Buffer): Buffer {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(ICON.width, 6);
  head.writeUInt8(ICON.height, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}

function moduleOf(pictures: readonly Taken[]): string {
  const entries = pictures.map(({ name, bytes }) => `  ['${name}', '${bytes.toString('base64')}'],\n`);
  return `// Made by scripts/pictures.ts: npm run pictures.

/** In base64: of the landing page, ${SIZE.width} × ${SIZE.height} pixels, of a link to it, and the icon of this server. */
export const PICTURES: readonly (readonly [file: string, base64: string])[] = [
${entries.join('')}];
`;
}
