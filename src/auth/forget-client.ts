import { getOAuthApi } from '@cloudflare/workers-oauth-provider';
import type { Config } from '#core/config.ts';
import { providerOptions } from './provider.ts';
import type { Doors } from './provider.ts';

/** Removes a registered client: the health check registers one only to see whether that works. */
export async function forgetClient(id: string, origin: string, config: Config, doors: Doors, env: Env): Promise<void> {
  await getOAuthApi(providerOptions(origin, config, doors), env).deleteClient(id);
}
