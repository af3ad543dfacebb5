import { busiest, costOf, DEFAULTS, ITEMS, PERSON, total, usage } from './cost-model.ts';
import type { Item, Settings } from './cost-model.ts';
import { PLATFORM_BROWSERS_MAX, OPEN_SESSIONS_MAX } from '#core/limits.ts';
import { WORKERS_PLAN_DOLLARS, CLOUDFLARE_PRICES, PRICES_AS_OF } from '#core/prices.ts';
import { CALLS } from './measured-calls.ts';
import { table } from './markdown.ts';

const MANY = 1_000;

/** The tables of `docs/deploying.md`: prices, costs of one person and of a thousand, effects of settings. */
export function costTables(): string {
  return [
    `From Cloudflare's prices of ${PRICES_AS_OF} and counted calls (\`scripts/docs/cost-model.ts\`, \`costs.test.ts\`). One person pays ${dollars(total(usage(1, DEFAULTS)))} dollars a month.`,
    '',
    `Assumed of one person in a month: ${PERSON.coldOpen} new pages and ${PERSON.cachedOpen} stored ones, ${PERSON.scroll} scrolls, ${PERSON.find} finds, ${PERSON.renderedPages} rendered pages. Also ${PERSON.browserSessions} browser sessions of ${PERSON.browserSessionMinutes} minutes with ${PERSON.browserCall} calls, and ${PERSON.storedMb} MB in objects, on 22 days of 8 hours.`,
    '',
    usageTable(),
    '',
    growthWords(),
    '',
    `What a setting changes in the month of ${MANY.toLocaleString('en')} people:`,
    '',
    settingsTable(),
    '',
    `Followed pages, in dollars a month once the plan's share is used up: ${FOLLOWED.map(followedWords).join('; ')}.`,
  ].join('\n');
}

const FOLLOWED = [
  { words: 'a library of 300 pages, looked at once a day, with 15 changes a day', pages: 9_000, changed: 450 },
  { words: '100 pages, looked at every hour, with 24 changes a day', pages: 72_000, changed: 720 },
] as const;

/** At the prices beyond what the plan includes. */
function followedWords({ words, pages, changed }: (typeof FOLLOWED)[number]): string {
  const count = (name: 'objectRequests' | 'rowsRead' | 'rowsWritten' | 'cpuMs') =>
    (pages - changed) * CALLS.followedSame[name] + changed * CALLS.followedChanged[name];
  const paid = (item: Item, number: number) => (number * CLOUDFLARE_PRICES[item].dollars) / CLOUDFLARE_PRICES[item].per;
  const sum =
    paid('Requests to objects', count('objectRequests')) +
    paid('Rows read in D1', count('rowsRead')) +
    paid('Rows written in D1', count('rowsWritten')) +
    paid('CPU time, ms', count('cpuMs'));
  return `${words}: ${dollars(sum)}`;
}

/** Only items that cost something: one person pays just the plan. */
function usageTable(): string {
  const many = usage(MANY, DEFAULTS);
  const paid = ITEMS.filter((item) => dollars(costOf(item, many[item])) !== dollars(0));
  return table(
    ['In a month', 'Included', 'Beyond', `${MANY.toLocaleString('en')} people`, 'Dollars'],
    [
      ['The plan', '', '', '', dollars(WORKERS_PLAN_DOLLARS)],
      ...paid.map((item) => [
        `[${item}](${CLOUDFLARE_PRICES[item].page})`,
        amount(CLOUDFLARE_PRICES[item].included),
        beyond(item),
        amount(many[item]),
        dollars(costOf(item, many[item])),
      ]),
      ['**Together**', '', '', '', `**${dollars(total(many))}**`],
    ],
  );
}

const MORE_PEOPLE = [1_000, 6_000, 10_000] as const;

function growthWords(): string {
  const each = MORE_PEOPLE.map((people) => {
    const paid = total(usage(people, { ...DEFAULTS, maxSessions: OPEN_SESSIONS_MAX }));
    return `${people.toLocaleString('en')} people: ${dollars(paid)} and ${busiest(people).browsers}`;
  });
  return `Dollars, and browsers at the busiest moment, with \`MAX_SESSIONS\` ${OPEN_SESSIONS_MAX}: ${each.join('; ')}. An account has ${PLATFORM_BROWSERS_MAX} browsers at most; more people wait ([scale.md](scale.md)).`;
}

const CHANGES: readonly [words: string, changed: Partial<Settings>][] = [
  ['`SESSION_IDLE_MINUTES` 3 instead of 10: text in forms is lost sooner', { idleMinutes: 3 }],
  ['`SESSION_IDLE_MINUTES` 30 instead of 10', { idleMinutes: 30 }],
  [
    `\`SESSION_IDLE_MINUTES\` 30 and \`MAX_SESSIONS\` ${OPEN_SESSIONS_MAX}`,
    { idleMinutes: 30, maxSessions: OPEN_SESSIONS_MAX },
  ],
  ['`RENDER_ENABLED` false: no browser at all', { renders: false }],
];

function settingsTable(): string {
  const before = total(usage(MANY, DEFAULTS));
  return table(
    ['Setting', 'Dollars a month', 'Difference'],
    CHANGES.map(([words, changed]) => {
      const after = total(usage(MANY, { ...DEFAULTS, ...changed }));
      return [words, dollars(after), `${after < before ? '−' : '+'}${dollars(Math.abs(after - before))}`];
    }),
  );
}

function beyond(item: Item): string {
  const { dollars: price, per } = CLOUDFLARE_PRICES[item];
  return `$${price.toFixed(price < 0.01 ? 3 : 2)} ${per === 1 ? 'each' : 'a million'}`;
}

function amount(count: number): string {
  return count.toLocaleString('en', { maximumFractionDigits: count < 10 ? 1 : 0 });
}

function dollars(sum: number): string {
  return sum.toFixed(2);
}
