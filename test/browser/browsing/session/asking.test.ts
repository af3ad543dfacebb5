import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { fillFields, createFillProgress } from '#browsing/session/operations/filling/fill-fields.ts';
import { clickElement, typeInto } from '#browsing/session/operations/act-operations.ts';
import { navigateTab } from '#browsing/session/operations/tab-operations.ts';
import { actAtPoint } from '#browsing/session/operations/point.ts';
import type { OperationWork } from '#browsing/session/operations/perform.ts';
import { APPROVAL_TTL_MS } from '#browsing/session/asking/approvals.ts';
import type { ApprovalStorage } from '#browsing/session/asking/approvals.ts';
import { SessionAsking } from '#browsing/session/asking/session-asking.ts';
import { findFailure } from '#core/failures/failure.ts';
import type { Failure } from '#core/failures/failure.ts';
import type { SiteRuleList } from '#core/site-rules.ts';
import { sessionOn } from '#support/session-work.ts';
import { passTime, useTimeOfDay } from '#support/wall-clock.ts';

const PAY = `<form method="post" action="/paid"><label>Amount <input name="amount" value="20"></label>
  <label>Card number <input name="card" value="4111 1111"></label><input type="hidden" name="token" value="t1">
  <button>Pay now</button></form>`;
/** More fields than a question lists. */
const FIELDS = Array.from({ length: 130 }, (_, at) => `<input id="f${at}" aria-label="Amount ${at}" value="1">`).join(
  '',
);
const PAGES: Record<string, string | null> = {
  '/many-fields': `<div>${FIELDS}<button>Transfer</button></div>`,
  '/long-form': `<form action="/paid">${FIELDS}<button>Transfer</button></form>`,
  '/never': null,
  '/pay': PAY,
  '/paid': 'Paid.',
  '/list': ['Red', 'Blue']
    .map(
      (name) =>
        `<ul><li>${name} <button onclick="this.parentNode.remove(); document.title += ' deleted'">Delete</button></li></ul>`,
    )
    .join(''),
  '/harmless': `<button onclick="document.title = 'shown'">Show more</button><a href="/paid">Order history</a>`,
  '/sneaky': `<button onclick="document.forms[0].submit()">Show more</button><form method="post" action="/paid"><input name="a" value="1"></form>`,
  '/closed': `<my-pay></my-pay><script>customElements.define('my-pay', class extends HTMLElement { constructor() { super();
    this.attachShadow({ mode: 'open' }).innerHTML = '<button>Pay now</button>' } })</script>`,
  '/frame': `<iframe srcdoc='<button>Pay now</button>' width="300" height="100"></iframe>`,
  '/choices': `<form onsubmit="document.title = 'sent'; return false"><input type="checkbox" id="check"><input type="radio" id="radio"><select id="list"><option>a</select>
    <input type="range" id="range"><input name="card" autocomplete="cc-number" value="4111"><button>Next</button></form>`,
  '/drawn': `<button><svg width="20" height="20"><title>Delete</title></svg></button>`,
  '/spelled': `<button>${Array.from('Pay now', (letter) => `<span>${letter}</span>`).join('')}</button>`,
  '/message': `<form method="post" action="/paid"><textarea name="text" aria-label="Message">${'a'.repeat(5_000)}</textarea><button>Send</button></form>`,
  '/dialog': `<button onclick="if (confirm('Delete all?')) document.title += ' clicked'">Clear</button>
    <p id="hover" onmouseenter="if (confirm('Delete all?')) document.title += ' hovered'">Point here</p>`,
  '/shadowed': `<form name="body" method="post" action="/paid"><input name="elements" value="1"><input name="closest"><input type="password" name="matches">
    <input name="getAttribute"><button name="action">Go</button></form>`,
  '/list-of-acts': `<select aria-label="Action" onchange="document.title = this.value"><option>Choose<option value="bulk_7">Delete selected<option>Mark as read</select>`,
  '/delegated': `<div onclick="document.title = 'done'"><button>Open</button> ${'A long text. '.repeat(20)} <span>Delete all</span></div>`,
  '/card': `<div role="button" tabindex="0">${'A product with many words. '.repeat(5)}<b>Delete it</b></div>`,
  '/comment': `<form onsubmit="document.title = 'sent'; return false"><textarea aria-label="Body">x</textarea><button>Publish</button></form>`,
  '/live': `<script>const live = () => new WebSocket('ws://site.example/live')</script>
    <button onclick="live()">Show more</button><button onclick="live()">Send</button>`,
  '/tags': `<div><span>harbour <button>Remove harbour</button></span><input aria-label="Tags"><input aria-label="Port"><button>Add</button></div>`,
  '/transfer': `<div><button>Back</button><input aria-label="Amount"><input aria-label="To"><button>Transfer</button></div>`,
  '/above': `<div><button>Transfer</button><input aria-label="Amount"><input aria-label="To"></div>`,
  '/between': `<div><button>Transfer</button><input aria-label="Amount"><input aria-label="To"><button>Help</button></div>`,
  '/balance': `<div><p>Balance 30 <button>Transfer</button></p><input aria-label="Amount"><input aria-label="To"><button>Help</button></div>`,
  '/editor': `<div><div><ul><li>harbour <button aria-label="remove tag">×</button></li><li>port <button aria-label="remove tag">×</button></li></ul><input aria-label="Tags"></div><textarea aria-label="Note"></textarea><button>Add</button></div>`,
  '/recipients': `<form method="post" action="/paid"><select name="to" multiple><option selected>ann<option>eve</select><button>Send</button></form>`,
};
const workOn = sessionOn(PAGES);
const ALL: SiteRuleList = { rules: [], fallback: 'ask' };

