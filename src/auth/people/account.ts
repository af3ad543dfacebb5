import * as z from 'zod';
import type { Config } from '#core/config/config.ts';
import { hmacSha256, toBase64Url } from '#core/text/text.ts';
import { PASSPHRASE_ITERATIONS } from '#core/limits.ts';
import type { Admission } from '#storage/admissions.ts';

/** Maximum characters of a passphrase, to bound the cost of hashing. */
const PASSPHRASE_CHARS_MAX = 1_000;

const upstreamAccountSchema = z.discriminatedUnion('way', [
  z.object({
    way: z.literal('oidc'),
    issuer: z.string().min(1),
    /** The provider's `sub` claim. */
    id: z.string().min(1),
    /** Verified addresses, in lower case. */
    emails: z.array(z.string()),
    /** Name to show, which the user may have chosen. It proves nothing. */
    name: z.string().optional(),
  }),
  z.object({
    way: z.literal('github'),
    id: z.string().regex(/^\d+$/),
    /** GitHub login in lower case. A user can change the login, and another user can then take it. */
    login: z.string().min(1),
    emails: z.array(z.string()),
  }),
]);

/**
 * Proof of a user's identity, stored in every session, grant and access token. Each use checks it against
 * `ALLOWED_USERS`, so a user who is removed from the list loses access immediately.
 */
export const accountSchema = z.discriminatedUnion('way', [
  z.object({ way: z.literal('passphrase') }),
  upstreamAccountSchema,
]);

export type Account = z.infer<typeof accountSchema>;
export type UpstreamAccount = z.infer<typeof upstreamAccountSchema>;

export const PASSPHRASE_ACCOUNT: Account = { way: 'passphrase' };

type Users = Pick<Config, 'ALLOWED_USERS' | 'OIDC_ISSUER' | 'GITHUB_CLIENT_ID'>;

export type Role = 'owner' | 'user';

/**
 * The role that the configuration gives an account, or `null`. The owner's role comes with the passphrase, or with an
 * account at a provider that matches the first entry of `ALLOWED_USERS`, unless that entry is a whole domain.
 */
export function configuredRole(account: Account, config: Users): Role | null {
  if (account.way === 'passphrase') return 'owner';
  if (!isOfProvider(account, config)) return null;
  const hasBoth = config.OIDC_ISSUER !== undefined && config.GITHUB_CLIENT_ID !== undefined;
  const bareNamesMean = hasBoth ? 'github' : account.way;
  const at = config.ALLOWED_USERS.findIndex((entry) => isNamedBy(account, entry, bareNamesMean));
  if (at < 0) return null;
  return at === 0 && config.ALLOWED_USERS[0]?.startsWith('@') === false ? 'owner' : 'user';
}

function isOfProvider(account: UpstreamAccount, config: Users): boolean {
  return account.way === 'oidc' ? config.OIDC_ISSUER === account.issuer : config.GITHUB_CLIENT_ID !== undefined;
}

/** Name of a stored account, such as `Ada (ada@example.org)` or `github:ada`; `null` if the record is malformed. */
export function describeAccount(stored: unknown): string | null {
  const { data: account } = accountSchema.safeParse(stored);
  if (account === undefined) return null;
  if (account.way === 'passphrase') return 'the owner, by passphrase';
  const emails = account.emails.join(', ');
  if (account.way === 'github') {
    const login = `github:${account.login}`;
    return emails === '' ? login : `${emails} (${login})`;
  }
  const { name = '', issuer } = account;
  if (name === '') return emails || `an account at ${URL.parse(issuer)?.host ?? issuer}`;
  return emails === '' || emails === name.toLowerCase() ? name : `${name} (${emails})`;
}

/** The account's ID as an entry of `ALLOWED_USERS`, for the owner; `null` for the passphrase or a malformed record. */
export function accountId(stored: unknown): string | null {
  const { data: account } = accountSchema.safeParse(stored);
  return account === undefined || account.way === 'passphrase' ? null : `${account.way}:${account.id}`;
}

/** Name of the signed-in account, shown to its own user; `null` for the passphrase, which only the owner has. */
export function describeOwnAccount(account: Account): string | null {
  return account.way === 'passphrase' ? null : describeAccount(account);
}

const PREFIXED = /^(oidc|github):(.+)$/;

function isNamedBy(account: UpstreamAccount, entry: string, bareNamesMean: 'oidc' | 'github'): boolean {
  const [, way, name] = PREFIXED.exec(entry) ?? [];
  if (name !== undefined) return way === account.way && isOwnName(account, name);
  const lower = entry.toLowerCase();
  if (entry.startsWith('@')) return account.emails.some((email) => email.slice(email.lastIndexOf('@')) === lower);
  if (entry.includes('@')) return account.emails.includes(lower);
  return bareNamesMean === account.way && isOwnName(account, entry);
}

