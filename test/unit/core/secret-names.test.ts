import { describe, expect, it } from 'vitest';
import { isPrivateField } from '#core/secrets/private-fields.ts';
import { hasSecretInUrl, isSecretParameterName, redactText, redactUrl } from '#core/secrets/secret-addresses.ts';
import guide from '../../../docs/security.md?raw';

const RULES: Record<string, string> = import.meta.glob('../../../src/core/secrets/secret-*.ts', {
  eager: true,
  query: '?raw',
  import: 'default',
});

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

describe('a name that indicates a secret', () => {
  it.each(NAMES)('is recognised by every check: %s', (name) => {
    expect(isSecretParameterName(name)).toBe(true);
    expect(redactUrl(`https://a.dev/?${name}=k2`)).toBe(`https://a.dev/?${name}=REDACTED`);
    expect(redactText(`{"${name}":"k2"}`)).toBe(`{"${name}":"REDACTED"}`);
  });

  it.each(OTHERS)('is distinguished from %s', (name) => {
    expect(isSecretParameterName(name)).toBe(false);
    expect(redactUrl(`https://a.dev/?${name}=k2`)).toBe(`https://a.dev/?${name}=k2`);
    expect(redactText(`{"${name}":"k2"}`)).toBe(`{"${name}":"k2"}`);
  });
});

describe('a field with a private value', () => {
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
    { name: 'card[cvc]' },
    { id: 'cc-csc' },
    { name: 'cc-exp-month' },
    { id: 'cardExpiry' },
    { name: 'card_expiration_year' },
  ])('is recognised by its HTML: %o', (words) => {
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
    { id: 'discardExpired' },
    { id: 'ccExplanation' },
  ])('is distinguished from other fields: %o', (words) => {
    expect(field(words)).toBe(false);
  });
});

describe('docs/security.md', () => {
  const quotedIn = (text: string) => Array.from(text.matchAll(/`([^`]+)`/g), ([, word]) => word ?? '');
  const row = (part: string) => guide.split('\n').find((line) => line.startsWith(`| ${part} `)) ?? '';
  const [anywhere = '', last = '', ends = ''] = row('a parameter by its name').split(';');

  it('states for each word where in a name it counts', () => {
    const [others = ''] = /\([^)]*\)/.exec(last) ?? [];
    const atTheEnd = last.replace(others, '');
    for (const words of [anywhere, atTheEnd, others, ends]) expect(quotedIn(words).length).toBeGreaterThan(3);
    for (const word of quotedIn(anywhere))
      expect([word, isSecretParameterName(`my_${word}_name`)]).toEqual([word, true]);
    for (const word of quotedIn(atTheEnd)) {
      expect([word, isSecretParameterName(`my_${word}`), isSecretParameterName(`${word}_name`)]).toEqual([
        word,
        true,
        false,
      ]);
    }
    for (const word of quotedIn(others)) expect([word, isSecretParameterName(`${word}_code`)]).toEqual([word, false]);
    for (const word of quotedIn(ends)) expect([word, isSecretParameterName(`my${word}`)]).toEqual([word, true]);
  });

  it('states after which words a short text is a secret', () => {
    const [, , counts = ''] = row('a segment behind a place').split('|');
    expect(quotedIn(counts).length).toBeGreaterThan(20);
    for (const place of quotedIn(counts))
      expect([place, hasSecretInUrl(`https://a.dev/${place}/x7Gh2k`)]).toEqual([place, true]);
  });

  it('lists every word of the rules', () => {
    const lists = Array.from(
      Object.values(RULES)
        .join('')
        .matchAll(/= setOf\(\s*'([^']+)'/g),
      ([, list]) => list ?? '',
    );
    expect(lists).toHaveLength(5);
    const words = lists.flatMap((list) => list.split(' '));
    expect(words.filter((word) => !guide.includes(`\`${word}\``))).toEqual([]);
  });
});
