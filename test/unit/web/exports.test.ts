import { describe, expect, it } from 'vitest';
import { harOf } from '#browsing/read/har.ts';
import { PageRecord } from '#browsing/tabs/page-record.ts';
import type { LoggedRequest } from '#browsing/tabs/page-record.ts';
import { changeTexts } from '#core/script-steps.ts';
import type { ScriptedCall, ScriptTarget } from '#core/script-steps.ts';
import { playwrightTest } from '#web/sessions/playwright-test.ts';

const HOSTILE = [
  '`${evil()}`',
  "'); evil(); ('",
  '"); evil(); ("',
  '*/ evil() /*',
  '\n evil()',
  '\u2028evil()',
  '\\',
  '</script>',
];

const target = (name: string, more: Partial<ScriptTarget> = {}): ScriptTarget => {
  return { role: 'button', name, nth: null, frame: null, ...more };
};
const call = (steps: ScriptedCall['steps'], url: string | null = null, text: string | null = null): ScriptedCall => {
  return { steps, url, text };
};

describe('the steps of a session as a Playwright test', () => {
  it.each(HOSTILE)('hold what pages say as text alone: %j', async (words) => {
    const at = target(words, { frame: `http://a.example/${words}` });
    const text = playwrightTest(words, [
      call([
        { do: 'click', at, button: 'left', count: 1, modifiers: [] },
        { do: 'fill', at, field: 'text', value: { text: words } },
        { do: 'type', at: null, text: null, keys: [words] },
        { do: 'see', text: words, isGone: false },
        { do: 'other', what: words },
      ]),
    ]);
    const outside = text
      .split('\n')
      .map((line) => line.replace(/^\s*\/\/.*$/u, '').replaceAll(/"(?:[^"\\]|\\.)*"/gu, '""'))
      .join('\n');
    expect(outside).not.toContain('evil');
    expect(outside).not.toContain('`');
    expect(text.split('\n')).toHaveLength(11);
  });

  it('find elements by role and name, take secrets from the environment and expect what was seen', () => {
    const text = playwrightTest('default', [
      call([{ do: 'go', url: 'http://site.example/' }], 'http://site.example/'),
      call([
        { do: 'fill', at: target('Name', { role: 'textbox' }), field: 'text', value: { text: 'Ann' } },
        {
          do: 'fill',
          at: target('Key', { role: 'textbox' }),
          field: 'text',
          value: { secret: 'my-bank', wantsCode: false },
        },
        { do: 'fill', at: target('Gift', { role: 'checkbox' }), field: 'check', value: { text: 'true' } },
      ]),
      call(
        [{ do: 'click', at: target('Delete', { nth: 1 }), button: 'right', count: 1, modifiers: ['Shift'] }],
        'http://site.example/?token=REDACTED',
        'Saved',
      ),
      null,
    ]);
    for (const line of [
      'await page.goto("http://site.example/");',
      'await page.getByRole("textbox", { name: "Name", exact: true }).fill("Ann");',
      'await page.getByRole("textbox", { name: "Key", exact: true }).fill(process.env.SECRET_MY_BANK ?? \'\');',
      'await expect(page.getByRole("checkbox", { name: "Gift", exact: true })).toBeChecked({ checked: true });',
      'await page.getByRole("button", { name: "Delete", exact: true }).nth(1).click({"button":"right","modifiers":["Shift"]});',
      'await expect(page.getByText("Saved").first()).toBeVisible();',
      '// Set SECRET_MY_BANK in the environment.',
    ])
      expect(text).toContain(line);
    expect(text).not.toContain('REDACTED');
  });

  it('have every text masked that a page or a model said', () => {
    const at = target('hunter2', { frame: 'http://a.example/hunter2' });
    const said = changeTexts(
      call(
        [
          { do: 'go', url: 'http://a.example/hunter2' },
          { do: 'click', at, button: 'left', count: 1, modifiers: [] },
          { do: 'hover', at },
          { do: 'drag', at, to: at },
          { do: 'fill', at, field: 'text', value: { text: 'hunter2' } },
          { do: 'type', at, text: { text: 'hunter2' }, keys: ['hunter2'] },
          { do: 'see', text: 'hunter2', isGone: false },
        ],
        'http://a.example/hunter2',
        'hunter2',
      ),
      (text) => text.replaceAll('hunter2', '••••'),
    );
    expect(JSON.stringify(said)).not.toContain('hunter2');
    expect(playwrightTest('s', [said])).not.toContain('••');
  });
});

