import { formFacts } from './field-kinds.ts';
import { findMeaning, isMessageField, readHints } from './words/words.ts';

/** Maximum characters of a body that asks for a part of a list. */
const BODY_CHARS_MAX = 4_000;
const FIELDS_MAX = 30;
/** Maximum characters of a value that is no query. A longer one may be a text that somebody wrote. */
const VALUE_CHARS_MAX = 200;
/** Maximum characters of a page number or a cursor. */
const PLACE_CHARS_MAX = 100;

type FormRequest = { url: string; method: string; resourceType: string; contentType: string; body: string | null };

/**
 * True if a script asks for a part of a list, such as its next page, with a form. No field, and no word of the address,
 * names an act or a value that a person is asked about.
 */
export function asksForList({ url, method, resourceType, contentType, body }: FormRequest): boolean {
  const isScripts = resourceType === 'XHR' || resourceType === 'Fetch';
  if (!isScripts || method.toUpperCase() !== 'POST' || body === null || body.length > BODY_CHARS_MAX) return false;
  if (!/^application\/x-www-form-urlencoded\b/iu.test(contentType)) return false;
  const fields = [...new URLSearchParams(body)];
  if (fields.length > FIELDS_MAX || namesAct(addressWords(url)) || holdsPrivate(fields)) return false;
  return fields.some(isAboutList) && fields.every((field) => isAboutList(field) || isHarmless(field));
}

/** The address without its host, which may be named after anything. */
function addressWords(url: string): string {
  const address = URL.parse(url);
  return address === null ? '' : `${address.pathname} ${address.search}`.replaceAll(/[^\p{L}\p{N}]+/gu, ' ');
}

function namesAct(words: string): boolean {
  return findMeaning(readHints(words)) !== null;
}

function isAboutList([name, value]: [string, string]): boolean {
  if (SEARCHES.test(name) || (/^order$/iu.test(name) && /^(?:asc|desc)/iu.test(value))) return true;
  return PLACES.test(name) && value.length <= PLACE_CHARS_MAX && !/\s/u.test(value);
}

const SEARCHES = /^(?:q|s|query|search|keywords?|term|filters?(?:\[\w*\])*)$/iu;
const PLACES =
  /^(?:page|paged|current_?page|page_?(?:no|num|number|index|size)|per_?page|offset|skip|cursor|sort|sort_?by|order_?by)$/iu;

function isHarmless([name, value]: [string, string]): boolean {
  if (value.length > VALUE_CHARS_MAX || /[\r\n]/u.test(value) || NAMES_RECEIVER.test(name)) return false;
  return !isMessageField(readHints(name)) && !namesAct(name) && !namesAct(value);
}

/** Names of fields that say what is sent, or to whom. */
const NAMES_RECEIVER = /e-?mail|phone|amount|recipient|^(?:to|tel|text|body|content)$/iu;

function holdsPrivate(fields: readonly [string, string][]): boolean {
  const seen = fields.map(([name, value]) => ({
    type: 'text',
    name,
    label: '',
    autocomplete: '',
    value,
    chars: value.length,
  }));
  const { has } = formFacts({ method: 'post', action: '', isSearch: false, submit: '', digest: '', fields: seen });
  return has.length > 0 || fields.some(([name]) => SECRET_NAME.test(name));
}

const SECRET_NAME = /pass|pwd|secret|pin$|otp|cvc|cvv|card/iu;
