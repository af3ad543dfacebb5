import { HOUR_MS } from '#core/limits.ts';
import * as z from 'zod';
import type { Config } from '#core/config/config.ts';
import type { PeopleStore } from '#storage/people.ts';
import { KNOWN_BROWSER_COOKIE_TTL_MS, SIGN_IN_COOKIE_TTL_MS } from '#auth/limits.ts';
import { sha256Hex, toBase64Url } from '#core/text/text.ts';
import { randomBase64Url } from '#core/secrets/sealed.ts';
import { accountSchema, resolveIssuedRole } from './account.ts';
import type { Account, IssuedIdentity } from './account.ts';
import type { CookieJar } from './cookies.ts';
import { isSameSecret } from './cookies.ts';

/** Lifetime of the sign-in link's cookie: long enough to sign in and connect a client. */
const SIGN_IN_LINK_TTL_MS = 24 * HOUR_MS;

export type Person = { subject: string; account: Account };

export type SignedIn = Person & {
  owner: boolean;
  zone: string;
};

export type SignInCookies = {
  open: (person: Person) => Promise<string[]>;
  /** The signed-in user; `null` for a user who has signed out or lost access. */
  read: (request: Request) => Promise<SignedIn | null>;
  /**
   * Ends this browser's sign-in on the server as well, so that copies of the cookie stop working.
   * @returns a `Set-Cookie` value
   */
  close: (request: Request) => Promise<string>;
  /**
   * Key of this browser's own limit on sign-in attempts; `null` for a browser without one. A browser has its own limit
   * if the owner signed in with it before, or if it used the sign-in link. All browsers with the same link share one
   * limit, so a leaked link allows no more guesses than one browser.
   */
  ownTries: (request: Request) => Promise<string | null>;
  /** The `Set-Cookie` value for a browser that used the sign-in link, or `null` for a wrong key. */
  openLink: (key: string) => Promise<string | null>;
  /** Makes a CSRF token for one page, and the `Set-Cookie` value to which the token is bound. */
  startForm: (request: Request) => Promise<{ token: string; setCookie: string }>;
  /** True if the posted token was made for a page shown to this browser. */
  isOurForm: (request: Request, token: string) => Promise<boolean>;
};

/** Names of cookies. They must not change, because browsers store them. */
const SIGN_IN = 'session';
const KNOWN_BROWSER = 'browser';
const LINK = 'link';
const FORM = 'form';
const RANDOM_BYTES = 16;
const TTL_MS = { session: SIGN_IN_COOKIE_TTL_MS, 'known-browser': KNOWN_BROWSER_COOKIE_TTL_MS } as const;

const sealedValue = z.object({
  subject: z.string().min(1),
  account: accountSchema,
  until: z.number(),
  lock: z.string(),
});

const sealedLink = z.object({ tries: z.string(), until: z.number() });

/**
 * @param storedSecret the deployment's secret from the database. `SESSION_SECRET` is added to it but never stored, so
 * reading the database is not enough to forge a cookie.
 * @param config supplies the passphrase, whose hash is part of the owner's cookies: a new passphrase ends all sign-ins
 * of the owner. Removing a user from `ALLOWED_USERS` ends that user's sign-ins.
 * @param people stores who signed in and which sign-ins ended; queried at each use of a cookie
 */
export function createSignInCookies(
  storedSecret: string,
  config: Config,
  jar: CookieJar,
  now: () => number,
  people: Pick<PeopleStore, 'signedIn' | 'met' | 'endSignIn' | 'standing' | 'admissions'>,
): SignInCookies {
  const secret = config.SESSION_SECRET === undefined ? storedSecret : `${storedSecret}\n${config.SESSION_SECRET}`;
  const lock = (account: Account) => lockOf(account, secret, config);
  const sealed = async (purpose: keyof typeof TTL_MS, { subject, account }: Person) =>
    signValue(
      secret,
      purpose,
      JSON.stringify({ subject, account, until: now() + TTL_MS[purpose], lock: await lock(account) }),
    );
  const unsealed = async (purpose: keyof typeof TTL_MS, text: string | null): Promise<IssuedIdentity | null> => {
    const payload = text === null ? null : await verifyValue(secret, purpose, text);
    if (payload === null) return null;
    const { until, lock: signed, ...person } = sealedValue.parse(JSON.parse(payload));
    const isValid = until > now() && signed === (await lock(person.account));
    return isValid ? { ...person, givenAt: until - TTL_MS[purpose] } : null;
  };
  const links = linkTries(secret, config, jar, now);
  return {
    open: async (person) => {
      await people.signedIn(person.subject, person.account);
      const signIn = jar.write(SIGN_IN, await sealed('session', person), SIGN_IN_COOKIE_TTL_MS);
      if (person.account.way !== 'passphrase') return [signIn];
      const browser = await sealed('known-browser', { ...person, subject: randomBase64Url(RANDOM_BYTES) });
      return [signIn, jar.write(KNOWN_BROWSER, browser, KNOWN_BROWSER_COOKIE_TTL_MS)];
    },
    read: async (request) => {
      const cookie = jar.read(request, SIGN_IN);
      const person = await unsealed('session', cookie);
      const role = person === null ? null : await resolveIssuedRole(person, config, people.admissions);
      if (cookie === null || person === null || role === null) return null;
      const { isEnded, zone } = await people.standing(await sha256Hex(cookie), person.subject);
      if (isEnded) return null;
      await people.met(person.subject, person.account);
      return { subject: person.subject, account: person.account, owner: role === 'owner', zone: zone ?? 'UTC' };
    },
    close: async (request) => {
      const cookie = jar.read(request, SIGN_IN);
      // Only cookies signed here are recorded. Otherwise anyone could fill the database with invented cookies.
      if (cookie !== null && (await unsealed('session', cookie)) !== null) {
        await people.endSignIn(await sha256Hex(cookie), now() + SIGN_IN_COOKIE_TTL_MS, now());
      }
      return jar.write(SIGN_IN, '', 0);
    },
    ownTries: async (request) => {
      const known = await unsealed('known-browser', jar.read(request, KNOWN_BROWSER));
      if (known !== null) return `browser:${known.subject}`;
      return links.ownTries(request);
    },
    openLink: links.open,
    ...forms(secret, jar),
  };
}

