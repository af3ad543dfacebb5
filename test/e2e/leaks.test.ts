import { describe, expect, it } from 'vitest';
import { leaksIn } from '#support/leaks.ts';

/** The output of every server in these suites, and of the tests, is checked like this. */
describe('a search for secrets in the log of a server', () => {
  const welcome =
    'Passphrase  seven otters\n  Authorization: Bearer local_token\nOne JSON line per call follows. Ctrl-C stops.\n';
  const settings = { OWNER_PASSPHRASE: 'seven otters', LOCAL_ACCESS_TOKEN: 'local_token', MAX_BYTES: '5000000' };

  it('ignores values that the start shows on purpose, and values that are not secret', () => {
    const line = '{"tool":"open_url","url":"https://a.dev/x?page=2","bytes":5000000,"request_id":"0b9f"}';
    expect(leaksIn(welcome + line, settings)).toEqual([]);
    expect(leaksIn('{"url":"https://a.dev/?access_token=REDACTED"}', settings)).toEqual([]);
  });

  it.each([
    ['{"url":"seven otters"}', 'OWNER_PASSPHRASE'],
    ['{"x":"local_token"}', 'LOCAL_ACCESS_TOKEN'],
    [`{"x":"o_${'a'.repeat(22)}:grant:secret"}`, 'token or code'],
    [`{"x":"psc_${'a'.repeat(43)}"}`, 'access token'],
    ['Authorization: Bearer abcdefghijk', 'bearer'],
    ['{"authorization":"Basic dXNlcjpwYXNz"}', 'basic'],
    ['set-cookie: __Host-periscope-session=abc', 'cookie'],
    ['{"url":"https://user:pass@a.dev/"}', 'URL'],
    ['{"url":"https://a.dev/callback?code=abc"}', 'query'],
  ])('finds a secret in %s', (line, words) => {
    const found = leaksIn(welcome + line, settings);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(words);
  });
});
