import { decodeUnreserved } from '#core/text/text.ts';
import * as z from 'zod';

/**
 * Maximum rules of a person or of the owner. With more exceptions than this, another default level is the better
 * choice.
 */
export const SITE_RULES_MAX = 200;
/** Maximum characters of a host name (RFC 1035 §2.3.4) with a leading `*.`. */
const RULE_HOST_CHARS_MAX = 255;
const RULE_PATH_CHARS_MAX = 500;

/** Levels of access to a site, strictest first: `block`, `read` only, `ask` the user before acting, `act` freely. */
export const RULE_LEVELS = ['block', 'read', 'ask', 'act'] as const;
export type RuleLevel = (typeof RULE_LEVELS)[number];

export const SELECTABLE_RULE_LEVELS: readonly RuleLevel[] = ['block', 'read', 'ask', 'act'];

const siteRule = z.object({
  /** One host, or `*.example.com` for a domain and its subdomains. */
  host: z.string().max(RULE_HOST_CHARS_MAX),
  /** `/` for the whole host, or a path that includes everything below it. */
  path: z.string().max(RULE_PATH_CHARS_MAX),
  level: z.enum(RULE_LEVELS),
});
export type SiteRule = z.output<typeof siteRule>;

/** The first rule that matches a page decides; `fallback` is the level of all other pages. */
export const ruleListSchema = z.object({
  rules: z.array(siteRule).max(SITE_RULES_MAX),
  fallback: z.enum(RULE_LEVELS),
});
export type SiteRuleList = z.output<typeof ruleListSchema>;
export const EMPTY_SITE_RULE_LIST: SiteRuleList = { rules: [], fallback: 'act' };

/** The rules of a session: the owner's, and those of each person who uses it. The strictest level decides. */
export type SiteRules = { owner: SiteRuleList; people: readonly SiteRuleList[] };
export const NO_SITE_RULES: SiteRules = { owner: EMPTY_SITE_RULE_LIST, people: [] };

/** The level for a page, and the rule that sets it. */
export type RuleDecision = {
  level: RuleLevel;
  by: 'owner' | 'person';
  /** Site of the rule. Without a rule, the host of the page. */
  site: string;
  /** True if a rule matches the page. False if the list's `fallback` applies. */
  isNamed: boolean;
};

export function allowEverything({ owner, people }: SiteRules): boolean {
  return [owner, ...people].every(
    ({ rules, fallback }) => fallback === 'act' && rules.every((one) => one.level === 'act'),
  );
}

/** Returns the stricter of two levels, or the first if both are equally strict. */
export function stricterLevel<Some extends Pick<RuleDecision, 'level'>>(one: Some, other: Some): Some {
  return isStricter(other, one) ? other : one;
}

function isStricter(one: Pick<RuleDecision, 'level'>, other: Pick<RuleDecision, 'level'>): boolean {
  return RULE_LEVELS.indexOf(one.level) < RULE_LEVELS.indexOf(other.level);
}

/** Returns the strictest level for a page. A URL without a host, such as `about:blank`, gets the default levels. */
export function decideRule({ owner, people }: SiteRules, url: string): RuleDecision {
  const place = placeOf(url);
  const byPeople = people.map((list) => levelIn(list, place, 'person'));
  return byPeople.reduce(stricterLevel, levelIn(owner, place, 'owner'));
}

/**
 * A page's host, and two readings of its path, because some servers serve `/Admin` and `/admin` as one page, others as
 * two.
 */
type Place = { host: string; paths: readonly [exact: string, loose: string] };

function placeOf(url: string): Place {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/u.test(parsed.protocol)) return { host: '', paths: ['/', '/'] };
  return { host: withoutLastDots(parsed.hostname), paths: [exactPath(parsed.pathname), loosePath(parsed.pathname)] };
}

/**
 * The level for a path. Paths are compared in the exact and the lenient reading, and the strictest level decides. In
 * the lenient reading, a rule for `/Admin` covers `/admin`, and one for `/a;x` covers all of `/a`.
 */
