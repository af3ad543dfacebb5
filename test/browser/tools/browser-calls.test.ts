import { beforeAll, describe, expect, it } from 'vitest';
import { grantFor } from '#support/grants.ts';
import { callTool } from '#support/mcp-call.ts';

const WHO = 'http://login.acme.dev/who';

let token = '';

beforeAll(async () => {
  token = await grantFor('caller-of-tools', ['browser:use', 'browser:evaluate']);
});

async function call(tool: string, args: Record<string, unknown>) {
  const { result } = await callTool('modern', tool, args, { token });
  return { text: result?.content?.[0]?.text ?? '', structured: result?.structuredContent ?? {} };
}

describe('browser_scroll', () => {
  it('reports the position along the scrolled axis, and when there is nothing to scroll', async () => {
    const session = 'scrolls';
    await call('browser_navigate', { url: WHO, session });
    const still = await call('browser_scroll', { session });
    expect(still.text).toMatch(/^Nothing scrolled: all of it is already in view from top to bottom\./u);
    await call('browser_evaluate', { script: 'document.body.style.width = "3000px"; return 1', session });
    const across = await call('browser_scroll', { direction: 'right', amount: 400, unit: 'px', session });
    expect(across.text).toMatch(/^Scrolled by 400 px: at 400 of \d{4} px, 1280 px of it in view\./u);
    const back = await call('browser_scroll', { direction: 'left', amount: 400, unit: 'px', session });
    expect(back.text).toMatch(
      /^Scrolled by -400 px: at 0 of \d{4} px, 1280 px of it in view\. This is the beginning\./u,
    );
    const shown = await call('browser_scroll', { selector: '#cart', into_view: true, session });
    expect(shown.text).toMatch(/^In view now: the page is at 0 of /u);
    await call('browser_close', { session });
  });
});

describe('an act that the page ignores', () => {
  it('is not reported as done', async () => {
    const session = 'takes-nothing';
    await call('browser_navigate', { url: WHO, session });
    const script = `document.body.innerHTML = '<label>Deaf <input onkeydown="return false"></label><label>Name <input value="Ada"></label>'
      + '<button id="gone" onmousedown="this.remove()">Gone</button>'
      + '<div id="zone">Drop here</div><input type="file" aria-label="Picture" onchange="this.value = null">';
      document.querySelectorAll('input')[1].addEventListener('input', ({ target }) => { target.value = 'Ada' });
      zone.addEventListener('dragover', (event) => event.preventDefault()); return 1`;
    await call('browser_evaluate', { script, session });
    const typed = await call('browser_type', { selector: 'textbox "Deaf"', text: 'Hello', session });
    expect(typed.text).toMatch(
      /^The keys were sent, but the field does not contain the text\.[^]*the field holds: ""/u,
    );
    const filled = await call('browser_fill', { selectors: ['Name'], values: ['Bob'], session });
    expect(filled.text).toMatch(/^The field did not accept the value\.[^]*Name holds "Ada"/u);
    const file = { action: 'put', name: 'a.txt', text: 'Hello', session };
    expect((await call('browser_files', { ...file, selector: '#zone' })).text).toMatch(
      /^Dropped the file\. The snapshot of the page did not change\./u,
    );
    const put = await call('browser_files', { ...file, selector: 'button "Picture"' });
    expect(put.text).toMatch(/^The page accepted the file; the field is now empty\./u);
    const listed = await call('browser_do', { steps: ['scroll down', 'type Hello into "Deaf"'], session });
    expect(listed.text).toContain('step 2: the field holds ""');
    expect(listed.text).toContain('Step 1: Nothing scrolled');
    const pressed = await call('browser_click', { selector: '#gone', session });
    expect(pressed.text).toMatch(/^Pressed, but not clicked\./u);
    await call('browser_close', { session });
  });
});

