import { expect, test } from 'vitest';
import { isExplainedByApproval } from '#browsing/session/asking/session-asking.ts';

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
  expect(isExplainedByApproval({ ...form, resourceType: 'Fetch' }, approved, 6_000)).toBe(true);
  expect(isExplainedByApproval(form, approved, 6_001)).toBe(false);
  expect(isExplainedByApproval({ ...form, url: 'https://other.example/find' }, approved, 2_000)).toBe(false);
  expect(isExplainedByApproval(form, null, 2_000)).toBe(false);
});

test('an ordinary form explains only its own document', () => {
  expect(isExplainedByApproval(form, ordinary, 2_000)).toBe(true);
  // Chromium reports requests without the fragment of the form's address.
  expect(isExplainedByApproval(form, { ...ordinary, only: `${form.url}#results` }, 2_000)).toBe(true);
  expect(isExplainedByApproval({ ...form, resourceType: 'Fetch' }, ordinary, 2_000)).toBe(false);
  expect(isExplainedByApproval({ ...form, url: 'https://shop.example/buy' }, ordinary, 2_000)).toBe(false);
});
