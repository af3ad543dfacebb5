import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onSession, refOf } from '#support/browser-person.ts';
import { startBrowserSite } from '#support/browser-site.ts';
import type { BrowserSite } from '#support/browser-site.ts';
import { connectModern, connectV1 } from '#support/mcp-clients.ts';
import type { TestClient } from '#support/mcp-clients.ts';
import { newPerson, newSitePort, sharedServer } from '#support/shared.ts';
import type { Person } from '#support/shared.ts';

/** Browser sessions through `npm start`, real clients and a real browser, on a site of our own. */

let site: BrowserSite;
let account: Person;
let ada: TestClient;
let bob: TestClient;

beforeAll(async () => {
  const other = newPerson('bob');
  [site, account] = await Promise.all([newSitePort().then(startBrowserSite), newPerson('ada')]);
  [ada, bob] = await Promise.all([connectModern(account), connectModern(await other)]);
});

afterAll(async () => {
  await Promise.all([ada?.close(), bob?.close()]);
  await site?.close();
});

const lastTold = () => site.told.at(-1);

describe('a user who books', () => {
  it.each([
    { kind: 'v2 client', connect: connectModern },
    { kind: 'v1 client', connect: connectV1 },
  ])('fills in a three-step form by its refs, gets its errors, and submits it: $kind', async (kind) => {
    const client = await kind.connect(account);
    const call = onSession(client, 'booking');
    const before = site.bookings.length;
    const first = await call('browser_navigate', { url: `${site.url}/booking`, snapshot: true });
    expect(first.text).not.toContain('E-mail');
    await call('browser_fill', {
      selectors: [
        refOf(first, 'textbox "Name of the boat"'),
        refOf(first, '"Length in metres"'),
        refOf(first, '"Kind"'),
      ],
      values: ['Kittiwake', '31', 'Sailing boat'],
    });
    const next = refOf(first, 'button "Next"');
    const refused = await call('browser_click', { selector: next, snapshot: true });
    expect(refused.text).toContain('Please check: Length in metres');
    await call('browser_fill', { selectors: [refOf(refused, '"Length in metres"')], values: ['11'] });

    const second = await call('browser_click', { selector: next, snapshot: true });
    const stay = await call('browser_fill', {
      selectors: [refOf(second, '"Arrival"'), refOf(second, '"Shore power"')],
      values: ['2027-05-14', 'true'],
    });
    expect(stay.structured).toMatchObject({ fields_set: 2, changed_fields: [] });
    await call('browser_click', { selector: refOf(second, 'radio "South"') });

    const third = await call('browser_click', { selector: next, snapshot: true });
    await call('browser_type', { selector: refOf(third, '"Remarks"'), text: 'Two cats – 二匹の猫 🐈' });
    const masked = await call('browser_fill', {
      selectors: [refOf(third, 'textbox "E-mail"'), refOf(third, '"Secret word"')],
      values: ['ada@acme.dev', 'kelp and brine'],
      snapshot: true,
    });
    expect(masked.text).not.toContain('kelp and brine');
    const booked = await call('browser_click', { selector: refOf(third, 'button "Book now"'), snapshot: true });
    expect(booked.text).toContain(`Booking ${before + 1} is confirmed.`);
    expect(booked.structured).toMatchObject({ navigated: true });
    expect(site.bookings.slice(before)).toEqual([
      {
        boat: 'Kittiwake',
        length: '11',
        kind: 'sail',
        arrival: '2027-05-14',
        nights: '1',
        power: 'on',
        pontoon: 'south',
        email: 'ada@acme.dev',
        word: 'kelp and brine',
        remarks: 'Two cats – 二匹の猫 🐈',
      },
    ]);
    const stale = await client.call('browser_click', { session: 'booking', selector: next });
    expect(stale.text).toMatch(/^Error stale_ref: /);
    await call('browser_close');
    await client.close();
  });
});