describe('browser_point', () => {
  it('points at pixels of the last picture of the tab, and refuses those of an older page', async () => {
    const session = 'points';
    await call('browser_navigate', { url: WHO, session });
    const blind = await call('browser_point', { action: 'click', x: 10, y: 10, session });
    expect(blind.text).toMatch(/^Error stale_picture: This tab has no screenshot yet/u);
    await call('browser_screenshot', { session });
    const box =
      'JSON.stringify((({ x, y }) => ({ x: x + 5, y: y + 5 }))(document.querySelector("button").getBoundingClientRect()))';
    const place = JSON.parse(
      JSON.parse(String((await call('browser_evaluate', { script: box, session })).structured['value'])),
    );
    const asked = await call('browser_point', { action: 'click', ...place, dialog: 'accept', session });
    expect(asked.text).toMatch(/^Clicked\.[^]*under the pointer: button "Ask"/u);
    expect(asked.structured).toMatchObject({ under: 'button "Ask"', tab: { title: 'yes' } });
    await call('browser_navigate', { url: WHO, session });
    const stale = await call('browser_point', { action: 'click', ...place, session });
    expect(stale.structured).toMatchObject({ error: 'stale_picture', reason: 'document' });
    await call('browser_close', { session });
  });

  it('reports that a drag moved nothing', async () => {
    const session = 'drags';
    await call('browser_navigate', { url: WHO, session });
    const dragged = await call('browser_point', { action: 'drag', selector: '#cart', to_selector: '#later', session });
    expect(dragged.text).toMatch(/^Dragged and released, but nothing on the page moved or changed\./u);
    expect(dragged.structured).toMatchObject({ notes: [expect.stringContaining('hold_ms')] });
    const listed = await call('browser_do', { steps: ['drag #cart to #later'], session });
    expect(listed.text).toContain('the drag moved nothing');
    await call('browser_close', { session });
  });
});

describe('browser_log', () => {
  it('explains a failing page in two calls, and shows no secret', async () => {
    const session = 'logs';
    await call('browser_navigate', { url: 'http://login.acme.dev/', session });
    await call('browser_navigate', { url: WHO, session });
    const before = await call('browser_log', { kind: 'console', session });
    const script = `console.log('cart', { items: 2 }); console.info('secret abc-of-the-test');
      await fetch('/missing?token=kelp-and-brine', { method: 'POST', headers: { authorization: 'Bearer kelp-and-ice', 'x-api-key': 'kelp-key-1' }, body: JSON.stringify({ password: 'kelp', pens: 3 }) });
      console.error('total of undefined', 'kelp-and-ice'); setTimeout(() => { throw new TypeError('no total') }); return 1`;
    await call('browser_evaluate', { script, session });
    const mark = before.structured['mark'];
    const said = await call('browser_log', { kind: 'console', after: mark, session });
    expect(said.text).toContain('log: cart {items: 2}');
    expect(said.text).toContain('info: secret REDACTED');
    expect(said.text).toContain('uncaught: Uncaught TypeError: no total');
    const asked = await call('browser_log', { kind: 'requests', filter: 'missing', session });
    expect(asked.text).toMatch(/r\d+ POST http:\/\/login\.acme\.dev\/missing\?token=REDACTED – 404/u);
    const id = /r\d+(?= POST)/u.exec(asked.text)?.[0];
    expect(asked.structured['next_steps']).toContain(`browser_log {"kind":"request","id":"${id}","session":"logs"}`);
    const whole = await call('browser_log', { kind: 'request', id, session });
    expect(whole.text).toContain('sent body:\n{"password":"REDACTED","pens":3}');
    for (const { text, structured } of [said, asked, whole]) {
      expect(text + JSON.stringify(structured)).not.toMatch(/kelp|abc-of-the-test/u);
    }
    const unknown = await call('browser_log', { kind: 'request', id: 'r999', session });
    expect(unknown.structured).toMatchObject({ error: 'invalid_argument', field: 'id' });
    await call('browser_close', { session });
  });

  it('keeps the newest of very many entries, and reports how many were dropped', async () => {
    const session = 'floods';
    await call('browser_navigate', { url: WHO, session });
    await call('browser_evaluate', {
      script: 'for (let n = 0; n < 400; n += 1) console.log("line " + n); return 1',
      session,
    });
    const { text } = await call('browser_log', { kind: 'console', session });
    expect(text).toContain('log: line 399');
    expect(text).toMatch(
      /Note: 260 earlier lines are not shown\.\nNote: 100 older entries are no longer stored\. Reload the page to record them again\./u,
    );
    await call('browser_close', { session });
  });
});

