import { isSecretName } from './secret-names.ts';
import { looksMadeUp, looksUnguessable } from './unguessable.ts';

/**
 * Addresses that open something to whoever knows them, such as a share link, a signed address or one with a session in
 * it. One rule tells them, and takes out what is secret of them: docs/security.md has it in words.
 */

/** Whether the address is such a one. What is already redacted counts, too; text that is no URL does not. */
export function hasSecret(text: string): boolean {
  return clean(text, NESTED_MAX)?.isSecret ?? false;
}

/**
 * A URL fit for logs, errors and other people: without user info, and what is secret in path, query and fragment
 * replaced by `REDACTED`. Text that is no URL comes back as `(not a URL)`.
 */
export function redactUrl(text: string): string {
  return clean(text, NESTED_MAX)?.href ?? '(not a URL)';
}

const REDACTED = 'REDACTED';
/** Addresses inside of parameters of addresses inside of parameters. */
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

/** A segment may carry parameters of its own: `/page;jsessionid=…`, `/token=…`. */
function cleanSegment(segment: string, before: string, nested: number): Part {
  if (GIT_PLACES.has(before) && GIT_NAME.test(segment)) return same(segment);
  const name = decoded(segment);
  if (SECRET_PLACES.has(before) ? looksMadeUp(name) : looksUnguessable(name)) return { text: REDACTED, isSecret: true };
  return cleanParts(segment, /;/, nested);
}

/** Parameters between separators. What stands alone, without a name, is judged by its looks. */
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
  return isSecretName(name) || holdsSecretAddress(value, nested);
}

const JWT = /^ey[\w-]+\.[\w-]+\.[\w-]*$/;

function holdsSecretAddress(value: string, nested: number): boolean {
  if (nested === 0 || !/^(?:https?:|\/|[^/]{0,100}\?)/i.test(value)) return false;
  return clean(URL.parse(value, 'https://inside.invalid')?.href ?? '', nested - 1)?.isSecret ?? false;
}

/** What follows them in a path is often handed out to some people only. */
const SECRET_PLACES = setOf(
  's sh shr scl fi d e share shared sharing invite invites invitation invitations join guest preview private secret token reset reset-password password-reset verify confirm activate magic magic-link unsubscribe',
);
/** Git names what everybody can have by a hash of it. */
const GIT_PLACES = setOf('commit commits tree blob raw blame src');
const GIT_NAME = /^(?:[\da-f]{40}|[\da-f]{64})$/;

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}

/** Text as its writer meant it; what is encoded wrongly stays as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
