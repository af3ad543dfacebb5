/**
 * Which name says that a secret stands under it: of a parameter of an address, a header, a member of JSON, a field of a
 * form. The one definition of it; docs/security.md has it in words.
 */
export function isSecretName(name: string): boolean {
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  if (last.replace(/s$/, '') === 'code' && CODES_OF_OTHERS.has(words.at(-2) ?? '')) return false;
  if (words.some((word) => isOne(SECRET_WORDS, word))) return true;
  return isOne(SECRET_LAST_WORDS, last) || SECRET_ENDS.test(last);
}

/** `X-Amz-Signature` → x, amz, signature; `shareId` → share, id. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
}

function isOne(words: ReadonlySet<string>, word: string): boolean {
  return words.has(word) || words.has(word.replace(/s$/, ''));
}

/** Wherever they stand in the name. */
const SECRET_WORDS = setOf(
  'token secret password passwd passphrase passcode pwd signature sig hmac jwt bearer assertion saml samlresponse credential auth authorization authentication oauth session sess jsessionid phpsessid share shared sharing invite invitation invitee ticket magic otp totp cookie csrf xsrf nonce capability sas',
);
/** At the end of it only: elsewhere they say something else, as in `code_style` and `key_stage`. */
const SECRET_LAST_WORDS = setOf('key code pass pw pin sid sign grant');
/** Before a code, they say that it is none that opens anything. */
const CODES_OF_OTHERS = setOf(
  'status error exit http response country language lang currency zip postal postcode area',
);
/** Names written in one word. */
const SECRET_ENDS =
  /(?:token|secret|password|passwd|signature|credential|session(?:id)?|sessid|(?:api|access|auth|private|public|secret|share|rl|resource|client|user|group|tree|guest|view|edit|download|link|form|login)key|(?:auth|invite|access|share|pass|login|reset|join)code)s?$/;

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}
