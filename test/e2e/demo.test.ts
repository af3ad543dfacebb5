import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const DEMO = join(import.meta.dirname, '../../scripts/demo.ts');

it('the demo searches, opens, scrolls, finds and cites without a key or a network', async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [DEMO]);
  expect(stderr).toBe('');
  const calls = [...stdout.matchAll(/^> (\w+) \{/gm)].map(([, tool]) => tool);
  expect(calls).toEqual(['search', 'open_result', 'scroll', 'find']);
  expect(stdout).toMatch(/1\) Retries and backoff/);
  const [, now = '', cited = ''] = /^ {2}now {4}(.*)\n {2}cited {2}(.*)$/m.exec(stdout) ?? [];
  expect(now).toContain('moves to the archive, which is emptied every night.');
  expect(cited).toMatch(/^L\d+: A job whose attempts are used up moves to the dead letter queue of its name\.$/);
});
