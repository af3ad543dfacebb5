import type { Config } from '#core/config.ts';

/**
 * The deployment's secret for sealing parked sessions. `null`: there is none, so nothing may be parked, and a session
 * ends with its browser.
 */
export function parkingSecret(config: Pick<Config, 'SESSION_SECRET' | 'OWNER_PASSPHRASE'>): string | null {
  if (config.SESSION_SECRET !== undefined) return `secret ${config.SESSION_SECRET}`;
  if (config.OWNER_PASSPHRASE !== undefined) return `passphrase ${config.OWNER_PASSPHRASE}`;
  return null;
}
