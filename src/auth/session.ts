import * as z from 'zod';
import { KNOWN_BROWSER_TTL_MS, SESSION_TTL_MS } from '#core/limits.ts';
import { sha256Hex, toBase64Url } from '#core/text.ts';
import type { CookieJar } from './cookies.ts';
import { seal, unseal } from './seal.ts';

/** A browser in which a person has signed in. */
export type Session = { subject: string };

/** Signs and reads what a browser is given. */
export type Sessions = {
  /** `Set-Cookie` values for somebody who has just shown the passphrase. */
  open: (subject: string) => Promise<string[]>;
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

const sealedValue = z.object({ subject: z.string().min(1), until: z.number(), lock: z.string() });

/**
 * @param secret of the deployment
 * @param passphrase changing it ends every session: a fingerprint of it is part of what is signed
 */
export function sessions(secret: string, passphrase: string, jar: CookieJar, now: () => number): Sessions {
  const lock = () => sha256Hex(`${secret}\n${passphrase}`);
  const sealed = async (purpose: 'session' | 'known-browser', subject: string, ttlMs: number) =>
    seal(secret, purpose, JSON.stringify({ subject, until: now() + ttlMs, lock: await lock() }));
  const unsealed = async (purpose: 'session' | 'known-browser', text: string | null) => {
    const payload = text === null ? null : await unseal(secret, purpose, text);
    const value = payload === null ? null : sealedValue.parse(JSON.parse(payload));
    return value !== null && value.until > now() && value.lock === (await lock()) ? value.subject : null;
  };
  return {
    open: async (subject) => [
      jar.write(SESSION, await sealed('session', subject, SESSION_TTL_MS), SESSION_TTL_MS),
      jar.write(KNOWN_BROWSER, await sealed('known-browser', random(), KNOWN_BROWSER_TTL_MS), KNOWN_BROWSER_TTL_MS),
    ],
    read: async (request) => {
      const subject = await unsealed('session', jar.read(request, SESSION));
      return subject === null ? null : { subject };
    },
    close: () => jar.write(SESSION, '', 0),
    knownBrowser: (request) => unsealed('known-browser', jar.read(request, KNOWN_BROWSER)),
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
