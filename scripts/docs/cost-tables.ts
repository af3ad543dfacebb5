import { busiest, costOf, DEFAULTS, ITEMS, PERSON, total, usage } from './cost-model.ts';
import type { Item, Settings } from './cost-model.ts';
import { PLATFORM_BROWSERS_MAX, SESSIONS_MAX } from '#core/limits.ts';
import { PLAN_DOLLARS, PRICES, PRICES_OF } from '#core/prices.ts';
import { CALLS } from './measured-calls.ts';
import { table } from './markdown.ts';

const MANY = 1_000;

/** The tables of `docs/deploying.md`: prices, what one person and a thousand pay, and what settings change in that. */
export function costTables(): string {
  return [
    `Made by \`scripts/docs/cost-model.ts\`, from the prices that Cloudflare's pages name in ${PRICES_OF} and from what calls cost as \`costs.test.ts\` in \`test/worker\` and \`test/browser\` counts it. What is not in the table costs nothing beyond the plan.`,
    '',
    `A month of one person is taken to be ${PERSON.coldOpen} pages opened for the first time and ${PERSON.cachedOpen} again, ${PERSON.scroll} scrolls, ${PERSON.find} finds, ${PERSON.renderedPages} pages that are rendered, and ${PERSON.browserSessions} browser sessions of ${PERSON.browserSessionMinutes} minutes with ${PERSON.browserCall} calls, with ${PERSON.storedMb} MB stored in objects; on 22 days of 8 hours, with twice the average at the busiest moment. That is assumed, not measured. One person pays ${dollars(total(usage(1, DEFAULTS)))} dollars.`,
    '',
    usageTable(),
    '',
    `More people, with \`MAX_SESSIONS\` ${SESSIONS_MAX}, which is all that Workers Paid allows beside the renderers, and as if all browser time could be had:`,
    '',
    growthTable(),
    '',
    `What a setting changes in the month of ${MANY.toLocaleString('en')} people:`,
    '',
    settingsTable(),
    '',
    FOLLOWED.map(followedWords).join('\n\n'),
  ].join('\n');
}

const FOLLOWED = [
  { words: 'A library of 300 pages, looked at once a day, with 15 changes a day', pages: 9_000, changed: 450 },
  { words: '100 pages that are watched every hour, with 24 changes a day', pages: 72_000, changed: 720 },
] as const;

/** At the prices beyond what the plan includes. */
function followedWords({ words, pages, changed }: (typeof FOLLOWED)[number]): string {
  const count = (name: 'objectRequests' | 'rowsRead' | 'rowsWritten' | 'cpuMs') =>
    (pages - changed) * CALLS.followedSame[name] + changed * CALLS.followedChanged[name];
  const paid = (item: Item, number: number) => (number * PRICES[item].dollars) / PRICES[item].per;
  const sum =
    paid('Requests to objects', count('objectRequests')) +
    paid('Rows read in D1', count('rowsRead')) +
    paid('Rows written in D1', count('rowsWritten')) +
    paid('CPU time, ms', count('cpuMs'));
  return `${words}: ${dollars(sum)} dollars a month where the plan's share is used up.`;
}

/** Only what costs something: one person pays the plan. */
function usageTable(): string {
  const many = usage(MANY, DEFAULTS);
  const paid = ITEMS.filter((item) => dollars(costOf(item, many[item])) !== dollars(0));
  return table(
    ['In a month', 'Included', 'Beyond', `${MANY.toLocaleString('en')} people`, 'Dollars'],
    [
      ['The plan', '', '', '', dollars(PLAN_DOLLARS)],
      ...paid.map((item) => [
        `[${item}](${PRICES[item].page})`,
        amount(PRICES[item].included),
        beyond(item),
        amount(many[item]),
        dollars(costOf(item, many[item])),
      ]),
      ['**Together**', '', '', '', `**${dollars(total(many))}**`],
    ],
  );
}

const GIVES_WAY: readonly [people: number, words: string][] = [
  [1_000, 'the default `MAX_SESSIONS` of 30, when more than twice the average come at once: raise it'],
  [
    6_000,
    `browsers: ${PLATFORM_BROWSERS_MAX} are the most of an account; more people wait, or get \`session_limit\`. \`SESSION_IDLE_MINUTES\` 3 moves it to some 12,000 people`,
  ],
  [10_000, 'browsers, long before; then the one database, if many search the pages opened here at the same time'],
];

function growthTable(): string {
  return table(
    ['People', 'Dollars a month', 'Browsers at the busiest moment', 'D1 trips a second then', 'What gives way first'],
    GIVES_WAY.map(([people, words]) => {
      const { browsers, d1TripsPerSecond } = busiest(people);
      const paid = total(usage(people, { ...DEFAULTS, maxSessions: SESSIONS_MAX }));
      const wanted =
        browsers > PLATFORM_BROWSERS_MAX
          ? `${browsers}, of which ${PLATFORM_BROWSERS_MAX} can be had`
          : String(browsers);
      return [people.toLocaleString('en'), dollars(paid), wanted, amount(d1TripsPerSecond), words];
    }),
  );
}

const CHANGES: readonly [words: string, changed: Partial<Settings>][] = [
  ['`SESSION_IDLE_MINUTES` 3 instead of 10: text in forms is lost sooner', { idleMinutes: 3 }],
  ['`SESSION_IDLE_MINUTES` 30 instead of 10', { idleMinutes: 30 }],
  [`\`SESSION_IDLE_MINUTES\` 30 and \`MAX_SESSIONS\` ${SESSIONS_MAX}`, { idleMinutes: 30, maxSessions: SESSIONS_MAX }],
  ['`RENDER_ENABLED` false: no browser at all', { renders: false }],
  ['`CACHE_TTL_SECONDS` 0, and every page has changed', { caches: false }],
  ['`CACHE_MAX_BYTES` 6,000,000,000, and full, with its index', { storedGb: 7 }],
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
  const { dollars: price, per } = PRICES[item];
  return `$${price.toFixed(price < 0.01 ? 3 : 2)} ${per === 1 ? 'each' : 'a million'}`;
}

function amount(count: number): string {
  return count.toLocaleString('en', { maximumFractionDigits: count < 10 ? 1 : 0 });
}

function dollars(sum: number): string {
  return sum.toFixed(2);
}
