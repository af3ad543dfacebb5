import { writeFileSync } from 'node:fs';
import { problemsFile, REPORT_VARIABLE } from '#scripts/check/test-report.ts';
import type { Reporter } from 'vitest/node';
import { leaksIn } from './leaks.ts';

/** The secrets of the Worker in unit tests (`vitest.config.ts`). */
export const TEST_SECRETS = {
  LOCAL_ACCESS_TOKEN: 'a-token-made-for-tests-only',
  OWNER_PASSPHRASE: 'a passphrase made for tests only',
};

/** Searches everything that the tests and the Worker print. A credential in it fails the run. */
export default class LeakReporter implements Reporter {
  readonly #leaks: string[] = [];

  onUserConsoleLog({ content, taskId = 'outside a test' }: { content: string; taskId?: string }): void {
    for (const leak of leaksIn(content, TEST_SECRETS)) this.#leaks.push(`${leak} (${taskId})`);
  }

  onTestRunEnd(_files: unknown, unhandled: readonly { message: string }[]): void {
    if (this.#leaks.length > 0) {
      console.error(`\nThe output of the suite holds ${this.#leaks.join(', ')}.`);
      process.exitCode = 1;
    }
    const report = process.env[REPORT_VARIABLE];
    const problems = [...this.#leaks, ...unhandled.map(({ message }) => message)];
    if (report !== undefined && problems.length > 0) writeFileSync(problemsFile(report), problems.join('\n'));
  }
}