describe('a model on scripted pages', () => {
  const call: ReturnType<typeof onSession> = (tool, args) => onSession(ada, 'default')(tool, args);
  const open = (path: string) => call('browser_navigate', { url: site.url + path, snapshot: true });

  it('follows links that only change the view', async () => {
    const today = await open('/app');
    const orders = await call('browser_click', { selector: refOf(today, 'link "Orders"'), snapshot: true });
    expect(orders.structured).toMatchObject({ navigated: true, tab: { url: `${site.url}/app/orders` } });
    const order = await call('browser_click', { selector: refOf(orders, 'Order 18'), snapshot: true });
    expect(order.structured).toMatchObject({ tab: { title: 'Order 18 – Harbour office' } });
    const paid = await call('browser_click', { selector: refOf(order, 'button "Mark as paid"'), snapshot: true });
    expect(paid.text).toContain('Paid.');
    expect(lastTold()).toEqual({ what: 'paid', detail: '18' });
    const back = await call('browser_navigate', { history: 'back', snapshot: true });
    expect(back.text).toContain('two coils of rope');
  });

  it('waits for data that a page requests from its server', async () => {
    expect((await open('/slow')).text).toContain('The tide is rising.');
  });

  it('reaches the end of a list that grows on scrolling', async () => {
    await open('/feed');
    let scrolls = 0;
    for (let shown = ''; !shown.includes('No more messages'); scrolls += 1) {
      expect(scrolls).toBeLessThan(20);
      shown = (await call('browser_scroll', { amount: 5, snapshot: true })).text;
      if (shown.includes('No more messages')) expect(shown).toContain('Message 100 of the watch');
    }
    expect(scrolls).toBeGreaterThan(1);
  });

  it('is never led to another row by a ref of a list that reuses its rows', async () => {
    const top = await open('/rows');
    const third = refOf(top, 'button "Call boat 3"');
    const down = await call('browser_scroll', { selector: '#box', amount: 2, snapshot: true });
    expect(down.text).not.toMatch(/@e\d+ button "Call boat 3"/u);
    const told = site.told.length;
    const stale = await ada.call('browser_click', { selector: third });
    expect(stale.text).toMatch(/^Error stale_ref[^]*@e\d+ button "Call boat \d\d"/u);
    expect(site.told).toHaveLength(told);
    await call('browser_click', { selector: refOf(down, 'button "Call boat 21"') });
    expect(lastTold()).toEqual({ what: 'called', detail: 21 });
  });

  it('sees only the modal dialog, and answers it before it continues', async () => {
    const page = await open('/modal');
    const give = refOf(page, 'button "Give it up"');
    const modal = await call('browser_click', { selector: give, snapshot: true });
    expect(modal.text).not.toContain('Mooring 7 is yours.');
    const covered = await ada.call('browser_click', { selector: give });
    expect(covered.isError).toBe(true);
    expect(site.told.filter(({ what }) => what === 'opened')).toHaveLength(1);
    const done = await call('browser_click', { selector: refOf(modal, 'button "Yes, give it up"'), snapshot: true });
    expect(done.text).toContain('Given up.');
    expect(lastTold()?.what).toBe('given up');
  });

  it('works inside same-site and cross-site frames', async () => {
    const charts = await open('/frames');
    const [ours = '', theirs = ''] = charts.text.split('"Their chart"');
    for (const [part, of] of [
      [ours, 'ours'],
      [theirs, 'theirs'],
    ] as const) {
      const shown = { ...charts, text: part };
      await call('browser_fill', { selectors: [refOf(shown, 'textbox "Depth"')], values: [`12 ${of}`] });
      const plotted = await call('browser_click', { selector: refOf(shown, 'button "Plot"'), snapshot: true });
      expect(plotted.text).toContain(`Plotted ${of}`);
      expect(lastTold()).toEqual({ what: 'plotted', detail: `${of} 12 ${of}` });
    }
  });

  it('works inside open and closed shadow trees', async () => {
    const flags = await open('/shadow');
    for (const mode of ['open', 'closed']) {
      await call('browser_fill', { selectors: [refOf(flags, `textbox "Flag (${mode})"`)], values: ['Blue Peter'] });
      await call('browser_click', { selector: refOf(flags, `button "Hoist (${mode})"`) });
      expect(lastTold()).toEqual({ what: 'hoisted', detail: `${mode} Blue Peter` });
    }
  });

  it('gets a report of dialogs, and answers them', async () => {
    const bell = await open('/dialogs');
    const silent = await call('browser_click', { selector: refOf(bell, 'button "Ring"'), snapshot: true });
    expect(silent.text).toContain('confirm dialog dismissed: "Ring the bell?"');
    expect(silent.text).toContain('Silence.');
    const rings = await call('browser_click', { selector: '#ring', dialog: 'accept', snapshot: true });
    expect(rings.text).toContain('It rings.');
    const name = { selector: '#name', dialog: 'accept', dialog_text: 'Old Tom', snapshot: true };
    expect((await call('browser_click', name)).text).toContain('It is called Old Tom');
  });

  it('opens, names and closes tabs, and acts in the named one', async () => {
    const windows = await open('/windows');
    const opened = await call('browser_click', { selector: refOf(windows, 'Moorings in a new window') });
    const [, tab = ''] = /^A new tab opened: (t\d+)$/m.exec(opened.text) ?? [];
    await call('browser_click', { selector: refOf(windows, 'button "Tides in a new window"') });
    const moorings = await call('browser_snapshot', { tab });
    expect(moorings.text).toContain('Mooring 7 is yours.');
    // A ref knows its tab.
    await call('browser_click', { selector: refOf(moorings, 'button "Give it up"') });
    expect(lastTold()?.what).toBe('opened');
    await call('browser_close', { tab });
    const left = await call('browser_snapshot');
    expect((left.structured['tabs'] as { url: string }[]).map(({ url }) => url)).toEqual([
      `${site.url}/windows`,
      `${site.url}/slow`,
    ]);
  });

  it.each(['/noise', '/tall', '/wide'])('sees %s within the size of a result', async (path) => {
    await call('browser_navigate', { url: site.url + path });
    for (const whole of [false, true]) {
      const { text, image } = await call('browser_screenshot', { full_page: whole, overlay: true });
      const [, width, height] = /JPEG, (\d+) × (\d+) px/.exec(text) ?? [];
      expect(Math.max(Number(width), Number(height))).toBeLessThanOrEqual(2_000);
      expect(Buffer.from(image, 'base64').subarray(0, 3).toString('hex')).toBe('ffd8ff');
      expect(image.length + Buffer.byteLength(text)).toBeLessThan(1_000_000);
    }
  });
});

