import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const ROOT = join(import.meta.dirname, '../../..');

/** `npm run record-pages`: runs the tests of recorded pages with Chromium and writes its answers to `test/recorded`. */
export default defineConfig({
  root: ROOT,
  test: {
    name: 'record',
    isolate: false,
    fileParallelism: false,
    include: globSync('test/unit/**/*.test.ts', { cwd: ROOT }).filter((file) =>
      readFileSync(join(ROOT, file), 'utf8').includes('recorded-pages.ts'),
    ),
    setupFiles: ['test/support/stories.ts', 'test/support/recorded/record-setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
