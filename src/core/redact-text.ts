import { looksUnguessable } from './unguessable.ts';
import { redactUrl } from './secret-addresses.ts';

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

/** Whether a header, a field or a parameter of this name holds a secret. */
export function isSecretName(name: string): boolean {
  const plain = name.replace(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase();
  return SECRET_NAME.test(plain) || SECRET_END.test(plain.replaceAll(/[^a-z]/g, ''));
}

const REDACTED = 'REDACTED';
/** A shorter value would be found in words that have nothing to do with it. */
const SECRET_CHARS_MIN = 6;
const SECRET_NAME =
  /(?:^|[^a-z])(?:tokens?|secrets?|passwords?|passwd|passphrase|passcode|pwd|signature|hmac|jwt|bearer|assertion|credentials?|auth|authorization|authentication|cookies?|csrf|xsrf|otp|totp|sid|sess|session|nonce)(?:[^a-z]|$)/;
const SECRET_END =
  /(?:token|secret|password|passwd|signature|sessionid|sessid|(?:api|access|auth|private|secret)key)s?$/;
/** What says whether there is a secret, not which. */
const HARMLESS = /^["']?(?:true|false|null|undefined|none|REDACTED|)["']?$/i;
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
  if (/\btype\s*=\s*["']?password/i.test(tag)) return true;
  const [, name = ''] = /\b(?:name|id|property)\s*=\s*["']?([\w.:-]{1,100})/i.exec(tag) ?? [];
  return isSecretName(name);
}

function quotedAs(value: string): string {
  const [quote = ''] = /^\\?["']/.exec(value) ?? [];
  return quote + REDACTED + quote;
}
