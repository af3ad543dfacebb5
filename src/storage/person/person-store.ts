import { ObjectOfParts } from '#core/stored-object.ts';
import { PersonFiles } from './person-files.ts';
import { PersonHistory } from './person-history.ts';

/**
 * A Durable Object for each user, with the user's files and the activity of the user's models. Both parts share one
 * alarm, which is set to the earlier of their next expiries.
 */
export class PersonStore extends ObjectOfParts {
  readonly files: PersonFiles;
  readonly history: PersonHistory;

  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env);
    this.files = new PersonFiles(state, env);
    this.history = new PersonHistory(state, env);
  }

  /** Deletes all data, including bytes in the bucket. If the bucket fails, the alarm retries. */
  override async erase(): Promise<void> {
    await this.files.erase();
    await super.erase();
  }

  override async alarm(): Promise<void> {
    try {
      await this.history.sweep();
    } finally {
      await this.files.sweep();
    }
  }
}
