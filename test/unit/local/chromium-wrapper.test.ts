import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import { wrapperScript } from '#scripts/local/chromium-wrapper.ts';

const AUTOGROUP = '/proc/self/autogroup';
const folder = mkdtempSync(join(tmpdir(), 'periscope-wrapper-'));
const wrapper = join(folder, 'browser');
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a command in a session of its own. @returns the niceness of each session that it prints */
async function nicenessIn(command: string, ...more: string[]): Promise<string[]> {
  const child = spawn(command, more, { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  return [...(await text(child.stdout)).matchAll(/nice (-?\d+)/gu)].map(([, niceness = '']) => niceness);
}

function hasSessionPriority(): boolean {
  try {
    return readFileSync(AUTOGROUP, 'utf8').includes('nice');
  } catch {
    return false;
  }
}

describe.runIf(hasSessionPriority())('the wrapper of a browser', () => {
  const browser = { path: '/bin/cat', flags: [AUTOGROUP], environment: {}, verdict: join(folder, 'works') };
  const write = (niceness?: number) => writeFileSync(wrapper, wrapperScript({ ...browser, niceness }), { mode: 0o700 });

  it.each([
    ['to that of a browser beside its Worker', undefined, '5'],
    ['not at all if none is asked for', 0, '0'],
  ])('lowers the priority of a session that only the browser has: %s', async (_, niceness, shown) => {
    write(niceness);
    expect(await nicenessIn(wrapper)).toEqual([shown]);
  });

  it('leaves the priority of a session that its caller has', async () => {
    write();
    expect(await nicenessIn('sh', '-c', `"$0"; cat ${AUTOGROUP}`, wrapper)).toEqual(['0', '0']);
  });
});
