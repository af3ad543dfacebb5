import * as z from 'zod';
import type { Config } from '#core/config.ts';
import { KNOWN_BROWSER_TTL_MS, SESSION_TTL_MS } from '#core/limits.ts';
import { sha256Hex, toBase64Url } from '#core/text.ts';
import { accountSchema, PASSPHRASE_ACCOUNT, standingOf } from './account.ts';
import type { Account } from './account.ts';
import type { CookieJar } from './cookies.ts';
import { seal, unseal } from './seal.ts';

/** A person who has signed in. */
export type Person = { subject: string; account: Account };

/** A browser in which a person has signed in. */
export type Session = Person & { owner: boolean };

/** Signs and reads what a browser is given. */
export type Sessions = {
  /** `Set-Cookie` values for somebody who has just shown who they are. */
  open: (person: Person) => Promise<string[]>;
  /** Who is signed in in this browser, if the passphrase or list that let them in still does. */
  read: (request: Request) => Promise<Session | null>;
  /** The `Set-Cookie` value that ends it in this browser. */
  close: () => string;
  /** The id of a browser that somebody signed in with before, even if that session is over. */
  knownBrowser: (request: Request) => Promise<string | null>;
  /** A token for the forms of one page, and the `Set-Cookie` value it is bound to. */
  startForm: (request: Request) => Promise<{ token: string; setCookie: string }>;
  /** Whether a posted form comes from a page that this browser was shown. */
  isOurForm: (request: Request, token: string) => Promise<boolean>;
};

const SESSION = 'session';
const KNOWN_BROWSER = 'browser';
const FORM = 'form';
const RANDOM_BYTES = 16;

const sealedValue = z.object({
  subject: z.string().min(1),
  account: accountSchema.default(PASSPHRASE_ACCOUNT),
  until: z.number(),
  lock: z.string(),
});

/**
 * @param kept the secret that the deployment has in its storage. `SESSION_SECRET` is not there, so who can read the
 *   storage and no more can sign nothing
 * @param config changing the passphrase ends every session that began with it: a fingerprint of it is part of what is
 *   signed. Taking a person off `ALLOWED_USERS` ends theirs
 */
export function sessions(kept: string, config: Config, jar: CookieJar, now: () => number): Sessions {
  const secret = config.SESSION_SECRET === undefined ? kept : `${kept}\n${config.SESSION_SECRET}`;
  const lock = ({ way }: Account) =>
    way === 'passphrase' ? sha256Hex(`${secret}\n${config.OWNER_PASSPHRASE ?? ''}`) : Promise.resolve(way);
  const sealed = async (purpose: 'session' | 'known-browser', { subject, account }: Person, ttlMs: number) =>
    seal(secret, purpose, JSON.stringify({ subject, account, until: now() + ttlMs, lock: await lock(account) }));
  const unsealed = async (purpose: 'session' | 'known-browser', text: string | null): Promise<Person | null> => {
    const payload = text === null ? null : await unseal(secret, purpose, text);
    if (payload === null) return null;
    const { until, lock: signed, ...person } = sealedValue.parse(JSON.parse(payload));
    return until > now() && signed === (await lock(person.account)) ? person : null;
  };
  return {
    open: async (person) => {
      const session = jar.write(SESSION, await sealed('session', person, SESSION_TTL_MS), SESSION_TTL_MS);
      if (person.account.way !== 'passphrase') return [session];
      const browser = await sealed('known-browser', { ...person, subject: random() }, KNOWN_BROWSER_TTL_MS);
      return [session, jar.write(KNOWN_BROWSER, browser, KNOWN_BROWSER_TTL_MS)];
    },
    read: async (request) => {
      const person = await unsealed('session', jar.read(request, SESSION));
      const standing = person === null ? null : standingOf(person.account, config);
      return person === null || standing === null ? null : { ...person, owner: standing === 'owner' };
    },
    close: () => jar.write(SESSION, '', 0),
    knownBrowser: async (request) =>
      (await unsealed('known-browser', jar.read(request, KNOWN_BROWSER)))?.subject ?? null,
    startForm: async (request) => {
      const id = jar.read(request, FORM) ?? random();
      return { token: await seal(secret, 'form', id), setCookie: jar.write(FORM, id, SESSION_TTL_MS) };
    },
    isOurForm: async (request, token) => {
      const id = jar.read(request, FORM);
      return id !== null && (await unseal(secret, 'form', token)) === id;
    },
  };
}

function random(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(RANDOM_BYTES)));
}
