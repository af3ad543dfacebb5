import { StopError } from '#scripts/local/stop-error.ts';
import type { Bound } from './account.ts';

const NO_DATABASE = '"00000000-0000-0000-0000-000000000000"';
const NO_STORE = '"00000000000000000000000000000000"';

/** The committed `wrangler.toml` with the ids of an account in place of its zeros. */
export function deployConfig(toml: string, { database, store }: Bound): string {
  for (const zeros of [NO_DATABASE, NO_STORE]) {
    if (toml.split(zeros).length !== 2) {
      throw new StopError(
        `wrangler.toml must hold ${zeros} once: leave the ids in it as zeros, they are filled in for you.`,
      );
    }
  }
  return [
    '# Written by npm run deploy from wrangler.toml and the ids of your account. Git ignores it.',
    toml.replace(NO_DATABASE, JSON.stringify(database)).replace(NO_STORE, JSON.stringify(store)),
  ].join('\n');
}