/** Required by HAR 1.2, with the types of their values. */
const REQUIRED = {
  entry: {
    startedDateTime: 'string',
    time: 'number',
    request: 'object',
    response: 'object',
    cache: 'object',
    timings: 'object',
  },
  request: {
    method: 'string',
    url: 'string',
    httpVersion: 'string',
    cookies: 'object',
    headers: 'object',
    queryString: 'object',
    headersSize: 'number',
    bodySize: 'number',
  },
  response: {
    status: 'number',
    statusText: 'string',
    httpVersion: 'string',
    cookies: 'object',
    headers: 'object',
    content: 'object',
    redirectURL: 'string',
    headersSize: 'number',
    bodySize: 'number',
  },
  content: { size: 'number', mimeType: 'string' },
  timings: { send: 'number', wait: 'number', receive: 'number' },
} as const;

function typesIn(value: object, wanted: object) {
  return Object.fromEntries(Object.keys(wanted).map((name) => [name, typeof Reflect.get(value, name)]));
}

describe('the requests of a session as HAR', () => {
  it('have what HAR 1.2 requires, and nothing of cookies, credentials, bodies and sealed secrets', () => {
    const record = new PageRecord();
    record.requests.push(request());
    const hide = (text: string) => text.replaceAll('sealed-value', '••••');
    const har = harOf([record], '1.0.0', { secrets: ['cookie-value'], hide });
    expect(har.log).toMatchObject({ version: '1.2', creator: { name: 'periscope', version: '1.0.0' } });
    const [entry] = har.log.entries;
    if (entry === undefined) throw new Error('no entry');
    expect(typesIn(entry, REQUIRED.entry)).toEqual(REQUIRED.entry);
    expect(typesIn(entry.request, REQUIRED.request)).toEqual(REQUIRED.request);
    expect(typesIn(entry.response, REQUIRED.response)).toEqual(REQUIRED.response);
    expect(typesIn(entry.response.content, REQUIRED.content)).toEqual(REQUIRED.content);
    expect(typesIn(entry.timings, REQUIRED.timings)).toEqual(REQUIRED.timings);
    expect(new Date(entry.startedDateTime).toISOString()).toBe(entry.startedDateTime);
    const names = [...entry.request.headers, ...entry.response.headers].map(({ name }) => name.toLowerCase());
    expect(names).toEqual(['accept', 'content-type']);
    const text = JSON.stringify(har);
    for (const secret of ['cookie-value', 'sealed-value', 'bearer-value', 'query-token', 'postData', '"text"'])
      expect(text).not.toContain(secret);
    expect(entry.request.queryString).toContainEqual({ name: 'q', value: 'walrus' });
  });
});

function request(): LoggedRequest {
  return {
    at: 1,
    // Bodies would be asked for there.
    session: Object.create(null),
    requestId: 'r',
    method: 'POST',
    url: 'https://site.example/find?q=walrus&token=query-token-0123456789abcdef&said=sealed-value',
    type: 'Fetch',
    isFromPage: true,
    sent: [
      ['Accept', '*/*'],
      ['Cookie', 'sid=cookie-value'],
      ['Authorization', 'Bearer bearer-value'],
      ['X-Csrf', 'cookie-value'],
    ],
    hasBody: true,
    startedAt: 5,
    begunAt: 1_700_000_000_000,
    status: 200,
    mimeType: 'text/html',
    received: [
      ['Content-Type', 'text/html'],
      ['Set-Cookie', 'sid=cookie-value'],
    ],
    bytes: 12,
    ms: 30,
    problem: null,
  };
}
