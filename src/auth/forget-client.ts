import { getOAuthApi } from '@cloudflare/workers-oauth-provider';
import type { Config } from '#core/config.ts';
import { providerOptions } from './provider.ts';
import type { Doors } from './provider.ts';

/** Removes a registered client; for one that was registered only to see that it can be. */
export async function forgetClient(id: string, origin: string, config: Config, doors: Doors, env: Env): Promise<void> {
  await getOAuthApi(providerOptions(origin, config, doors), env).deleteClient(id);
}
