import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { heading, shownCall } from './client.ts';
import { BROWSER_PATH } from './site.ts';

/** Ignored by Git. */
const FOLDER = join(import.meta.dirname, '../../demo-output');
const PICTURE = 'dead-letters.jpg';

/**
 * Drives a browser as a model would: opens a page that consists only of a script, clicks a ref, and looks at the
 * result.
 * @returns the session, which stays open for the user to watch
 */
export async function showBrowser(client: Client, origin: string): Promise<string> {
  heading('It opens a page that shows nothing without a browser.');
  const { structured } = await shownCall(client, 'browser_navigate', { url: origin + BROWSER_PATH });
  const page = await shownCall(client, 'browser_snapshot', {});

  heading('It clicks what it saw, by its ref, and looks.');
  const ref = /(@e\d+) button "Retry mail-4711"/.exec(page.text)?.[1];
  if (ref === undefined) throw new Error('The snapshot does not show the button.');
  await shownCall(client, 'browser_click', { selector: ref, snapshot: true });
  const { image } = await shownCall(client, 'browser_screenshot', { accessibility_tree: false });
  if (image === null) throw new Error('The screenshot has no picture.');
  const file = keep(image);
  console.log(`\n  The picture is ${relative(process.cwd(), file)} (${image.length} bytes).`);
  return structured.session;
}

/** @returns the file, which is a temporary one if the project folder is read-only */
function keep(image: Buffer): string {
  try {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(join(FOLDER, PICTURE), image);
    return join(FOLDER, PICTURE);
  } catch {
    const file = join(mkdtempSync(join(tmpdir(), 'periscope-demo-')), PICTURE);
    writeFileSync(file, image);
    return file;
  }
}
