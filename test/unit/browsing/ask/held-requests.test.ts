import { expect, test } from 'vitest';
import { isExplained } from '#browsing/session/asking/session-asking.ts';

const form = {
  url: 'https://shop.example/find',
  method: 'POST',
  resourceType: 'Document',
  contentType: 'application/x-www-form-urlencoded',
  hasBody: true,
  body: 'q=tea',
};
const approved = { receiver: 'https://shop.example', at: 1_000 };
const ordinary = { ...approved, only: form.url };

test('an approved act explains requests to its receiver for five seconds', () => {
  expect(isExplained({ ...form, resourceType: 'Fetch' }, approved, 6_000)).toBe(true);
  expect(isExplained(form, approved, 6_001)).toBe(false);
  expect(isExplained({ ...form, url: 'https://other.example/find' }, approved, 2_000)).toBe(false);
  expect(isExplained(form, null, 2_000)).toBe(false);
});

test('an ordinary form explains only its own document', () => {
  expect(isExplained(form, ordinary, 2_000)).toBe(true);
  // Chromium reports requests without the fragment of the form's address.
  expect(isExplained(form, { ...ordinary, only: `${form.url}#results` }, 2_000)).toBe(true);
  expect(isExplained({ ...form, resourceType: 'Fetch' }, ordinary, 2_000)).toBe(false);
  expect(isExplained({ ...form, url: 'https://shop.example/buy' }, ordinary, 2_000)).toBe(false);
});
