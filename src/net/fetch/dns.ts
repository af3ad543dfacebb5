import { setBounded } from '#core/flow/remember.ts';
import { KIB, SECOND_MS } from '#core/limits.ts';
import * as z from 'zod';
import { DNS_CACHE_TTL_MAX_MS } from '#net/limits.ts';
import { withDeadline } from './deadline.ts';
import { sendRequest } from './fetch-port.ts';
import type { Fetch } from './fetch-port.ts';
import { readBody } from './read-body.ts';

const DNS_DEADLINE_MS = 5 * SECOND_MS;
/** Maximum number of hosts whose addresses an isolate caches. They take less than 1 MB. */
const DNS_CACHE_ENTRIES_MAX = 1_000;
/** Maximum size of a DNS response in bytes. A larger one is not a valid answer to one DNS question. */
const DNS_ANSWER_BYTES_MAX = 64 * KIB;

/**
 * Resolves a host name to its IPv4 and IPv6 addresses. The list is empty if the name does not exist or has no address.
 * The promise rejects if the lookup fails, so that callers can tell a failed lookup from an empty result.
 */
export type Resolver = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

const ENDPOINT = 'https://cloudflare-dns.com/dns-query';
const TYPE_A = 1;
const TYPE_AAAA = 28;
const NO_ERROR = 0;
const NAME_DOES_NOT_EXIST = 3;

const answerSchema = z.object({
  Status: z.int(),
  Answer: z.array(z.object({ type: z.int(), TTL: z.number().nonnegative(), data: z.string() })).optional(),
});

type Entry = { addresses: readonly string[]; expiresAt: number };

/**
 * Creates a resolver that uses DNS over HTTPS (JSON format) and reads only A and AAAA records. Node's resolver in
 * Workers would also return the names of CNAME records, as if they were addresses. Answers with addresses are cached
 * for their TTL, at most `DNS_CACHE_TTL_MAX_MS`.
 */
export function dohResolver(deps: { fetch: Fetch; now: () => number }): Resolver {
  const cache = new Map<string, Entry>();
  return async (host, signal) => {
    const known = cache.get(host);
    if (known !== undefined && known.expiresAt > deps.now()) return known.addresses;
    const deadline = { ms: DNS_DEADLINE_MS, what: 'Looking up the host name', url: `https://${host}/` };
    const [v4, v6] = await withDeadline(deadline, signal, (inner) =>
      Promise.all([ask(host, TYPE_A, deps.fetch, inner), ask(host, TYPE_AAAA, deps.fetch, inner)]),
    );
    const records = [...v4, ...v6];
    const addresses = records.map((record) => record.data);
    const ttlMs = Math.min(DNS_CACHE_TTL_MAX_MS, ...records.map((record) => record.TTL * 1000));
    if (addresses.length > 0) {
      setBounded(cache, host, { addresses, expiresAt: deps.now() + ttlMs }, DNS_CACHE_ENTRIES_MAX);
    }
    return addresses;
  };
}

async function ask(host: string, type: number, fetch: Fetch, signal: AbortSignal) {
  const response = await sendRequest(fetch, `${ENDPOINT}?name=${encodeURIComponent(host)}&type=${type}`, {
    headers: { accept: 'application/dns-json' },
    signal,
  });
  const { bytes } = await readBody(response, { limitBytes: DNS_ANSWER_BYTES_MAX, onOverflow: 'cut', signal });
  if (response.status !== 200) throw new Error(`DNS over HTTPS answered ${response.status}`);
  const answer = answerSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
  if (answer.Status === NAME_DOES_NOT_EXIST) return [];
  if (answer.Status !== NO_ERROR) throw new Error(`DNS status ${answer.Status}`);
  return (answer.Answer ?? []).filter((record) => record.type === type);
}
