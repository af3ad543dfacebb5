import * as z from 'zod';
import { REFRESH_TOKEN_IDLE_TTL_SECONDS } from '#auth/limits.ts';
import type { HeldGrant, IssuedToken, ReplacedToken } from '#client/grants.ts';
import { openJson, sealJson } from '#core/secrets/sealed.ts';
import type { SealContext } from '#core/secrets/sealed.ts';
import { sha256Hex } from '#core/text/text.ts';
import { SECOND_MS } from '#core/limits.ts';
import { parseGrantKey, tokenIdOfKey, withStoreOverrides } from './guarded-kv.ts';
import type { GrantObject, GrantObjects } from './guarded-kv.ts';

/**
 * One refresh token may be in several hands: windows of one program, or a client that never saw the answer. So the
 * object of the subject decides what becomes of a token, once, and whoever presents it again gets the same successor
 * (docs/decisions/0023-refresh-tokens-in-several-hands.md).
 *
 * The library still checks everything else. It reads the grant as the object holds it, and what it writes waits here
 * until the object has agreed.
 */

/** The part of the library's grant that matters here. Tokens are named by their SHA-256, in hex. */
const storedGrant = z.looseObject({
  refreshTokenId: z.string().default(''),
  previousRefreshTokenId: z.string().optional(),
  previousRefreshTokenWrappedKey: z.string().optional(),
});
type StoredGrant = z.infer<typeof storedGrant>;

const newTokens = z.looseObject({ refresh_token: z.string(), expires_in: z.number(), scope: z.string() });
type NewTokens = z.infer<typeof newTokens>;
/** @property at when it was given (ms) */
const keptAnswer = z.object({ at: z.number(), tokens: newTokens });
type KeptAnswer = z.infer<typeof keptAnswer>;

type TokenRequestDeps = {
  grantsOf: GrantObjects;
  /** Seconds for which a replaced token gets the same answer again. */
  graceSeconds: number;
  now: () => number;
  /** Takes what went wrong and need not fail the request. */
  report: (error: unknown) => void;
};

type TokenOutcome =
  | { kind: 'answer'; answer: Response }
  /** A token or code that was used up long ago: its grant must end. */
  | { kind: 'replayed'; subject: string; grant: string }
  | { kind: 'ended' }
  | { kind: 'busy' };

type Read = { subject: string; grant: string; object: GrantObject; held: HeldGrant | null };
/** A write of the library, held back. */
type Write = { name: string; record: string; put: () => Promise<void> };
/** The library's answer; none of it is written yet. */
type Granted = { answer: Response; tokens: NewTokens; grant: StoredGrant; grantWrite: Write; tokenWrite: Write };

/** One request at the token endpoint. */
export class TokenRequest {
  /** The environment for the library. */
  readonly env: Env;
  readonly #store: KVNamespace;
  readonly #deps: TokenRequestDeps;
  readonly #presented: string | null;
  #read: Read | null = null;
  readonly #writes: Write[] = [];

  /** @param presented the refresh token, or the token to revoke, as it came */
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

  /** Writes what the library granted, if the object agrees. @param answer the library's */
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

  /** The object is asked only for a grant that the store knows: forged tokens make no objects. */
  async #get(name: string, get: () => unknown): Promise<unknown> {
    const stored = await get();
    const named = parseGrantKey(name);
    if (named === null || stored === null) return stored;
    const token = this.#presented === null ? null : await sha256Hex(this.#presented);
    const object = this.#deps.grantsOf(named.subject);
    const held = await object.heldGrant(named.grant, token);
    this.#read = { ...named, object, held };
    if (held === null) return stored;
    return held.record === null ? null : grantToCheck(held.record, held, token);
  }

  /** The first tokens of a grant, for its code. They are stored first: a code works once. */
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
      const isFirst = await object.beginGrant(id, first);
      return isFirst ? { kind: 'answer', answer } : { kind: 'replayed', subject, grant: id };
    } catch (error) {
      // The store has the grant, and its first refresh tells the object.
      this.#deps.report(error);
      return { kind: 'answer', answer };
    }
  }

  async #rotate(read: Read, granted: Granted, presented: string): Promise<TokenOutcome> {
    const { answer, tokens, grant, grantWrite, tokenWrite } = granted;
    const kept: KeptAnswer = { at: this.#deps.now(), tokens };
    // The access token first: an answer that is given again must work.
    await tokenWrite.put();
    const lost = await read.object.rotateGrant(read.grant, {
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
      // The object decides from now on. The store's copy is late elsewhere in any case.
      await grantWrite.put().catch(this.#deps.report);
      return { kind: 'answer', answer };
    }
    // Nobody has seen it. If it cannot be dropped, it ends by itself.
    await this.#store.delete(tokenWrite.name).catch(this.#deps.report);
    if (lost.record === null) return { kind: 'ended' };
    return lost.replaced === null ? { kind: 'busy' } : this.#again(read, lost.replaced, granted, presented);
  }

  /**
   * The same successor again; or the newest one, if that has been replaced, too: who got an old one would come with it
   * when it no longer counts. The same access token, too, while the grace period lasts and at least half of its life
   * is left; else a new one, which the library has just made.
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
    if (await read.object.issueToken(read.grant, this.#issued(granted))) {
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
 * The grant as the object holds it, with the presented token as the previous one if it was ever replaced: the library
 * then checks the client, the resource and the account as for any other.
 * @param token SHA-256 of the presented token
 */
function grantToCheck(record: string, { replaced }: HeldGrant, token: string | null): StoredGrant {
  const held = storedGrant.parse(JSON.parse(record));
  if (token === null) return held;
  if (replaced !== null) {
    return { ...held, previousRefreshTokenId: token, previousRefreshTokenWrappedKey: replaced.wrappedKey };
  }
  return held;
}

/** Each answer holds the token that opens the next one. */
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
  return keptAnswer.safeParse(await openJson(presented, sealedAs(read), sealed)).data ?? null;
}

function answered(tokens: NewTokens, answer: Response): TokenOutcome {
  return { kind: 'answer', answer: new Response(JSON.stringify(tokens), answer) };
}

function sealedAs({ subject, grant }: { subject: string; grant: string }): SealContext {
  return { what: 'new tokens', owner: `${subject}:${grant}` };
}
