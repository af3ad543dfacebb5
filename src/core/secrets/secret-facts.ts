/** What is known of a person's secret without opening it. Nothing here gives access to anything. */
export type SecretFacts = {
  name: string;
  /** Origins. */
  sites: readonly string[];
  hasValue: boolean;
  /** Whether it makes one-time codes. */
  hasCode: boolean;
  /** ms since 1970. */
  addedAt: number;
  usedAt: number | null;
};

/** A secret as it is kept: everything but the facts is sealed. */
export type SealedSecret = SecretFacts & { sealed: Uint8Array };

/** How a call names a secret. `wantsCode`: its one-time code of now. */
export type SecretReference = { name: string; wantsCode: boolean };

const NAME = /^[a-z0-9][a-z0-9_-]{0,39}$/;
const PREFIX = 'secret:';
const CODE = '.otp';

/** Whether a person may call a secret so. */
export function isVaultName(name: string): boolean {
  return NAME.test(name);
}

/** Whether a text stands for a secret, or is meant to: it is never typed as it is. */
export function secretReference(text: string): SecretReference | null {
  if (!text.startsWith(PREFIX)) return null;
  const name = text.slice(PREFIX.length).trim();
  const wantsCode = name.endsWith(CODE);
  return { name: wantsCode ? name.slice(0, -CODE.length) : name, wantsCode };
}

/** The texts that stand for a secret. */
export function referencesTo({ name, hasValue, hasCode }: SecretFacts): string[] {
  return [...(hasValue ? [PREFIX + name] : []), ...(hasCode ? [PREFIX + name + CODE] : [])];
}

/** The secrets that may be typed on all of these origins. */
export function secretsFor<T extends Pick<SecretFacts, 'sites'>>(
  secrets: readonly T[],
  origins: readonly string[],
): T[] {
  return secrets.filter(({ sites }) => origins.every((origin) => sites.includes(origin)));
}
