import { beforeAll, describe, expect, it } from 'vitest';
import { grantFor } from '../../support/grants.ts';
import { callTool, structured } from '../../support/mcp-call.ts';

const SITE = 'https://signals.acme.dev';

let token = '';
beforeAll(async () => {
  token = await grantFor('reader-of-signals', ['web:read']);
}, 60_000);

const call = async (name: string, args: Record<string, unknown>, by = token) =>
  structured(await callTool('modern', name, args, { token: by }));
const entriesOf = async (urls: string[], by = token) => {
  const { entries } = await call('web_batch_open', { urls }, by);
  return entries as { requested_url: string; error?: string; message?: string; hint?: string; markdown?: string }[];
};
const urlsFound = async (query: string, by = token) => {
  const { results } = await call('search', { query }, by);
  return (results as { url: string }[] | undefined)?.map(({ url }) => url) ?? [];
};

describe('a page whose site says ai-input=no', () => {
  const url = `${SITE}/closed`;

  it('is opened if a call names its URL, with a note about the request of the site', async () => {
    const opened = await call('open_url', { url });
    expect(opened['text']).toContain('okapi');
    expect(opened['render']).toMatch(
      /Note: The site asks not to feed its pages to AI models \(Content-Signal: ai-input=no\)/,
    );
    const [entry] = await entriesOf([url]);
    expect(entry?.markdown).toContain('okapi');
  });

  it('is refused in a batch if a search led to it, and the other pages are opened', async () => {
    expect(await urlsFound('okapi giraffe')).toContain(url);
    const [refused, other] = await entriesOf([`${url}#top`, 'https://docs.acme.dev/alarms']);
    expect(refused).toMatchObject({
      error: 'content_signal_disallowed',
      message: expect.stringContaining('asks not to feed its pages to AI models'),
      hint: expect.stringContaining('open it with open_url'),
    });
    expect(refused).not.toHaveProperty('markdown');
    expect(other?.error).toBeUndefined();
    expect((await call('open_url', { url }))['text']).toContain('okapi');
  });

  it('is opened in a batch by a user whose searches did not find it', async () => {
    const somebody = await grantFor('somebody-of-signals', ['web:read']);
    const [entry] = await entriesOf([url], somebody);
    expect(entry?.markdown).toContain('okapi');
  });
});

describe('a page whose site says use=immediate', () => {
  const url = `${SITE}/now`;

  it('is stored only for its user and found by no search, and a note reports this', async () => {
    const opened = await call('open_url', { url });
    expect(opened['text']).toContain('numbat');
    expect(opened['render']).toContain('the page is stored for this user alone, and searches do not find it');
    expect(await urlsFound('numbat termites')).toEqual([]);
    const { metadata } = await call('cache_get', { snapshot: (await call('web_open', { url }))['snapshot'] });
    expect(JSON.stringify(metadata ?? {})).not.toContain('everyone');
  });
});

describe('a page whose site says search=no', () => {
  it('is shared, but found by no search', async () => {
    const opened = await call('open_url', { url: `${SITE}/unlisted` });
    expect(opened['render']).toContain('The site asks not to be in a search index');
    expect(await urlsFound('saola antelope')).toEqual([]);
  });

  it('is no longer found once its site starts to say so, although its text is unchanged', async () => {
    const url = `${SITE}/later`;
    await call('open_url', { url });
    expect(await urlsFound('fossa lemurs')).toEqual([url]);
    await call('web_open', { url, refresh: true });
    expect(await urlsFound('fossa lemurs')).toEqual([]);
  });
});

describe('a page that asks for payment', () => {
  it('is not paid for, and the result shows the price and the signals of the site', async () => {
    const { result } = await callTool('modern', 'web_open', { url: `${SITE}/paid` }, { token });
    expect(result?.structuredContent).toMatchObject({
      error: 'payment_required',
      message: `${SITE}/paid asks for payment: 0.02 USD (crawler-price). Nothing was paid.`,
      status_code: 402,
      scheme: 'crawler-price',
      price: '0.02 USD',
      quoted: expect.stringContaining('Write to sales.'),
    });
    const [entry] = await entriesOf([`${SITE}/paid`]);
    expect(entry).toMatchObject({ error: 'payment_required', status_code: 402 });
  });
});