describe('a page that only a browser can show', () => {
  it('is read from a session with a private cursor', async () => {
    const call = onSession(ada, 'default');
    await call('browser_navigate', { url: `${site.url}/feed` });
    await call('browser_scroll', { amount: 5 });
    const read = await call('browser_read');
    const cursor = String(read.structured['cursor']);
    const found = await ada.call('find', { cursor, pattern: 'Message 25 of' });
    expect(found.structured['matches']).toHaveLength(1);
    expect((await bob.call('scroll', { cursor, loc: 0 })).text).toMatch(/^Error unknown_cursor/);
    await call('browser_close');
  });

  it('is rendered by web_open without a session', async () => {
    const page = await ada.call('web_open', { url: `${site.url}/slow`, mode: 'rendered' });
    expect(page.text).toContain('The tide is rising.');
  });
});

describe('a page with many errors', () => {
  it('is shown, and so is the next page, in the same browser', async () => {
    const call = onSession(ada, 'errors');
    for (const path of ['/complaints', '/complaints', '/rows']) {
      const { structured } = await call('browser_navigate', { url: site.url + path });
      expect(structured).toMatchObject({ status: 200, restored: false });
    }
    await call('browser_close');
  });
});

describe('two users', () => {
  it('share nothing in sessions of the same name', async () => {
    const hers = onSession(ada, 'default');
    const his = onSession(bob, 'default');
    await hers('browser_navigate', { url: `${site.url}/who?as=ada` });
    await his('browser_navigate', { url: `${site.url}/who?as=bob` });
    const seen = await Promise.all(
      [hers, his].map((call) => call('browser_navigate', { url: `${site.url}/who`, snapshot: true })),
    );
    expect(seen.map(({ text }) => /Cookie: (\w+)/.exec(text)?.[1])).toEqual(['ada', 'bob']);
    expect(seen.map(({ text }) => /Kept: (\w+)/.exec(text)?.[1])).toEqual(['ada', 'bob']);
    expect((await his('browser_launch')).structured['open_sessions']).toEqual(['default']);
    const guest = await onSession(ada, 'guest')('browser_navigate', { url: `${site.url}/who`, snapshot: true });
    expect(guest.text).toContain('Cookie: none');
    const unknown = await bob.call('browser_snapshot', { session: 'guest' });
    expect(unknown.text).toMatch(/^Error unknown_session/);
    for (const [client, session] of [
      [ada, 'guest'],
      [ada, 'default'],
      [bob, 'default'],
    ] as const) {
      await onSession(client, session)('browser_close');
    }
  });

  it('can share a session without losing or mixing up a call', async () => {
    await onSession(ada, 'team')('browser_launch', { shared: true });
    const agents = await Promise.all(
      [ada, bob].map(async (client, index) => {
        const by = index === 0 ? 'ada' : 'bob';
        const call = onSession(client, 'shared/team');
        const url = `${site.url}/notes?by=${by}`;
        const page = await call('browser_navigate', { url, new_tab: index > 0, snapshot: true });
        return { by, call, page, tab: (page.structured['tab'] as { id: string }).id };
      }),
    );
    expect(new Set(agents.map(({ tab }) => tab)).size).toBe(2);
    const entries = Array.from({ length: 10 }, (_, index) => `entry ${index}`);
    await Promise.all(
      agents.map(async ({ by, call, page, tab }) => {
        for (const entry of entries) {
          await call('browser_fill', { selectors: [refOf(page, 'textbox "Entry"')], values: [entry], tab });
          const written = await call('browser_click', { selector: refOf(page, 'button "Write"'), tab });
          expect(written.structured).toMatchObject({ tab: { id: tab, url: `${site.url}/notes?by=${by}` } });
        }
      }),
    );
    for (const { by } of agents) {
      const own = site.told.flatMap(({ what, detail }) => (what === 'entry' && detail?.startsWith(by) ? [detail] : []));
      expect(own).toEqual(entries.map((entry) => `${by}: ${entry}`));
    }
    await onSession(bob, 'shared/team')('browser_close');
  });
});

