import * as z from 'zod';
import type { Config } from '#core/config/config.ts';
import { toBase64Url } from '#core/text/text.ts';
import { PASSPHRASE_ITERATIONS } from '#core/limits.ts';

/** No passphrase is longer; a longer input would only cost hashing. */
const PASSPHRASE_CHARS_MAX = 1_000;

/** An account at a provider. */
const upstreamAccountSchema = z.discriminatedUnion('way', [
  z.object({
    way: z.literal('oidc'),
    issuer: z.string().min(1),
    /** `sub`. */
    id: z.string().min(1),
    /** Verified ones, in lower case. */
    emails: z.array(z.string()),
  }),
  z.object({
    way: z.literal('github'),
    /** The numeric user id. */
    id: z.string().regex(/^\d+$/),
    /** In lower case. Its owner can change it, and then somebody else can take it. */
    login: z.string().min(1),
    emails: z.array(z.string()),
  }),
]);

/**
 * How a person proved who they are. It travels with everything they are given – session, grant, access token – and is
 * checked against `ALLOWED_USERS` at each use, so a person who is taken off the list is out at once.
 */
export const accountSchema = z.discriminatedUnion('way', [
  z.object({ way: z.literal('passphrase') }),
  upstreamAccountSchema,
]);

export type Account = z.infer<typeof accountSchema>;
export type UpstreamAccount = z.infer<typeof upstreamAccountSchema>;

export const PASSPHRASE_ACCOUNT: Account = { way: 'passphrase' };

export type Users = Pick<Config, 'ALLOWED_USERS' | 'OIDC_ISSUER' | 'GITHUB_CLIENT_ID'>;

export type Role = 'owner' | 'user';

/**
 * The role of an account by the settings alone: owner, user, or `null`. The passphrase is the owner's. Of upstream accounts the one that
 * `ALLOWED_USERS` names first is an owner too, unless a whole domain comes first. Pure.
 */
export function roleBySettings(account: Account, config: Users): Role | null {
  if (account.way === 'passphrase') return 'owner';
  if (!isOfProvider(account, config)) return null;
  const hasBoth = config.OIDC_ISSUER !== undefined && config.GITHUB_CLIENT_ID !== undefined;
  const bareNamesMean = hasBoth ? 'github' : account.way;
  const at = config.ALLOWED_USERS.findIndex((entry) => isNamedBy(account, entry, bareNamesMean));
  if (at < 0) return null;
  return at === 0 && config.ALLOWED_USERS[0]?.startsWith('@') === false ? 'owner' : 'user';
}

/** Whether people sign in there with such an account now. */
export function isOfProvider(account: UpstreamAccount, config: Users): boolean {
  return account.way === 'oidc' ? config.OIDC_ISSUER === account.issuer : config.GITHUB_CLIENT_ID !== undefined;
}

/** The name that the owner sees, mostly chosen by the person at their provider; `null` when unknown. */
export function displayNameOf(stored: unknown): string | null {
  const { data: account } = accountSchema.safeParse(stored);
  if (account === undefined) return null;
  if (account.way === 'passphrase') return 'the owner, by passphrase';
  const id = `${account.way}:${account.way === 'github' ? account.login : account.id}`;
  return account.emails.length === 0 ? id : `${account.emails.join(', ')} (${id})`;
}

/** What tells a person which of their accounts this is; `null` for the passphrase, which has one only. */
export function ownNameOf(account: Account): string | null {
  return account.way === 'passphrase' ? null : displayNameOf(account);
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
 * An account with only those e-mail addresses that `ALLOWED_USERS` mentions: it is stored in cookies, which have little
 * room, and nobody needs the rest.
 */
export function withAllowedEmails<T extends UpstreamAccount>(account: T, { ALLOWED_USERS: entries }: Users): T {
  const named = new Set(entries.map((entry) => entry.toLowerCase()));
  const isNamed = (email: string) => named.has(email) || named.has(email.slice(email.lastIndexOf('@')));
  return { ...account, emails: account.emails.filter(isNamed) };
}

/**
 * Digits always mean an id. A login may consist of digits too, so somebody could choose the id of another person as a
 * login.
 */
function isOwnName(account: UpstreamAccount, name: string): boolean {
  if (account.way === 'oidc') return account.id === name;
  return /^\d+$/.test(name) ? account.id === name : account.login === name.toLowerCase();
}

const encoder = new TextEncoder();
const SUBJECT_BYTES = 16;

/**
 * The subject of an upstream account: the same at every sign-in, and without the deployment's secret nobody can tell
 * whose it is. It is derived from issuer and id, never from an e-mail address, which may pass to somebody else.
 */
export async function upstreamSubject(secret: string, issuer: string, id: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign']);
  const mac = await crypto.subtle.sign('HMAC', key, encoder.encode(`subject\n${JSON.stringify([issuer, id])}`));
  return `u_${toBase64Url(new Uint8Array(mac, 0, SUBJECT_BYTES))}`;
}

/** The owner's derived key, cached so that a guess costs one derivation, not two. */
let derivedPassphrase: { passphrase: string; salt: Uint8Array; derived: ArrayBuffer } | undefined;

/**
 * Whether `guess` is the owner's passphrase. Both go through PBKDF2-SHA-256 (RFC 8018 §5.2) with a salt of the isolate
 * and are compared in constant time: the time it takes tells neither the length nor the beginning of the passphrase.
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
