import { beforeEach, describe, expect, it } from 'vitest';
import { braveError, braveValidation, CANARY, htmlPage, searxngAnswer } from '#support/search-answers.ts';
import { emptyIndex } from '#support/search-index.ts';
import { ask, brave, searxng, toldOf, walruses } from '#support/search-subjects.ts';

beforeEach(emptyIndex);

describe('a refusal by brave', () => {
  it.each<[string, () => Response, RegExp]>([
    ['an unknown key', () => braveError(422, 'SUBSCRIPTION_TOKEN_INVALID'), /refused the key: it is not valid/],
    [
      'an unknown key, as its reference writes it',
      () => braveError(422, 'SUBSCRIPTION_TOKEN_INVALID', { asList: true }),
      /it is not valid/,
    ],
    [
      'a key that did not arrive',
      () => braveValidation('header', 'x-subscription-token'),
      /was sent in a form that is not accepted/,
    ],
    ['a key without a subscription', () => braveError(404, 'SUBSCRIPTION_NOT_FOUND'), /it belongs to no subscription/],
    ['a key for something else', () => braveError(403, 'RESOURCE_NOT_ALLOWED'), /not allowed to use web search/],
    ['a plan without an option', () => braveError(400, 'OPTION_NOT_IN_PLAN'), /plan does not include an option/],
    ['with 401 and no reason', () => htmlPage(401), /HTTP 401/],
    ['with 403 and no reason', () => htmlPage(403), /HTTP 403/],
  ])('is reported as a problem of the key, without a retry: %s', async (_, answer, words) => {
    const { provider, sent } = brave(answer);
    const { failure, message } = await toldOf(provider);
    expect(failure.code).toBe('search_auth_error');
    expect(message).toMatch(words);
    expect(sent.length).toBe(1);
  });

  it.each([
    ['country', 'country'],
    ['search_lang', 'search_lang'],
    ['q', 'query'],
  ])('names the argument that the caller can correct when the value of %s is invalid', async (parameter, field) => {
    const { provider } = brave(() => braveValidation('query', parameter));
    const { failure } = await toldOf(provider);
    expect(failure).toMatchObject({ code: 'invalid_argument', field });
  });

  it.each<[string, () => Response, string]>([
    ['a request it does not understand', () => braveError(422, 'VALIDATION'), 'it answered HTTP 422 VALIDATION'],
    ['something unknown', () => braveValidation('query', CANARY), 'it answered HTTP 422 VALIDATION'],
    ['with a code of its own', () => braveError(400, CANARY), 'it answered HTTP 400'],
    ['with 410', () => htmlPage(410), 'it answered HTTP 410'],
    [
      'with a redirect',
      () => new Response(null, { status: 302, headers: { location: 'https://elsewhere.example/' } }),
      'it answered with a redirect, which is not followed',
    ],
    [
      'with JSON of another form',
      () => Response.json({ type: 'elsewhere', text: CANARY }),
      'its answer does not have the documented form',
    ],
    ['with a web page', () => htmlPage(200), 'its answer does not have the documented form'],
  ])('is reported with its reason, without a retry: %s', async (_, answer, reason) => {
    const { provider, sent } = brave(answer);
    const { failure } = await toldOf(provider);
    expect(failure).toMatchObject({ code: 'search_unavailable', provider: 'brave', reason });
    expect(sent.map(({ redirect }) => redirect)).toEqual(['manual']);
  });

  it('omits a malformed result and keeps the others', async () => {
    const { provider } = brave(() =>
      Response.json({
        type: 'search',
        query: { original: 'x' },
        web: {
          results: [
            { title: 'no address' },
            7,
            null,
            { url: 'https://a.example/', title: null, age: 3 },
            { url: 'https://b.example/' },
          ],
        },
      }),
    );
    expect((await ask(provider)).hits.map((hit) => hit.url)).toEqual(['https://b.example/']);
  });
});

describe('a refusal by searxng', () => {
  it.each<[string, () => Response, RegExp]>([
    [
      'JSON, as a stock instance does',
      () => htmlPage(403),
      /does not allow JSON.*add "json" to search\.formats in settings\.yml/,
    ],
    ['to be anything but a web page', () => htmlPage(200), /web page instead of JSON; SEARXNG_URL must be/],
    [
      'with a redirect',
      () => new Response(null, { status: 302, headers: { location: 'http://169.254.169.254/' } }),
      /redirect, which is not followed/,
    ],
    ['a parameter', () => Response.json({ error: CANARY }, { status: 400 }), /HTTP 400/],
    ['with a fault of its own', () => Response.json({ error: CANARY }, { status: 500 }), /HTTP 500/],
    ['with JSON of another form', () => Response.json({ error: CANARY }), /does not have the documented form/],
    [
      'because no engine answered',
      () => searxngAnswer([], ['one', 'two']),
      /none of its search engines found anything, and 2 of them did not answer/,
    ],
  ])('is reported without following redirects or retrying: %s', async (_, answer, words) => {
    const { provider, sent } = searxng(answer);
    const { failure, message } = await toldOf(provider);
    expect(failure.code).toBe('search_unavailable');
    expect(message).toMatch(words);
    expect(sent.map(({ redirect }) => redirect)).toEqual(['manual']);
  });

  it('states the time to retry after too many requests', async () => {
    const patient = searxng(() => htmlPage(429, { 'retry-after': '17' }));
    expect((await toldOf(patient.provider)).failure).toMatchObject({
      code: 'search_rate_limited',
      retryAfterSeconds: 17,
    });
    const silent = searxng(() => htmlPage(429));
    expect((await toldOf(silent.provider)).failure).toMatchObject({
      code: 'search_rate_limited',
      retryAfterSeconds: 60,
    });
  });

  it('is reported as such when a sign-in is missing', async () => {
    const { provider } = searxng(() => htmlPage(401));
    expect((await toldOf(provider)).failure.code).toBe('search_auth_error');
  });

  it('includes the number of silent engines when others answered', async () => {
    const { provider } = searxng(() => searxngAnswer(walruses(1), ['one']));
    const { hits, notes } = await ask(provider);
    expect(hits.length).toBe(1);
    expect(notes).toEqual(['searxng: 1 of its search engines did not answer.']);
  });
});
