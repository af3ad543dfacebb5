import { accessSync, constants, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

const NAMES = [
  'google-chrome-stable',
  'google-chrome',
  'chromium',
  'chromium-browser',
  'microsoft-edge-stable',
  'chrome',
];

const MAC_APPS = [
  'Google Chrome.app/Contents/MacOS/Google Chrome',
  'Chromium.app/Contents/MacOS/Chromium',
  'Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
];

/** Browsers of this machine, best first: those on the PATH, then those in the usual places. */
export function installedBrowsers(environment: NodeJS.ProcessEnv): string[] {
  const folders = (environment['PATH'] ?? '').split(delimiter).filter((folder) => folder.startsWith('/'));
  const onPath = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  const usual =
    process.platform === 'darwin'
      ? MAC_APPS.flatMap((app) => [join('/Applications', app), join(homedir(), 'Applications', app)])
      : ['/opt/google/chrome/chrome', '/usr/lib/chromium/chromium', '/opt/microsoft/msedge/msedge'];
  return [...new Set([...onPath, ...usual])].filter(isExecutable);
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