function levelIn(
  { rules, fallback }: SiteRuleList,
  { host, paths: [exact, loose] }: Place,
  by: RuleDecision['by'],
): RuleDecision {
  const found = (isOf: (rule: SiteRule) => boolean): RuleDecision => {
    const rule = rules.find((one) => coversHost(one.host, host) && isOf(one));
    return rule === undefined
      ? { level: fallback, by, site: host, isNamed: false }
      : { level: rule.level, by, site: formatSite(rule), isNamed: true };
  };
  return [
    found(({ path }) => coversPath(path.toLowerCase(), loose)),
    found(({ path }) => coversPath(loosePath(path), loose)),
  ].reduce(
    stricterLevel,
    found(({ path }) => coversPath(path, exact)),
  );
}

function coversHost(pattern: string, host: string): boolean {
  if (!pattern.startsWith(ANY_SUBDOMAIN)) return pattern === host;
  const domain = pattern.slice(ANY_SUBDOMAIN.length);
  return host === domain || host.endsWith(`.${domain}`);
}

/** True if `prefix` covers the path: `/a` covers `/a` and `/a/b`, but not `/ab`. */
function coversPath(prefix: string, path: string): boolean {
  const stem = prefix.endsWith('/') ? prefix.slice(0, -1) : prefix;
  return path === stem || path.startsWith(`${stem}/`);
}

const ANY_SUBDOMAIN = '*.';

function withoutLastDots(host: string): string {
  let end = host.length;
  while (host[end - 1] === '.') end -= 1;
  return host.slice(0, end);
}

/**
 * The path as URL standards read it. The URL parser has already removed `.` and `..`, including percent-encoded ones.
 */
function exactPath(path: string): string {
  return decodeUnreserved(path).replaceAll(/\/{2,}/gu, '/');
}

/** The path as a lenient server reads it: decoded twice, in lower case, with `\` as `/`, without `;parameters`. */
function loosePath(path: string): string {
  const decoded = decodeAscii(decodeAscii(path)).toLowerCase().replaceAll('\\', '/');
  const parts: string[] = [];
  for (const part of decoded.split('/')) {
    const name = part.split(';', 1)[0] ?? '';
    if (name === '..') parts.pop();
    else if (name !== '' && name !== '.') parts.push(name);
  }
  return `/${parts.join('/')}${decoded.endsWith('/') && parts.length > 0 ? '/' : ''}`;
}

