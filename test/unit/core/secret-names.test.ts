import { describe, expect, it } from 'vitest';
import { isPrivateField } from '#core/secrets/private-fields.ts';
import { redactText, redactUrl } from '#core/secrets/secret-addresses.ts';
import { isSecretName } from '#core/secrets/secret-names.ts';

const NAMES = [
  'sig',
  'pin',
  'key',
  'code',
  'ticket',
  'X-Amz-Signature',
  'apiKey',
  'shareId',
  'csrf_token',
  'set-cookie',
  'inviteCode',
];
const OTHERS = [
  'code_style',
  'key_stage',
  'statusCode',
  'error-code',
  'country_code',
  'keyword',
  'author',
  'page',
  'design',
];

describe('a name that says that a secret stands under it', () => {
  it.each(NAMES)('is one for everybody who asks: %s', (name) => {
    expect(isSecretName(name)).toBe(true);
    expect(redactUrl(`https://a.dev/?${name}=k2`)).toBe(`https://a.dev/?${name}=REDACTED`);
    expect(redactText(`{"${name}":"k2"}`)).toBe(`{"${name}":"REDACTED"}`);
  });

  it.each(OTHERS)('is none for anybody: %s', (name) => {
    expect(isSecretName(name)).toBe(false);
    expect(redactUrl(`https://a.dev/?${name}=k2`)).toBe(`https://a.dev/?${name}=k2`);
    expect(redactText(`{"${name}":"k2"}`)).toBe(`{"${name}":"k2"}`);
  });
});

describe('a field whose value is private', () => {
  const field = (words: Partial<Parameters<typeof isPrivateField>[0]>) =>
    isPrivateField({ type: 'text', autocomplete: '', name: '', id: '', ...words });

  it.each([
    { type: 'password' },
    { type: ' Password ' },
    { autocomplete: 'section-a billing cc-number' },
    { autocomplete: 'cc-csc' },
    { autocomplete: 'cc-exp' },
    { autocomplete: 'one-time-code' },
    { autocomplete: 'new-password webauthn' },
    { name: 'user_password' },
    { id: 'otp' },
    { name: 'cardNumber' },
    { name: 'card[number]' },
    { id: 'CVC' },
  ])('is told by its HTML: %o', (words) => {
    expect(field(words)).toBe(true);
  });

  it.each([
    { type: 'tel' },
    { autocomplete: 'cc-name' },
    { autocomplete: 'postal-code' },
    { autocomplete: 'username' },
    { name: 'compass' },
    { id: 'option' },
    { name: 'discard' },
  ])('is no other: %o', (words) => {
    expect(field(words)).toBe(false);
  });
});
