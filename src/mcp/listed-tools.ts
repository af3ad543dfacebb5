import type { Abilities } from '#core/abilities.ts';
import { setBounded } from '#core/flow/remember.ts';
import type { Principal } from '#core/principal.ts';
import { isJsonObject, parseJson } from '#core/text/json.ts';

/** Maximum cached tool lists per isolate, 60 KB each at most. Few different clients use one deployment. */
const LISTS_KEPT_MAX = 16;
/** Maximum characters of a cache key. A request with a longer key is unusual and is not cached. */
const KEY_CHARS_MAX = 2_000;
/** Headers that may affect the list: the client's name, and the headers that the protocol library checks. */
const HEADERS = ['accept', 'content-type', 'mcp-method', 'mcp-name', 'mcp-protocol-version', 'user-agent'] as const;

type Caller = { origin: string; principal: Principal; abilities: Abilities };
type Asked = { key: string; id: string | number };
type Kept = { before: string; after: string; status: number; headers: [string, string][] };

/**
 * Caches responses to `tools/list` in an isolate's memory. Equal requests with equal permissions get responses that
 * differ only in the JSON-RPC id, and building a response takes longer than most tool calls.
 */
export class ToolListCache {
  readonly #kept = new Map<string, Kept>();

  /** @param make builds the response if the cache has none */
  async answer(request: Request, message: unknown, caller: Caller, make: () => Promise<Response>): Promise<Response> {
    const asked = askedOf(request, message, caller);
    if (asked === null) return make();
    const kept = this.#kept.get(asked.key);
    if (kept !== undefined) {
      const { before, after, ...init } = kept;
      return new Response(before + JSON.stringify(asked.id) + after, init);
    }
    const made = await make();
    const type = made.headers.get('content-type') ?? '';
    if (!made.ok || !type.startsWith('application/json')) return made;
    const text = await made.text();
    this.#keep(asked, text, made);
    return new Response(text, made);
  }

  #keep({ key }: Asked, text: string, { status, headers }: Response): void {
    const answer = parseJson(text);
    if (!isJsonObject(answer) || !isJsonObject(answer['result'])) return;
    const { id: _, ...rest } = answer;
    const kept = {
      before: '{"id":',
      after: `,${JSON.stringify(rest).slice(1)}`,
      status,
      headers: [...headers].filter(([name]) => name !== 'content-length'),
    };
    setBounded(this.#kept, key, kept, LISTS_KEPT_MAX);
  }
}

/** Cache key of a list request; `null` for other messages and for a key that is too long. */
function askedOf(request: Request, message: unknown, { origin, principal, abilities }: Caller): Asked | null {
  if (!isJsonObject(message) || message['method'] !== 'tools/list') return null;
  const { id, ...asked } = message;
  if (typeof id !== 'string' && typeof id !== 'number') return null;
  const headers = HEADERS.map((name) => request.headers.get(name));
  const key = JSON.stringify([origin, new URL(request.url).search, headers, principal.scopes, abilities, asked]);
  return key.length > KEY_CHARS_MAX ? null : { key, id };
}
