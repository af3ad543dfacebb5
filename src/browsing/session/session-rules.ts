import { PageRules } from '#browsing/rules/page-rules.ts';
import { fail, findFailure } from '#core/failures/failure.ts';
import type { SiteRules } from '#core/site-rules.ts';

/**
 * Maximum users of a shared session whose site rules are loaded. Sessions have few users, and a D1 query takes at most
 * 100 parameters.
 */
const PEOPLE_MAX = 50;

type ReadRules = (subjects: readonly string[]) => Promise<SiteRules>;

type SessionRulesDeps = {
  read: ReadRules;
  now: () => number;
  report: (error: unknown) => void;
  /** Applies changed rules to the open pages. */
  onSet: () => void;
};

/**
 * Loads the site rules of a session: when its browser opens, for each further user, and when the rules change. Other
 * calls do not wait for a load. If the rules cannot be loaded, every call fails.
 */
export class SessionRules {
  readonly pages: PageRules;
  readonly #read: ReadRules;
  readonly #report: (error: unknown) => void;
  readonly #onSet: () => void;
  readonly #people = new Set<string>();
  #isLoaded = false;
  #last: Promise<void> = Promise.resolve();

  constructor({ read, now, report, onSet }: SessionRulesDeps) {
    this.#read = read;
    this.#onSet = onSet;
    this.#report = report;
    this.pages = new PageRules(now);
  }

  /** Starts with a new browser, which only this user has used so far. */
  start(subject: string): Promise<void> {
    this.#people.clear();
    return this.#loadFor(subject);
  }

  async ready(subject: string): Promise<void> {
    if (!this.#isLoaded || !this.#people.has(subject)) await this.#loadFor(subject);
  }

  async changed(): Promise<void> {
    if (this.#people.size > 0) await this.#load();
  }

  #loadFor(subject: string): Promise<void> {
    const [first] = this.#people;
    if (this.#people.size >= PEOPLE_MAX && first !== undefined) this.#people.delete(first);
    this.#people.add(subject);
    return this.#load();
  }

  /**
   * Loads the rules. Only the answer to the latest query counts, because an earlier answer may lack the rules saved
   * last.
   */
  #load(): Promise<void> {
    const asked: Promise<void> = this.#read([...this.#people]).then(
      (rules) => this.#take(asked, rules),
      (error: unknown) => {
        this.#take(asked, null);
        this.#report(error);
        fail(findFailure(error) ?? { code: 'unavailable' }, { cause: error });
      },
    );
    this.#last = asked;
    return asked.catch(() => undefined).then(() => this.#last);
  }

  #take(asked: Promise<void>, rules: SiteRules | null): void {
    if (this.#last !== asked) return;
    this.#isLoaded = rules !== null;
    this.pages.set(rules);
    this.#onSet();
  }
}
