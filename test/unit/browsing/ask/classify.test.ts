import { describe, expect, test } from 'vitest';
import { findApprovalReason, submitsOrdinaryForm } from '#browsing/ask/classify.ts';
import { CLOSED_FLOWS } from './closed-flows.ts';
import { OPEN_FLOWS } from './open-flows.ts';
import { button, form, inDialog, press, submit } from './flows.ts';
import type { Flow } from './flows.ts';
import { BLIND_NAMES } from './names.ts';

function judged(flows: readonly Flow[]) {
  const acts = flows.flatMap((flow) => flow.acts.map((one) => ({ flow, ...one, reason: findApprovalReason(one.act) })));
  const words = ({ flow, act }: (typeof acts)[number]) => `${flow.language}: ${act.kind} ${act.element.name}`;
  return {
    consequential: acts.filter((one) => one.isConsequential).length,
    harmless: acts.filter((one) => !one.isConsequential).length,
    missed: acts.filter((one) => one.isConsequential && one.reason === null).map(words),
    needless: acts.filter((one) => !one.isConsequential && one.reason !== null).map(words),
  };
}

describe.each([
  ['the flows that the word lists were written with', OPEN_FLOWS],
  ['the flows that were not looked at meanwhile', CLOSED_FLOWS],
])('in %s', (_, flows) => {
  const { missed, needless, harmless } = judged(flows);
  test('no consequential act is missed', () => expect(missed).toEqual([]));
  test('at most one harmless act in ten is asked about', () => {
    expect(needless.slice(Math.floor(harmless / 10))).toEqual([]);
  });
});

describe.each(BLIND_NAMES)('a button in $language', ({ asks, fine }) => {
  const meaningOf = (name: string) => findApprovalReason(button(name));
  test('that acts is asked about', () => {
    expect(asks.split(' | ').filter((name) => meaningOf(name) === null)).toEqual([]);
  });
  test('that only looks similar is not', () => {
    expect(fine.split(' | ').filter((name) => meaningOf(name) !== null)).toEqual([]);
  });
});

describe('a name', () => {
  test.each([
    ['words split by characters that nobody sees', 'Pa\u200By n\u00ADow'],
    ['a letter of another script', '\u0420ay now'],
    [
      'a long text for screen readers before the visible one',
      'Read more about how this page helps you find things\nPay now',
    ],
    [
      'the act at the end of a long sentence',
      'I have read and understood all of this and still want to delete my account',
    ],
    ['an article between two words', 'Place the order'],
    ['a noun that is made', 'Complete your transfer'],
    ['a noun that is cast', 'Cast my vote'],
    ['a noun with an article after a verb', 'Make the purchase'],
    ['a new one of its kind', 'Place new order'],
  ])('is asked about: %s', (_, name) => expect(findApprovalReason(button(name))).not.toBeNull());

  test.each(['View order', 'Order details', 'Your order', 'Post #12', 'Book cover', 'Transfer history'])(
    'with a noun that is an act elsewhere is not: %s',
    (name) => expect(findApprovalReason(button(name))).toBeNull(),
  );

  test.each([
    ['en', 'Sat, Nov 29 | STEM programs | Ode to joy | Sand | Find a place | Döner Kebab'],
    ['it', 'Lei | Posta'],
    ['ko', '엑셀 내보내기 | 운동의 효과 | 활동의 역사 | 부서명 | 도서명 | 국제거래 | 게시물 | 허용량 | 발행일'],
    ['ar', 'حول | حول الموقع | صوت | وقع'],
    ['hi', 'नकल करें | बीच | बच'],
  ])('that resembles an act of another word or language is not, in %s', (_, names) => {
    expect(names.split(' | ').filter((name) => findApprovalReason(button(name)) !== null)).toEqual([]);
  });

  test('that only confirms is described by the act around it', () => {
    expect(findApprovalReason(inDialog('Confirm', 'Delete 3 files?'))).toEqual({ why: 'word', meaning: 'delete' });
    expect(findApprovalReason(inDialog('Confirm', ''))).toEqual({ why: 'word', meaning: 'accept' });
  });
});

describe('an option of a list', () => {
  test.each(['Delete selected', 'Cancel order', 'Send to all', 'Bestellung stornieren'])('that acts: %s', (name) => {
    expect(findApprovalReason(press('choose', { kind: 'choice', name }))).not.toBeNull();
  });

  test.each(['Mark as read', 'Price', 'Buy', 'Pay on delivery', 'Cancelled', 'Sent'])(
    'that only chooses: %s',
    (name) => {
      expect(findApprovalReason(press('choose', { kind: 'choice', name }))).toBeNull();
    },
  );
});

describe('Enter in a field without a form', () => {
  const among = (names: string, entryButtons = '') =>
    findApprovalReason(
      press('enter', { kind: 'text', submits: true, form: { ...form('script', [], names), entryButtons } }),
    );

  test.each([
    ['Transfer\nHelp', ''],
    ['Accept cookies\nHelp\nTransfer', ''],
    ['Help', 'Transfer'],
  ])('is asked about if it may press a button that acts: %s, %s', (names, entries) => {
    expect(among(names, entries)).toEqual({ why: 'word', meaning: 'transfer' });
  });

  test('is not asked about if only entries have a button that removes them', () => {
    expect(among('Add', 'Remove harbour\nDelete port')).toBeNull();
  });
});

describe('a form that explains its request', () => {
  const searching = { ...form('post', [], 'Go'), isSearch: true };
  test.each([
    ['a filter', submit('Apply filters')],
    ['a basket', submit('In den Warenkorb')],
    ['a search', button('Go', { submits: true, form: searching })],
    ['a search by Enter', press('enter', { kind: 'text', submits: true, form: searching })],
  ])('%s', (_, act) => expect(submitsOrdinaryForm(act)).toBe(true));

  test.each([
    ['another name', submit('Show more')],
    ['a change of what is stored', submit('Update')],
    ['a change of what is stored, in German', submit('Aktualisieren')],
    ['an ordinary name with more words', submit('Search and destroy')],
    ['a second name', submit('Search\nShow more')],
    ['a search with another name', button('Show more', { submits: true, form: searching })],
    ['free text', submit('Search', ['text'])],
    ['a button that submits nothing', button('Search', { form: searching })],
    [
      'Enter in a form with another button',
      press('enter', { kind: 'text', submits: true, form: form('post', [], 'Next') }),
    ],
  ])('not with %s', (_, act) => expect(submitsOrdinaryForm(act)).toBe(false));
});
