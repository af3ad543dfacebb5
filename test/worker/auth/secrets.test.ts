import { env } from 'cloudflare:workers';
import { runInDurableObject } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { deploymentIdentity } from '#auth/people/principal.ts';
import { parseSecretSites } from '#web/console/secret-pages.tsx';
import { SECRETS_PER_SUBJECT_MAX } from '#client/limits.ts';
import { parseSeed } from '#browsing/secrets/totp.ts';
import { formFields, pageOf, textOf } from '../../support/oauth-browser.ts';
import type { Browser, Shown } from '../../support/oauth-browser.ts';
import { ORIGIN, PASSPHRASE, personsBrowser } from '../../support/oauth-journey.ts';
import { signInObject } from '../../support/stored-people.ts';
import { testVault } from '../../support/test-secrets.ts';

const SECRETS = `${ORIGIN}/console/secrets`;
const VALUE = 'Nine-kestrels-on-1-wire';
const KEY = 'JBSWY3DPEHPK3PXP';
const GOOD = { name: 'bank', sites: 'accounts.bank.example', value: VALUE, seed: '' };

describe('the secrets of a person in the console', () => {
  let browser: Browser;
  let page: Shown;

  beforeAll(async () => {
    browser = personsBrowser();
    page = pageOf(await browser.submit(pageOf(await browser.get(SECRETS)), '/sign-in', { passphrase: PASSPHRASE }));
  });

  const fresh = async (query = '') => (page = pageOf(await browser.get(SECRETS + query)));
  const keep = async (fields: Record<string, string>) =>
    (page = pageOf(await browser.submit(page, '/console/secrets', fields)));

  it('are added, listed without their values, replaced and deleted', async () => {
    expect(textOf(page.html)).toContain('No secrets yet.');
    await keep({ ...GOOD, sites: 'https://Accounts.Bank.example/login\nbank.example', seed: KEY });
    const text = textOf(page.html);
    expect(page.url).toBe(`${SECRETS}?done=kept`);
    for (const shown of ['https://accounts.bank.example', 'https://bank.example', 'secret:bank', 'secret:bank.otp'])
      expect(text).toContain(shown);
    expect(text).toContain('Never used');

    await fresh('?replace=bank');
    expect(page.html).toContain('Replace bank');
    expect(page.html).toContain('https://accounts.bank.example\nhttps://bank.example</textarea>');
    await keep({ sites: 'bank.example', value: 'another value', seed: '' });
    expect(textOf(page.html)).not.toContain('secret:bank.otp');
    for (const shown of [page.html, (await fresh('?replace=bank')).html]) {
      expect(shown).not.toContain(VALUE);
      expect(shown).not.toContain('another value');
      expect(shown).not.toContain(KEY);
    }

    await fresh();
    page = pageOf(await browser.submit(page, '/console/secrets/delete', {}));
    expect(textOf(page.html)).toContain('Delete this secret? bank');
    page = pageOf(await browser.submit(page, '/console/secrets/delete', {}));
    expect(textOf(page.html)).toContain('No secrets yet.');
    const twice = pageOf(
      await browser.post('/console/secrets/delete', [
        ['form', formOf(page)],
        ['name', 'bank'],
      ]),
    );
    expect([twice.status, textOf(twice.html)]).toEqual([404, expect.stringContaining('no longer exists')]);
  });

  it('are stored sealed, for one person, name and list of sites', async () => {
    await fresh();
    await keep({ ...GOOD, seed: KEY });
    const { ownerSubject } = await deploymentIdentity(signInObject());
    const object = env.CLIENT.get(env.CLIENT.idFromName(ownerSubject));
    const rows = await runInDurableObject(object, (_, state) =>
      state.storage.sql.exec('SELECT * FROM secrets').toArray(),
    );
    const stored = rows.map((row) =>
      Object.values(row).map((cell) => (cell instanceof ArrayBuffer ? latin(cell) : cell)),
    );
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(stored)).not.toContain(VALUE);
    expect(JSON.stringify(stored)).not.toContain(KEY);

    const hers = testVault('ada-of-sealing');
    const his = testVault('bob-of-sealing');
    await hers.keep({ name: 'bank', sites: ['https://bank.example'], value: VALUE, seed: null }, false, 1);
    const [sealed] = await hers.list();
    if (sealed === undefined) throw new Error('nothing was kept');
    expect(await hers.open(sealed)).toEqual({ value: VALUE, seed: null });
    expect(await his.open(sealed)).toBeNull();
    expect(await hers.open({ ...sealed, name: 'other' })).toBeNull();
    expect(await hers.open({ ...sealed, sites: ['https://bonk.example'] })).toBeNull();
  });

  it('report an invalid form, and refill its public fields', async () => {
    await fresh();
    expect(textOf(page.html)).not.toContain('enter them again');
    for (const [fields, problem] of [
      [{ name: 'Bank & Co' }, 'Use 1 to 40 letters'],
      [{ name: '' }, 'Use 1 to 40 letters'],
      [{ sites: ' ' }, 'Name at least one site'],
      [{ value: '' }, 'Enter a value, a key'],
      [{ value: '12345' }, 'at least 6 characters'],
      [{ value: '  1 2 3  ' }, 'at least 6 characters'],
      [{ value: 'x'.repeat(501) }, 'at most 500 characters'],
      [{ seed: 'not base32!' }, 'is not base32'],
      [{ seed: 'otpauth://hotp/x?secret=JBSWY3DPEHPK3PXP' }, 'is not an otpauth://totp/ address'],
    ] as const) {
      await keep({ ...GOOD, name: 'new', ...fields });
      expect([page.status, textOf(page.html)]).toEqual([400, expect.stringContaining(problem)]);
      expect(page.html).not.toContain(VALUE);
      expect(page.html.match(/aria-invalid="true" aria-describedby="\w+-problem[^"]*" autofocus/gu)).toHaveLength(1);
    }
    expect(page.html).toContain('accounts.bank.example</textarea>');
    expect(textOf(page.html)).toContain('The value and the key were not stored: enter them again.');
    await keep({ ...GOOD, name: 'bank' });
    expect([page.status, textOf(page.html)]).toEqual([
      409,
      expect.stringContaining('You already have a secret with that name.'),
    ]);
  });

  it('are shown only to their signed-in user, and accepted from no other page', async () => {
    const stranger = personsBrowser();
    expect(pageOf(await stranger.get(SECRETS)).html).toContain('action="/sign-in"');
    await fresh();
    const fields = (form: string): [string, string][] => [['form', form], ...Object.entries(GOOD)];
    expect(pageOf(await stranger.post('/console/secrets', fields(formOf(page)))).status).toBe(403);
    expect(pageOf(await browser.post('/console/secrets', fields('forged'))).status).toBe(403);
    const elsewhere = { origin: 'https://elsewhere.example' };
    expect(pageOf(await browser.post('/console/secrets', fields(formOf(page)), elsewhere)).status).toBe(403);
  });

  it('are limited to a hundred', async () => {
    const vault = testVault('ada-of-many');
    const one = { sites: ['https://bank.example'], value: VALUE, seed: null };
    for (let at = 0; at < SECRETS_PER_SUBJECT_MAX; at += 1) {
      expect(await vault.keep({ ...one, name: `n${at}` }, false, 1)).toBeNull();
    }
    expect(await vault.keep({ ...one, name: 'more' }, false, 1)).toBe('count');
    expect(await vault.keep({ ...one, name: 'n1' }, true, 2)).toBeNull();
  });
});

