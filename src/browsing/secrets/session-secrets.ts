import * as z from 'zod';
import { fail } from '#core/failures/failure.ts';
import { listSecretReferences, parseSecretReference } from '#core/secrets/secret-facts.ts';
import type { SealedSecret, SecretReference, SecretFacts } from '#core/secrets/secret-facts.ts';
import { oneLine } from '#core/text/text.ts';
import { totpAt } from './totp.ts';
import type { WallKind } from '#browsing/in-page/script-types.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import type { OpenTabs } from '#browsing/tabs/open-tabs.ts';
import type { PageElement } from '#browsing/tabs/tab.ts';
import { createSecretMask, MASKED_SECRET_LETTERS_MIN } from './mask.ts';
import type { SecretMask } from './mask.ts';
import { checkSecretField } from './type-secret.ts';
import {
  urlsOfFrameAndAncestors,
  haveSameSite,
  isReachableByModelScript,
  TypedAndScriptedSites,
  urlsShownOrLoading,
} from './session-sites.ts';
import type { SessionSitesStorage } from './session-sites.ts';
import type { OpenedSecret } from './type-secret.ts';
import type { SecretVault } from './vault.ts';

/** Maximum typed secrets that a session stores, counted by name and time. Pages rarely show older ones. */
const SECRETS_REMEMBERED_MAX = 200;
/** Maximum stored parts of a secret typed into split boxes. Typing the longest secret once yields fewer. */
const SECRET_PARTS_REMEMBERED_MAX = 100;
const SECRET_NAME_CHARS_SHOWN_MAX = 60;

type Caller = { subject: string };

/**
 * A secret that was typed in the session. `codeAt`: time of a one-time code; `null` for a stored value. `parts`: for
 * split boxes, the positions of each box's letters in the secret.
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

type SessionSecretsDeps = {
  storage: SessionSitesStorage;
  /** Returns the user's vault; `null` if the deployment has no sealing key. */
  vaultOf: (subject: string) => SecretVault | null;
  now: () => number;
  report: (error: unknown) => void;
};

/**
 * The secrets of one session. Once typed, a secret is masked in everything that the session returns, to any caller.
 * Only names, times of codes and positions are stored; values are opened again when the session is restored.
 */
export class SessionSecrets {
  readonly #deps: SessionSecretsDeps;
  readonly sites: TypedAndScriptedSites;
  #typed: Typed[] = [];
  readonly #values = new Set<string>();
  #mask: SecretMask | null = null;
  #caller: Caller | null = null;

  constructor(deps: SessionSecretsDeps) {
    this.#deps = deps;
    this.sites = new TypedAndScriptedSites(deps.storage);
  }

  beginCall(caller: Caller): void {
    this.#caller = caller;
  }

  get mask(): SecretMask | null {
    return this.#mask;
  }

