import * as z from 'zod';
import { CLIENT_LIST_MAX, CLIENT_REDIRECTS_MAX, CLIENT_TEXT_CHARS_MAX, CLIENT_URL_CHARS_MAX } from '#auth/limits.ts';
import { UNUSED_CLIENT_TTL_SECONDS } from '#core/limits.ts';
import type { SignInObject } from '#auth/people/deployment-identity.ts';
import { SECOND_MS } from '#core/units.ts';

/** What is wrong with a client's metadata, in the codes of RFC 7591 §3.2.2. */
export type MetadataProblem = { error: 'invalid_redirect_uri' | 'invalid_client_metadata'; description: string };

/** How long each metadata value may be: some are stored, some are read by a person. */
const FIELDS: Readonly<Record<string, { chars: number; items?: number }>> = {
  redirect_uris: { chars: CLIENT_URL_CHARS_MAX, items: CLIENT_REDIRECTS_MAX },
  client_name: { chars: CLIENT_TEXT_CHARS_MAX },
  client_uri: { chars: CLIENT_URL_CHARS_MAX },
  logo_uri: { chars: CLIENT_URL_CHARS_MAX },
  policy_uri: { chars: CLIENT_URL_CHARS_MAX },
  tos_uri: { chars: CLIENT_URL_CHARS_MAX },
  jwks_uri: { chars: CLIENT_URL_CHARS_MAX },
  contacts: { chars: CLIENT_TEXT_CHARS_MAX, items: CLIENT_LIST_MAX },
  grant_types: { chars: CLIENT_TEXT_CHARS_MAX, items: CLIENT_LIST_MAX },
  response_types: { chars: CLIENT_TEXT_CHARS_MAX, items: CLIENT_LIST_MAX },
  token_endpoint_auth_method: { chars: CLIENT_TEXT_CHARS_MAX },
  scope: { chars: CLIENT_URL_CHARS_MAX },
  software_id: { chars: CLIENT_TEXT_CHARS_MAX },
  software_version: { chars: CLIENT_TEXT_CHARS_MAX },
};
/** `client_name#de`: the language belongs to the name, and is kept with it. */
const LANGUAGE_CHARS_MAX = 35;

/**
 * Checks sizes and numbers; the library checks types and addresses next.
 * @param metadata as the client sent it
 */
export function metadataProblem(metadata: unknown): MetadataProblem | null {
  if (typeof metadata !== 'object' || metadata === null) return null;
  const localized = Object.keys(metadata).filter((name) => name.includes('#'));
  if (localized.length > CLIENT_LIST_MAX) return tooMuch('names in other languages', `${CLIENT_LIST_MAX} at most`);
  if (localized.some((name) => name.length - name.indexOf('#') - 1 > LANGUAGE_CHARS_MAX)) {
    return tooMuch('the language of a name', `at most ${LANGUAGE_CHARS_MAX} characters`);
  }
  for (const [key, value] of Object.entries(metadata)) {
    const name = key.split('#', 1)[0] ?? key;
    const problem = sizeProblem(name, value);
    if (problem !== null) return problem;
  }
  return null;
}

function sizeProblem(name: string, value: unknown): MetadataProblem | null {
  const field = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
  if (field === undefined) return null;
  const values: unknown[] = Array.isArray(value) ? value : [value];
  if (values.length > (field.items ?? Infinity)) return tooMuch(name, `at most ${field.items} entries`);
  const isLong = values.some((text) => typeof text === 'string' && text.length > field.chars);
  return isLong ? tooMuch(name, `at most ${field.chars} characters${field.items === undefined ? '' : ' each'}`) : null;
}

function tooMuch(name: string, limit: string): MetadataProblem {
  const error = name === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata';
  return { error, description: `${name}: ${limit}` };
}

const registered = z.object({ client_id: z.string() });
const keptClient = z.looseObject({ registrationExpiresAt: z.number().optional() });

/**
 * The environment in which a client registers: an unused client is kept for a limited time. With its first token, the
 * library extends that to the lifetime of its connections.
 */
export function withShortRegistration(env: Env, now: number): Env {
  const store = env.OAUTH_KV;
  const expiresAt = Math.floor(now / SECOND_MS) + UNUSED_CLIENT_TTL_SECONDS;
  const short = new Proxy(store, {
    get: (_, member) => {
      const value: unknown = Reflect.get(store, member);
      if (typeof value !== 'function') return value;
      if (member !== 'put') return value.bind(store);
      return (name: string, record: string) =>
        store.put(name, JSON.stringify({ ...keptClient.parse(JSON.parse(record)), registrationExpiresAt: expiresAt }), {
          expirationTtl: UNUSED_CLIENT_TTL_SECONDS,
        });
    },
  });
  return { ...env, OAUTH_KV: short };
}

/** Notes a client that has just registered, and drops the oldest that nobody has used when there are too many. */
export async function noteRegistration(answer: Response, signIn: SignInObject, store: KVNamespace, now: number) {
  if (answer.status !== 201) return;
  const { client_id: id } = registered.parse(await answer.clone().json());
  for (const old of await noted(id, signIn, store)) {
    const kept = keptClient.safeParse(await store.get(`client:${old}`, 'json'));
    const unusedUntil = now / SECOND_MS + UNUSED_CLIENT_TTL_SECONDS;
    if ((kept.data?.registrationExpiresAt ?? Infinity) <= unusedUntil) await store.delete(`client:${old}`);
  }
}

/** A client that cannot be counted is not stored, and does not learn its id. */
async function noted(id: string, signIn: SignInObject, store: KVNamespace): Promise<string[]> {
  try {
    return await signIn.noteClient(id);
  } catch (error) {
    await store.delete(`client:${id}`).catch(() => undefined);
    throw error;
  }
}
