import * as z from 'zod';
import { REFRESH_TOKEN_IDLE_TTL_SECONDS } from '#auth/limits.ts';
import type { GrantTokenState, IssuedToken, ReplacedToken, RotatedGrants } from '#client/grants.ts';
import { unsealJson, sealJson } from '#core/secrets/sealed.ts';
import type { SealContext } from '#core/secrets/sealed.ts';
import { sha256Hex } from '#core/text/text.ts';
import { SECOND_MS } from '#core/limits.ts';
import type { ObjectCalls } from '#core/objects.ts';

/**
 * Several holders may share one refresh token: windows of one program, or a client that never received the response.
 * The subject's Durable Object therefore decides once how a token is replaced, and later requests with the same token
 * get the same successor (docs/decisions/0023-refresh-tokens-in-several-hands.md).
 * The OAuth library still checks everything else. It reads the grant as stored in the object, and its writes wait here
 * until the object agrees.
 */

/** The part of the OAuth library's grant that this file uses. The token IDs are SHA-256 hashes in hex. */
const storedGrant = z.looseObject({
  refreshTokenId: z.string().default(''),
  previousRefreshTokenId: z.string().optional(),
  previousRefreshTokenWrappedKey: z.string().optional(),
});
type StoredGrant = z.infer<typeof storedGrant>;

const newTokens = z.looseObject({ refresh_token: z.string(), expires_in: z.number(), scope: z.string() });
type NewTokens = z.infer<typeof newTokens>;
/** A token response, stored so that it can be repeated. @property at time of issue in ms */
const keptAnswer = z.object({ at: z.number(), tokens: newTokens });
type KeptAnswer = z.infer<typeof keptAnswer>;

type TokenRequestDeps = {
  grantsOf: FindGrants;
  /** Time in seconds during which a replaced token gets the same response again. */
  graceSeconds: number;
  now: () => number;
  /** Receives errors that need not fail the request. */
  report: (error: unknown) => void;
};

type TokenOutcome =
  | { kind: 'answer'; answer: Response }
  /** A token or code was used long after its first use, which suggests theft. Its grant must therefore end. */
  | { kind: 'replayed'; subject: string; grant: string }
  | { kind: 'ended' }
  | { kind: 'busy' };

type Read = { subject: string; grant: string; object: ReturnType<FindGrants>; held: GrantTokenState | null };
type Write = { name: string; record: string; put: () => Promise<void> };
type Granted = { answer: Response; tokens: NewTokens; grant: StoredGrant; grantWrite: Write; tokenWrite: Write };

export class RefreshTokenRequest {
  readonly env: Env;
  readonly #store: KVNamespace;
  readonly #deps: TokenRequestDeps;
  readonly #presented: string | null;
  #read: Read | null = null;
  readonly #writes: Write[] = [];

  /** @param presented the refresh token of the request, or the token that `/revoke` should end; `null` without one */
  constructor(env: Env, presented: string | null, deps: TokenRequestDeps) {
    this.#store = env.OAUTH_KV;
    this.#presented = presented;
    this.#deps = deps;
    this.env = withStoreOverrides(env, {
      get: (name, get) => this.#get(name, get),
      put: async (name, record, put) => {
        if (parseGrantKey(name) === null && tokenIdOfKey(name) === null) await put();
        else this.#writes.push({ name, record, put });
      },
    });
  }

  /** Performs the library's writes if the Durable Object agrees. @param answer the library's response */
  async settle(answer: Response): Promise<TokenOutcome> {
    const grantWrite = this.#writes.find(({ name }) => parseGrantKey(name) !== null);
    const tokenWrite = this.#writes.find(({ name }) => tokenIdOfKey(name) !== null);
    const read = this.#read;
    if (!answer.ok || read === null || grantWrite === undefined || tokenWrite === undefined) {
      return { kind: 'answer', answer };
    }
    const tokens = newTokens.parse(await answer.clone().json());
    const grant = storedGrant.parse(JSON.parse(grantWrite.record));
    const granted = { answer, tokens, grant, grantWrite, tokenWrite };
    if (this.#presented === null) return this.#begin(read, granted);
    const replaced = read.held?.replaced ?? null;
    if (replaced === null) return this.#rotate(read, granted, this.#presented);
    if (!replaced.isRecent && !replaced.isPrevious) return { kind: 'replayed', ...read };
    return this.#again(read, replaced, granted, this.#presented);
  }

  /**
   * Reads a KV record. Asks the Durable Object only for a grant that KV has, so that forged tokens create no objects.
   */
  async #get(name: string, get: () => unknown): Promise<unknown> {
    const stored = await get();
    const named = parseGrantKey(name);
    if (named === null || stored === null) return stored;
    const token = this.#presented === null ? null : await sha256Hex(this.#presented);
    const object = this.#deps.grantsOf(named.subject);
    const held = await object.held(named.grant, token);
    this.#read = { ...named, object, held };
    if (held === null) return stored;
    return held.record === null ? null : grantToCheck(held.record, held, token);
  }

