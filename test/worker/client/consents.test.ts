import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { partNamed } from '#core/objects.ts';

const client = (subject: string) => partNamed(env.CLIENT, subject, 'consents');
const SITE = { clientId: 'one', redirectUri: 'https://one.example/back' };
const APP = { clientId: 'one', redirectUri: 'http://localhost/back' };
const OTHER = { clientId: 'two', redirectUri: 'https://two.example/back' };
const CONSENT = { scopes: ['web:read'], quietUntil: 5 };

describe('the decisions of a person on the consent page', () => {
  it('are found for the same client at the same redirect URI, by that person alone', async () => {
    await client('ada').save(SITE, CONSENT);
    expect(await client('ada').find(SITE)).toEqual(CONSENT);
    expect([await client('ada').find(APP), await client('ada').find(OTHER), await client('bea').find(SITE)]).toEqual([
      null,
      null,
      null,
    ]);
  });

  it('are replaced by a later decision', async () => {
    await client('cy').save(SITE, CONSENT);
    await client('cy').save(SITE, { scopes: [], quietUntil: 0 });
    expect(await client('cy').find(SITE)).toEqual({ scopes: [], quietUntil: 0 });
  });

  it('are removed with the client, for each of its redirect URIs', async () => {
    for (const one of [SITE, APP, OTHER]) await client('dan').save(one, CONSENT);
    await client('dan').remove('one');
    expect([await client('dan').find(SITE), await client('dan').find(APP), await client('dan').find(OTHER)]).toEqual([
      null,
      null,
      CONSENT,
    ]);
  });

  it('are limited to the newest 500', async () => {
    for (let n = 0; n <= 500; n += 1) await client('eve').save({ ...SITE, clientId: `client ${n}` }, CONSENT);
    expect(await client('eve').find({ ...SITE, clientId: 'client 0' })).toBeNull();
    expect(await client('eve').find({ ...SITE, clientId: 'client 1' })).toEqual(CONSENT);
  });
});
