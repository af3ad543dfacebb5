import { beforeAll, describe, expect, it, vi } from 'vitest';
import { callTool } from '#support/mcp-call.ts';
import { formFields, pageOf, textOf } from '#support/oauth-browser.ts';
import type { Browser, Shown } from '#support/oauth-browser.ts';
import { ORIGIN, PASSPHRASE, personsBrowser } from '#support/oauth-journey.ts';

const ACTIVITY = '/console/activity';

let owner: Browser;
beforeAll(async () => {
  owner = personsBrowser();
  await owner.submit(pageOf(await owner.get(`${ORIGIN}/sign-in`)), '/sign-in', { passphrase: PASSPHRASE });
});

const see = async (path: string): Promise<Shown> => pageOf(await owner.get(ORIGIN + path));

/** Sends the form like the button of the page. */
async function press(browser = owner, token?: string): Promise<Shown> {
  const [, form = ''] = formFields((await see(ACTIVITY)).html, '/sign-out').find(([name]) => name === 'form') ?? [];
  return pageOf(
    await browser.post(ACTIVITY, [
      ['form', token ?? form],
      ['do', 'forget'],
      ['confirm', 'activity'],
      ['about', '<b>x'],
    ]),
  );
}

describe('an irreversible action', () => {
  it('asks for confirmation, runs when it is confirmed, and the next page reports it', async () => {
    await callTool('modern', 'search', { query: 'to be deleted' });
    await vi.waitFor(async () => expect(textOf((await see(ACTIVITY)).html)).toContain('to be deleted'), {
      timeout: 60_000,
      interval: 200,
    });
    expect((await see(ACTIVITY)).html).toContain('name="confirm" value="activity"');
    const asked = await press();
    expect(textOf(asked.html)).toContain('Every line is deleted. This cannot be undone.');
    expect(asked.html).toContain('&lt;b&gt;x');
    expect(textOf((await see(ACTIVITY)).html)).toContain('to be deleted');
    const done = pageOf(await owner.submit(asked, ACTIVITY, {}));
    expect(done.html).toMatch(/<p class="done" role="status" tabindex="-1" autofocus[^>]*>Deleted\.<\/p>/u);
    expect(textOf(done.html)).toContain('There is nothing yet.');
  });

  it('does not even ask a stranger, or without the token of the page', async () => {
    expect((await press(personsBrowser())).status).toBe(403);
    expect((await press(owner, 'forged')).status).toBe(403);
  });

  it('is described only in words of this server, whatever the URL contains', async () => {
    for (const done of ['<b>x', 'constructor', '__proto__', 'toString', ''])
      expect((await see(`/console?done=${encodeURIComponent(done)}`)).html).not.toContain('class="done"');
  });
});