function decodeAscii(text: string): string {
  return text.replaceAll(/%[0-7][0-9a-f]/giu, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
}

/**
 * Parses a site that a person enters: `example.com`, `*.example.com`, `example.com/admin`, or a URL.
 * @returns an error message for the person if the text is not a site
 */
export function parseSite(text: string): Pick<SiteRule, 'host' | 'path'> | string {
  const typed = text.trim().replace(/^https?:\/\//iu, '');
  const hasAny = typed.startsWith(ANY_SUBDOMAIN);
  const named = hasAny ? typed.slice(ANY_SUBDOMAIN.length) : typed;
  if (typed.length > RULE_HOST_CHARS_MAX + RULE_PATH_CHARS_MAX) return 'That is too long for a site.';
  if (named.split(/[/?#]/u, 1)[0]?.includes('*') === true || named === '')
    return 'Use a host such as example.com, or *.example.com for a domain with its subdomains.';
  const url = /^[^/?#\s]+(?:[/?#]|$)/u.test(named) ? URL.parse(`https://${named}`) : null;
  if (url === null || url.username + url.password !== '')
    return 'Use a host such as example.com, or *.example.com for a domain with its subdomains.';
  if (/^[^/?#]*:\d*(?:[/?#]|$)/u.test(named.replace(/^\[[^\]]*\]/u, '')))
    return 'Leave out the port: a rule is for a host with all its ports.';
  if (url.search + url.hash !== '' || /[?#]/u.test(named)) return 'Leave out everything from ? or # on.';
  const host = withoutLastDots(url.hostname);
  if (host === '' || host.length > RULE_HOST_CHARS_MAX - ANY_SUBDOMAIN.length) return 'That is not the name of a host.';
  if (hasAny && /^\[|^[\d.]+$/u.test(host)) return 'An IP address has no subdomains. Leave out “*.”.';
  const path = exactPath(url.pathname);
  if (path.length > RULE_PATH_CHARS_MAX) return `A path can have ${RULE_PATH_CHARS_MAX} characters at most.`;
  return { host: hasAny ? ANY_SUBDOMAIN + host : host, path };
}

/** Writes a site in the form that {@link parseSite} parses. */
export function formatSite({ host, path }: Pick<SiteRule, 'host' | 'path'>): string {
  return path === '/' ? host : host + path;
}

/**
 * Adds a rule below narrower rules and above wider ones, so that each takes effect: `example.com/admin` comes before
 * `example.com`. If neither of two rules is narrower, the stricter one comes first. A new rule for the same site
 * replaces the old one, but stays above looser rules that were below it.
 * @returns the rules and the index of the new one; `null` if the list is full
 */
export function addRule(rules: readonly SiteRule[], rule: SiteRule): { rules: SiteRule[]; at: number } | null {
  const isReplaced = (one: SiteRule) => isWithin(one, rule) && isWithin(rule, one);
  const others = rules.filter((one) => !isReplaced(one));
  if (others.length >= SITE_RULES_MAX) return null;
  const replaced = rules.findIndex(isReplaced);
  const off = others.findIndex((one, at) => at >= replaced && meet(one, rule) && isStricter(rule, one));
  const higher = replaced === -1 || off === -1 ? others : others.slice(0, off);
  const below = higher.findLastIndex((one) => comesFirst(one, rule)) + 1;
  const above = higher.findIndex((one) => comesFirst(rule, one));
  // If the person has reordered rules, there may be no place that fits. The rule then goes below the rules it would
  // weaken.
  const isWeakened = (one: SiteRule) => isStricter(one, rule) && comesFirst(one, rule) && !isOff(one, rule, rules);
  const at = above === -1 || below <= above ? below : Math.max(above, higher.findLastIndex(isWeakened) + 1);
  return { rules: others.toSpliced(at, 0, rule), at };
}

/** True if a rule above `one` that is not stricter than `added` covers all pages that both `one` and `added` cover. */
function isOff(one: SiteRule, added: SiteRule, rules: readonly SiteRule[]): boolean {
  const shared = {
    ...one,
    host: hostWithin(one, added) ? one.host : added.host,
    path: coversPath(one.path, added.path) ? added.path : one.path,
  };
  return rules.slice(0, rules.indexOf(one)).some((other) => isWithin(shared, other) && !isStricter(other, added));
}

/** True if `one` must be above `other`: it is narrower, or it is stricter and covers some of the same pages. */
function comesFirst(one: SiteRule, other: SiteRule): boolean {
  const [isNarrower, isWider] = [isLooselyWithin(one, other), isLooselyWithin(other, one)];
  return isNarrower === isWider ? meet(one, other) && isStricter(one, other) : isNarrower;
}

/** True if some page is covered by both rules. */
function meet(one: SiteRule, other: SiteRule): boolean {
  const hostsMeet = hostWithin(one, other) || hostWithin(other, one);
  return hostsMeet && (coversPathLoosely(other.path, one.path) || coversPathLoosely(one.path, other.path));
}

function isLooselyWithin(one: SiteRule, other: SiteRule): boolean {
  return hostWithin(one, other) && coversPathLoosely(other.path, one.path);
}

/** True if a server with an exact or with a lenient reading of paths would find that `prefix` covers `path`. */
function coversPathLoosely(prefix: string, path: string): boolean {
  return coversPath(prefix, path) || coversPath(loosePath(prefix), loosePath(path));
}

function isWithin(one: SiteRule, other: SiteRule): boolean {
  return hostWithin(one, other) && coversPath(other.path, one.path);
}

function hostWithin({ host }: SiteRule, other: SiteRule): boolean {
  if (!host.startsWith(ANY_SUBDOMAIN)) return coversHost(other.host, host);
  return other.host.startsWith(ANY_SUBDOMAIN) && coversHost(other.host, host.slice(ANY_SUBDOMAIN.length));
}

/**
 * Moves a rule up or down by one place.
 * @returns the same rules if it is already the first or last
 */
export function moveRule(rules: readonly SiteRule[], at: number, by: -1 | 1): SiteRule[] {
  const moved = [...rules];
  const [one, other] = [moved[at], moved[at + by]];
  if (one === undefined || other === undefined) return moved;
  moved[at] = other;
  moved[at + by] = one;
  return moved;
}