/**
 * Drops e-mail addresses that `ALLOWED_USERS` does not mention, because accounts are stored in cookies, which have
 * little space.
 */
export function keepOnlyAllowedEmails<T extends UpstreamAccount>(account: T, { ALLOWED_USERS: entries }: Users): T {
  const named = new Set(entries.map((entry) => entry.toLowerCase()));
  const isNamed = (email: string) => named.has(email) || named.has(email.slice(email.lastIndexOf('@')));
  return { ...account, emails: account.emails.filter(isNamed) };
}

/**
 * True if the name belongs to the account. A GitHub name that consists of digits means an ID, because a login may equal
 * another user's ID.
 */
function isOwnName(account: UpstreamAccount, name: string): boolean {
  if (account.way === 'oidc') return account.id === name;
  return /^\d+$/.test(name) ? account.id === name : account.login === name.toLowerCase();
}

const encoder = new TextEncoder();
const SUBJECT_BYTES = 16;

/**
 * The subject of an account at a provider. It is the same at every sign-in, and cannot be traced to the account without
 * the deployment's secret. Derived from issuer and ID, never from an e-mail address, which may pass to another user.
 */
export async function deriveSubject(secret: string, issuer: string, id: string): Promise<string> {
  const mac = await hmacSha256(secret, `subject\n${JSON.stringify([issuer, id])}`);
  return `u_${toBase64Url(new Uint8Array(mac, 0, SUBJECT_BYTES))}`;
}

/** Caches the key derived from the owner's passphrase, so that checking a guess derives one key, not two. */
let derivedPassphrase: { passphrase: string; salt: Uint8Array; derived: ArrayBuffer } | undefined;

/**
 * Compares a guess with the owner's passphrase. Both are derived by PBKDF2-SHA-256 (RFC 8018 §5.2) with a salt of the
 * isolate and compared in constant time, so that the timing reveals neither length nor prefix.
 */
export async function isOwnersPassphrase(guess: string, passphrase: string): Promise<boolean> {
  if (guess.length > PASSPHRASE_CHARS_MAX) return false;
  if (derivedPassphrase?.passphrase !== passphrase) {
    const salt = crypto.getRandomValues(new Uint8Array(16));
    derivedPassphrase = { passphrase, salt, derived: await derive(passphrase, salt) };
  }
  const { salt, derived } = derivedPassphrase;
  return crypto.subtle.timingSafeEqual(await derive(guess.trim(), salt), derived);
}

async function derive(text: string, salt: Uint8Array): Promise<ArrayBuffer> {
  const key = await crypto.subtle.importKey('raw', encoder.encode(text), 'PBKDF2', false, ['deriveBits']);
  const params = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: PASSPHRASE_ITERATIONS };
  return crypto.subtle.deriveBits(params, key, 256);
}

export type AdmissionLookup = { of: (subject: string) => Promise<Admission> };

/**
 * The user's current role; `null` for a user who may not sign in. A refusal overrides `ALLOWED_USERS`, and an accepted
 * invitation admits a user outside that list. The passphrase cannot be refused, because its holder controls the
 * deployment.
 */
export function resolveRole(account: Account, { verdict }: Admission, config: Users): Role | null {
  if (account.way === 'passphrase') return 'owner';
  if (verdict === 'refused') return null;
  const role = configuredRole(account, config);
  return role === null && verdict === 'allowed' && isOfProvider(account, config) ? 'user' : role;
}

/** The identity in a sign-in cookie, a grant or an access token. */
export type IssuedIdentity = {
  subject: string;
  account: Account;
  /** Time at which this credential was issued, as Unix time in ms. */
  givenAt: number;
};

/**
 * The current role of a credential's user; `null` if the user may not sign in, or if their access was ended after the
 * credential was issued.
 */
export async function resolveIssuedRole(
  { subject, account, givenAt }: IssuedIdentity,
  config: Users,
  admissions: AdmissionLookup,
): Promise<Role | null> {
  const admission = await admissions.of(subject);
  return givenAt < admission.endedAt ? null : resolveRole(account, admission, config);
}

/** True if the user may still sign in. @param stored the user's account record, unparsed; `null` if none exists */
export async function mayStillSignIn(
  subject: string,
  stored: unknown,
  config: Users,
  admissions: AdmissionLookup,
): Promise<boolean> {
  const account = accountSchema.safeParse(stored);
  return account.success && resolveRole(account.data, await admissions.of(subject), config) !== null;
}