  /**
   * Stores the first tokens before the object decides, because a code works only once, so the client could not retry.
   */
  async #begin({ subject, grant: id, object }: Read, granted: Granted): Promise<TokenOutcome> {
    const { answer, grant, grantWrite, tokenWrite } = granted;
    await tokenWrite.put();
    await grantWrite.put();
    const first = {
      record: grantWrite.record,
      current: grant.refreshTokenId,
      issued: this.#issued(granted),
      endsAt: this.#endsAt(),
    };
    try {
      const isFirst = await object.begin(id, first);
      return isFirst ? { kind: 'answer', answer } : { kind: 'replayed', subject, grant: id };
    } catch (error) {
      // KV has stored the grant, so the first refresh will inform the object.
      this.#deps.report(error);
      return { kind: 'answer', answer };
    }
  }

  async #rotate(read: Read, granted: Granted, presented: string): Promise<TokenOutcome> {
    const { answer, tokens, grant, grantWrite, tokenWrite } = granted;
    const kept: KeptAnswer = { at: this.#deps.now(), tokens };
    // The access token is stored before the rotation, because a repeated response must contain a working token.
    await tokenWrite.put();
    const lost = await read.object.rotate(read.grant, {
      from: read.held?.current ?? null,
      presented: await sha256Hex(presented),
      wrappedKey: grant.previousRefreshTokenWrappedKey ?? '',
      next: grant.refreshTokenId,
      record: grantWrite.record,
      answer: await sealJson(presented, sealedAs(read), kept),
      issued: this.#issued(granted),
      graceMs: this.#deps.graceSeconds * SECOND_MS,
      endsAt: this.#endsAt(),
    });
    if (lost === null) {
      // From here on, the object's copy of the grant is authoritative, so a failed write of KV's copy is harmless.
      await grantWrite.put().catch(this.#deps.report);
      return { kind: 'answer', answer };
    }
    // No client has received this access token. If the deletion fails, the token expires.
    await this.#store.delete(tokenWrite.name).catch(this.#deps.report);
    if (lost.record === null) return { kind: 'ended' };
    return lost.replaced === null ? { kind: 'busy' } : this.#again(read, lost.replaced, granted, presented);
  }

  /**
   * Responds with the successor again. If the successor has also been replaced, responds with the newest token, because
   * an older one would soon be refused. The access token is also repeated during the grace period, if it has the same
   * scopes and at least half of its lifetime is left. Otherwise the response has the access token that the library has
   * just created.
   */
  async #again(read: Read, replaced: ReplacedToken, granted: Granted, presented: string): Promise<TokenOutcome> {
    const repeated = await newestAnswer(presented, read, replaced);
    if (repeated === null) return { kind: 'busy' };
    const { answer, tokens, tokenWrite } = granted;
    const left = repeated.tokens.expires_in - Math.floor((this.#deps.now() - repeated.at) / SECOND_MS);
    const isSame =
      replaced.isRecent && repeated.tokens.scope === tokens.scope && left * 2 >= repeated.tokens.expires_in;
    if (isSame) return answered({ ...repeated.tokens, expires_in: left }, answer);
    await tokenWrite.put();
    if (await read.object.issue(read.grant, this.#issued(granted))) {
      return answered({ ...tokens, refresh_token: repeated.tokens.refresh_token }, answer);
    }
    await this.#store.delete(tokenWrite.name);
    return { kind: 'ended' };
  }

  #issued({ tokenWrite: { name }, tokens }: Granted): IssuedToken {
    return { id: tokenIdOfKey(name) ?? '', endsAt: this.#deps.now() + tokens.expires_in * SECOND_MS };
  }

  #endsAt(): number {
    return this.#deps.now() + REFRESH_TOKEN_IDLE_TTL_SECONDS * SECOND_MS;
  }
}

/**
 * The grant that the library checks, as stored in the Durable Object. If the presented token was replaced, it is
 * entered as the previous one, so that the library checks client, resource and account as usual.
 * @param token SHA-256 of the presented token
 */
function grantToCheck(record: string, { replaced }: GrantTokenState, token: string | null): StoredGrant {
  const held = storedGrant.parse(JSON.parse(record));
  if (token === null) return held;
  if (replaced !== null) {
    return { ...held, previousRefreshTokenId: token, previousRefreshTokenWrappedKey: replaced.wrappedKey };
  }
  return held;
}

/**
 * The newest stored response; `null` if the response to the presented token is no longer stored. Each response is
 * sealed with the refresh token that it replaced.
 */
async function newestAnswer(
  presented: string,
  read: Read,
  { answer, later }: ReplacedToken,
): Promise<KeptAnswer | null> {
  const answers = new Map(later.map((one) => [one.token, one.answer]));
  let newest = await opened(presented, read, answer);
  for (let next = newest; next !== null;) {
    newest = next;
    const token = next.tokens.refresh_token;
    next = await opened(token, read, answers.get(await sha256Hex(token)) ?? null);
  }
  return newest;
}

async function opened(presented: string, read: Read, sealed: Uint8Array | null): Promise<KeptAnswer | null> {
  if (sealed === null) return null;
  return keptAnswer.safeParse(await unsealJson(presented, sealedAs(read), sealed)).data ?? null;
}

function answered(tokens: NewTokens, answer: Response): TokenOutcome {
  return { kind: 'answer', answer: new Response(JSON.stringify(tokens), answer) };
}

function sealedAs({ subject, grant }: { subject: string; grant: string }): SealContext {
  return { what: 'new tokens', owner: `${subject}:${grant}` };
}

/** Maximum bytes of a key in Workers KV, which throws for a longer key. */
const STORE_NAME_BYTES_MAX = 512;

const encoder = new TextEncoder();

export type FindGrants = (subject: string) => ObjectCalls<RotatedGrants>;

/**
 * Parses a key of the OAuth library: `grant:<subject>:<grant>` or `token:<subject>:<grant>:<hash>`.
 * @returns `null` for other keys
 */
function parseGrantKey(name: string): { subject: string; grant: string } | null {
  const [, subject, grant] = /^grant:([^:]+):([^:]+)$/.exec(name) ?? [];
  return subject === undefined || grant === undefined ? null : { subject, grant };
}

function tokenIdOfKey(name: string): string | null {
  return name.startsWith(TOKEN) ? name.slice(name.lastIndexOf(':') + 1) : null;
}

const TOKEN = 'token:';

/**
 * The environment for the OAuth library. Clients choose client IDs, codes and tokens, and KV throws for a key that is
 * too long; this store treats such a key as not found. Deleting a grant first ends it in its subject's Durable Object,
 * which knows the newest tokens: in other locations, KV lists new tokens with a delay of up to a minute.
 */
export function guardOAuthStore(env: Env, grantsOf: FindGrants): Env {
  const store = env.OAUTH_KV;
  return withStoreOverrides(env, {
    get: (name, get) => (encoder.encode(name).length > STORE_NAME_BYTES_MAX ? Promise.resolve(null) : get()),
    delete: async (name) => {
      const named = parseGrantKey(name);
      if (named === null) return store.delete(name);
      const { subject, grant } = named;
      const tokens = await grantsOf(subject).end(grant);
      await Promise.all(tokens.map((id) => store.delete(`${TOKEN}${subject}:${grant}:${id}`)));
      await store.delete(name);
    },
  });
}

/** Replacements for methods of the KV namespace. `get` and `put` also receive a function for the original call. */
type StoreOverrides = {
  get?: (name: string, get: () => unknown) => unknown;
  put?: (name: string, value: string, put: () => Promise<void>) => Promise<void>;
  delete?: (name: string) => Promise<void>;
};

function withStoreOverrides(env: Env, overrides: StoreOverrides): Env {
  const store = env.OAUTH_KV;
  const replaced = new Proxy(store, {
    get: (_, member) => {
      const value: unknown = Reflect.get(store, member);
      if (typeof value !== 'function') return value;
      const { get, put, delete: remove } = overrides;
      if (member === 'get' && get !== undefined)
        return (name: string, ...rest: unknown[]) => get(name, () => Reflect.apply(value, store, [name, ...rest]));
      if (member === 'put' && put !== undefined)
        return (name: string, record: string, options?: KVNamespacePutOptions) =>
          put(name, record, () => store.put(name, record, options));
      if (member === 'delete' && remove !== undefined) return remove;
      return value.bind(store);
    },
  });
  return { ...env, OAUTH_KV: replaced };
}
