/** Facts about a secret that are readable without decrypting it. They give no access to any site. */
export type SecretFacts = {
  name: string;
  sites: readonly string[];
  hasValue: boolean;
  hasCode: boolean;
  /** Time at which the secret was stored, in ms since 1970. */
  addedAt: number;
  usedAt: number | null;
};

export type SealedSecret = SecretFacts & { sealed: Uint8Array };

/** A reference to a secret. `wantsCode`: type its current one-time code (`secret:name.otp`), not its password. */
export type SecretReference = { name: string; wantsCode: boolean };

const NAME = /^[a-z0-9][a-z0-9_-]{0,39}$/;
const PREFIX = 'secret:';
const CODE = '.otp';

export function isValidSecretName(name: string): boolean {
  return NAME.test(name);
}

/**
 * Parses `secret:name` or `secret:name.otp`; `null` for other text. A malformed reference is also parsed, so that it is
 * not typed as text.
 */
export function parseSecretReference(text: string): SecretReference | null {
  if (!text.startsWith(PREFIX)) return null;
  const name = text.slice(PREFIX.length).trim();
  const wantsCode = name.endsWith(CODE);
  return { name: wantsCode ? name.slice(0, -CODE.length) : name, wantsCode };
}

export function listSecretReferences({ name, hasValue, hasCode }: SecretFacts): string[] {
  return [...(hasValue ? [PREFIX + name] : []), ...(hasCode ? [PREFIX + name + CODE] : [])];
}