/** A hash in the sign-in cookie that must still match, because a new passphrase ends the owner's sign-ins. */
async function lockOf(account: Account, secret: string, config: Config): Promise<string> {
  return account.way === 'passphrase' ? sha256Hex(`${secret}\n${config.OWNER_PASSPHRASE ?? ''}`) : account.way;
}

function linkTries(secret: string, config: Config, jar: CookieJar, now: () => number) {
  const current = async () =>
    config.SIGN_IN_KEY === undefined ? null : `link:${await sha256Hex(`${secret}\nlink\n${config.SIGN_IN_KEY}`)}`;
  const unsealed = async (text: string | null): Promise<string | null> => {
    const payload = text === null ? null : await verifyValue(secret, 'link', text);
    if (payload === null) return null;
    const { tries, until } = sealedLink.parse(JSON.parse(payload));
    return until > now() ? tries : null;
  };
  return {
    ownTries: async (request: Request) => {
      const link = await unsealed(jar.read(request, LINK));
      return link !== null && link === (await current()) ? link : null;
    },
    open: async (key: string) => {
      const tries = await current();
      if (tries === null || !(await isSameSecret(key, config.SIGN_IN_KEY ?? ''))) return null;
      const link = JSON.stringify({ tries, until: now() + SIGN_IN_LINK_TTL_MS });
      return jar.write(LINK, await signValue(secret, 'link', link), SIGN_IN_LINK_TTL_MS);
    },
  };
}

function forms(secret: string, jar: CookieJar): Pick<SignInCookies, 'startForm' | 'isOurForm'> {
  return {
    startForm: async (request) => {
      const id = jar.read(request, FORM) ?? randomBase64Url(RANDOM_BYTES);
      return { token: await signValue(secret, 'form', id), setCookie: jar.write(FORM, id, SIGN_IN_COOKIE_TTL_MS) };
    },
    isOurForm: async (request, token) => {
      const id = jar.read(request, FORM);
      return id !== null && (await verifyValue(secret, 'form', token)) === id;
    },
  };
}

const encoder = new TextEncoder();

/** Purpose of a signed value, valid for no other purpose, so that a form token cannot serve as a sign-in cookie. */
type Purpose = 'session' | 'known-browser' | 'link' | 'form';

/**
 * Appends an HMAC-SHA-256 to a payload, for cookies and hidden fields. The payload is not encrypted.
 * @param secret of the deployment
 */
export async function signValue(secret: string, purpose: Purpose, payload: string): Promise<string> {
  const mac = await crypto.subtle.sign('HMAC', await signingKey(secret), signedBytes(purpose, payload));
  return `${toBase64Url(encoder.encode(payload))}.${toBase64Url(new Uint8Array(mac))}`;
}

/** The payload of a signed value, or `null` if it was not signed for this purpose with this secret. */
export async function verifyValue(secret: string, purpose: Purpose, text: string): Promise<string | null> {
  const [body = null, mac = null, ...more] = text.split('.').map(fromBase64Url);
  if (body === null || mac === null || more.length > 0) return null;
  const payload = new TextDecoder().decode(body);
  const isOurs = await crypto.subtle.verify('HMAC', await signingKey(secret), mac, signedBytes(purpose, payload));
  return isOurs ? payload : null;
}

function signedBytes(purpose: Purpose, payload: string): Uint8Array {
  return encoder.encode(`${purpose}\n${payload}`);
}

function signingKey(secret: string): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
    'verify',
  ]);
}

/**
 * Decodes canonical base64url only, because a respelt copy of an ended sign-in cookie would not be recognized as ended.
 */
function fromBase64Url(text: string): Uint8Array | null {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
    return toBase64Url(bytes) === text ? bytes : null;
  } catch {
    return null;
  }
}
