import { findActionMeaning, hintsToLexiconText } from './words/words.ts';

/** Maximum characters of a body that asks for a part of a list. */
const BODY_CHARS_MAX = 4_000;
const FIELDS_MAX = 30;
/** Maximum characters of a value. A longer value may be a text that a user wrote. */
const VALUE_CHARS_MAX = 200;
/** Maximum characters of a path and query. Longer texts are not compared with words of acts. */
const ADDRESS_CHARS_MAX = 400;

type FormRequest = { url: string; method: string; resourceType: string; contentType: string; body: string | null };

/**
 * True if a script asks for a part of a list, such as its next page, with a form. The address must not name an act, and
 * all fields must be known to concern lists. Any other field may name an act, in other languages or shortened
 * (`act=del`).
 */
export function isListLoadingRequest({ url, method, resourceType, contentType, body }: FormRequest): boolean {
  const isScripts = resourceType === 'XHR' || resourceType === 'Fetch';
  if (!isScripts || method.toUpperCase() !== 'POST' || body === null || body.length > BODY_CHARS_MAX) return false;
  if (!/^application\/x-www-form-urlencoded\b/iu.test(contentType) || mayNameAct(url)) return false;
  const fields = [...new URLSearchParams(body)];
  if (fields.length > FIELDS_MAX) return false;
  return fields.some(isAboutList) && fields.every((field) => isAboutList(field) || belongsToList(field));
}

/**
 * True if words of an address name an act, or cannot be read. The host is ignored, because it may be named after
 * anything.
 */
function mayNameAct(url: string): boolean {
  const address = URL.parse(url);
  if (address === null || address.pathname.length + address.search.length > ADDRESS_CHARS_MAX) return true;
  try {
    const text = decodeURIComponent(`${address.pathname} ${address.search}`);
    return namesAct(text.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' '));
  } catch {
    return true;
  }
}

function namesAct(text: string): boolean {
  const read = hintsToLexiconText(text);
  return findActionMeaning(read) !== null || read.words.some((word) => CHANGES.test(word));
}

/**
 * Words for changes that are used in programs. Buttons do not have such words, or they are written as one word
 * (`deleteitem`).
 */
const CHANGES =
  /^(?:add|alter|archive|create|del|drop|edit|follow|insert|like|mark|patch|put|rm|save|set|toggle|update|upload|write)$|^(?:approve|buy|cancel|delete|place|publish|purchase|remove|send|submit|transfer|trash|unlink|withdraw)\p{L}/u;

function isAboutList([name, value]: [string, string]): boolean {
  if (value.length > VALUE_CHARS_MAX) return false;
  if (SEARCHES.test(name)) return !STATEMENT.test(value);
  if (PAGES.test(name)) return /^\d+$/u.test(value);
  if (/^order$/iu.test(name)) return /^(?:asc|desc)/iu.test(value);
  return PLACES.test(name) && !/\s/u.test(value);
}

const SEARCHES = /^(?:q|s|query|search|keywords?|term|filters?(?:\[\w*\])*)$/iu;
const PAGES = /^(?:page|paged|current_?page|page_?(?:no|num|number|index|size)|per_?page|offset|skip)$/iu;
const PLACES = /^(?:cursor|sort|sort_?by|order_?by)$/iu;
/** Matches text in a query language (GraphQL, SQL), which may change data. Users do not search for such text. */
const STATEMENT =
  /[{};\r\n]|^\s*(?:alter|create|delete\s+from|drop|grant|insert|merge|replace|revoke|truncate|update)\s/iu;

/** True for fields that come with a list: the name of its program, a proof of origin, a choice of entries. */
function belongsToList([name, value]: [string, string]): boolean {
  if (value.length > VALUE_CHARS_MAX) return false;
  if (PROGRAM.test(name)) return hintsToLexiconText(value).words.some((word) => READS.test(word)) && !namesAct(value);
  if (PROOF.test(name)) return !/\s/u.test(value);
  return CHOICE.test(name) && /^[\p{L}\p{N}.,:_ -]*$/u.test(value);
}

const PROGRAM = /^(?:act|action|cmd|do|func|function|mode|op|task)$/iu;
const READS =
  /^(?:fetch|filter|find|get|infinite|list|load|more|next|pag|prev|query|scroll|search|show|sort|suggest|view)/u;
const PROOF = /^_*(?:wp_?|ajax_?)?(?:nonce|csrf[\w-]*|xsrf[\w-]*|security|token)$/iu;
const CHOICE =
  /^(?:brand|cat|category|colou?r|count|date|dir|direction|lang|language|layout|limit|locale|month|(?:max|min)_?(?:date|price|size|year)|post_?(?:id|type)|price|region|size|start|tag|taxonomy|year)s?(?:\[\w*\])*$/iu;
