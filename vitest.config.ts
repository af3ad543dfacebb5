import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';
import type { TestProjectConfiguration } from 'vitest/config';
import { REPORT_VARIABLE } from './scripts/check/test-report.ts';
import { CONFIG_NAMES } from './src/core/config/config.ts';
import { TEST_BROWSER, useTestBrowser } from './test/support/chromium.ts';
import { internet } from './test/support/internet.ts';
import { TEST_SECRETS } from './test/support/leak-reporter.ts';
import { refuseBrowsers } from './test/support/no-browser.ts';
import { SlowestFirst } from './test/support/slowest-first.ts';

/** For the counts of the gate. */
const REPORT = process.env[REPORT_VARIABLE];
const JSON_REPORTER: ['json', { outputFile: string }][] =
  REPORT === undefined ? [] : [['json', { outputFile: REPORT }]];

/** Every setting as "not set", over what `.dev.vars` of this machine says: that is for `npm start`, not for tests. */
const NOT_SET = Object.fromEntries(CONFIG_NAMES.map((name) => [name, '']));

/** The binding has another name there, and what stands in its place refuses. */
const WITHOUT_BROWSER = { browserRendering: { binding: 'UNUSED' }, serviceBindings: { BROWSER: refuseBrowsers } };

const LOOPBACK = { serviceBindings: { CHROMIUM: { network: { allow: ['private'] } } } };

/** Tests wait for events; these limits only end a test that hangs, even on a busy machine. */
const HANGS_MS = 300_000;

/**
 * With the module cache, a runtime that starts late gets all modules so far in one message of about 31 MB. workerd takes 32 MiB; beyond
 * that it closes the connection ("Message is too large"), and the files of this runtime fail. So the cache is only on for named
 * files, which start one third faster with it.
 */
const NAMES_FILES = process.argv.some((argument) => argument.endsWith('.test.ts'));

/**
 * One project for each layer: `node` has pure logic, `worker` runs inside workerd with real D1, KV, Durable Objects and
 * Workflows, `browser` adds Chromium, and `smoke` and `e2e` run in Node against the built Worker over loopback HTTP.
 * `npm test` is `node`, `worker` and `smoke`, which start no browser.
 */
export default defineConfig({
  test: {
    // Files wait for browsers, servers and clocks about as long as they compute: four at a time keep two cores busy.
    maxWorkers: 4,
    sequence: { sequencer: SlowestFirst },
    reporters: ['default', './test/support/leak-reporter.ts', ...JSON_REPORTER],
    projects: [
      {
        test: {
          name: 'node',
          // Importing the modules again for each file takes nearly half of the time. Tests restore what they replace.
          isolate: false,
          include: ['test/unit/**/*.test.ts', 'test/golden/**/*.test.ts'],
          setupFiles: ['test/support/stories.ts'],
          testTimeout: HANGS_MS,
          hookTimeout: HANGS_MS,
          expect: { poll: { timeout: 120_000 } },
        },
      },
      inWorkerd({ name: 'worker', options: WITHOUT_BROWSER }),
      inWorkerd({ name: 'browser', options: LOOPBACK, prepare: useTestBrowser, setUp: ['tidy-browser'] }),
      {
        test: {
          name: 'smoke',
          include: ['test/smoke/**/*.test.ts'],
          testTimeout: HANGS_MS,
          hookTimeout: HANGS_MS,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          env: TEST_BROWSER,
          globalSetup: ['test/support/first-start.ts', 'test/support/shared-world.ts'],
          setupFiles: ['test/support/own-connections.ts'],
          testTimeout: HANGS_MS,
          hookTimeout: HANGS_MS,
          expect: { poll: { timeout: 120_000 } },
        },
      },
    ],
  },
});

type InWorkerd = {
  name: string;
  /** For miniflare. */
  options?: object;
  prepare?: () => Promise<void>;
  /** Files of `test/support` that run before each file of tests, after those that all have. */
  setUp?: readonly string[];
};

/** The tests of `test/NAME`, inside workerd. */
function inWorkerd({ name, options, prepare, setUp = [] }: InWorkerd): TestProjectConfiguration {
  return {
    plugins: [
      cloudflareTest(async () => {
        await prepare?.();
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
            },
            // For tests of what a deployment with a bucket does; the others have none.
            r2Buckets: ['TEST_BUCKET'],
            outboundService: internet,
            ...options,
          },
        };
      }),
    ],
    test: {
      name,
      // A runtime and the modules in it are made once for all files, which begin with empty storage: that halves the time.
      isolate: false,
      fsModuleCache: NAMES_FILES,
      include: [`test/${name}/**/*.test.ts`],
      sequence: { setupFiles: 'list' },
      setupFiles: ['fresh-storage', 'few-rounds', 'stories', ...setUp].map((file) => `test/support/${file}.ts`),
      testTimeout: HANGS_MS,
      hookTimeout: HANGS_MS,
      expect: { poll: { timeout: 120_000 } },
    },
  };
}
