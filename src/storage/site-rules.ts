import { inArray, sql } from 'drizzle-orm';
import { EMPTY_SITE_RULE_LIST, ruleListSchema } from '#core/site-rules.ts';
import type { SiteRuleList, SiteRules } from '#core/site-rules.ts';
import type { Db } from './db.ts';
import { siteRules } from './schema.ts';

/** Subject of the owner's rules, which bind everyone. No user has this subject. */
export const EVERYONE_SUBJECT = '*';

export class SiteRuleStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** @param subject a person, or {@link EVERYONE_SUBJECT} */
  async read(subject: string): Promise<SiteRuleList> {
    const found = await this.#lists([subject]);
    return found.get(subject) ?? EMPTY_SITE_RULE_LIST;
  }

  async save(subject: string, list: SiteRuleList): Promise<void> {
    const checked = ruleListSchema.parse(list);
    await this.#db
      .insert(siteRules)
      .values({ subject, list: checked })
      .onConflictDoUpdate({ target: siteRules.subject, set: { list: sql`excluded.list` } });
  }

  /** The rules of a session: the owner's, and those of the people who use the session. */
  async effective(subjects: readonly string[]): Promise<SiteRules> {
    const lists = await this.#lists([EVERYONE_SUBJECT, ...subjects]);
    return {
      owner: lists.get(EVERYONE_SUBJECT) ?? EMPTY_SITE_RULE_LIST,
      people: subjects.flatMap((subject) => lists.get(subject) ?? []),
    };
  }

  async #lists(subjects: readonly string[]): Promise<Map<string, SiteRuleList>> {
    const rows = await this.#db
      .select()
      .from(siteRules)
      .where(inArray(siteRules.subject, [...subjects]));
    return new Map(rows.map(({ subject, list }) => [subject, ruleListSchema.parse(list)]));
  }
}
