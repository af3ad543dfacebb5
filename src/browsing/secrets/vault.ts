import * as z from 'zod';
import { unsealJson, sealJson } from '#core/secrets/sealed.ts';
import type { SealContext } from '#core/secrets/sealed.ts';
import type { ObjectCalls } from '#core/objects.ts';
import type { SealedSecret, SecretFacts } from '#core/secrets/secret-facts.ts';
import type { SecretNotSavedReason, SubjectSecrets } from '#client/secrets.ts';
import type { TotpSeed } from './totp.ts';

const held = z.strictObject({
  value: z.string().nullable(),
  seed: z
    .strictObject({
      key: z.string(),
      algorithm: z.enum(['SHA-1', 'SHA-256', 'SHA-512']),
      digits: z.int(),
      periodSeconds: z.int(),
    })
    .nullable(),
});

/** Content of a secret. Only the code that seals it and the code that types it may use it. */
type HeldSecret = { value: string | null; seed: TotpSeed | null };
export type NewStoredSecret = HeldSecret & { name: string; sites: readonly string[] };

/** The secrets of one user. Each seal is bound to the user and to the secret's name and sites. */
export class SecretVault {
  readonly #object: ObjectCalls<SubjectSecrets>;
  readonly #subject: string;
  readonly #secret: string;

  /** @param secret result of `readSealingSecret` */
  constructor(object: ObjectCalls<SubjectSecrets>, subject: string, secret: string) {
    this.#object = object;
    this.#subject = subject;
    this.#secret = secret;
  }

  list(): Promise<SealedSecret[]> {
    return this.#object.list();
  }

  /** @returns the reason why the secret was not saved; `null` if it was */
  async keep(
    { name, sites, value, seed }: NewStoredSecret,
    replaces: boolean,
    now: number,
  ): Promise<SecretNotSavedReason | null> {
    const sealed = await sealJson(this.#secret, this.#as(name, sites), { value, seed });
    const facts = { name, sites, hasValue: value !== null, hasCode: seed !== null, addedAt: now, usedAt: null };
    return this.#object.keep({ ...facts, sealed }, replaces);
  }

  remove(name: string): Promise<boolean> {
    return this.#object.remove(name);
  }

  async used(name: string, at: number): Promise<void> {
    await this.#object.used(name, at);
  }

  /**
   * @returns `null` if the secret cannot be unsealed, for example because the deployment's sealing secret has changed
   */
  async open({ name, sites, sealed }: SealedSecret): Promise<HeldSecret | null> {
    return held.safeParse(await unsealJson(this.#secret, this.#as(name, sites), sealed)).data ?? null;
  }

  #as(name: string, sites: SecretFacts['sites']): SealContext {
    return { what: 'secret', owner: JSON.stringify([this.#subject, name, sites]) };
  }
}