  /**
   * Opens the secrets that were typed before the session got its current browser. A secret that was deleted or replaced
   * since can no longer be masked.
   */
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
    this.#mask = createSecretMask(this.#values);
    await this.sites.restore();
  }

  async isOf(subject: string): Promise<boolean> {
    const stored = await this.#deps.storage.get(KEY);
    return stored !== undefined && typed.parse(stored).some((one) => one.subject === subject);
  }

  forget(): void {
    this.#typed = [];
    this.#values.clear();
    this.#mask = null;
    this.sites.forget();
  }

  typedByHand(addresses: readonly string[]): void {
    this.sites.noteTyped(addresses).catch(this.#deps.report);
  }

  /**
   * Opens a secret for a field. From then on, its value is masked.
   * @throws {PeriscopeError} `unknown_secret`, `secret_refused`
   */
  async open(reference: SecretReference, element: PageElement, signal: AbortSignal): Promise<OpenedSecret> {
    const vault = this.#vault();
    const secrets = (await vault?.list()) ?? [];
    const secret = secrets.find(({ name }) => name === reference.name);
    const has = reference.wantsCode ? secret?.hasCode : secret?.hasValue;
    if (vault === null || secret === undefined || has !== true)
      return this.#unknown(reference, secrets, element, signal);
    await checkSecretField(element, secret, signal);
    const held = await vault.open(secret);
    if (held === null)
      return fail({ code: 'secret_refused', name: secret.name, reason: 'sealed', sites: secret.sites });
    const codeAt = reference.wantsCode ? this.#deps.now() : null;
    const text = codeAt === null || held.seed === null ? held.value : await totpAt(held.seed, codeAt);
    if (text === null) return this.#unknown(reference, secrets, element, signal);
    const one = await this.#note({ subject: this.#subject, name: secret.name, codeAt, parts: [] }, text);
    await vault.used(secret.name, this.#deps.now());
    const maskParts = (boxes: readonly (number | null)[]) => this.#noteParts(one, text, boxes);
    return { name: secret.name, sites: secret.sites, text, maskParts };
  }

  /**
   * Names of secrets that fit a page asking for a password or code. They are only a hint, so an error is logged and
   * ignored.
   */
  async fittingWall(wall: WallKind, url: string): Promise<string[]> {
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
    this.#mask = createSecretMask(this.#values);
    return known ?? one;
  }

  /** Masks the part in each box like a whole value, because a page may show the boxes in different places. */
  async #noteParts(one: Typed, text: string, boxes: readonly (number | null)[]): Promise<void> {
    const byBox = Map.groupBy(boxes.keys(), (at) => boxes[at] ?? null);
    byBox.delete(null);
    const parts = [...byBox.values()].filter(
      ({ length }) => length >= MASKED_SECRET_LETTERS_MIN && length < text.length,
    );
    const added = parts.filter((part) => !this.#values.has(partOf(text, part)));
    if (added.length === 0) return;
    for (const part of added) this.#values.add(partOf(text, part));
    this.#mask = createSecretMask(this.#values);
    one.parts = [...one.parts, ...added].slice(-SECRET_PARTS_REMEMBERED_MAX);
    await this.#deps.storage.put(KEY, this.#typed);
  }

  async #unknown(
    { name, wantsCode }: SecretReference,
    secrets: readonly SealedSecret[],
    element: PageElement,
    signal: AbortSignal,
  ): Promise<never> {
    const { origins } = await checkSecretField(element, null, signal);
    return fail({
      code: 'unknown_secret',
      name: oneLine(name, SECRET_NAME_CHARS_SHOWN_MAX) + (wantsCode ? '.otp' : ''),
      site: origins[0] ?? 'null',
      known: named(secrets, origins),
    });
  }
}

type Typing = { active: { secrets: SessionSecrets; tabs: Pick<OpenTabs, 'all'> }; tab: OpenTab; signal: AbortSignal };

/**
 * Opens a secret for a field. From then on, the secret counts as typed on the sites of the field's document and of the
 * documents around it. No script of a model may run there, or in a window of the same group. Values of the document's
 * fields are no longer returned.
 * @throws {PeriscopeError} `unknown_secret`, `secret_refused`
 */
export async function openSecret(
  { active: { secrets, tabs }, tab, signal }: Typing,
  reference: SecretReference,
  element: PageElement,
): Promise<OpenedSecret> {
  const secret = await secrets.open(reference, element, signal);
  const addresses = urlsOfFrameAndAncestors(element.frame, (id) => tab.frame(id));
  const isInReach = tabs
    .all()
    .some((one) => isReachableByModelScript(one) && haveSameSite(addresses, urlsShownOrLoading(one)));
  if (secrets.sites.isScripted(addresses) || tab.windows.isScripted || isInReach) {
    fail({ code: 'secret_refused', name: secret.name, reason: 'script', sites: secret.sites, by: 'browser_evaluate' });
  }
  await secrets.sites.noteTyped(addresses);
  tab.typedIn.add(element.frame.loaderId);
  tab.windows.noteTyped(tab.targetId);
  return secret;
}

function partOf(text: string, part: readonly number[]): string {
  const letters = Array.from(text);
  return part.map((at) => letters[at] ?? '').join('');
}

/** Makes room by removing one-time codes before values, because codes expire. */
function withRoom(all: readonly Typed[]): Typed[] {
  const tooMany = Math.max(0, all.length - SECRETS_REMEMBERED_MAX);
  const gone = new Set(all.filter(({ codeAt }) => codeAt !== null).slice(0, tooMany));
  return all.filter((one) => !gone.has(one)).slice(-SECRETS_REMEMBERED_MAX);
}

function named(secrets: readonly SealedSecret[], origins: readonly string[]): string[] {
  return secretsForOrigins(secrets, origins).flatMap(listSecretReferences);
}

/** Returns the secrets allowed on all the origins, such as those of a page and of a page that embeds it. */
function secretsForOrigins<T extends Pick<SecretFacts, 'sites'>>(
  secrets: readonly T[],
  origins: readonly string[],
): T[] {
  return secrets.filter(({ sites }) => origins.every((origin) => sites.includes(origin)));
}
