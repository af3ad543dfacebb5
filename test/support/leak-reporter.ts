import type { Reporter } from 'vitest/node';
import { leaksIn } from './leaks.ts';

/** What the Worker of the unit tests is given as secrets (`vitest.config.ts`). */
export const TEST_SECRETS = {
  LOCAL_ACCESS_TOKEN: 'a-token-made-for-tests-only',
  OWNER_PASSPHRASE: 'a passphrase made for tests only',
};

/** Looks through everything that the suite and the Worker in it print: a credential there fails the run. */
export default class LeakReporter implements Reporter {
  readonly #leaks: string[] = [];

  onUserConsoleLog({ content, taskId = 'outside a test' }: { content: string; taskId?: string }): void {
    for (const leak of leaksIn(content, TEST_SECRETS)) this.#leaks.push(`${leak} (${taskId})`);
  }

  onTestRunEnd(): void {
    if (this.#leaks.length === 0) return;
    console.error(`\nThe output of the suite holds ${this.#leaks.join(', ')}.`);
    process.exitCode = 1;
  }
}
