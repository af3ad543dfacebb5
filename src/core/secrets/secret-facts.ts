/** Facts of a secret, readable without decrypting it. They grant access to nothing. */
export type SecretFacts = {
  name: string;
  sites: readonly string[];
  hasValue: boolean;
  hasCode: boolean;
  /** Time in ms since 1970. */
  addedAt: number;
  usedAt: number | null;
};

export type SealedSecret = SecretFacts & { sealed: Uint8Array };

/** A reference to a secret. `wantsCode`: true to type the current one-time code. */
export type SecretReference = { name: string; wantsCode: boolean };

const NAME = /^[a-z0-9][a-z0-9_-]{0,39}$/;
const PREFIX = 'secret:';
const CODE = '.otp';

export function isValidSecretName(name: string): boolean {
  return NAME.test(name);
}

/** Parses a reference. Malformed references count as references, too, so that none is typed as plain text. */
export function parseSecretReference(text: string): SecretReference | null {
  if (!text.startsWith(PREFIX)) return null;
  const name = text.slice(PREFIX.length).trim();
  const wantsCode = name.endsWith(CODE);
  return { name: wantsCode ? name.slice(0, -CODE.length) : name, wantsCode };
}

export function referencesTo({ name, hasValue, hasCode }: SecretFacts): string[] {
  return [...(hasValue ? [PREFIX + name] : []), ...(hasCode ? [PREFIX + name + CODE] : [])];
}

/** @param origins all of them must be allowed */
export function secretsForOrigins<T extends Pick<SecretFacts, 'sites'>>(
  secrets: readonly T[],
  origins: readonly string[],
): T[] {
  return secrets.filter(({ sites }) => origins.every((origin) => sites.includes(origin)));
}
