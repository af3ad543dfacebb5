import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '#core/config/config.ts';
import { checkUrl, isPublicAddress, judgeAddresses, judgeUrl } from '#net/fetch/gate.ts';
import { canonicalizeUrl } from '#net/fetch/canonical-url.ts';
import { loadPage } from '#net/fetch/load.ts';
import { netPolicy } from '#net/fetch/fetch-settings.ts';
import { failureOf, page, redirect, world } from '../../support/net-world.ts';
import cases from './ssrf-cases.json';

type Case = { url: string; expect: string; why: string; resolves_to?: string[]; redirects_to?: string[] };

const policy = netPolicy(parseConfig({}), ['periscope.example.net']);

function allows(url: string, env: Record<string, string> = {}): boolean {
  return judgeUrl(url, netPolicy(parseConfig(env), ['periscope.example.net:8787'])).allowed;
}

describe('the recorded cases', () => {
  it.each(cases as Case[])('have the expected result: $expect $url: $why', async (one) => {
    const embedded = (host: string) => /(\d+\.\d+\.\d+\.\d+)\.nip\.io$/.exec(host)?.[1];
    const net = world({}, { env: { RESPECT_ROBOTS: 'false' } });
    const hops = [...(one.redirects_to ?? [])];
    net.resolve = async (host) => one.resolves_to ?? [embedded(host) ?? '93.184.216.34'];
    net.fetch = async () => {
      const location = hops.shift();
      return location === undefined ? page('<p>Some words.</p>') : redirect(location);
    };
    const load = loadPage({ requestedUrl: one.url }, net);
    if (one.expect === 'allow') expect((await load).status).toBe(200);
    else expect(['ssrf_blocked', 'invalid_url', 'fetch_failed']).toContain((await failureOf(load)).code);
  });
});

