import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unpackBundled } from '#scripts/local/chromium-bundled.ts';
import { installedBrowsers } from '#scripts/local/chromium-find.ts';
import { browserFlags } from '#scripts/local/chromium-flags.ts';

/** The folder into which `npm start` also unpacks its browser. */
const FOLDER = join(import.meta.dirname, '../../.wrangler/chromium');

/**
 * The browser that all subjects of a bench share: the one in CHROMIUM_PATH, else an installed one, else the one of the
 * npm package behind a script that adds the flags it needs.
 * @throws if the machine has none of them
 */
export function benchChromium(): string {
  const path = process.env['CHROMIUM_PATH'] ?? installedBrowsers(process.env)[0] ?? bundledChromium();
  if (path === null) throw new Error('There is no Chromium here: name one in CHROMIUM_PATH.');
  return path;
}

function bundledChromium(): string | null {
  const bundled = unpackBundled(FOLDER, console.log);
  if (bundled === null) return null;
  const withoutSandbox = process.getuid?.() === 0 || Boolean(process.env['CI']);
  const flags = browserFlags({ isBundled: true }, withoutSandbox);
  const variables = Object.entries(bundled.environment).map(([name, value]) => `export ${name}=${quoted(value)}\n`);
  const script = join(FOLDER, 'bench-chromium.sh');
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(
    script,
    `#!/bin/sh\n${variables.join('')}exec ${quoted(bundled.path)} "$@" ${flags.map(quoted).join(' ')}\n`,
    { mode: 0o700 },
  );
  return script;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