describe('the sites of a secret', () => {
  const config = { ALLOWED_PRIVATE_HOSTS: ['127.0.0.1:8080', 'localhost:3000', '10.0.0.1:80'] };

  it.each([
    ['bank.example', ['https://bank.example']],
    ['https://bank.example:8443/login?next=/', ['https://bank.example:8443']],
    ['BANK.example, bank.example  www.bank.example', ['https://bank.example', 'https://www.bank.example']],
    ['bücher.example', ['https://xn--bcher-kva.example']],
    ['http://127.0.0.1:8080/', ['http://127.0.0.1:8080']],
  ])('%s', (text, sites) => expect(parseSecretSites(text, config)).toEqual(sites));

  it.each([
    ['http://bank.example', 'must use https'],
    ['http://127.0.0.1:9999', 'must use https'],
    ['http://10.0.0.1', 'must use https'],
    ['*.bank.example', 'one exact host'],
    ['com', 'is not a full host name'],
    ['https://user:pass@bank.example', 'A site is a host'],
    ['ftp://bank.example', 'must use https'],
    ['https://', 'A site is a host'],
    [Array.from({ length: 11 }, (_, at) => `s${at}.example`).join(' '), '10 sites at most'],
  ])('%s is none', (text, problem) => expect(parseSecretSites(text, config)).toContain(problem));

  it('have none on http where the deployment allows no loopback host', () => {
    expect(parseSecretSites('http://localhost:3000', { ALLOWED_PRIVATE_HOSTS: [] })).toContain('must use https');
  });
});

describe('a key for codes', () => {
  it.each([
    ['jbsw y3dp-ehpk 3pxp', { key: KEY, algorithm: 'SHA-1', digits: 6, periodSeconds: 30 }],
    [
      `otpauth://totp/Acme:ada?secret=${KEY}&algorithm=sha512&digits=8&period=60&issuer=Acme`,
      { key: KEY, algorithm: 'SHA-512', digits: 8, periodSeconds: 60 },
    ],
  ])('%s', (text, seed) => expect(parseSeed(text)).toEqual(seed));

  it.each([
    'otpauth://totp/x',
    'otpauth://totp/x?secret=JBSWY3DPEHPK3PXP&algorithm=MD5',
    'otpauth://totp/x?secret=JBSWY3DPEHPK3PXP&digits=4',
    'otpauth://totp/x?secret=JBSWY3DPEHPK3PXP&period=0',
    'otpauth://[',
    'JBSW',
    '01189998',
  ])('%s is none', (text) => expect(parseSeed(text)).toEqual(expect.any(String)));
});

function formOf(shown: Shown): string {
  return formFields(shown.html, '/console/secrets').find(([name]) => name === 'form')?.[1] ?? '';
}

function latin(bytes: ArrayBuffer): string {
  return new TextDecoder('latin1').decode(bytes);
}
