import * as z from 'zod';
import { fail } from '#core/failures/failure.ts';
import { referencesTo, parseSecretReference, secretsForOrigins } from '#core/secrets/secret-facts.ts';
import type { SealedSecret, SecretReference } from '#core/secrets/secret-facts.ts';
import { oneLine } from '#core/text/text.ts';
import { totpAt } from './totp.ts';
import type { Wall } from '#browsing/in-page/scripts.ts';
import type { PageElement } from '#browsing/tabs/tab.ts';
import { SECRET_PART_LETTERS } from './mask.ts';
import { hiding } from './mask.ts';
import type { Hide } from './mask.ts';
import { placeForSecret } from './type-secret.ts';
import { SessionSites } from './session-sites.ts';
import type { SessionStorage } from './session-sites.ts';
import type { SecretText } from './type-secret.ts';
import type { SecretVault } from './vault.ts';

/** Secrets that a session remembers as typed, by name and moment: what is older has left its pages long ago. */
const SECRETS_REMEMBERED_MAX = 200;
/** Parts of one secret, as boxes got them, that a session remembers: more than the longest one has in one typing. */
const SECRET_PARTS_REMEMBERED_MAX = 100;
/** Of a name that a call gives for a secret: an error repeats it. */
const SECRET_NAME_CHARS_SHOWN_MAX = 60;

/** Whose secrets a call may use. */
type Caller = { subject: string };

/**
 * A secret that was typed in the session, by its name. `codeAt`: the moment of its code; `null` for its value. `parts`: what single
 * boxes got of it, by the places of the letters.
 */
const typed = z.array(
  z.object({
    subject: z.string(),
    name: z.string(),
    codeAt: z.number().nullable(),
    parts: z.array(z.array(z.int())).default([]),
  }),
);
type Typed = z.output<typeof typed>[number];

const KEY = 'secrets';

export type SessionSecretsDeps = {
  storage: SessionStorage;
  /** `null` where the deployment can seal nothing. */
  vaultOf: (subject: string) => SecretVault | null;
  now: () => number;
  report: (error: unknown) => void;
};

/**
 * The secrets that calls type in one session. Those that were typed are hidden in all that the session tells from then on,
 * whoever asks. Their names are stored, and their values are opened again when the session is restored.
 */
export class SessionSecrets {
  readonly #deps: SessionSecretsDeps;
  readonly sites: SessionSites;
  #typed: Typed[] = [];
  readonly #values = new Set<string>();
  #hide: Hide | null = null;
  #caller: Caller | null = null;

  constructor(deps: SessionSecretsDeps) {
    this.#deps = deps;
    this.sites = new SessionSites(deps.storage);
  }

  /** Whose secrets the call may use. */
  beginCall(caller: Caller): void {
    this.#caller = caller;
  }

  /** `null` when nothing is to be hidden. */
  get hide(): Hide | null {
    return this.#hide;
  }

  /** What was typed before the session had its browser. A secret that is gone, or was replaced, is not known any more. */
  async restore(): Promise<void> {
    const stored = await this.#deps.storage.get(KEY);
    this.#typed = stored === undefined ? [] : typed.parse(stored);
    for (const { subject, name, codeAt, parts } of this.#typed) {
      const vault = this.#deps.vaultOf(subject);
      const secret = (await vault?.list())?.find((one) => one.name === name);
      const held = secret === undefined ? null : ((await vault?.open(secret)) ?? null);
      if (held === null) continue;
      const code = codeAt === null || held.seed === null ? '' : await totpAt(held.seed, codeAt);
      const text = codeAt === null ? (held.value ?? '') : code;
      for (const one of [text, ...parts.map((part) => partOf(text, part))]) this.#values.add(one);
    }
    this.#values.delete('');
    this.#hide = hiding(this.#values);
    await this.sites.restore();
  }

  /** Whether a secret of this person was typed here. */
  async isOf(subject: string): Promise<boolean> {
    const stored = await this.#deps.storage.get(KEY);
    return stored !== undefined && typed.parse(stored).some((one) => one.subject === subject);
  }

  /** The storage is emptied by whoever owns it. */
  forget(): void {
    this.#typed = [];
    this.#values.clear();
    this.#hide = null;
    this.sites.forget();
  }

