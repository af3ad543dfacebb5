import { env } from 'cloudflare:workers';
import { SessionSecrets } from '#browsing/secrets/session-secrets.ts';
import { SecretVault } from '#browsing/secrets/vault.ts';
import { partNamed } from '#core/objects.ts';

const SEALING = 'secret of the tests of secrets, 32 characters';

/** The secrets of a person, in their real object. */
export function testVault(subject: string): SecretVault {
  return new SecretVault(partNamed(env.CLIENT, subject, 'secrets'), subject, SEALING);
}

function failing(error: unknown): never {
  throw error;
}

/** Secrets of a session without the session object. */
export function testSecrets(now: () => number = Date.now): SessionSecrets {
  const kept = new Map<string, unknown>();
  const storage = {
    get: async (key: string) => kept.get(key),
    put: async (key: string, value: unknown) => void kept.set(key, value),
  };
  return new SessionSecrets({ storage, vaultOf: testVault, now, report: failing });
}
