import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  accountId,
  describeAccount,
  configuredRole,
  deriveSubject,
  keepOnlyAllowedEmails,
} from '#auth/people/account.ts';
import type { Account, UpstreamAccount } from '#auth/people/account.ts';
import { configAdvice, parseConfig } from '#core/config/config.ts';

const ISSUER = 'https://login.acme.dev';
const OIDC = { OIDC_ISSUER: ISSUER, OIDC_CLIENT_ID: 'c', OIDC_CLIENT_SECRET: 's' };
const GITHUB = { GITHUB_CLIENT_ID: 'c', GITHUB_CLIENT_SECRET: 's' };

const ana: UpstreamAccount = { way: 'oidc', issuer: ISSUER, id: 'Sub-7', emails: ['ana@acme.dev'] };
const octo: UpstreamAccount = { way: 'github', id: '583231', login: 'octo-cat', emails: ['octo@acme.dev'] };

const standing = (account: Account, users: string, ways: Record<string, string> = { ...OIDC, ...GITHUB }) =>
  configuredRole(account, parseConfig({ ...ways, ALLOWED_USERS: users }));

describe('ALLOWED_USERS', () => {
  it('admits no user who is not invited when it is empty, and the configuration reports this', () => {
    expect(standing(ana, '')).toBeNull();
    expect(standing(octo, ' , ,')).toBeNull();
    expect(configAdvice(parseConfig({ ...OIDC, ALLOWED_USERS: ',' }))).toEqual([
      expect.stringContaining('only people who are invited can sign in'),
    ]);
    expect(configAdvice(parseConfig({ ...OIDC, ALLOWED_USERS: 'a@b.c' }))).toEqual([]);
    expect(configAdvice(parseConfig({ ALLOWED_USERS: 'a@b.c' }))).toHaveLength(1);
  });

  it.each([
    ['x, ana@acme.dev', ana, 'user'],
    ['x, ANA@Acme.dev', ana, 'user'],
    ['x, @acme.dev', ana, 'user'],
    ['x, @acme.dev', octo, 'user'],
    ['x, octo@acme.dev', octo, 'user'],
    ['x, Octo-Cat', octo, 'user'],
    ['x, 583231', octo, 'user'],
    ['x, github:OCTO-cat', octo, 'user'],
    ['x, github:583231', octo, 'user'],
    ['x, oidc:Sub-7', ana, 'user'],
    ['x, oidc:sub-7', ana, null],
    ['x, @ACME.dev', ana, 'user'],
    ['x, @cme.dev', ana, null],
    ['x, @dev', ana, null],
    ['x, acme.dev', ana, null],
    ['x, oidc:ana@acme.dev', ana, null],
    ['x, github:ana@acme.dev', ana, null],
    ['x, github:Sub-7', ana, null],
    ['x, oidc:583231', octo, null],
    ['x, oidc:octo-cat', octo, null],
  ] as const)('with %s makes %j: %s', (users, account, expected) => {
    expect(standing(account, users)).toBe(expected);
  });

  it('treats a bare name as a subject without GitHub, and as a GitHub name with it', () => {
    expect(standing(ana, 'x,Sub-7', OIDC)).toBe('user');
    expect(standing(ana, 'x,Sub-7')).toBeNull();
    expect(standing({ ...ana, id: '583231' }, 'x,583231')).toBeNull();
  });

  it('reads digits as an id, never as a login of those digits', () => {
    expect(standing({ ...octo, id: '999', login: '583231' }, 'x,583231')).toBeNull();
    expect(standing({ ...octo, id: '999', login: '583231' }, 'x,github:583231')).toBeNull();
  });

  it('gives the owner role to its first entry, unless that is a whole domain', () => {
    expect(standing(ana, 'ana@acme.dev, octo-cat')).toBe('owner');
    expect(standing(octo, 'ana@acme.dev, octo-cat')).toBe('user');
    expect(standing(ana, '@acme.dev, ana@acme.dev')).toBe('user');
    expect(standing({ way: 'passphrase' }, '')).toBe('owner');
  });

  it('limits the stored addresses of an account to those it lists', () => {
    const emails = ['octo@acme.dev', 'octo@home.dev', 'octo@friends.dev'];
    const config = parseConfig({ ...GITHUB, ALLOWED_USERS: 'x, OCTO@home.dev, @friends.DEV' });
    const kept = keepOnlyAllowedEmails({ ...octo, emails }, config);
    expect(kept.emails).toEqual(['octo@home.dev', 'octo@friends.dev']);
    expect(configuredRole(kept, config)).toBe(configuredRole({ ...octo, emails }, config));
  });

  it.each([
    [{ ...ana, name: 'Ana Lind' }, 'Ana Lind (ana@acme.dev)'],
    [{ ...ana, name: 'Ana@acme.dev' }, 'Ana@acme.dev'],
    [{ ...ana, name: 'Ana Lind', emails: [] }, 'Ana Lind'],
    [{ ...ana, emails: ['ana@acme.dev', 'a@acme.dev'] }, 'ana@acme.dev, a@acme.dev'],
    [{ ...ana, emails: [] }, `an account at ${new URL(ana.issuer).host}`],
    [{ ...octo, emails: [] }, `github:${octo.login}`],
    [{ ...octo, emails: ['octo@home.dev'] }, `octo@home.dev (github:${octo.login})`],
    [{ way: 'passphrase' }, 'the owner, by passphrase'],
    [{ way: 'oidc' }, null],
  ])('names %j to people as %s', (account, name) => {
    expect(describeAccount(account)).toBe(name);
  });

  it('gives the ID for ALLOWED_USERS', () => {
    expect([ana, octo, { way: 'passphrase' }].map(accountId)).toEqual([`oidc:${ana.id}`, `github:${octo.id}`, null]);
  });

  it('admits nobody from a provider that is no longer configured', () => {
    expect(standing(ana, 'ana@acme.dev', { ...OIDC, OIDC_ISSUER: 'https://other.acme.dev' })).toBeNull();
    expect(standing(ana, 'ana@acme.dev', GITHUB)).toBeNull();
    expect(standing(octo, 'octo-cat', OIDC)).toBeNull();
  });

  it('admits nobody by an unverified e-mail address', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (email) => {
        expect(standing({ ...ana, emails: [] }, `${email},@${email.split('@')[1] ?? ''}`, OIDC)).toBeNull();
      }),
    );
  });
});

