import { describe, expect, test } from 'vitest';
import { APPROVAL_TTL_MS, ApprovalQuestions } from '#browsing/session/asking/approvals.ts';
import type { ApprovalStorage, NewQuestion } from '#browsing/session/asking/approvals.ts';

function storage(kept = new Map<string, unknown>()): ApprovalStorage {
  return {
    list: async ({ prefix }) =>
      new Map([...kept].filter(([key]) => key.startsWith(prefix)).toSorted(([one], [other]) => (one < other ? -1 : 1))),
    get: async (key) => kept.get(key),
    put: async (key, value) => void kept.set(key, structuredClone(value)),
    delete: async (keys) => keys.filter((key) => kept.delete(key)).length,
  };
}

const asked: NewQuestion = {
  subject: 'ada',
  bound: 'digest',
  kind: 'word delete',
  page: 'https://shop.test/basket',
  tab: 't1',
  wording: {
    act: '',
    because: '',
    host: '',
    receiver: 'https://shop.test',
    name: '',
    around: '',
    values: [],
    hidden: 0,
  },
  box: null,
};

function begin() {
  const kept = new Map<string, unknown>();
  let now = 1_000_000;
  const approvals = new ApprovalQuestions(storage(kept), () => now);
  return {
    approvals,
    kept,
    later: (ms: number) => void (now += ms),
    reopened: () => new ApprovalQuestions(storage(kept), () => now),
  };
}

describe('an answer', () => {
  test('lets the same act happen once', async () => {
    const { approvals } = begin();
    expect(await approvals.verdict(asked, false)).toEqual({ state: 'new' });
    const { id } = await approvals.ask(asked, null);
    expect(await approvals.verdict(asked, false)).toEqual({ state: 'waiting', id });
    await approvals.answer('ada', id, 'once');
    expect(await approvals.verdict(asked, false)).toEqual({ state: 'allowed' });
    expect(await approvals.verdict(asked, false)).toEqual({ state: 'new' });
  });

  test('covers the second press of a double click in the same call, and no later one', async () => {
    const { approvals } = begin();
    const { id } = await approvals.ask(asked, null);
    await approvals.answer('ada', id, 'once');
    await approvals.verdict(asked, false);
    expect(await approvals.verdict(asked, true)).toEqual({ state: 'allowed' });
    approvals.beginCall();
    expect(await approvals.verdict(asked, true)).toEqual({ state: 'new' });
  });

  test('is not for another act', async () => {
    const { approvals } = begin();
    const { id } = await approvals.ask(asked, null);
    await approvals.answer('ada', id, 'once');
    expect(await approvals.verdict({ ...asked, bound: 'other' }, false)).toEqual({ state: 'new' });
  });

  test('expires after ten minutes, used or not', async () => {
    const { approvals, later } = begin();
    const { id } = await approvals.ask(asked, null);
    await approvals.answer('ada', id, 'once');
    later(APPROVAL_TTL_MS);
    expect(await approvals.verdict(asked, false)).toEqual({ state: 'new' });
  });

  test('of no is remembered for ten minutes', async () => {
    const { approvals, later } = begin();
    const { id } = await approvals.ask(asked, null);
    await approvals.answer('ada', id, 'no');
    expect(await approvals.verdict(asked, false)).toEqual({ state: 'refused', id });
    expect(await approvals.verdict(asked, false)).toEqual({ state: 'refused', id });
    later(APPROVAL_TTL_MS);
    expect(await approvals.verdict(asked, false)).toEqual({ state: 'new' });
  });

  test('for the session covers the same kind of act on the same site and receiver', async () => {
    const { approvals } = begin();
    const { id } = await approvals.ask(asked, null);
    await approvals.answer('ada', id, 'session');
    const again = { ...asked, bound: 'other', page: 'https://www.shop.test/x' };
    expect(await approvals.verdict(again, false)).toEqual({ state: 'allowed' });
    expect(await approvals.verdict(again, false)).toEqual({ state: 'allowed' });
    const elsewhere = { ...again, wording: { ...asked.wording, receiver: 'https://evil.test' } };
    expect(await approvals.verdict(elsewhere, false)).toEqual({ state: 'new' });
    expect(await approvals.verdict({ ...again, kind: 'word pay' }, false)).toEqual({ state: 'new' });
    expect(await approvals.verdict({ ...again, page: 'https://other.test/' }, false)).toEqual({ state: 'new' });
    expect(await approvals.verdict({ ...again, subject: 'eve' }, false)).toEqual({ state: 'new' });
  });

  test('can be given once, by the person who was asked, while the question is open', async () => {
    const { approvals, later } = begin();
    const { id } = await approvals.ask(asked, null);
    expect(await approvals.answer('eve', id, 'once')).toBeNull();
    expect(await approvals.answer('ada', 'other', 'once')).toBeNull();
    await approvals.answer('ada', id, 'no');
    expect(await approvals.answer('ada', id, 'once')).toBeNull();
    const { id: old } = await approvals.ask({ ...asked, bound: 'old' }, null);
    later(APPROVAL_TTL_MS);
    expect(await approvals.answer('ada', old, 'once')).toBeNull();
  });
});

test('questions and pictures survive a restart of the object', async () => {
  const { approvals, reopened } = begin();
  const { id } = await approvals.ask(asked, new Uint8Array([1, 2]));
  const again = reopened();
  await again.read();
  expect(again.waitingFor('ada').map((one) => one.id)).toEqual([id]);
  expect(again.waitingFor('eve')).toEqual([]);
  expect(await again.picture('ada', id)).toEqual(new Uint8Array([1, 2]));
  expect(await again.picture('eve', id)).toBeNull();
});

test('questions are listed newest first after the object has restarted, too', async () => {
  const { approvals, later, reopened } = begin();
  const ids: string[] = [];
  for (let at = 0; at < 8; at += 1) {
    ids.unshift((await approvals.ask({ ...asked, bound: String(at) }, null)).id);
    later(1);
  }
  const again = reopened();
  await again.read();
  expect(again.waitingFor('ada').map((one) => one.id)).toEqual(ids);
});

test('a page that asks all the time does not fill the storage', async () => {
  const { approvals, kept } = begin();
  for (let at = 0; at < 50; at += 1) await approvals.ask({ ...asked, bound: `${at}` }, new Uint8Array(1));
  expect(kept.size).toBe(40);
  expect(approvals.waitingFor('ada')[0]?.bound).toBe('49');
});
