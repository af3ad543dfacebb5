import { looksUnguessable } from './unguessable.ts';
import { isPrivateField } from './private-fields.ts';
import { redactUrl } from './secret-addresses.ts';
import { isSecretName } from './secret-names.ts';

/**
 * Text that programs wrote, fit to be shown: what opens something to whoever knows it is replaced by `REDACTED`. Those are
 * the given values, tokens by their looks, secrets of addresses, and whatever stands under a name that says that it is one.
 *
 * @param secrets values that are known to be secret, such as those of cookies
 */
export function redactText(text: string, secrets: readonly string[] = []): string {
  let safe = text;
  for (const secret of secrets) if (secret.length >= SECRET_CHARS_MIN) safe = safe.replaceAll(secret, REDACTED);
  return safe
    .replace(ADDRESS, (address) => redactUrl(address))
    .replace(TAG, (tag) => (isSecretTag(tag) ? tag.replace(VALUE_OF_TAG, `$1"${REDACTED}"`) : tag))
    .replace(SCHEME, `$1 ${REDACTED}`)
    .replace(JWT, REDACTED)
    .replace(NAMED, (whole, before: string, name: string, between: string, value: string) =>
      isSecretName(name) && !HARMLESS.test(value) ? `${before}${name}${between}${quotedAs(value)}` : whole,
    )
    .replace(RUN, (run) => (looksUnguessable(run) ? REDACTED : run));
}

const REDACTED = 'REDACTED';
/** A shorter value would be found in words that have nothing to do with it. */
const SECRET_CHARS_MIN = 6;
/** What says whether there is a secret, not which; an error of a program by its name; a status of HTTP. */
const HARMLESS =
  /^["']?(?:[Tt]rue|[Ff]alse|null|undefined|[Nn]one|REDACTED|[A-Z]+(?:_[A-Z]+)+|E[A-Z]{3,}|[1-5]\d\d|)["']?$/;
const ADDRESS = /\b(?:https?|wss?):\/\/[^\s"'<>\\)\]}]{1,8192}/gi;
const TAG = /<(?:input|meta)\b[^>]{0,2000}>/gi;
const VALUE_OF_TAG = /(\b(?:value|content)\s*=\s*)(?:"[^"]*"|'[^']*'|[^\s>]+)/gi;
const SCHEME = /\b(Bearer|Basic|Digest)\s+[\w.~+/=-]{6,}/g;
const JWT = /\bey[\w-]{6,}\.[\w-]{2,}\.[\w-]*/g;
/** `"name": "value"`, `name=value`, `name: value`, with the quotes of JSON in a text, too. */
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
  return [name, id, of('property')].some(isSecretName);
}

function quotedAs(value: string): string {
  const [quote = ''] = /^\\?["']/.exec(value) ?? [];
  return quote + REDACTED + quote;
}