describe('many sessions', () => {
  it('work at the same time, and one session too many is refused with a remedy', async () => {
    const { sessionsPerPerson: limit } = await sharedServer();
    const names = Array.from({ length: limit }, (_, index) => `s${index}`);
    const seen = await Promise.all(
      names.map(async (name) => {
        const call = onSession(ada, name);
        await call('browser_navigate', { url: `${site.url}/who?as=${name}` });
        return (await call('browser_navigate', { url: `${site.url}/who`, snapshot: true })).text;
      }),
    );
    expect(seen.map((text) => /Cookie: (\w+)/.exec(text)?.[1])).toEqual(names);
    const oneMore = () => ada.call('browser_navigate', { session: 'more', url: `${site.url}/who` });
    const refused = await oneMore();
    expect(refused.structured).toMatchObject({ error: 'session_limit', limit, scope: 'subject' });
    const [, hint = '{}'] = /browser_close, such as (\{.*?\})/.exec(refused.text) ?? [];
    expect((await ada.call('browser_close', JSON.parse(hint) as Record<string, unknown>)).isError).toBe(false);
    expect((await oneMore()).isError).toBe(false);
    const { session: closed } = JSON.parse(hint) as { session: string };
    await Promise.all(
      [...names, 'more'].filter((name) => name !== closed).map((name) => onSession(ada, name)('browser_close')),
    );
  });
});
