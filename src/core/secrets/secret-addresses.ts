import { isPrivateField } from './private-fields.ts';

/**
 * Finds and redacts secrets in URLs that grant access to anyone who knows them, such as share links, signed URLs and
 * session IDs. docs/security.md states the rule.
 */

/** True for a URL with a secret, even if it is already redacted; false for text that is not a URL. */
export function hasSecretInUrl(text: string): boolean {
  return clean(text, NESTED_MAX)?.isSecret ?? false;
}

/** Removes user info, and replaces secrets in path, query and fragment by `REDACTED`. `(not a URL)` for other text. */
export function redactUrl(text: string): string {
  return clean(text, NESTED_MAX)?.href ?? '(not a URL)';
}

const REDACTED = 'REDACTED';
const NESTED_MAX = 2;

type Cleaned = { href: string; isSecret: boolean };

function clean(text: string, nested: number): Cleaned | null {
  const url = URL.parse(text);
  if (url === null) return null;
  const path = url.host === '' ? same(url.pathname) : cleanPath(url.pathname, nested);
  const query = cleanParts(url.search, /[?&;]/, nested);
  const fragment = cleanParts(url.hash, /[#?&;/]/, nested);
  const hasUser = url.username !== '' || url.password !== '';
  url.username = '';
  url.password = '';
  if (path.isSecret) url.pathname = path.text;
  if (query.isSecret) url.search = query.text;
  if (fragment.isSecret) url.hash = fragment.text;
  return { href: url.href, isSecret: [path, query, fragment].some(({ isSecret }) => isSecret) || hasUser };
}

type Part = { text: string; isSecret: boolean };

function same(text: string): Part {
  return { text, isSecret: false };
}

function cleanPath(path: string, nested: number): Part {
  let before = '';
  const parts = path.split('/').map((segment) => {
    const part = cleanSegment(segment, before, nested);
    before = decoded(segment).toLowerCase();
    return part;
  });
  return { text: parts.map(({ text }) => text).join('/'), isSecret: parts.some(({ isSecret }) => isSecret) };
}

/** Redacts secrets in a path segment, which may have its own parameters: `/page;jsessionid=…`, `/token=…`. */
function cleanSegment(segment: string, before: string, nested: number): Part {
  if (GIT_PLACES.has(before) && GIT_NAME.test(segment)) return same(segment);
  const name = decoded(segment);
  if (SECRET_PLACES.has(before) ? looksMadeUp(name) : looksUnguessable(name)) return { text: REDACTED, isSecret: true };
  return cleanParts(segment, /;/, nested);
}

function cleanParts(text: string, separator: RegExp, nested: number): Part {
  let isSecret = false;
  let before = '';
  const parts = text.split(new RegExp(`(${separator.source})`)).map((part) => {
    if (separator.test(part) || part === '') return part;
    const [, name = '', mark = '', value = ''] = NAME_AND_VALUE.exec(part) ?? ['', '', '', part];
    const place = name === '' ? before : decoded(name);
    before = decoded(part).toLowerCase();
    if (!isSecretValue(place, name === '', decoded(value), nested)) return part;
    isSecret = true;
    return `${name}${mark}${REDACTED}`;
  });
  return { text: parts.join(''), isSecret };
}

const NAME_AND_VALUE = /^([^=:]{1,100})([=:])([^]*)$/;

function isSecretValue(name: string, isAlone: boolean, value: string, nested: number): boolean {
  if (value === '') return false;
  if (value === REDACTED || looksUnguessable(value) || JWT.test(value)) return true;
  if (isAlone) return SECRET_PLACES.has(name) && looksMadeUp(value);
  return isSecretParameterName(name) || holdsSecretAddress(value, nested);
}

const JWT = /^ey[\w-]+\.[\w-]+\.[\w-]*$/;

function holdsSecretAddress(value: string, nested: number): boolean {
  if (nested === 0 || !/^(?:https?:|\/|[^/]{0,100}\?)/i.test(value)) return false;
  return clean(URL.parse(value, 'https://inside.invalid')?.href ?? '', nested - 1)?.isSecret ?? false;
}

/** Path segments that often come before a secret, such as `share` in `/share/x7Kq2mPz`. */
const SECRET_PLACES = setOf(
  's sh shr scl fi d e share shared sharing invite invites invitation invitations join guest preview private secret token reset reset-password password-reset verify confirm activate magic magic-link unsubscribe',
);
/** Path segments after which a hash names a public Git object. */
const GIT_PLACES = setOf('commit commits tree blob raw blame src');
const GIT_NAME = /^(?:[\da-f]{40}|[\da-f]{64})$/;

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Common letter pairs of European languages: five of six pairs in ordinary text, one of four in random text. */
const PAIRS_OF_WORDS = new Set(
  'th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ic ne ea ra ce li ch ll be ma si om ur ca el ta la ns di fo ho pe ec pr no ct us ac ot il tr ly nc et ut ss so rs un lo wa ge ie wh ee wi em ad ol rt po we na ul ni ts mo ow pa im mi ai sh ir su id os iv ia am fi ci vi pl ig tu ev ld ry mp fe bl ab gh ty op wo sa ay ex ke ov ap if sp do uc bu ei by rm ep tt oc ef cu rn sc gi da cr cl du ue ff ba ey ls va um pp up lu go ug ds lt ck ew br bi pt ak pu ui ib ph my sz cz rz zy ze za ka ko sk dz sc hr'.split(
    ' ',
  ),
);

const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/i;
/** Minimum characters of a text that cannot be guessed: 15 characters from an alphabet of 36 are 77 bits. */
const UNGUESSABLE_CHARS = 15;
/**
 * Minimum characters of an unguessable text with `-` or `_`. Longer, because titles in URLs also contain these
 * characters.
 */
const UNGUESSABLE_CHARS_WITH_DASHES = 20;
const DASHED = /^[\w-]+$/;

/**
 * True for a UUID, and for a long run of letters and digits that are not words. Digits alone do not count, because they
 * may be a counter or a date. Takes linear time.
 */
export function looksUnguessable(text: string): boolean {
  if (UUID.test(text)) return true;
  if (wordsOf(text).some((word) => isLong(word, UNGUESSABLE_CHARS) && wordShare(word) < WORD_SHARE_MIN)) return true;
  if (!isLong(text.replace(/[-_]/g, ''), UNGUESSABLE_CHARS_WITH_DASHES)) return false;
  return DASHED.test(text) && wordShare(text) < WORD_SHARE_OF_DASHED_MIN;
}

/** True for a long text with enough different characters. False for `aaaaaaaaaaaaaaaaaaaa`, which is easy to guess. */
function isLong(text: string, chars: number): boolean {
  return text.length >= chars && new Set(text.toLowerCase()).size >= CHARACTERS_MIN;
}

const CHARACTERS_MIN = 6;

/**
 * True for text of six or more characters that does not consist of words. Used where secrets are common, as after
 * `/share/`.
 */
function looksMadeUp(text: string): boolean {
  if (looksUnguessable(text)) return true;
  const longest = Math.max(0, ...wordsOf(text).map((word) => word.length));
  return longest >= MADE_UP_CHARS && wordShare(text) < WORD_SHARE_MIN;
}

const MADE_UP_CHARS = 6;
const WORD_SHARE_MIN = 0.5;
const WORD_SHARE_OF_DASHED_MIN = 0.35;
/**
 * Maximum characters per unusual letter pair in a text that looks random. A text with fewer such pairs is ordinary,
 * such as `order20240115`.
 */
const CHARS_PER_ODD_PAIR_MAX = 4;

function wordsOf(text: string): string[] {
  return text.match(/[a-z\d]+/gi) ?? [];
}

/**
 * Share of letter pairs that are usual in words, from 0 to 1. Pairs of digits do not count. A digit next to a letter,
 * or a capital after a small letter, is rare in words.
 */
function wordShare(text: string): number {
  let ofWords = 0;
  let odd = 0;
  for (let at = 0; at + 1 < text.length; at += 1) {
    const pair = text.slice(at, at + 2);
    if (!LETTERS_OR_DIGITS.test(pair) || DIGITS.test(pair)) continue;
    if (!CAPITAL_INSIDE.test(pair) && PAIRS_OF_WORDS.has(pair.toLowerCase())) ofWords += 1;
    else odd += 1;
  }
  return odd * CHARS_PER_ODD_PAIR_MAX < text.length ? 1 : ofWords / (ofWords + odd);
}

const LETTERS_OR_DIGITS = /^[a-z\d]{2}$/i;
const DIGITS = /^\d\d$/;
const CAPITAL_INSIDE = /^[a-z][A-Z]$/;

/**
 * Redacts text that programs wrote, such as a log. Replaces by `REDACTED`: the given values, strings that look like
 * tokens, secrets in URLs, and values after a name that indicates a secret.
 * @param secrets known values, such as those of cookies
 */
export function redactText(text: string, secrets: readonly string[] = []): string {
  let safe = text;
  for (const secret of secrets) if (secret.length >= SECRET_CHARS_MIN) safe = safe.replaceAll(secret, REDACTED);
  return safe
    .replace(ADDRESS, (address) => redactUrl(address))
    .replace(TAG, (tag) => (isSecretTag(tag) ? tag.replace(VALUE_OF_TAG, `$1"${REDACTED}"`) : tag))
    .replace(SCHEME, `$1 ${REDACTED}`)
    .replace(DOTTED, withoutTokens)
    .replace(NAMED, (whole, before: string, name: string, between: string, value: string) =>
      isSecretParameterName(name) && !HARMLESS.test(value) ? `${before}${name}${between}${quotedAs(value)}` : whole,
    )
    .replace(RUN, (run) => (looksUnguessable(run) ? REDACTED : run));
}

/** Redacts JSON Web Tokens, which have three parts and begin with `ey`. */
function withoutTokens(dotted: string): string {
  const parts = dotted.split('.');
  const kept: string[] = [];
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at] ?? '';
    const begins = part.search(/\bey/);
    const isToken =
      begins >= 0 &&
      part.length - begins - 'ey'.length >= JWT_FIRST_CHARS_MIN &&
      (parts[at + 1] ?? '').length >= JWT_SECOND_CHARS_MIN &&
      at + 2 < parts.length;
    kept.push(isToken ? part.slice(0, begins) + REDACTED : part);
    if (isToken) at += 2;
  }
  return kept.join('.');
}

