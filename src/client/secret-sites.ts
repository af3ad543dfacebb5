import { isLoopbackHost } from '#core/config.ts';
import type { Config } from '#core/config.ts';
import { SECRET_SITES_MAX } from './limits.ts';

/**
 * The origins that a person means: one to a line, as a host, an origin or an address copied from a browser.
 * @returns what is wrong, in words
 */
export function readSites(text: string, config: Pick<Config, 'ALLOWED_PRIVATE_HOSTS'>): string[] | string {
  const lines = text.split(/[\s,]+/u).filter((line) => line !== '');
  if (lines.length === 0) return 'Name at least one site, such as accounts.example.com.';
  const read = lines.map((line) => readSite(line, config));
  const wrong = read.find((site) => 'problem' in site);
  if (wrong !== undefined) return wrong.problem;
  const sites = [...new Set(read.flatMap((site) => ('origin' in site ? [site.origin] : [])))];
  return sites.length > SECRET_SITES_MAX ? `A secret can have ${SECRET_SITES_MAX} sites at most.` : sites;
}

type Site = { origin: string } | { problem: string };

function readSite(text: string, config: Pick<Config, 'ALLOWED_PRIVATE_HOSTS'>): Site {
  if (text.includes('*')) return { problem: 'A site is one exact host: name each of them, without *.' };
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//iu.test(text) ? text : `https://${text}`);
  if (url === null || url.hostname === '' || url.username + url.password !== '')
    return { problem: 'A site is a host such as accounts.example.com, or an address that begins with https://.' };
  const { protocol, hostname, origin } = url;
  if (protocol === 'http:' && isAllowedLoopback(url, config)) return { origin };
  if (protocol !== 'https:')
    return { problem: `${url.host} must use https: over http, anybody on the way could read it.` };
  // A whole part of the web is no site, and nobody can serve one.
  if (!hostname.includes('.') && !hostname.startsWith('[') && !isLoopbackHost(hostname))
    return { problem: `${hostname} is not a whole host name, such as accounts.example.com.` };
  return { origin };
}

function isAllowedLoopback({ hostname, port }: URL, config: Pick<Config, 'ALLOWED_PRIVATE_HOSTS'>): boolean {
  return isLoopbackHost(hostname) && config.ALLOWED_PRIVATE_HOSTS.includes(`${hostname}:${port === '' ? '80' : port}`);
}
