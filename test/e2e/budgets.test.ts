import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLIENTS, connectModern } from '#support/mcp-clients.ts';
import { startServer } from '#support/server.ts';
import type { TestServer } from '#support/server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startServer({ BUDGET_SEARCHES_PER_DAY: '3', BUDGET_CALLS_PER_DAY: '40' });
});
afterAll(() => server?.close());

const search = { query: 'tides at the weir' };
const page = { html: '<p>The weir is open.</p>' };

describe('the budgets of a deployment', () => {
  it('are shared by all connections of a user, and every kind of client is told when to retry', async () => {
    for (const { connect } of CLIENTS) {
      const client = await connect(server);
      expect((await client.call('search', search)).isError).toBe(false);
      await client.close();
    }
    for (const { connect } of CLIENTS) {
      const client = await connect(server);
      const refused = await client.call('web_search', search);
      expect(refused.isError).toBe(true);
      expect(refused.text).toContain('Error rate_limited: Your budget of searches per day is used up.');
      expect(refused.text).toMatch(/retry_after_seconds: \d+/u);
      expect(refused.text).toContain('BUDGET_SEARCHES_PER_DAY');
      expect((await client.call('web_extract', page)).isError).toBe(false);
      await client.close();
    }
  });

  it('are not reset when a server is killed', async () => {
    await server.killAndRestart();
    const client = await connectModern(server);
    expect((await client.call('search', search)).structured).toMatchObject({ error: 'rate_limited' });
    await client.close();
  });

  it('admit exactly as many calls as the limit allows, however many come at once', async () => {
    const client = await connectModern(server);
    const results = await Promise.all(Array.from({ length: 60 }, () => client.call('web_extract', page)));
    const passed = results.filter(({ isError }) => !isError).length;
    // Six calls were made above; a refused one costs nothing.
    expect(passed).toBe(34);
    for (const { structured } of results.filter(({ isError }) => isError)) {
      expect(structured).toMatchObject({ error: 'rate_limited', budget: 'calls per day', scope: 'subject' });
    }
    await client.close();
  });
});
