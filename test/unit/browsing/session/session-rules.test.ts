import { describe, expect, it } from 'vitest';
import { SessionRules } from '#browsing/session/session-rules.ts';
import { NO_SITE_RULES } from '#core/site-rules.ts';
import type { RuleLevel, SiteRules } from '#core/site-rules.ts';

const withDefault = (fallback: RuleLevel): SiteRules => ({ ...NO_SITE_RULES, people: [{ rules: [], fallback }] });

function sessionRules() {
  const asked: { people: readonly string[]; answer: PromiseWithResolvers<SiteRules> }[] = [];
  const reported: unknown[] = [];
  const rules = new SessionRules({
    read: (people) => {
      const answer = Promise.withResolvers<SiteRules>();
      asked.push({ people, answer });
      return answer.promise;
    },
    now: () => 0,
    report: (error) => reported.push(error),
    onSet: () => undefined,
  });
  return { rules, asked, reported, level: () => rules.pages.of('https://a.example/').level };
}

describe('the rules of a session', () => {
  it('are loaded once for each person, and then no more', async () => {
    const { rules, asked, level } = sessionRules();
    const started = rules.start('ana');
    asked[0]?.answer.resolve(withDefault('read'));
    await started;
    await rules.ready('ana');
    expect([asked.length, level()]).toEqual([1, 'read']);
    const ready = rules.ready('bob');
    asked[1]?.answer.resolve(withDefault('block'));
    await ready;
    await rules.ready('ana');
    expect(asked.map(({ people }) => people)).toEqual([['ana'], ['ana', 'bob']]);
    expect(level()).toBe('block');
  });

  it('come from the latest query, whichever answer arrives last', async () => {
    const { rules, asked, level } = sessionRules();
    const started = rules.start('ana');
    const changed = rules.changed();
    asked[1]?.answer.resolve(withDefault('read'));
    await changed;
    asked[0]?.answer.resolve(withDefault('act'));
    await started;
    expect(level()).toBe('read');
  });

  it('that cannot be loaded allow nothing until they can be loaded', async () => {
    const { rules, asked, reported, level } = sessionRules();
    const started = rules.start('ana');
    asked[0]?.answer.reject(new Error('away'));
    await expect(started).rejects.toMatchObject({ failure: { code: 'unavailable' } });
    expect([level(), reported.length]).toEqual(['block', 1]);
    const ready = rules.ready('ana');
    asked[1]?.answer.resolve(withDefault('act'));
    await ready;
    expect(level()).toBe('act');
  });

  it('are not loaded for a session without a browser', async () => {
    const { rules, asked } = sessionRules();
    await rules.changed();
    expect(asked).toEqual([]);
  });
});
