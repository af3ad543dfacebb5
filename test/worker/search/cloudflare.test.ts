import { partNamed } from '#core/objects.ts';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '#core/config/config.ts';
import { cloudflareProvider } from '#search/engines/cloudflare.ts';
import type { CloudflareSearch } from '#search/engines/cloudflare.ts';
import { cloudflareAnswer } from '#support/engine-answers.ts';
import { failureOf } from '#support/net-world.ts';
import { searchWorld } from '#support/search-world.ts';
import { ask, toldOf, walruses } from '#support/search-subjects.ts';

/** The binding of a deployment, played by a test; `spend` is a budget without end. */
function over(websearch: CloudflareSearch['websearch'], spend: CloudflareSearch['spend'] = async () => null) {
  return cloudflareProvider({ websearch, spend }, searchWorld(() => new Error('no network')).http);
}

/** A service that names the gateway in one place only. */
function strict(place: 'gatewayId' | 'options') {
  const asked: object[] = [];
  const provider = over(async (request) => {
    asked.push(request);
    return place in request ? cloudflareAnswer(walruses(2)) : Response.json({ error: 'bad request' }, { status: 400 });
  });
  return { provider, asked };
}

describe('the Web Search API of Cloudflare', () => {
  it.each(['gatewayId', 'options'] as const)('is called with %s when it accepts nothing else', async (place) => {
    const { provider, asked } = strict(place);
    expect((await ask(provider)).hits.length).toBe(2);
    expect(asked.at(-1)).toHaveProperty(place);
    // The form that the service accepted is tried first from then on.
    await ask(provider);
    expect(asked.slice(-1)).toEqual([
      expect.objectContaining({ [place]: expect.anything(), query: 'walrus', limit: 5 }),
    ]);
    expect(asked.length).toBeLessThanOrEqual(3);
  });

  it('accepts an answer inside the envelope of the REST API', async () => {
    const items = [{ url: 'https://walrus.example/', title: 'Walrus', lastModifiedDate: '2026-10-30T04:39:48' }];
    const { hits } = await ask(over(async () => Response.json({ success: true, result: { items } })));
    expect(hits).toMatchObject([{ url: 'https://walrus.example/', age: '2026-10-30' }]);
  });

  it('reports that the account has no credits, and how to get some', async () => {
    const { failure, message } = await toldOf(over(async () => Response.json({ error: 'pay' }, { status: 402 })));
    expect(failure.code).toBe('search_unavailable');
    expect(message).toMatch(/no AI Gateway credits left; its owner can add some on the AI Gateway page/);
  });

  it('reports a missing binding when the owner named it and nothing is bound', async () => {
    const { message } = await toldOf(over(null));
    expect(message).toMatch(/no AI binding; npm run deploy adds it/);
  });

  it('is not called when the budget of the day is used up, and the failure says when to retry', async () => {
    const asked: object[] = [];
    const provider = over(
      async (request) => {
        asked.push(request);
        return cloudflareAnswer([]);
      },
      async () => 90_000,
    );
    expect(await failureOf(ask(provider))).toEqual({
      code: 'search_rate_limited',
      provider: 'cloudflare',
      retryAfterSeconds: 90,
    });
    expect(asked).toEqual([]);
  });

  it('has a budget that counts the searches of all isolates in any 24 hours', async () => {
    const limiter = () => partNamed(env.PACE, 'a budget', 'search');
    const taken = await Promise.all(Array.from({ length: 5 }, () => limiter().takeOfDay(3)));
    expect(taken.filter((wait) => wait === null).length).toBe(3);
    const [wait] = taken.filter((one) => one !== null);
    expect(wait).toBeGreaterThan(0);
    // A slot of a quarter of an hour leaves the window as a whole.
    expect(wait).toBeLessThanOrEqual(86_400_000 + 900_000);
    expect(await limiter().takeOfDay(0)).not.toBeNull();
  });

  it('allows a thousand searches a day unless the owner says otherwise', () => {
    expect(parseConfig({}).CLOUDFLARE_SEARCHES_PER_DAY).toBe(1_000);
    expect(parseConfig({ CLOUDFLARE_SEARCHES_PER_DAY: '0' }).CLOUDFLARE_SEARCHES_PER_DAY).toBe(0);
  });
});