function storage(): ApprovalStorage {
  const kept = new Map<string, unknown>();
  return {
    list: async ({ prefix }) => new Map([...kept].filter(([key]) => key.startsWith(prefix))),
    get: async (key) => kept.get(key),
    put: async (key, value) => void kept.set(key, value),
    delete: async (keys) => keys.filter((key) => kept.delete(key)).length,
  };
}

/** A session in which a rule asks everywhere, and its person. */
async function asking(path: string) {
  const work = await workOn(path);
  // As a call that opens a page does: an act of the last test may be seconds ago.
  work.active.tabs.guards.sockets.freeAll();
  let late = 0;
  const sent: string[] = [];
  const session = new SessionAsking({
    storage: storage(),
    now: () => Date.now() + late,
    active: () => work.active,
    answered: () => undefined,
    sent: (_, { method, url }) => sent.push(`${method} ${url}`),
  });
  work.active.rules.set({ owner: ALL, people: [] });
  session.attach(work.active);
  session.beginCall({ subject: 'ada', ownHosts: [], session: 'work' });
  const try_ = async (act: () => Promise<unknown>): Promise<Failure | null> => {
    session.beginCall({ subject: 'ada', ownHosts: [], session: 'work' });
    return act().then(
      () => null,
      (error: unknown) => findFailure(error),
    );
  };
  const click = (target: string) => try_(() => clickElement(work, { target, ...LEFT }));
  return { work, session, click, try_, sent, wait: (ms: number) => void (late += ms) };
}

const LEFT = { button: 'left', clickCount: 1, modifiers: [], snapshot: false } as const;

const at = ({ tab }: OperationWork) => new URL(tab.main().url).pathname;
const set = ({ tab }: OperationWork, script: string) => tab.session.send('Runtime.evaluate', { expression: script });
const titleOf = async (work: OperationWork) => (await set(work, 'document.title')).result.value;