describe('judgeUrl', () => {
  it('allows the ports of websites and no others', () => {
    expect([80, 443, 8080, 8443].map((port) => allows(`http://example.com:${port}/`))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect([0, 21, 22, 81, 3306, 8081, 65535].some((port) => allows(`http://example.com:${port}/`))).toBe(false);
  });

  it('refuses credentials, and this server itself by every host name it has', () => {
    expect(allows('https://me@example.com/')).toBe(false);
    expect(allows('https://:pw@example.com/')).toBe(false);
    expect(allows('https://Periscope.Example.Net/mcp')).toBe(false);
    expect(allows('https://periscope.example.net./mcp')).toBe(false);
    expect(allows('https://reader.example.org/', { PUBLIC_URL: 'https://reader.example.org' })).toBe(false);
  });

  it('applies a deny list to subdomains, and not to hosts that merely have the same ending', () => {
    const env = { DENYLIST_DOMAINS: 'bad.com,sub.mixed.org' };
    expect(allows('https://bad.com/', env)).toBe(false);
    expect(allows('https://a.b.bad.com./', env)).toBe(false);
    expect(allows('https://notbad.com/', env)).toBe(true);
    expect(allows('https://mixed.org/', env)).toBe(true);
  });

  it('allows only listed domains when there is an allow list, and no IP address', () => {
    const env = { ALLOWLIST_DOMAINS: 'good.com' };
    expect(allows('https://good.com/', env)).toBe(true);
    expect(allows('https://docs.good.com/', env)).toBe(true);
    expect(allows('https://other.com/', env)).toBe(false);
    expect(allows('https://8.8.8.8/', env)).toBe(false);
    expect(allows('https://localhost/', { ALLOWLIST_DOMAINS: 'localhost' })).toBe(false);
  });

  it('exempts exactly the development hosts and ports, but neither schemes nor credentials nor the deny list', () => {
    const env = { ALLOWED_PRIVATE_HOSTS: '127.0.0.1:9000,localhost:3000,[0:0::1]:80' };
    expect(allows('http://127.0.0.1:9000/x', env)).toBe(true);
    expect(allows('https://localhost:3000/', env)).toBe(true);
    expect(allows('http://[::1]/', env)).toBe(true);
    expect(allows('http://127.0.0.1:9001/', env)).toBe(false);
    expect(allows('http://127.0.0.1/', env)).toBe(false);
    expect(allows('http://127.0.0.2:9000/', env)).toBe(false);
    expect(allows('http://a@127.0.0.1:9000/', env)).toBe(false);
    expect(allows('ftp://127.0.0.1:9000/', env)).toBe(false);
    expect(allows('http://localhost:3000/', { ...env, DENYLIST_DOMAINS: 'localhost' })).toBe(false);
  });

  it('refuses names that resolve only inside a cloud or a home network, however they are written', () => {
    for (const host of [
      'metadata.goog',
      'a.metadata.goog',
      'Printer.Local',
      'db.internal.',
      'nas',
      'x.home.arpa',
      `${'a'.repeat(64)}.com`,
    ]) {
      expect(allows(`http://${host}/`)).toBe(false);
    }
    expect(allows('http://local.example.com/')).toBe(true);
  });

  it('refuses a text that is not a URL', () => {
    expect(allows('not a url')).toBe(false);
  });
});

describe('the check of address spellings', () => {
  const octet = fc.nat(255);
  const ipv4 = fc.oneof(
    fc.tuple(octet, octet, octet, octet),
    fc.tuple(fc.constantFrom(0, 10, 127, 169, 172, 192, 198, 224, 255), octet, octet, octet),
    fc.constantFrom([127, 0, 0, 1], [169, 254, 169, 254], [192, 168, 0, 1], [0, 0, 0, 0], [8, 8, 8, 8]),
  );
  const FULL_WIDTH_ZERO = 0xff10;
  const spell = (parts: readonly number[], style: number): string => {
    const [a = 0, b = 0, c = 0, d = 0] = parts;
    const number = ((a * 256 + b) * 256 + c) * 256 + d;
    const dotted = `${a}.${b}.${c}.${d}`;
    const percent = (text: string) => Array.from(text, (char) => `%${char.charCodeAt(0).toString(16)}`).join('');
    const wide = (text: string) =>
      text.replace(/\d/g, (digit) => String.fromCodePoint(FULL_WIDTH_ZERO + Number(digit))).replaceAll('.', '。');
    const hex = (value: number) => value.toString(16).padStart(4, '0');
    const words = `${hex(a * 256 + b)}:${hex(c * 256 + d)}`;
    const styles = [
      dotted,
      `${dotted}.`,
      String(number),
      `0x${number.toString(16)}`,
      `0${number.toString(8)}`,
      `0x${a.toString(16)}.0${b.toString(8)}.${c}.${d}`,
      `${a}.${b * 65_536 + c * 256 + d}`,
      `${a}.${b}.${c * 256 + d}`,
      percent(dotted),
      wide(dotted),
      wide(String(number)),
      `[::ffff:${dotted}]`,
      `[::ffff:${words}]`,
      `[0:0:0:0:0:FFFF:${words}]`,
      `[::${words}]`,
      `[64:ff9b::${words}]`,
      `[2002:${words}::1]`,
    ];
    return styles[style % styles.length] ?? dotted;
  };

  it('refuses every spelling of a non-public IPv4 address, and allows every plain spelling of a public one', () => {
    const PLAIN_STYLES = 13;
    const holds = fc.property(ipv4, fc.nat(16), fc.constantFrom('http', 'https'), (parts, style, scheme) => {
      const isAllowed = judgeUrl(canonicalizeUrl(`${scheme}://${spell(parts, style)}/`), policy).allowed;
      if (!isPublicAddress(parts.join('.'))) return !isAllowed;
      return isAllowed || style >= PLAIN_STYLES;
    });
    expect(() => fc.assert(holds, { numRuns: 3_000 })).not.toThrow();
  });

  it('refuses every IPv6 address outside 2000::/3', () => {
    const holds = fc.property(fc.ipV6(), (text) => {
      if (!URL.canParse(`http://[${text}]/`)) return true;
      const host = new URL(`http://[${text}]/`).hostname.slice(1, -1);
      const first = Number.parseInt(`0${host.split(':')[0]}`, 16);
      const mayBePublic = (first >= 0x2000 && first <= 0x3fff) || host.startsWith('::ffff:');
      return mayBePublic || !judgeUrl(`http://[${text}]/`, policy).allowed;
    });
    expect(() => fc.assert(holds, { numRuns: 2_000 })).not.toThrow();
  });

  it('covers the edges of the registered special blocks', () => {
    const closed = [
      '0.0.0.0',
      '10.255.255.255',
      '100.64.0.0',
      '127.0.0.1',
      '168.63.129.16',
      '169.254.0.1',
      '172.31.255.255',
      '192.0.0.8',
      '192.0.2.9',
      '192.88.99.1',
      '192.168.1.1',
      '198.19.0.1',
      '198.51.100.7',
      '203.0.113.1',
      '224.0.0.1',
      '255.255.255.255',
      '::',
      '::1',
      '::ffff:10.0.0.1',
      '64:ff9b::808:808',
      '100::1',
      '2001::1',
      '2001:db8::1',
      '2002:808:808::1',
      '3fff::1',
      'fc00::1',
      'fe80::1',
      'fe80::1%eth0',
      'ff02::1',
      '4000::1',
      'example.com',
      '',
    ];
    expect(closed.filter(isPublicAddress)).toEqual([]);
    const open = [
      '8.8.8.8',
      '172.32.0.1',
      '198.20.0.1',
      '2606:4700::1111',
      '2a00:1450:4001:80b::200e',
      '::ffff:8.8.8.8',
    ];
    expect(open.filter(isPublicAddress)).toEqual(open);
  });
});

describe('judgeAddresses', () => {
  it('requires at least one address and every one public', () => {
    expect(judgeAddresses([]).allowed).toBe(false);
    expect(judgeAddresses(['8.8.8.8', '2606:4700::1111']).allowed).toBe(true);
    expect(judgeAddresses(['8.8.8.8', '10.0.0.1']).allowed).toBe(false);
    expect(judgeAddresses(['8.8.8.8', '::1']).allowed).toBe(false);
  });

  it('ignores CNAME targets, and never treats a name or other data as an address', () => {
    expect(judgeAddresses(['edge.example.org.', '8.8.8.8']).allowed).toBe(true);
    expect(judgeAddresses(['edge.example.org.']).allowed).toBe(false);
    expect(judgeAddresses(['8.8.8.8', '10.0.0.0/8']).allowed).toBe(false);
    expect(judgeAddresses(['8.8.8.8', '']).allowed).toBe(false);
  });
});

describe('the fetch gate', () => {
  const signal = new AbortController().signal;

  it('resolves only host names', async () => {
    const asked: string[] = [];
    const resolve = async (host: string) => {
      asked.push(host);
      return ['8.8.8.8'];
    };
    await checkUrl('https://8.8.8.8/', { policy, resolve }, signal);
    await checkUrl('https://Example.com./', { policy, resolve }, signal);
    expect(asked).toEqual(['example.com']);
  });

  it('distinguishes a name that does not exist from one that is blocked', async () => {
    const failed = (addresses: string[]) =>
      failureOf(checkUrl('https://example.com/?token=x', { policy, resolve: async () => addresses }, signal));
    expect(await failed([])).toMatchObject({ code: 'fetch_failed', url: 'https://example.com/?token=REDACTED' });
    expect(await failed(['10.0.0.1'])).toMatchObject({ code: 'ssrf_blocked' });
  });

  it('stays closed when the DNS query fails', async () => {
    const resolve = async () => {
      throw new Error('upstream said: secret');
    };
    const failure = await failureOf(checkUrl('https://example.com/', { policy, resolve }, signal));
    expect(failure).toEqual({
      code: 'fetch_failed',
      url: 'https://example.com/',
      reason: 'the host name could not be looked up',
    });
  });
});
