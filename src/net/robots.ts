import { ROBOTS_STEPS_MAX } from './limits.ts';
import { readDirectives } from './robots-lines.ts';
import { encodePattern, matches, normalisePath, TooMuchWork, type Work } from './robots-pattern.ts';

export type RobotsVerdict = {
  allowed: boolean;
  /** The rule that decided, such as `disallow: /private`, in ASCII; `null` when none did. */
  rule: string | null;
  /** Byte comparisons spent. */
  steps: number;
};

type Best = { allow: number; disallow: number; allowText: string; disallowText: string };

const STAR = 0x2a;
const SLASH = 0x2f;
const DOLLAR = 0x24;

/**
 * RFC 9309 over the raw bytes of a robots.txt: groups of our token (else of `*`) merged, the longest matching pattern
 * decides, `allow` wins a tie. Never throws. A file that takes more than {@link ROBOTS_STEPS_MAX} steps closes the site.
 * @param productToken compared without case, exactly.
 * @param encodedPath path and query as a WHATWG URL encodes them.
 */
export function decideRobots(file: Uint8Array, productToken: string, encodedPath: string): RobotsVerdict {
  const work: Work = { steps: 0, limit: ROBOTS_STEPS_MAX };
  try {
    return { ...judge(file, productToken.toLowerCase(), normalisePath(encodedPath), work), steps: work.steps };
  } catch (error) {
    if (error instanceof TooMuchWork) return { allowed: false, rule: null, steps: work.steps };
    throw error;
  }
}

function judge(file: Uint8Array, token: string, path: Uint8Array, work: Work): Omit<RobotsVerdict, 'steps'> {
  const own = nothing();
  const everyone = nothing();
  let isOwn = false;
  let isEveryone = false;
  let hasOwnGroup = false;
  let rulesBegan = false;
  for (const { key, value } of readDirectives(file)) {
    // Other lines (sitemap, crawl-delay, unknown) neither open nor close a group (RFC 9309 §2.2.4).
    if (key === 'other') continue;
    if (key === 'user-agent') {
      if (rulesBegan) isOwn = isEveryone = rulesBegan = false;
      if (isForEveryone(value)) isEveryone = true;
      else if (agentName(value) === token && token !== '') isOwn = hasOwnGroup = true;
      continue;
    }
    rulesBegan = true;
    // Once a group for our token is found, other groups cannot decide.
    if (isOwn) weigh(own, key, value, path, work);
    else if (isEveryone && !hasOwnGroup) weigh(everyone, key, value, path, work);
  }
  const best = hasOwnGroup ? own : everyone;
  if (best.disallow > best.allow) return { allowed: false, rule: best.disallowText };
  return { allowed: true, rule: best.allow > 0 ? best.allowText : null };
}

function nothing(): Best {
  return { allow: 0, disallow: 0, allowText: '', disallowText: '' };
}

function weigh(best: Best, key: 'allow' | 'disallow', value: Uint8Array, path: Uint8Array, work: Work): void {
  const pattern = encodePattern(value);
  if (pattern.length > best[key] && matches(pattern, path, work)) {
    best[key] = pattern.length;
    best[`${key}Text`] = `${key}: ${new TextDecoder().decode(pattern)}`;
    return;
  }
  const directory = key === 'allow' ? directoryOfIndexPage(pattern) : null;
  if (directory !== null) weigh(best, 'allow', directory, path, work);
}

/** `/a/index.html` → `/a/$`: a site that allows its index page means the directory that shows it, too. */
function directoryOfIndexPage(pattern: Uint8Array): Uint8Array | null {
  const slash = pattern.lastIndexOf(SLASH);
  if (slash < 0 || !new TextDecoder().decode(pattern.subarray(slash)).startsWith('/index.htm')) return null;
  const directory = pattern.slice(0, slash + 2);
  directory[slash + 1] = DOLLAR;
  return directory;
}

/** `*` alone or followed by a space and anything. */
function isForEveryone(value: Uint8Array): boolean {
  return value[0] === STAR && (value.length === 1 || value[1] === 0x20 || value[1] === 0x09);
}

/** The product token at the start of the value: versions and further words do not count (RFC 9309 §2.2.1). */
function agentName(value: Uint8Array): string {
  let end = 0;
  while (end < value.length && isTokenByte(value[end] ?? 0)) end += 1;
  return new TextDecoder().decode(value.subarray(0, end)).toLowerCase();
}

function isTokenByte(byte: number): boolean {
  const isLetter = (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;
  return isLetter || byte === 0x2d || byte === 0x5f;
}
