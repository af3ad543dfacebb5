import { describe, expect, it } from 'vitest';
import { redactText } from '#core/secrets/secret-addresses.ts';

const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U';

describe('a redacted text', () => {
  it.each([
    ['{"access_token":"hunter2 and more","expires_in":3600}', '{"access_token":"REDACTED","expires_in":3600}'],
    [
      '{"apiKey":"k","accessToken":"a\\"b","name":"Ada"}',
      '{"apiKey":"REDACTED","accessToken":"REDACTED","name":"Ada"}',
    ],
    ['"{\\"token\\":\\"abc\\",\\"ok\\":true}"', '"{\\"token\\":\\"REDACTED\\",\\"ok\\":true}"'],
    ['user=ada&password=kelp&csrf_token=12', 'user=ada&password=REDACTED&csrf_token=REDACTED'],
    ['Authorization: Bearer abcdef.ghi', 'Authorization: REDACTED REDACTED'],
    [`token is ${JWT}!`, 'token is REDACTED!'],
    [
      '<input name="csrf_token" value="abc def"><input name="q" value="cats">',
      '<input name="csrf_token" value="REDACTED"><input name="q" value="cats">',
    ],
    ['<input value="a<b" type="password"><p>', '<input value="REDACTED" type="password"><p>'],
    [`a.${JWT}.b eyAB.cd. eyABCDEF.x.y`, 'a.REDACTED.b eyAB.cd. eyABCDEF.x.y'],
    ['<input type=password value=kelp>', '<input type=password value="REDACTED">'],
    ['see https://a.example/x?token=kelp&page=2 now', 'see https://a.example/x?token=REDACTED&page=2 now'],
    ['id 9f8a7c6b5d4e3f2a1b0c9d8e7f6a5b4c here', 'id REDACTED here'],
    [
      '{"sig":"a1","pin":"4711","key":"k9","code":"82 11","ticket":"t"}',
      '{"sig":"REDACTED","pin":"REDACTED","key":"REDACTED","code":"REDACTED","ticket":"REDACTED"}',
    ],
    [
      'sig=a1&pin=4711&key=k9&code=8211&ticket=t7&page=2',
      'sig=REDACTED&pin=REDACTED&key=REDACTED&code=REDACTED&ticket=REDACTED&page=2',
    ],
    ['<input name="cc-number" value="4111">', '<input name="cc-number" value="REDACTED">'],
    ['<input autocomplete="one-time-code" value="123456">', '<input autocomplete="one-time-code" value="REDACTED">'],
  ])('replaces %s: %s', (text, shown) => {
    expect(redactText(text)).toBe(shown);
  });

  it.each([
    'TypeError: Cannot read properties of undefined (reading "total") at checkout.js:10:5',
    '{"error":"out of stock","code":"E_STOCK","authenticated":false,"token":null,"items":[1,2]}',
    'Loaded 12 orders in 340 ms',
    'author=Ada&keyword=cats',
    '{"statusCode":503,"errorCode":"x","country_code":"DE","code":404,"exit_code":1}',
    'code: ENOENT, code: ERR_HTTP_HEADERS_SENT',
  ])('is unchanged without a secret: %s', (text) => {
    expect(redactText(text)).toBe(text);
  });

  it('contains none of the values known to be secret', () => {
    expect(redactText('a cookie abc-of-the-test in a text, and ab', ['abc-of-the-test', 'ab'])).toBe(
      'a cookie REDACTED in a text, and ab',
    );
  });
});
