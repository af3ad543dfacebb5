import type { Config } from '#core/config.ts';
import { sha256Hex } from '#core/text.ts';
import type { PageIndex } from '#storage/page-index.ts';
import { braveProvider } from './brave.ts';
import type { Slots } from './brave.ts';
import type { SearchHttp } from './http.ts';
import { localProvider } from './local.ts';
import type { SearchProvider } from './provider.ts';
import { searxngProvider } from './searxng.ts';

export type ProviderDeps = {
  index: PageIndex;
  /** The deployment's queue of that name. */
  limiter: (name: string) => Slots;
  http: SearchHttp;
  userAgent: string;
};

/** The providers of a deployment in the order in which they are asked: brave, searxng, and always local. */
export function configuredProviders(
  config: Pick<Config, 'BRAVE_API_KEY' | 'SEARXNG_URL'>,
  ports: ProviderDeps,
): SearchProvider[] {
  const { BRAVE_API_KEY: key, SEARXNG_URL: base } = config;
  const { userAgent, http } = ports;
  const web = [
    ...(key === undefined ? [] : [braveProvider({ key, userAgent, http, slots: slotsFor(key, ports.limiter) })]),
    ...(base === undefined ? [] : [searxngProvider({ base, userAgent, http })]),
  ];
  return [...web, localProvider(ports.index, web.length === 0)];
}

const NAME_HEX_DIGITS = 16;

/** A queue belongs to a key: another key has its own plan, and starts afresh. The name does not give the key away. */
function slotsFor(key: string, limiter: ProviderDeps['limiter']): Slots {
  const slots = async () => limiter(`brave ${(await sha256Hex(`search limiter\n${key}`)).slice(0, NAME_HEX_DIGITS)}`);
  return {
    reserve: async (waitMaxMs) => (await slots()).reserve(waitMaxMs),
    learn: async (windows, refused) => (await slots()).learn(windows, refused),
  };
}
