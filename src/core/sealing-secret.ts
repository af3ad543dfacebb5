import type { Config } from './config.ts';

/** The deployment's secret for what is stored sealed. `null`: there is none, so nothing may be stored that needs it. */
export function sealingSecret(config: Pick<Config, 'SESSION_SECRET' | 'OWNER_PASSPHRASE'>): string | null {
  if (config.SESSION_SECRET !== undefined) return `secret ${config.SESSION_SECRET}`;
  if (config.OWNER_PASSPHRASE !== undefined) return `passphrase ${config.OWNER_PASSPHRASE}`;
  return null;
}
