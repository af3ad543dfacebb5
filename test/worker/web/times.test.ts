import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#core/limits.ts';
import { createPageClock, relativeTime, fullTime } from '#web/times.ts';
import { formFields, pageOf, textOf } from '#support/oauth-browser.ts';
import type { Browser, Shown } from '#support/oauth-browser.ts';
import { ORIGIN, PASSPHRASE, personsBrowser } from '#support/oauth-journey.ts';

const NOW = Date.parse('2026-11-26T12:00:30Z');

describe('a displayed time', () => {
  it.each([
    [0, 'just now'],
    [-MINUTE_MS + 1, 'just now'],
    [-MINUTE_MS, '1 min ago'],
    [-59 * MINUTE_MS, '59 min ago'],
    [-HOUR_MS, '1 h ago'],
    [-DAY_MS + 1, '23 h ago'],
    [-DAY_MS, '1 day ago'],
    [-6 * DAY_MS, '6 days ago'],
    [-7 * DAY_MS, '19 Nov 2026'],
    [1, 'in a moment'],
    [5 * MINUTE_MS, 'in 5 min'],
    [3 * HOUR_MS, 'in 3 h'],
    [7 * DAY_MS - 1, 'in 7 days'],
    [30 * DAY_MS, '26 Dec 2026'],
  ])('is shown in words: %d ms away as %s', (away, words) => {
    expect(relativeTime(NOW + away, createPageClock('UTC', NOW))).toBe(words);
  });

  it('is complete in the time zone of its reader, and in UTC if that zone is no longer known', () => {
    expect(fullTime(NOW, createPageClock('Asia/Tokyo', NOW))).toBe('Thursday, 26 November 2026 at 21:00 (Asia/Tokyo)');
    expect(fullTime(NOW, createPageClock('Atlantis/Port', NOW))).toBe('Thursday, 26 November 2026 at 12:00 (UTC)');
    expect(relativeTime(Date.parse('2026-11-10T23:30:00Z'), createPageClock('Asia/Tokyo', NOW))).toBe('11 Nov 2026');
  });
});

describe('the time zone of a user', () => {
  const ZONE = '/console/zone';
  let owner: Browser;
  beforeAll(async () => {
    owner = await signedIn();
  });

  async function signedIn(): Promise<Browser> {
    const browser = personsBrowser();
    await browser.submit(pageOf(await browser.get(`${ORIGIN}/sign-in`)), '/sign-in', { passphrase: PASSPHRASE });
    return browser;
  }

  const see = async (browser = owner): Promise<Shown> => pageOf(await browser.get(ORIGIN + ZONE));
  const save = async (zone: string) => pageOf(await owner.submit(await see(), ZONE, { zone }));

  it('is UTC until they choose one, which then applies on every device', async () => {
    expect((await see()).html).toMatch(/<option value="UTC" selected/u);
    const saved = await save('Europe/Berlin');
    expect(textOf(saved.html)).toContain('Saved. Times are shown in this zone from now on.');
    const { html } = await see(await signedIn());
    expect(html).toMatch(/<option value="Europe\/Berlin" selected/u);
    expect(textOf(html)).toMatch(/It is now .* \(Europe\/Berlin\)/u);
    expect(textOf(html)).toContain('Times in Europe/Berlin');
  });

  it.each(['', 'Europe', 'europe/berlin', "'; DROP TABLE people", '__proto__', 'x'.repeat(5_000)])(
    'must be in the list: %s is refused at its field',
    async (zone) => {
      const refused = await save(zone);
      expect(refused.status).toBe(400);
      expect(refused.html).toMatch(/<select[^>]*aria-invalid="true" aria-describedby="zone-problem now" autofocus/u);
      expect(refused.html).toContain('id="zone-problem"');
      expect(textOf((await see()).html)).toContain('Times in Europe/Berlin');
    },
  );

  it('cannot be set by a stranger, from another site or without the token of the page', async () => {
    const [, form = ''] = formFields((await see()).html, ZONE).find(([name]) => name === 'form') ?? [];
    const fields = (token: string): [string, string][] => [
      ['form', token],
      ['zone', 'Asia/Tokyo'],
    ];
    expect(pageOf(await personsBrowser().post(ZONE, fields(form))).status).toBe(403);
    expect(pageOf(await owner.post(ZONE, fields('forged'))).status).toBe(403);
    expect(pageOf(await owner.post(ZONE, fields(form), { origin: 'https://evil.acme.dev' })).status).toBe(403);
    const { results } = await env.DB.prepare('SELECT zone FROM people WHERE zone IS NOT NULL').all();
    expect(results).toEqual([{ zone: 'Europe/Berlin' }]);
  });
});
