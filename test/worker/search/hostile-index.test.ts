import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { SNIPPET_CHARS_MAX } from '#core/limits.ts';
import { QUERY_WORDS_MAX } from '#search/limits.ts';
import { POSTINGS_PER_WORD_MAX } from '#storage/limits.ts';
import { localProvider } from '#search/local.ts';
import { openDb } from '#storage/db.ts';
import { PageIndex } from '#storage/search/page-index.ts';
import { emptyStore, storePage } from '#support/stored-pages.ts';
import { plenty } from '#support/search-world.ts';

/** Pages made against the index. What a search costs is counted, not timed: statements, and the bytes they bring. */

const asked: { sql: string; bytes: number }[] = [];
const db = openDb(counted(env.DB));
const local = localProvider(new PageIndex(db));

/** Notes each statement that is answered, and how much it brought. */
function counted(database: D1Database): D1Database {
  const note = (sql: string, answer: unknown) => asked.push({ sql, bytes: JSON.stringify(answer).length });
  const texts = new WeakMap<D1PreparedStatement, string>();
  const wrapped = (statement: D1PreparedStatement, sql: string): D1PreparedStatement => {
    const [bind, all, raw] = [
      statement.bind.bind(statement),
      statement.all.bind(statement),
      statement.raw.bind(statement),
    ];
    texts.set(statement, sql);
    statement.bind = (...values) => wrapped(bind(...values), sql);
    statement.all = async () => {
      const answer = await all();
      note(sql, answer.results);
      return Reflect.apply(Object, undefined, [answer]);
    };
    statement.raw = async (...options: []) => {
      const answer = await raw(...options);
      note(sql, answer);
      return Reflect.apply(Object, undefined, [answer]);
    };
    return statement;
  };
  return new Proxy(database, {
    get(target, key) {
      if (key === 'prepare') return (sql: string) => wrapped(target.prepare(sql), sql);
      if (key === 'batch') {
        return async (statements: D1PreparedStatement[]) => {
          const answers = await target.batch(statements);
          for (const [n, answer] of answers.entries()) {
            const [statement] = statements.slice(n, n + 1);
            note(statement === undefined ? '' : (texts.get(statement) ?? ''), answer.results);
          }
          return answers;
        };
      }
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

async function search(query: string, offset = 0, also: readonly string[] = []) {
  asked.length = 0;
  const { hits, notes } = await local.search({ query, also, count: 10, offset }, plenty());
  return { hits, notes, statements: asked.length, bytes: asked.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/** A list of 100,000 words is the work of a second or two; on a machine with other work, of many. */
const STORING_MS = 120_000;
const WORDS = Array.from({ length: 100_000 }, (_, n) => `word${n.toString(36)}`);
const inLines = (words: readonly string[]) =>
  Array.from({ length: Math.ceil(words.length / 30) }, (_, n) => words.slice(30 * n, 30 * n + 30).join(' '));

beforeAll(async () => {
  await emptyStore();
  await storePage({ url: 'https://good.dev/walrus', title: 'Walruses', lines: ['# Walruses', 'A walrus has tusks.'] });
  await storePage({ url: 'https://good.dev/alarm', title: 'Alarms', lines: ['An alarm rings for a walrus.'] });
  await storePage({
    url: 'https://bad.dev/repeated',
    title: 'W',
    lines: Array.from({ length: 10_000 }, () => 'walrus '.repeat(34)),
  });
  await storePage({ url: 'https://bad.dev/title', title: `walrus ${WORDS.join(' ')}`, lines: ['alarm'] });
  await storePage({
    url: 'https://bad.dev/dictionary',
    title: 'D',
    lines: inLines(['tusks', 'walrus', ...WORDS.slice(0, 20_000), 'alarm', ...WORDS.slice(20_000)]),
  });
  await storePage({
    url: 'https://bad.dev/long',
    title: 'L',
    lines: ['x'.repeat(30_000), 'walrus'.repeat(5_000)],
  });
  await storePage({ url: 'https://bad.dev/unspaced', title: '海', lines: ['海象は大きい'.repeat(1_500)] });
}, STORING_MS);

describe('a search in an index with hostile pages', () => {
  it('costs a bounded number of statements and bytes for any query', async () => {
    const queries = [
      'walrus',
      'walrus '.repeat(140),
      'walrus alarm tusks',
      '"walrus walrus walrus"',
      WORDS.slice(0, 100).join(' '),
      '海象は大きい'.repeat(150),
      'the of and',
    ];
    const also = [0, 1, 2, 3].map((n) =>
      WORDS.slice(100 * n, 100 * (n + 1))
        .join(' ')
        .slice(0, 200),
    );
    for (const [query, others] of queries.flatMap((one) => [[one, []] as const, [one, also] as const])) {
      const { statements, bytes, hits } = await search(query.slice(0, 1_000), 0, others);
      expect(statements).toBeLessThan(4 * QUERY_WORDS_MAX + 40);
      expect(bytes).toBeLessThan(3_000_000);
      for (const { description } of hits) expect(description.length).toBeLessThanOrEqual(SNIPPET_CHARS_MAX);
    }
  });

  it('costs the same when a word is repeated, in the query or on the page', async () => {
    const once = await search('walrus');
    const often = await search('walrus walrus walrus walrus walrus');
    expect(often.statements).toBe(once.statements);
    expect(often.bytes).toBe(once.bytes);
  });

  it('ranks the page about a word above pages that repeat it, list it or stuff their title with words', async () => {
    expect((await search('walrus tusks')).hits[0]?.url).toBe('https://good.dev/walrus');
    expect((await search('alarm walrus')).hits.slice(0, 2).map(({ url }) => url)).toContain('https://good.dev/alarm');
  });

  it('prefers a page that has the words next to each other to a list of all words', async () => {
    const found = (await search('tusks alarm')).hits.map(({ url }) => url);
    expect(found.indexOf('https://bad.dev/dictionary')).toBeGreaterThan(found.indexOf('https://good.dev/alarm'));
    expect(found.indexOf('https://bad.dev/dictionary')).toBeGreaterThan(found.indexOf('https://good.dev/walrus'));
    expect(found.indexOf('https://good.dev/walrus')).toBeGreaterThanOrEqual(0);
  });

  it('matches a title of megabytes only by its first words, and shows a part of it', async () => {
    await storePage({ url: 'https://bad.dev/vast', title: 'unicorn '.repeat(200_000), lines: ['something'] });
    const [hit] = (await search('unicorn')).hits;
    expect(hit?.url).toBe('https://bad.dev/vast');
    expect((await search(`${WORDS[50_000]}`)).hits.map(({ url }) => url)).not.toContain('https://bad.dev/title');
  });

  it('searches only the newest of very many pages, and reports this', async () => {
    await env.DB.batch([
      env.DB.prepare(
        `INSERT INTO search_words (rowid, words) SELECT value, 'e wflood wtide'
         FROM (WITH RECURSIVE n(value) AS (SELECT 1000000 UNION ALL SELECT value + 1 FROM n WHERE value < 1012000) SELECT value FROM n)`,
      ),
    ]);
    const { bytes, statements, notes } = await search('flood tide');
    expect(notes.join(' ')).not.toContain('still being added');
    expect(statements).toBeLessThan(40);
    expect(bytes).toBeLessThan(POSTINGS_PER_WORD_MAX * 10 * 10);
    await env.DB.prepare('DELETE FROM search_words WHERE rowid >= 1000000').run();
  });
});
