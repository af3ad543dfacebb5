import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { objectNamed } from '#core/objects.ts';

const client = (subject: string) => objectNamed(env.CLIENT, subject);
const SITE = { clientId: 'one', redirectUri: 'https://one.example/back' };
const APP = { clientId: 'one', redirectUri: 'http://localhost/back' };
const OTHER = { clientId: 'two', redirectUri: 'https://two.example/back' };
const CONSENT = { scopes: ['web:read'], quietUntil: 5 };

describe('the decisions of a person on the consent page', () => {
  it('are found for the same client at the same redirect URI, by that person alone', async () => {
    await client('ada').saveConsent(SITE, CONSENT);
    expect(await client('ada').consent(SITE)).toEqual(CONSENT);
    expect([
      await client('ada').consent(APP),
      await client('ada').consent(OTHER),
      await client('bea').consent(SITE),
    ]).toEqual([null, null, null]);
  });

  it('are replaced by a later decision', async () => {
    await client('cy').saveConsent(SITE, CONSENT);
    await client('cy').saveConsent(SITE, { scopes: [], quietUntil: 0 });
    expect(await client('cy').consent(SITE)).toEqual({ scopes: [], quietUntil: 0 });
  });

  it('are removed with the client, for each of its redirect URIs', async () => {
    for (const one of [SITE, APP, OTHER]) await client('dan').saveConsent(one, CONSENT);
    await client('dan').removeConsents('one');
    expect([
      await client('dan').consent(SITE),
      await client('dan').consent(APP),
      await client('dan').consent(OTHER),
    ]).toEqual([null, null, CONSENT]);
  });

  it('are limited to the newest 500', async () => {
    for (let n = 0; n <= 500; n += 1) await client('eve').saveConsent({ ...SITE, clientId: `client ${n}` }, CONSENT);
    expect(await client('eve').consent({ ...SITE, clientId: 'client 0' })).toBeNull();
    expect(await client('eve').consent({ ...SITE, clientId: 'client 1' })).toEqual(CONSENT);
  });
});