  /** A person has typed something there. What it is, is not known. */
  typedByHand(addresses: readonly string[]): void {
    this.sites.noteTyped(addresses).catch(this.#deps.report);
  }

  /**
   * What a reference stands for, for this field: from here on it is hidden.
   * @throws {PeriscopeError} `unknown_secret`, `secret_refused`
   */
  async open(reference: SecretReference, element: PageElement, signal: AbortSignal): Promise<SecretText> {
    const vault = this.#vault();
    const secrets = (await vault?.list()) ?? [];
    const secret = secrets.find(({ name }) => name === reference.name);
    const has = reference.wantsCode ? secret?.hasCode : secret?.hasValue;
    if (vault === null || secret === undefined || has !== true)
      return this.#unknown(reference, secrets, element, signal);
    await placeForSecret(element, secret, signal);
    const held = await vault.open(secret);
    if (held === null)
      return fail({ code: 'secret_refused', name: secret.name, reason: 'sealed', sites: secret.sites });
    const codeAt = reference.wantsCode ? this.#deps.now() : null;
    const text = codeAt === null || held.seed === null ? held.value : await totpAt(held.seed, codeAt);
    if (text === null) return this.#unknown(reference, secrets, element, signal);
    const one = await this.#note({ subject: this.#subject, name: secret.name, codeAt, parts: [] }, text);
    await vault.used(secret.name, this.#deps.now());
    const hideParts = (boxes: readonly (number | null)[]) => this.#noteParts(one, text, boxes);
    return { name: secret.name, sites: secret.sites, text, hideParts };
  }

  /** What a model may name where a page asks for a password or a code. A hint: without an answer there is none. */
  async fittingWall(wall: Wall, url: string): Promise<string[]> {
    if ((wall !== 'password' && wall !== 'code') || !URL.canParse(url)) return [];
    try {
      const known = named((await this.#vault()?.list()) ?? [], [new URL(url).origin]);
      return known.filter((reference) => (parseSecretReference(reference)?.wantsCode ?? false) === (wall === 'code'));
    } catch (error) {
      this.#deps.report(error);
      return [];
    }
  }

  get #subject(): string {
    return this.#caller?.subject ?? '';
  }

  #vault(): SecretVault | null {
    return this.#caller === null ? null : this.#deps.vaultOf(this.#caller.subject);
  }

  async #note(one: Typed, text: string): Promise<Typed> {
    const known = this.#typed.find(
      ({ subject, name, codeAt }) => subject === one.subject && name === one.name && codeAt === one.codeAt,
    );
    if (known === undefined) {
      this.#typed = withRoom([...this.#typed, one]);
      await this.#deps.storage.put(KEY, this.#typed);
    }
    this.#values.add(text);
    this.#hide = hiding(this.#values);
    return known ?? one;
  }

  /** A part that one box got is hidden by itself, like a value: a page may show each box in a place of its own. */
  async #noteParts(one: Typed, text: string, boxes: readonly (number | null)[]): Promise<void> {
    const byBox = Map.groupBy(boxes.keys(), (at) => boxes[at] ?? null);
    byBox.delete(null);
    const parts = [...byBox.values()].filter(({ length }) => length >= SECRET_PART_LETTERS && length < text.length);
    const added = parts.filter((part) => !this.#values.has(partOf(text, part)));
    if (added.length === 0) return;
    for (const part of added) this.#values.add(partOf(text, part));
    this.#hide = hiding(this.#values);
    one.parts = [...one.parts, ...added].slice(-SECRET_PARTS_REMEMBERED_MAX);
    await this.#deps.storage.put(KEY, this.#typed);
  }

  async #unknown(
    { name, wantsCode }: SecretReference,
    secrets: readonly SealedSecret[],
    element: PageElement,
    signal: AbortSignal,
  ): Promise<never> {
    const { origins } = await placeForSecret(element, null, signal);
    return fail({
      code: 'unknown_secret',
      name: oneLine(name, SECRET_NAME_CHARS_SHOWN_MAX) + (wantsCode ? '.otp' : ''),
      site: origins[0] ?? 'null',
      known: named(secrets, origins),
    });
  }
}

function partOf(text: string, part: readonly number[]): string {
  const letters = Array.from(text);
  return part.map((at) => letters[at] ?? '').join('');
}

/** Codes go first: they are of no use after a moment, and a value is. */
function withRoom(all: readonly Typed[]): Typed[] {
  const tooMany = Math.max(0, all.length - SECRETS_REMEMBERED_MAX);
  const gone = new Set(all.filter(({ codeAt }) => codeAt !== null).slice(0, tooMany));
  return all.filter((one) => !gone.has(one)).slice(-SECRETS_REMEMBERED_MAX);
}

function named(secrets: readonly SealedSecret[], origins: readonly string[]): string[] {
  return secretsForOrigins(secrets, origins).flatMap(referencesTo);
}