/** Minimum characters of a known secret to redact. A shorter one would match unrelated words. */
const SECRET_CHARS_MIN = 6;
/** Values that are not secret, even after a name such as `token`: booleans, error names, HTTP statuses. */
const HARMLESS =
  /^["']?(?:[Tt]rue|[Ff]alse|null|undefined|[Nn]one|REDACTED|[A-Z]+(?:_[A-Z]+)+|E[A-Z]{3,}|[1-5]\d\d|)["']?$/;
const ADDRESS = /\b(?:https?|wss?):\/\/[^\s"'<>\\)\]}]+/gi;
const TAG = /<(?:input|meta)\b(?:[^<>]|<(?!(?:input|meta)\b)){0,2000}>/gi;
const VALUE_OF_TAG = /(\b(?:value|content)\s*=\s*)(?:"[^"]*"|'[^']*'|[^\s>]+)/gi;
const SCHEME = /\b(Bearer|Basic|Digest)\s+[\w.~+/=-]{6,}/g;
const DOTTED = /(?<![\w-])[\w-]+(?:\.[\w-]*)+/g;
/** Minimum length of the first part of a JSON Web Token after its `ey`. */
const JWT_FIRST_CHARS_MIN = 6;
/** Minimum length of the second part of a JSON Web Token. */
const JWT_SECOND_CHARS_MIN = 2;
/** Matches `"name": "value"`, `name=value` and `name: value`, also with JSON's escaped quotes in a string. */
const NAMED =
  /(\\?["']?)([\w.-]{2,60})(\\?["']?\s*[:=]\s*)("(?:[^"\\]|\\[^])*"|\\"[^"\\]*\\"|'[^']*'|[^\s,;&<>"'(){}[\]]+)/g;
const RUN = /[\w-]{15,400}/g;

function isSecretTag(tag: string): boolean {
  const of = (wanted: string) =>
    new RegExp(`\\b${wanted}\\s*=\\s*(?:"([^"]{0,100})|'([^']{0,100})|([\\w.:-]{1,100}))`, 'i')
      .exec(tag)
      ?.slice(1)
      .find((one) => one !== undefined) ?? '';
  const [name, id] = [of('name'), of('id')];
  if (isPrivateField({ type: of('type'), autocomplete: of('autocomplete'), name, id })) return true;
  return [name, id, of('property')].some(isSecretParameterName);
}

function quotedAs(value: string): string {
  const [quote = ''] = /^\\?["']/.exec(value) ?? [];
  return quote + REDACTED + quote;
}

/**
 * True for a name of a URL parameter, header, JSON member or form field whose value is a secret. This is the only
 * definition; docs/security.md states the rule.
 */
export function isSecretParameterName(name: string): boolean {
  const words = partsOfName(name);
  const last = words.at(-1) ?? '';
  if (last.replace(/s$/, '') === 'code' && CODES_OF_OTHERS.has(words.at(-2) ?? '')) return false;
  if (words.some((word) => isOne(SECRET_WORDS, word))) return true;
  return isOne(SECRET_LAST_WORDS, last) || SECRET_ENDS.test(last);
}

/** Splits a name: `X-Amz-Signature` → x, amz, signature; `shareId` → share, id. */
function partsOfName(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
}

function isOne(words: ReadonlySet<string>, word: string): boolean {
  return words.has(word) || words.has(word.replace(/s$/, ''));
}

const SECRET_WORDS = setOf(
  'token secret password passwd passphrase passcode pwd signature sig hmac jwt bearer assertion saml samlresponse credential auth authorization authentication oauth session sess jsessionid phpsessid share shared sharing invite invitation invitee ticket magic otp totp cookie csrf xsrf nonce capability sas',
);
/** Words that indicate a secret only as the last word of a name: `code_style` and `key_stage` are harmless. */
const SECRET_LAST_WORDS = setOf('key code pass pw pin sid sign grant');
const CODES_OF_OTHERS = setOf(
  'status error exit http response country language lang currency zip postal postcode area',
);
const SECRET_ENDS =
  /(?:token|secret|password|passwd|signature|credential|session(?:id)?|sessid|(?:api|access|auth|private|public|secret|share|rl|resource|client|user|group|tree|guest|view|edit|download|link|form|login)key|(?:auth|invite|access|share|pass|login|reset|join)code)s?$/;