describe('browser_wait', () => {
  it('returns at once when the condition holds, or returns the current text', async () => {
    const session = 'waits';
    await call('browser_navigate', { url: WHO, session });
    const there = await call('browser_wait', { text: 'cart: EMPTY', session });
    expect(there.text).toMatch(/^The text is there already\./u);
    expect(there.structured).toMatchObject({ already: true, navigated: false, waited_ms: expect.any(Number) });
    await call('browser_evaluate', { script: 'setTimeout(() => { location.href = "/" }, 900)', session });
    const moved = await call('browser_wait', { text: 'Welcome', snapshot: true, session });
    expect(moved.text).toMatch(/^The text is there now, after \d+ ms\./u);
    expect(moved.structured).toMatchObject({ navigated: true, snapshot: expect.stringContaining('Welcome') });
    const never = await call('browser_wait', { gone_text: 'welcome', timeout_ms: 300, session });
    expect(never.text).toMatch(/^Error timeout: The text did not go away within 300 ms: it is still there\./u);
    expect(never.structured).toMatchObject({ error: 'timeout', snapshot: expect.stringContaining('Welcome') });
    await call('browser_close', { session });
  });
});

describe('a prompt', () => {
  it('gets the default of the page when it is accepted without a text', async () => {
    const session = 'prompts';
    await call('browser_navigate', { url: WHO, session });
    const ask = { script: 'prompt("Name?", "Ada")', dialog: 'accept', session };
    expect((await call('browser_evaluate', ask)).structured).toMatchObject({ value: '"Ada"' });
    expect((await call('browser_evaluate', { ...ask, dialog_text: 'Bob' })).structured).toMatchObject({
      value: '"Bob"',
    });
    expect((await call('browser_evaluate', { ...ask, dialog: 'dismiss' })).structured).toMatchObject({ value: 'null' });
    await call('browser_close', { session });
  });
});

describe('an action that navigates', () => {
  it('reports whether the page or only its URL has changed', async () => {
    const session = 'leads';
    await call('browser_navigate', { url: WHO, session });
    const within = await call('browser_evaluate', { script: 'history.pushState(null, "", "/who?place")', session });
    expect(within.text).toContain('Note: The address changed within the page.');
    expect(within.structured).toMatchObject({ navigated: true });
    const away = await call('browser_evaluate', { script: 'location.href = "/"', session });
    expect(away.text).toContain('Note: A different page is open now.');
    await call('browser_close', { session });
  });
});

describe('a call that fails', () => {
  it('leaves page events to the next result, once', async () => {
    const session = 'owes';
    await call('browser_navigate', { url: WHO, session });
    const script = 'await fetch("http://127.0.0.1:1/").catch(() => undefined); throw new Error("given up")';
    expect((await call('browser_evaluate', { script, session })).text).toMatch(/^Error script_failed/u);
    expect((await call('browser_snapshot', { session })).text).toContain('http://127.0.0.1:1/');
    expect((await call('browser_snapshot', { session })).text).not.toContain('http://127.0.0.1:1/');
    await call('browser_close', { session });
  });
});

describe('a selector that matches several elements', () => {
  it('is refused with a list that distinguishes them by their text', async () => {
    const session = 'several';
    await call('browser_navigate', { url: WHO, session });
    const { text } = await call('browser_click', { selector: 'p', session });
    expect(text).toMatch(/matches 3 elements/u);
    expect(text).toMatch(/@e\d+ paragraph "Cart: empty"/u);
    await call('browser_close', { session });
  });
});