describe('settings of a provider', () => {
  it('are refused if they are incomplete, use plain http, or contain a query', () => {
    const refused = (settings: Record<string, string>) => () => parseConfig(settings);
    expect(refused({ OIDC_ISSUER: ISSUER, OIDC_CLIENT_ID: 'c' })).toThrow('OIDC_CLIENT_SECRET must be set too');
    expect(refused({ GITHUB_CLIENT_SECRET: 's' })).toThrow('GITHUB_CLIENT_ID must be set too');
    expect(refused({ ...OIDC, OIDC_ISSUER: 'http://login.acme.dev' })).toThrow('OIDC_ISSUER must be https');
    expect(refused({ ...OIDC, OIDC_ISSUER: `${ISSUER}?a` })).toThrow('OIDC_ISSUER must have no query');
    expect(parseConfig({ ...OIDC, OIDC_ISSUER: 'http://127.0.0.1:9000' }).OIDC_ISSUER).toBe('http://127.0.0.1:9000');
  });
});

describe('the subject of an account', () => {
  it('is stable, differs by account, issuer and deployment, and reveals nothing', async () => {
    const subject = await deriveSubject('secret', ISSUER, 'sub-7');
    expect(subject).toMatch(/^u_[\w-]{22}$/);
    expect(await deriveSubject('secret', ISSUER, 'sub-7')).toBe(subject);
    const others = [
      await deriveSubject('secret', ISSUER, 'sub-8'),
      await deriveSubject('secret', 'https://other.acme.dev', 'sub-7'),
      await deriveSubject('another', ISSUER, 'sub-7'),
      await deriveSubject('secret', `${ISSUER}","sub`, '-7'),
    ];
    expect(new Set([subject, ...others]).size).toBe(5);
  });
});
