import { describe, expect, it } from 'vitest';
import { acquireBrowser, toAllowedHostPatterns } from '#browsing/cdp/connect.ts';
import type { BrowserBinding } from '#browsing/cdp/connect.ts';
import { describeFailure } from '#core/failures/describe-failure.ts';
import { PeriscopeError } from '#core/failures/failure.ts';

/** The service with one answer for each start. It records the requests. */
function service(...answers: (() => Response)[]) {
  const asked: { url: string; method: string; body: unknown }[] = [];
  const binding: BrowserBinding = {
    fetch: async (url, init) => {
      const method = init?.method ?? 'GET';
      asked.push({ url, method, body: typeof init?.body === 'string' ? JSON.parse(init.body) : null });
      if (method === 'DELETE') return Response.json({ status: 'closing' });
      if (method === 'GET') return connected();
      const next = answers.shift();
      return next === undefined ? Response.json({ sessionId: 'b1' }) : next();
    },
  };
  return { binding, starts: () => asked.filter(({ method }) => method === 'POST') };
}

function connected(): Response {
  const { 0: webSocket } = new WebSocketPair();
  if (webSocket === undefined) throw new Error('no socket');
  return new Response(null, { status: 101, webSocket });
}

const denied =
  (retryAfter?: string, body = 'Rate limit exceeded') =>
  () =>
    new Response(body, { status: 429, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } });

const refusal = async (work: Promise<unknown>) => {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  return error instanceof PeriscopeError ? describeFailure(error.failure).message : 'it worked';
};

describe('starting a browser', () => {
  it('waits for its turn if that is soon', async () => {
    const { binding, starts } = service(denied('1'), denied());
    const since = Date.now();
    expect((await acquireBrowser(binding)).id).toBe('b1');
    expect(starts()).toHaveLength(3);
    expect(Date.now() - since).toBeGreaterThanOrEqual(1_900);
  });

  it('does not wait for long, and says when to try again', async () => {
    const { binding, starts } = service(denied('20'));
    expect(await refusal(acquireBrowser(binding))).toContain('cannot start another browser now; try again in 20 s');
    expect(starts()).toHaveLength(1);
  });

  it('gives up in the end where every start is refused', async () => {
    const { binding, starts } = service(...Array.from({ length: 20 }, () => denied('2')));
    expect(await refusal(acquireBrowser(binding))).toContain('try again in 2 s');
    expect(starts().length).toBeLessThanOrEqual(4);
  });

  it('reports that the time of the day is used up, and does not wait', async () => {
    const words = 'Unable to create new browser: code: 429: message: Browser time limit exceeded for today';
    const { binding, starts } = service(denied('1', words));
    expect(await refusal(acquireBrowser(binding))).toMatch(
      /has used up its browser time for today; more is available from 00:00 UTC/u,
    );
    expect(starts()).toHaveLength(1);
  });

  it('is tried once again after a failure of the service', async () => {
    const { binding } = service(() => new Response('No browser available.', { status: 503 }));
    expect((await acquireBrowser(binding)).id).toBe('b1');
  });
});

describe('the wall of the platform', () => {
  it('limits a browser to the allowed domains and their subdomains from its start', async () => {
    const { binding, starts } = service();
    await acquireBrowser(binding, ['acme.dev', 'docs.example.org']);
    const allowedDomains = ['acme.dev', '*.acme.dev', 'docs.example.org', '*.docs.example.org'];
    expect(starts()).toEqual([expect.objectContaining({ body: { guardrails: { allowedDomains } } })]);
  });

  it('is not used where every domain is allowed, or where there are more domains than it accepts', async () => {
    const { binding, starts } = service();
    await acquireBrowser(binding);
    await acquireBrowser(
      binding,
      Array.from({ length: 26 }, (_, n) => `d${n}.dev`),
    );
    expect(starts().map(({ body }) => body)).toEqual([null, null]);
    expect(toAllowedHostPatterns(Array.from({ length: 25 }, (_, n) => `d${n}.dev`))).toHaveLength(50);
  });

  it('that the service rejects is reported by the name of the setting', async () => {
    const { binding } = service(() => new Response('bad policy', { status: 400 }));
    expect(await refusal(acquireBrowser(binding, ['a_b.dev']))).toContain('ALLOWLIST_DOMAINS');
  });
});
