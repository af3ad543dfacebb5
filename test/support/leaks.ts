import { describeConfig } from '#core/config/config.ts';

/** The end of a start's own output; the log follows. */
const LOG_FOLLOWS = 'One JSON line per call follows.';

/** Patterns of credentials from any issuer. */
const CREDENTIALS: readonly { what: string; pattern: RegExp }[] = [
  { what: 'a token or code of a grant', pattern: /\bo_[\w-]{22}:[\w-]+:[\w-]+/u },
  { what: 'an access token', pattern: /\bpsc_[\w-]{8,}/u },
  { what: 'a bearer header', pattern: /\bBearer\s+[\w.~+/-]{8,}/iu },
  { what: 'a basic header', pattern: /\bBasic\s+[\w+/]{8,}=*/u },
  { what: 'a cookie', pattern: /\b(?:__Host-)?periscope-+(?:session|browser|form)=/u },
  { what: 'a credential in a URL', pattern: /\bhttps?:\/\/[^\s/"@]+@/iu },
  {
    what: 'a secret in a query',
    pattern:
      /[?&](?:code|token|access_token|refresh_token|client_secret|code_verifier|passphrase)=(?!REDACTED\b)[^\s&"]/iu,
  },
];

/**
 * Names the credentials in a server's log, without quoting them.
 * @param settings of that server; the values of its secrets are searched for
 */
export function leaksIn(output: string, settings: Record<string, string>): string[] {
  const at = output.indexOf(LOG_FOLLOWS);
  const log = at === -1 ? output : output.slice(at + LOG_FOLLOWS.length);
  const secretNames = describeConfig().flatMap(({ name, secret }) => (secret ? [name] : []));
  const known = secretNames.filter((name) => (settings[name] ?? '') !== '' && log.includes(settings[name] ?? ''));
  const found = CREDENTIALS.filter(({ pattern }) => pattern.test(log)).map(({ what }) => what);
  return [...known.map((name) => `the value of ${name}`), ...found];
}
