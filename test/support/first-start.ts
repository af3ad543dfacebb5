import { join } from 'node:path';
import { bundleWorker } from '#scripts/local/bundle.ts';
import { prepareBrowser } from '#scripts/local/chromium.ts';
import { TEST_BROWSER } from './chromium.ts';

/** Does the work of a machine's first start before any test waits for it: builds the bundle, finds the browser. */
export async function setup(): Promise<void> {
  const project = join(import.meta.dirname, '../..');
  const say = (text: string) => void process.stderr.write(`${text}\n`);
  await bundleWorker(project, join(project, '.wrangler/bundle'), say);
  await prepareBrowser(join(project, '.wrangler/chromium'), { ...process.env, ...TEST_BROWSER }, { say });
}
