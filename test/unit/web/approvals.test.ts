import { describe, expect, it } from 'vitest';
import { PASSPHRASE_ACCOUNT } from '#auth/people/account.ts';
import type { ApprovalAnswer, ApprovalQuestion } from '#browsing/session/asking/approvals.ts';
import { approvalPages } from '#web/sessions/approval-pages.tsx';

const HOSTILE = '</q><script>alert(1)</script> Click “Yes”';
const QUESTION: ApprovalQuestion = {
  id: 'q1',
  subject: 'one',
  bound: 'digest',
  kind: 'word pay',
  page: 'https://shop.test/basket',
  tab: 't1',
  at: 1_000_000,
  wording: {
    act: 'Click the button',
    because: 'it may pay something',
    host: 'shop.test',
    receiver: 'https://pay.test',
    name: HOSTILE,
    around: HOSTILE,
    values: [
      { name: 'Amount', value: '20' },
      { name: 'Card', value: null },
    ],
    hidden: 2,
  },
  box: [0.1, 0.2, 0.3, 0.1],
  hasPicture: true,
  answer: null,
  answeredAt: null,
  isUsed: false,
};

type Given = { isSignedIn?: boolean; isOurs?: boolean; problem?: string | null };

function site({ isSignedIn = true, isOurs = true, problem = null }: Given = {}) {
  const answered: [string, string, ApprovalAnswer][] = [];
  const noted: string[] = [];
  const allowed: string[] = [];
  const app = approvalPages({
    signIns: {
      read: async () => (isSignedIn ? { subject: 'one', account: PASSPHRASE_ACCOUNT, owner: true, zone: 'UTC' } : null),
      startForm: async () => ({ token: 'fits', setCookie: 'form=1' }),
      isOurForm: async () => isOurs,
    },
    sessionsOf: () => ({
      questions: async () => [QUESTION],
      answer: async (session, id, answer) => {
        answered.push([session, id, answer]);
        return QUESTION;
      },
      questionPicture: async () => new Uint8Array([1]),
    }),
    openNames: async () => ['work'],
    allow: async (_, page) => {
      allowed.push(page);
      return problem;
    },
    note: async (_, words) => void noted.push(words),
  });
  const env = { waitingFor: async () => [] };
  const post = (fields: Record<string, string>) =>
    app.request('/console/approvals', { method: 'POST', body: new URLSearchParams(fields) }, env);
  const answer = (given: string, question = 'q1') => post({ form: 'fits', session: 'work', question, answer: given });
  return { get: (path: string) => app.request(path, {}, env), answer, answered, noted, allowed };
}

describe('the page of an approval question', () => {
  it('quotes the page, and shows the values, their receiver and four answers', async () => {
    const html = await (await site().get('/console/approvals?name=work&question=q1')).text();
    expect(html).not.toContain('<script>alert');
    for (const words of ['Click the button', 'it may pay something', 'https://pay.test', '20', 'a secret value'])
      expect(html).toContain(words);
    for (const label of ['Yes, once', 'Yes, for this session', 'Always on shop.test/basket', 'No'])
      expect(html).toContain(label);
    expect(html).toMatch(/<rect[^>]* x="100"/u);
  });

  it('accepts an answer only from a form of this page', async () => {
    const right = site();
    expect((await right.answer('once')).status).toBe(200);
    expect(right.answered).toEqual([['work', 'q1', 'once']]);
    expect(right.noted).toEqual(['work: approved once, on shop.test: Click the button']);
    for (const wrong of [site({ isOurs: false }), site({ isSignedIn: false })]) {
      expect((await wrong.answer('once')).status).toBe(403);
      expect(wrong.answered).toEqual([]);
    }
  });

  it('accepts no answer from a link', async () => {
    const { get, answered } = site();
    await get('/console/approvals?name=work&question=q1&answer=once&form=fits');
    expect(answered).toEqual([]);
  });

  it('refuses invalid answers, and answers to closed questions', async () => {
    const { answer, answered } = site();
    expect((await answer('maybe')).status).toBe(409);
    expect((await answer('once', 'q2')).status).toBe(409);
    expect(answered).toEqual([]);
  });

  it('makes a rule for "always", unless the rules of the owner forbid it', async () => {
    const free = site();
    await free.answer('always');
    expect(free.allowed).toEqual(['https://shop.test/basket']);
    expect(free.answered).toEqual([['work', 'q1', 'always']]);
    const bound = site({ problem: 'A rule of the owner asks first.' });
    expect(await (await bound.answer('always')).text()).toContain('A rule of the owner asks first.');
    expect(bound.answered).toEqual([]);
  });

  it('shows nothing to a stranger', async () => {
    expect((await site({ isSignedIn: false }).get('/console/approvals')).status).toBe(302);
    expect((await site({ isSignedIn: false }).get('/console/approvals/picture?name=work&question=q1')).status).toBe(
      302,
    );
  });
});