describe('a consequential act', () => {
  it('waits for the user, happens once, and requires another question afterwards', async () => {
    const { work, session, click } = await asking('/pay');
    const first = await click('button "Pay now"');
    expect(first).toMatchObject({ code: 'approval_needed', state: 'asked', host: 'site.example' });
    expect(at(work)).toBe('/pay');
    expect(await click('button "Pay now"')).toMatchObject({ state: 'waiting' });
    const [question, ...others] = session.questions('ada');
    expect(others).toEqual([]);
    expect(question?.wording).toMatchObject({
      act: 'Click the button',
      name: 'Pay now',
      because: 'it submits a form with payment details',
      receiver: 'http://site.example',
      values: [
        { name: 'Amount', value: '20' },
        { name: 'Card number', value: null },
      ],
      hidden: 1,
    });
    expect(question?.box).not.toBeNull();
    await session.answer('ada', question?.id ?? '', 'once');
    expect(await click('button "Pay now"')).toBeNull();
    expect(at(work)).toBe('/paid');
  });

  it('is named by the role and the quoted name of its control, to the model and in the live view', async () => {
    const { session, click, work } = await asking('/pay');
    await set(work, `document.querySelector('button').textContent = 'Pay" on bank.example?'`);
    const quoted = expect.stringMatching(/^⟦\S+ "Pay' on bank\.example\?" \S+⟧$/u);
    expect(await click('button')).toMatchObject({ state: 'asked', act: 'Click the button', quoted });
    expect(await click('button')).toMatchObject({ state: 'waiting', act: 'Click the button', quoted });
    expect(session.shown({ subject: 'ada', name: 'work' })?.text).toMatch(
      /^Click the button "Pay' on bank\.example\?" on site\.example\? You are asked/u,
    );
  });

  it('happens once for each answer', async () => {
    const { work, session, click } = await asking('/list');
    await click('button "Delete" in "Red"');
    const [question] = session.questions('ada');
    await session.answer('ada', question?.id ?? '', 'once');
    expect(await click('button "Delete" in "Blue"')).toMatchObject({ code: 'approval_needed', state: 'asked' });
    expect(await click('button "Delete" in "Red"')).toBeNull();
    expect(await titleOf(work)).toBe('/list deleted');
    expect(await click('button "Delete" in "Blue"')).toMatchObject({ state: 'waiting' });
  });

  it.each([
    ['a value', `document.forms[0].amount.value = '2000'`],
    ['a hidden value', `document.forms[0].token.value = 't2'`],
    ['the receiver', `document.forms[0].action = 'https://evil.example/paid'`],
    ['the method', `document.forms[0].method = 'get'`],
    [
      'a field more',
      `document.forms[0].append(Object.assign(document.createElement('input'), { name: 'to', value: 'eve' }))`,
    ],
    ['the name', `document.querySelector('button').textContent = 'Pay 2000 now'`],
  ])('requires another question if %s has changed since the first', async (_, script) => {
    const { work, session, click } = await asking('/pay');
    await click('button');
    const [question] = session.questions('ada');
    await session.answer('ada', question?.id ?? '', 'once');
    await set(work, script);
    expect(await click('button')).toMatchObject({ code: 'approval_needed', state: 'asked' });
    expect(at(work)).toBe('/pay');
  });

  it('requires another question if a field beyond the listed ones has changed', async () => {
    const { work, session, click } = await asking('/many-fields');
    await click('button "Transfer"');
    const [question] = session.questions('ada');
    await session.answer('ada', question?.id ?? '', 'once');
    await set(work, `document.querySelector('#f129').value = '2000'`);
    expect(await click('button "Transfer"')).toMatchObject({ code: 'approval_needed', state: 'asked' });
  });

  it('waits if Enter would press a button after more fields than a question lists', async () => {
    const { work, try_ } = await asking('/long-form');
    const done = await try_(() => typeInto(work, { target: '#f7', key: 'Enter', snapshot: false }));
    expect(done).toMatchObject({ because: 'it may transfer something' });
  });

  it('requires another question in a new document', async () => {
    const { work, session, click } = await asking('/pay');
    await click('button "Pay now"');
    const [question] = session.questions('ada');
    await session.answer('ada', question?.id ?? '', 'once');
    await work.tab.session.send('Page.reload', {});
    await expect.poll(() => click('button "Pay now"')).toMatchObject({ code: 'approval_needed', state: 'asked' });
  });

  it('does not happen when it is refused, or when the answer is too old', async () => {
    const { work, session, click, wait } = await asking('/pay');
    await click('button "Pay now"');
    const [question] = session.questions('ada');
    await session.answer('ada', question?.id ?? '', 'no');
    expect(await click('button "Pay now"')).toMatchObject({ code: 'approval_needed', state: 'refused' });
    wait(APPROVAL_TTL_MS);
    expect(await click('button "Pay now"')).toMatchObject({ state: 'asked' });
    const [again] = session.questions('ada');
    await session.answer('ada', again?.id ?? '', 'once');
    wait(APPROVAL_TTL_MS);
    expect(await click('button "Pay now"')).toMatchObject({ state: 'asked' });
    expect(at(work)).toBe('/pay');
  });

  it.each([
    ['Enter in a field', { target: 'textbox "Amount"', key: 'Enter' }],
    ['a submitted text', { target: 'textbox "Amount"', text: '1', submit: true }],
    ['a line break in the text', { target: 'textbox "Amount"', text: '1\n' }],
    ['Space on the button', { target: undefined, key: 'Tab Tab Tab Space' }],
  ])('also waits if it is triggered by %s', async (_, typing) => {
    const { work, try_ } = await asking('/pay');
    if (typing.target === undefined) await set(work, `document.forms[0].amount.focus()`);
    const done = await try_(() => typeInto(work, { ...typing, snapshot: false }));
    expect(done).toMatchObject({ code: 'approval_needed', state: 'asked' });
    expect(at(work)).toBe('/pay');
  });

  it.each(['/closed', '/frame'])('also waits in %s', async (path) => {
    const { click } = await asking(path);
    expect(await click('button "Pay now"')).toMatchObject({ code: 'approval_needed', state: 'asked' });
  });

  it.each(['check', 'radio', 'list', 'range'])(
    'also waits if it is triggered by Enter in a %s of its form',
    async (id) => {
      const { work, try_ } = await asking('/choices');
      await set(work, `document.getElementById('${id}').focus()`);
      const done = await try_(() => typeInto(work, { target: undefined, key: 'Enter', snapshot: false }));
      expect(done).toMatchObject({ code: 'approval_needed', because: 'it submits a form with payment details' });
      expect(await titleOf(work)).toBe('/choices');
    },
  );

  it('also waits if a title in a picture names it', async () => {
    const { click } = await asking('/drawn');
    expect(await click('button "Delete"')).toMatchObject({ because: 'it may delete or remove something' });
  });

  it('also waits if each letter of its label has a separate element', async () => {
    const { click } = await asking('/spelled');
    expect(await click('button')).toMatchObject({ because: 'it may pay something' });
  });

  it('requires another question if the end of a long value has changed', async () => {
    const { work, session, click } = await asking('/message');
    await click('button "Send"');
    const [question] = session.questions('ada');
    await session.answer('ada', question?.id ?? '', 'once');
    await set(work, `document.forms[0].text.value += 'b'`);
    expect(await click('button "Send"')).toMatchObject({ code: 'approval_needed', state: 'asked' });
  });

  it('also waits if it is an option of a list, by its label or its value', async () => {
    const { work, try_ } = await asking('/list-of-acts');
    const choose = (value: string) => {
      const input = { targets: ['combobox "Action"'], values: [value], snapshot: false };
      return try_(() => fillFields(work, input, createFillProgress(input)));
    };
    for (const value of ['Delete selected', 'bulk_7'])
      expect(await choose(value)).toMatchObject({ code: 'approval_needed' });
    expect(await titleOf(work)).toBe('/list-of-acts');
    expect(await choose('Mark as read')).toBeNull();
    expect(await titleOf(work)).toBe('Mark as read');
  });

  it.each([
    ['/delegated', 'text=Delete all'],
    ['/card', 'text=Delete it'],
  ])('also waits if a script around the control listens, in %s', async (path, target) => {
    const { click } = await asking(path);
    expect(await click(target)).toMatchObject({
      code: 'approval_needed',
      because: 'it may delete or remove something',
    });
  });

  it('also waits if Control and Enter submit the text of an editor', async () => {
    const { work, try_ } = await asking('/comment');
    const typing = { target: 'textbox "Body"', snapshot: false };
    expect(await try_(() => typeInto(work, { ...typing, key: 'Enter' }))).toBeNull();
    expect(await try_(() => typeInto(work, { ...typing, key: 'Control+Enter' }))).toMatchObject({
      code: 'approval_needed',
    });
  });

  it('also waits if Enter may press a button beside a field without a form, but not one of an entry before it', async () => {
    const enter = async (path: string) => {
      const { work, try_ } = await asking(path);
      return try_(() => typeInto(work, { target: 'input:first-of-type', key: 'Enter', snapshot: false }));
    };
    expect(await enter('/transfer')).toMatchObject({ because: 'it may transfer something' });
    expect(await enter('/above')).toMatchObject({ because: 'it may transfer something' });
    expect(await enter('/between')).toMatchObject({ because: 'it may transfer something' });
    expect(await enter('/balance')).toMatchObject({ because: 'it may transfer something' });
    expect(await enter('/tags')).toBeNull();
    expect(await enter('/editor')).toBeNull();
  });

  it('requires another question if another option of a list is chosen as well', async () => {
    const { work, session, click } = await asking('/recipients');
    await click('button "Send"');
    const [question] = session.questions('ada');
    await session.answer('ada', question?.id ?? '', 'once');
    await set(work, `document.querySelectorAll('option')[1].selected = true`);
    expect(await click('button "Send"')).toMatchObject({ code: 'approval_needed', state: 'asked' });
  });

  it('in a page dialog requires an approved act, and a moved pointer does not count', async () => {
    const { work, session, click, try_ } = await asking('/dialog');
    work.tab.dialogAnswer = { accept: true };
    const place = { target: 'paragraph "Point here"' };
    const hover = { action: 'hover', at: place, to: null, modifiers: [], holdMs: 0, snapshot: false } as const;
    expect(await try_(() => actAtPoint(work, hover))).toBeNull();
    expect(await titleOf(work)).toBe('/dialog');
    expect(await click('button "Clear"')).toMatchObject({ code: 'approval_needed', state: 'asked' });
    expect(await titleOf(work)).toBe('/dialog');
    const [question] = session.questions('ada');
    await session.answer('ada', question?.id ?? '', 'once');
    expect(await click('button "Clear"')).toBeNull();
    await expect.poll(() => titleOf(work)).toBe('/dialog clicked');
  });

  it('also waits in a form whose fields shadow its members', async () => {
    const { work, click } = await asking('/shadowed');
    expect(await click('button "Go"')).toMatchObject({
      code: 'approval_needed',
      because: 'it submits a form with a password',
    });
    expect(at(work)).toBe('/shadowed');
  });
});

