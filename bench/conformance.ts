import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PeriscopeError } from '#core/failures/failure.ts';
import { parseConfig } from '#core/config/config.ts';
import type { NetDeps } from '#net/fetch/network.ts';
import { dohResolver } from '#net/fetch/dns.ts';
import { loadPage } from '#net/fetch/load.ts';
import { netPolicy } from '#net/fetch/fetch-settings.ts';
import { decideRobots } from '#net/robots/robots.ts';

/**
 * `node bench/conformance.ts [FOLDER]`: runs the two case files of FOLDER through the real gate, redirect loop and
 * robots matcher, in plain Node and without a network. Exits with 1 if a case has an unexpected result.
 */
type SsrfCase = {
  url: string;
  expect: 'block' | 'allow';
  why: string;
  resolves_to?: string[];
  redirects_to?: string[];
};

type RobotsCase = { suite: string; test: string; robots: string; url: string; ua: string; allow: boolean };

const PUBLIC_ADDRESSES = ['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946'];
/** Codes that mean the URL was not opened. */
const BLOCKED = new Set(['ssrf_blocked', 'invalid_url', 'fetch_failed']);

const folder = process.argv[2] ?? join(import.meta.dirname, '../../shared/bench');
const misses = [...(await ssrf()), ...(await robots())];
for (const miss of misses) console.error(miss);
process.exit(misses.length === 0 ? 0 : 1);

async function ssrf(): Promise<string[]> {
  const cases: SsrfCase[] = JSON.parse(await readFile(join(folder, 'ssrf-cases.json'), 'utf8'));
  const missed: string[] = [];
  for (const one of cases) {
    const outcome = await open(one);
    if (outcome.verdict !== one.expect) {
      missed.push(`ssrf   ${JSON.stringify(one.url)} expected ${one.expect}, was ${outcome.detail} (${one.why})`);
    }
  }
  console.log(`ssrf    ${cases.length - missed.length}/${cases.length}`);
  return missed;
}

async function open(one: SsrfCase): Promise<{ verdict: string; detail: string }> {
  try {
    await loadPage({ requestedUrl: one.url }, stubbedNet(one));
    return { verdict: 'allow', detail: 'allow' };
  } catch (error) {
    if (!(error instanceof PeriscopeError)) return { verdict: 'crash', detail: String(error) };
    const { code } = error.failure;
    return { verdict: BLOCKED.has(code) ? 'block' : code, detail: code };
  }
}

/** Answers DNS queries with the case's records, and page requests with its redirects and then a page. */
function stubbedNet(one: SsrfCase): NetDeps {
  const hops = [...(one.redirects_to ?? [])];
  const now = () => Date.now();
  const fetch = async (text: string): Promise<Response> => {
    const url = new URL(text);
    if (url.hostname === 'cloudflare-dns.com') return dnsAnswer(url, one);
    const location = hops.shift();
    if (location !== undefined) return new Response(null, { status: 302, headers: { location } });
    return new Response('<!doctype html><title>Page</title><p>Some words to read.</p>', {
      headers: { 'content-type': 'text/html' },
    });
  };
  return {
    fetch,
    resolve: dohResolver({ fetch, now }),
    robotsStore: { get: async () => null, put: async () => {} },
    hostPermits: new Map(),
    now,
    sleep: async () => {},
    random: () => 0,
    policy: netPolicy(parseConfig({ RESPECT_ROBOTS: 'false' }), []),
  };
}

function dnsAnswer(url: URL, one: SsrfCase): Response {
  const type = Number(url.searchParams.get('type'));
  const name = url.searchParams.get('name') ?? '';
  // In a case with redirects, the first host is public, and the records belong to the hosts that it redirects to.
  const isStart = one.redirects_to !== undefined && name === new URL(one.url).hostname;
  const records = isStart ? PUBLIC_ADDRESSES : (one.resolves_to ?? usualAddresses(name));
  const answers = records.map((data) => ({ name, type: recordType(data), TTL: 60, data }));
  return Response.json({ Status: 0, Answer: answers.filter((answer) => answer.type === 5 || answer.type === type) });
}

/** Hosts without records resolve like the public services that they represent. */
function usualAddresses(name: string): string[] {
  const embedded = /(?:^|\.)(\d+\.\d+\.\d+\.\d+)\.(?:nip|sslip)\.io$/.exec(name)?.[1];
  if (embedded !== undefined) return [embedded];
  return /(?:^|\.)(?:localtest|lvh)\.me$/.test(name) ? ['127.0.0.1'] : PUBLIC_ADDRESSES;
}

function recordType(data: string): number {
  if (data.includes(':')) return 28;
  return /^\d+\.\d+\.\d+\.\d+$/.test(data) ? 1 : 5;
}

async function robots(): Promise<string[]> {
  const cases: RobotsCase[] = JSON.parse(await readFile(join(folder, 'robots-cases.json'), 'utf8'));
  const missed = cases.flatMap((one) => {
    const verdict = decideRobots(new TextEncoder().encode(one.robots), one.ua, pathOf(one.url));
    return verdict.allowed === one.allow ? [] : [`robots ${one.suite} ${one.test}: ${one.url} for ${one.ua}`];
  });
  console.log(`robots  ${cases.length - missed.length}/${cases.length}`);
  return missed;
}

/** Path and query as written, because some cases are about URLs that were never encoded. */
function pathOf(url: string): string {
  const path = /^[a-z]+:\/\/[^/?#]*([^#]*)/i.exec(url)?.[1] ?? '';
  return path === '' ? '/' : path;
}
