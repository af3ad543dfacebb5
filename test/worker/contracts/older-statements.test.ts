import { env } from 'cloudflare:workers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHourly } from '#scheduled.ts';
import { recordStatements } from '#support/recorded-statements.ts';
import { grantTokens } from '#support/grants.ts';
import { callTool, structured } from '#support/mcp-call.ts';

/**
 * A deploy applies migrations while the version before still answers, and a rollback leaves the new tables to it. So what a
 * released version asks of the database has to be possible on the tables of this one: columns and tables are added first,
 * and taken away a version after the last one that used them (docs/operations.md).
 *
 * `statements/VERSION.sql` has what that version asks. With STATEMENTS_OF=VERSION this test writes the file of this version.
 */
const FILES: Record<string, string> = import.meta.glob('./statements/*.sql', {
  eager: true,
  query: '?raw',
  import: 'default',
});
const BETWEEN = ';\n\n';
const PAGE = 'http://app.acme.dev/readable';

/** @returns why the database cannot do it, or `null` */
async function problemOf(statement: string): Promise<string | null> {
  const unknown = Array.from({ length: (statement.match(/\?/g) ?? []).length }, () => null);
  try {
    await env.DB.prepare(`EXPLAIN ${statement}`)
      .bind(...unknown)
      .all();
    return null;
  } catch (error) {
    return `${String(error)}: ${statement}`;
  }
}

const statementsIn = (text: string) => text.trim().replace(/;$/, '').split(BETWEEN);

async function problemsOf(text: string): Promise<string[]> {
  const problems = await Promise.all(statementsIn(text).map(problemOf));
  return problems.filter((problem) => problem !== null);
}

describe('the tables of this version', () => {
  const versions = Object.entries(FILES).map(([path, text]): [string, string] => [
    path.replace(/^.*\/(.*)\.sql$/, '$1'),
    text,
  ]);

  it('have a version before them', () => {
    expect(versions.map(([version]) => version)).toContain('0.2.0');
  });

  it.each(versions)('take every statement of version %s', async (_, text) => {
    expect(statementsIn(text).length).toBeGreaterThan(30);
    expect(await problemsOf(text)).toEqual([]);
  });

  it('would not, had a migration taken a column away at once', async () => {
    const newest = versions.at(-1)?.[1] ?? '';
    await env.DB.prepare('ALTER TABLE citations RENAME COLUMN note TO remark').run();
    const problems = await problemsOf(newest);
    await env.DB.prepare('ALTER TABLE citations RENAME COLUMN remark TO note').run();
    expect(problems.join('\n')).toContain('no column named note');
  });
});

describe('the statements of this version', () => {
  let recorded: ReturnType<typeof recordStatements>;

  beforeAll(() => {
    recorded = recordStatements();
  });
  afterAll(() => recorded.stop());

  it('are all possible on its own tables', async () => {
    const { access_token: token } = await grantTokens('u_statements', [
      'web:read',
      'cite:share',
      'cache:purge',
      'browser:use',
    ]);
    const call = async (name: string, args: Record<string, unknown>) =>
      structured(await callTool('modern', name, args, { token }));
    const { cursor } = await call('open_url', { url: PAGE });
    await call('web_open', { url: `${PAGE}#water`, refresh: true });
    await call('scroll', { cursor });
    await call('find', { cursor, pattern: 'water' });
    await call('find_passages', { question: 'what of the water?' });
    await call('cite', { cursor, quote: 'water', share: true, note: 'a note' });
    await call('search', { query: 'water' });
    await call('cache_purge', { domain: 'app.acme.dev', dry_run: true });
    await call('cache_purge', { domain: 'app.acme.dev', dry_run: false });
    await runHourly({ cron: '', scheduledTime: 0, noRetry: () => undefined }, env);
    const text = `${[...recorded.statements].sort().join(BETWEEN)};\n`;
    if (env.STATEMENTS_OF !== '') await expect(text).toMatchFileSnapshot(`./statements/${env.STATEMENTS_OF}.sql`);
    expect(await problemsOf(text)).toEqual([]);
  });
});