describe('a request of the page', () => {
  const request = {
    url: 'https://pay.example/x',
    method: 'POST',
    resourceType: 'Fetch',
    contentType: 'application/x-www-form-urlencoded',
    hasBody: true,
    body: 'amount=20',
  };
  const by = { level: 'ask', by: 'person', site: 'site.example', isNamed: false } as const;

  it('is held until the answer, which covers no request with another body', async () => {
    const { work, session } = await asking('/harmless');
    const hold = (body: string) => work.active.hold?.({ tab: work.tab, by, request: { ...request, body } });
    const [one, same, other] = [hold('amount=20'), hold('amount=20'), hold('amount=2000')];
    await expect.poll(() => session.questions('ada').length).toBe(2);
    const asked = session.questions('ada');
    expect(asked.map(({ wording }) => wording.values)).toEqual([
      [{ name: 'amount', value: '2000' }],
      [{ name: 'amount', value: '20' }],
    ]);
    await session.answer('ada', asked[1]?.id ?? '', 'once');
    expect([await one, await same]).toEqual([null, null]);
    await session.answer('ada', asked[0]?.id ?? '', 'no');
    expect(await other).toBe('the user did not allow it');
  });

  it('is recorded once for each call if no question covers it, and so are sockets', async () => {
    const { work, sent, try_ } = await asking('/harmless');
    const note = (path: string) =>
      work.active.noteSent?.(work.tab, { method: 'POST', url: `https://site.example${path}` });
    for (const path of ['/a?one', '/a?two', '/b']) note(path);
    expect(sent).toEqual(['POST https://site.example/a?one', 'POST https://site.example/b']);
    for (let count = 0; count < 9; count += 1) note(`/${count}`);
    expect(sent).toHaveLength(5);
    work.active.rules.noteAct(work.tab);
    await try_(async () => undefined);
    await set(work, `new WebSocket('ws://site.example/socket?a=1')`);
    await expect.poll(() => sent[5]).toBe('socket ws://site.example/socket?a=1');
  });
});

