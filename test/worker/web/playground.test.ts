import { beforeAll, describe, expect, it, vi } from 'vitest';
import { grantFor } from '#support/grants.ts';
import { callTool, structured } from '#support/mcp-call.ts';
import { formFields, pageOf, textOf } from '#support/oauth-browser.ts';
import type { Browser, Shown } from '#support/oauth-browser.ts';
import { ORIGIN, PASSPHRASE, personsBrowser } from '#support/oauth-journey.ts';

const TRY = '/console/try';

let owner: Browser;
beforeAll(async () => {
  owner = personsBrowser();
  await owner.submit(pageOf(await owner.get(`${ORIGIN}/sign-in`)), '/sign-in', { passphrase: PASSPHRASE });
});

const see = async (path: string): Promise<Shown> => pageOf(await owner.get(ORIGIN + path));

async function ask(text: string): Promise<Shown> {
  return pageOf(await owner.submit(await see(TRY), TRY, { ask: text }));
}

const linesOf = ({ html }: Shown) =>
  Array.from(html.matchAll(/name="line" value="(\d+)"/gu), ([, line]) => Number(line));

describe('the playground', () => {
  it('opens a URL like a model, and links to the lines that a user selects', async () => {
    const opened = await ask('docs.acme.dev/alarms');
    expect([opened.status, textOf(opened.html)]).toEqual([
      200,
      expect.stringContaining('An alarm wakes a durable object at a set time.'),
    ]);
    expect(linesOf(opened).slice(0, 3)).toEqual([0, 2, 4]);
    const { searchParams } = new URL(opened.url);
    const cursor = searchParams.get('cursor') ?? '';
    const cited = await see(`${TRY}?cursor=${cursor}&line=4&line=2`);
    expect(cited.html).toContain(`<code>${ORIGIN}/c/${cursor}/L2-L4</code>`);
    expect(cited.html.match(/<mark>/gu)).toHaveLength(2);
    const citation = await see(`/c/${cursor}/L2-L4`);
    expect(citation.html).toContain('<mark>An alarm wakes a durable object at a set time.</mark>');
  });

  it('answers a question with passages of opened pages, each ready to cite', async () => {
    await ask('https://docs.acme.dev/alarms');
    const found = await ask('What wakes a durable object at a set time?');
    expect(textOf(found.html)).toContain('An alarm wakes a durable object at a set time.');
    const [, to = ''] = /href="(\/console\/try\?cursor=[^"]+)"/u.exec(found.html) ?? [];
    expect((await see(to.replaceAll('&amp;', '&'))).html).toMatch(/<code>[^<]+\/c\/c_\w+\/L\d+-L\d+<\/code>/u);
  });

  it('explains a failure, and keeps the typed question', async () => {
    const refused = await ask('http://10.0.0.1/x"><script>');
    const failed = await ask('http://10.0.0.1/');
    expect(refused.html).not.toContain('"><script>');
    expect([failed.status, textOf(failed.html)]).toEqual([
      409,
      expect.stringContaining('http://10.0.0.1/ is not allowed'),
    ]);
    expect(failed.html).toContain('value="http://10.0.0.1/"');
    expect((await ask(' ')).status).toBe(409);
  });

  it('appears in the activity as an action of the user', async () => {
    await ask('https://docs.acme.dev/alarms');
    await vi.waitFor(
      async () => expect(textOf((await see('/console/activity')).html)).toContain('You, on the page “Try it”'),
      { timeout: 60_000, interval: 200 },
    );
  });

  it('shows nothing for another user’s cursor, an unknown one or an invalid one', async () => {
    const token = await grantFor('another-person', ['web:read']);
    const theirs = structured(await callTool('modern', 'open_url', { url: 'https://docs.acme.dev/alarms' }, { token }));
    for (const cursor of [String(theirs['cursor']), 'c_aaaaaaaaaaaaaaaa', '../x', '']) {
      const shown = await see(`${TRY}?${new URLSearchParams({ cursor, line: '0' }).toString()}`);
      expect([shown.status, linesOf(shown)]).toEqual([409, []]);
    }
  });

  it('refuses invalid lines', async () => {
    const cursor = new URL((await ask('https://docs.acme.dev/alarms')).url).searchParams.get('cursor');
    for (const line of ['-1', 'x', '999999', '1.5'])
      expect((await see(`${TRY}?cursor=${cursor}&line=${line}`)).html).not.toContain('Your citation');
  });

  it('accepts no form of another site, without its token, or from a stranger', async () => {
    const token = formFields((await see(TRY)).html, TRY).find(([name]) => name === 'form')?.[1] ?? '';
    const fields: [string, string][] = [
      ['form', token],
      ['ask', 'https://docs.acme.dev/alarms'],
    ];
    const statuses = [
      await owner.post(TRY, fields, { origin: 'https://evil.acme.dev' }),
      await owner.post(TRY, fields, { origin: 'null' }),
      await owner.post(TRY, [['form', 'forged'], fields[1] ?? ['', '']]),
      await personsBrowser().post(TRY, fields),
    ].map((visit) => pageOf(visit).status);
    expect(statuses).toEqual([403, 403, 403, 403]);
  });
});
