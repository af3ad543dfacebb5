import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';
import { CONFIG_NAMES } from './src/core/config/config.ts';
import { TEST_BROWSER, useTestBrowser } from './test/support/chromium.ts';
import { internet } from './test/support/internet.ts';
import { TEST_SECRETS } from './test/support/leak-reporter.ts';
import { SlowestFirst } from './test/support/slowest-first.ts';

/** Every setting as "not set", over what `.dev.vars` of this machine says: that is for `npm start`, not for tests. */
const NOT_SET = Object.fromEntries(CONFIG_NAMES.map((name) => [name, '']));

/**
 * Two projects: `worker` runs inside workerd with real D1, KV and Durable Objects; `e2e` runs in Node against the
 * built Worker over loopback HTTP.
 */
export default defineConfig({
  test: {
    // Files wait for browsers, servers and clocks about as long as they compute: four at a time keep two cores busy.
    maxWorkers: 4,
    sequence: { sequencer: SlowestFirst },
    reporters: ['default', './test/support/leak-reporter.ts'],
    projects: [
      {
        plugins: [
          cloudflareTest(async () => {
            await useTestBrowser();
            return {
              wrangler: { configPath: './wrangler.toml' },
              miniflare: {
                bindings: {
                  ...NOT_SET,
                  TEST_MIGRATIONS: await readD1Migrations('migrations'),
                  PUBLIC_URL: 'http://localhost',
                  // Every open asks the origin: tests of the cache set their own clock or content.
                  CACHE_TTL_SECONDS: '0',
                  // The internet of tests needs no rest.
                  FOLLOW_PAUSE_MS: '10',
                  ...TEST_SECRETS,
                  RENDER_ENABLED: 'true',
                  EVALUATE_ENABLED: 'true',
                  SHARED_SESSIONS: 'true',
                  STORIES: process.env['STORIES'] ?? '1',
                  SEED: process.env['SEED'] ?? '',
                  STATEMENTS_OF: process.env['STATEMENTS_OF'] ?? '',
                },
                // For tests of what a deployment with a bucket does; the others have none.
                r2Buckets: ['TEST_BUCKET'],
                outboundService: internet,
              },
            };
          }),
        ],
        test: {
          name: 'worker',
          // A runtime and the modules in it are made once for all files, which begin with empty storage: that halves the time.
          isolate: false,
          include: ['test/unit/**/*.test.ts', 'test/contracts/**/*.test.ts', 'test/golden/**/*.test.ts'],
          setupFiles: ['fresh-storage', 'few-rounds', 'stories'].map((name) => `test/support/${name}.ts`),
          // As below: it ends a test that hangs, on a machine that is busy, too.
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 60_000 } },
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          env: TEST_BROWSER,
          globalSetup: ['test/support/first-start.ts', 'test/support/shared-world.ts'],
          // Tests wait for what happens. These end one that waits for what never does, on a machine that is busy, too.
          testTimeout: 300_000,
          hookTimeout: 300_000,
          expect: { poll: { timeout: 60_000 } },
        },
      },
    ],
  },
});