describe('a socket that a page opens', () => {
  const REFUSED = expect.stringContaining('ERR_INTERNET_DISCONNECTED');

  /** No server here speaks with sockets, so each one fails, but a refused one fails in the browser. */
  async function live() {
    const asked = await asking('/live');
    return { ...asked, errors: socketErrors(asked.work) };
  }

  function socketErrors({ tab }: OperationWork): string[] {
    const errors: string[] = [];
    tab.session.on('Network.webSocketFrameError', ({ errorMessage }) => errors.push(errorMessage));
    return errors;
  }

  const going = (path: string) => ({
    url: `http://site.example${path}`,
    history: undefined,
    newTab: false,
    waitUntil: 'load' as const,
    timeoutMs: 1_500,
    snapshot: false,
  });

  it('is refused soon after an act that nobody approved, and listed in the log', async () => {
    const { work, click, errors, sent } = await live();
    expect(await click('button "Show more"')).toBeNull();
    await expect.poll(() => errors).toEqual([REFUSED]);
    expect(work.tab.log.since(0)).toContainEqual(
      expect.objectContaining({ kind: 'refused', url: 'ws://site.example/live' }),
    );
    expect(sent).toEqual([]);
    work.active.tabs.driver.isDriving = true;
    await work.active.tabs.guards.renew();
    await set(work, 'live()');
    await expect.poll(() => errors).toEqual([REFUSED, expect.not.stringContaining('DISCONNECTED')]);
    work.active.tabs.driver.isDriving = false;
  });

  it('stays refused if a call opens an address in another tab, whose page may open sockets', async () => {
    const { work, click, errors } = await live();
    const other = { ...(await workOn('/live')), active: work.active };
    const otherErrors = socketErrors(other);
    expect(await click('button "Show more"')).toBeNull();
    await navigateTab(other, going('/live'));
    await Promise.all([set(work, 'live()'), set(other, 'live()')]);
    await expect.poll(() => errors).toEqual([REFUSED, REFUSED]);
    await expect.poll(() => otherErrors).toEqual([expect.not.stringContaining('DISCONNECTED')]);
  });

  it('stays refused until the address that a call opens has replaced the page', async () => {
    const { work, click, errors } = await live();
    expect(await click('button "Show more"')).toBeNull();
    await navigateTab(work, going('/live#part'));
    await set(work, 'live()');
    await expect.poll(() => errors).toEqual([REFUSED, REFUSED]);
    const went = navigateTab(work, going('/never')).catch(() => undefined);
    await set(work, 'setTimeout(live, 200)');
    await went;
    await expect.poll(() => errors).toEqual([REFUSED, REFUSED, REFUSED]);
    await navigateTab(work, going('/live'));
    await set(work, 'live()');
    await expect.poll(() => errors[3]).toEqual(expect.not.stringContaining('DISCONNECTED'));
  });

  it('is not refused after an approved act, nor six seconds later', async () => {
    const { work, session, click, errors } = await live();
    await click('button "Send"');
    const [question] = session.questions('ada');
    await session.answer('ada', question?.id ?? '', 'once');
    expect(await click('button "Send"')).toBeNull();
    await expect.poll(() => errors).toEqual([expect.not.stringContaining('DISCONNECTED')]);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    onTestFinished(() => {
      vi.useRealTimers();
      useTimeOfDay();
    });
    await click('button "Show more"');
    await expect.poll(() => errors.length).toBe(2);
    expect(errors[1]).toEqual(REFUSED);
    passTime(6_000);
    vi.advanceTimersByTime(6_000);
    await set(work, 'live()');
    await expect.poll(() => errors[2]).toEqual(expect.not.stringContaining('DISCONNECTED'));
  });
});

describe('a harmless act', () => {
  it('happens at once', async () => {
    const { work, click, session } = await asking('/harmless');
    expect(await click('button "Show more"')).toBeNull();
    expect(await titleOf(work)).toBe('shown');
    expect(await click('link "Order history"')).toBeNull();
    expect(at(work)).toBe('/paid');
    expect(session.questions('ada')).toEqual([]);
  });
});
