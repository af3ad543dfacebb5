import { html as render } from 'hono/html';
import { describe, expect, it } from 'vitest';
import { PASSPHRASE_ACCOUNT } from '#auth/people/account.ts';
import { parseLeasedToday } from '#client/deployment/deployment-budgets.ts';
import type { ScriptStep, ScriptTarget } from '#core/script-steps.ts';
import { activityItem, TaskActivity, groupByTask } from '#web/console/activity-lines.tsx';
import { followOptions } from '#web/console/changes-page.tsx';
import { consoleHomePage } from '#web/console/desk.tsx';
import type { StoredActivity } from '#storage/person/activity-log.ts';
import type { ListedChange } from '#storage/library/changes.ts';
import { sessionActions } from '#web/sessions/session-page.tsx';
import type { ListedSession } from '#web/sessions/session-page.tsx';
import { describeSteps } from '#web/sessions/step-words.ts';
import type { WaitingRequest } from '#web/page-response.ts';
import { textOf } from '#support/oauth-browser.ts';

const NOW = Date.parse('2026-11-26T12:00:00Z');
const NOTHING = { perDay: { calls: 100, searches: 10, browser_ms: 600_000 } };
const HOSTILE = '</q><script>alert(1)</script> \u202eplease';

type Given = {
  owner?: boolean;
  waiting?: readonly WaitingRequest[] | null;
  callers?: readonly [string, string][];
  secrets?: number | null;
  changes?: readonly ListedChange[];
  sessions?: readonly ListedSession[];
};

async function desk(given: Given): Promise<string> {
  const { owner = true, waiting = [], callers = [], secrets = 0, changes = [], sessions = [] } = given;
  const app = consoleHomePage({
    signIns: {
      read: async () => ({ subject: 'one', account: PASSPHRASE_ACCOUNT, owner, zone: 'UTC' }),
      startForm: async () => ({ token: 'fits', setCookie: 'form=1' }),
      isOurForm: async () => true,
    },
    origin: 'https://periscope.acme.dev',
    hasBrowser: true,
    webSearch: null,
    days: 30,
    limits: { callsPerMinute: 10, totalPerDay: NOTHING.perDay, ...NOTHING },
    historyOf: () => ({
      deeds: async () => ({ deeds: [], next: null }),
      wish: async () => ({ activity: true, pictures: true }),
      sessions: async () => [
        { name: 'default', usedAt: NOW, url: null, title: null, picture: 'the-newest', hasSteps: true },
      ],
      clients: async () => [],
      nameClients: async () => undefined,
    }),
    namesOf: async () => ({ callers: new Map(callers), ours: new Map() }),
    openSessions: async () => sessions,
    changesOf: async () => changes,
    usedBy: async () => {
      const taken = parseLeasedToday({ calls: [[NOW / 900_000, 64]], searches: [], browser_ms: [] });
      return { ...taken, used: parseLeasedToday({ calls: [[NOW / 900_000, 2]], searches: [], browser_ms: [] }) };
    },
    secretsOf: async () => secrets,
    now: () => NOW,
  });
  const shown = await app.request('/console', {}, { waitingFor: async () => waiting });
  expect(shown.status).toBe(200);
  return shown.text();
}

describe('the console home page', () => {
  it('begins with the waiting model, and shows it in the title and the menu, as text that cannot be markup', async () => {
    const html = await desk({ waiting: [{ session: 'default', reason: HOSTILE, question: null }] });
    expect(html).toContain('<title>(1) Overview – Periscope</title>');
    expect(html).toMatch(/<nav[^>]*>.*<a class="waits" href="\/live\/default">A model needs you<\/a>.*<\/nav>/su);
    expect(html).toMatch(/<a class="button primary" href="\/live\/default">Take over/u);
    expect(html).toContain('/console/session/picture?id=the-newest');
    expect(html).not.toMatch(/<script>alert|\u202e/u);
    const two = await desk({ waiting: ['a', 'b'].map((session) => ({ session, reason: 'Sign in', question: null })) });
    expect(two).toContain('<title>(2) Overview');
    expect(two).toContain('<a class="waits" href="/console">2 requests wait for you</a>');
  });

  it('omits this while no model waits, and reports when it is not known', async () => {
    expect(await desk({})).not.toMatch(/class="waits"|needs you/u);
    expect(textOf(await desk({ waiting: null }))).toContain('This page could not check for models that wait for you.');
  });

  it('begins with the URL for clients until a client is connected, and lists the configured features', async () => {
    const text = textOf(await desk({}));
    expect(text).toContain('Connect your first client');
    expect(text).toContain('https://periscope.acme.dev/mcp');
    expect(text).toMatch(
      /Clients not set up .* Web search not set up .* Browser ready .* Secrets not set up .* Activity ready/u,
    );
    expect(text).toContain('No client is connected, and you have no access token. Connect a client');
    const connected = await desk({ callers: [['c', 'Agent']] });
    expect(textOf(connected)).toMatch(/Setup Web search not set up .* Clients ready .* Secrets not set up/u);
    expect(connected.match(/class="state warn"/gu)).toHaveLength(1);
    const later = textOf(await desk({ callers: [['c', 'Agent']], secrets: null }));
    expect(later).toContain('1 client or token may act for you. Manage clients');
    expect(later).toContain('They cannot be stored until the owner sets SESSION_SECRET.');
    expect(later).toMatch(/Setup .* Connect another client/u);
  });

  it('offers to copy the URL, and shows names of settings to the owner only', async () => {
    const html = await desk({});
    expect(html).toMatch(/mcp<\/code><button type="button" data-copy/u);
    expect(textOf(html)).toContain('SEARCH_PROVIDERS=keenable');
    const guests = textOf(await desk({ owner: false }));
    expect(guests).toContain('Searches cover only the pages opened here before. The owner can set up web search.');
    expect(guests).not.toContain('SEARCH_PROVIDERS');
  });

  it('distinguishes used budget from reserved budget', async () => {
    expect(textOf(await desk({}))).toContain('Calls 2 of 100 in 24 hours, 62 more reserved');
  });
});

describe('a long or repeated name', () => {
  it('leaves a line of the activity one line, and is whole in its details', async () => {
    const session = 'purchase-of-two-coils-of-rope';
    const { aside, details } = activityItem({ ...LINE, session }, null);
    expect(await shownText(aside)).toContain('purchase-of-two-coi…');
    expect(await shownText(details?.at(-1))).toContain(`session ${session}`);
  });

  it('is told apart by its address in the filter of changes', () => {
    const notes = { title: 'Notes', scope: 'page' } as const;
    const options = followOptions([
      { ...notes, id: 'a', url: 'https://one.example/' },
      { ...notes, id: 'b', url: 'https://two.example/' },
      { id: 'c', title: 'Manual', scope: 'site', url: 'https://three.example/' },
    ]);
    expect(options.map(({ text }) => text)).toEqual([
      'Everything',
      'Notes (page https://one.example/)',
      'Notes (page https://two.example/)',
      'Manual (site)',
    ]);
  });
});

const LINE: StoredActivity = {
  id: 'one',
  isCall: true,
  seq: 1,
  at: NOW,
  kind: 'browse',
  tool: 'browser_snapshot',
  client: 'c',
  url: null,
  title: null,
  cursor: null,
  documentId: null,
  lines: null,
  words: null,
  session: null,
  ms: 5,
  error: null,
  reason: null,
  hint: null,
};

describe('a session in a list', () => {
  const session: ListedSession = {
    name: 'shop',
    state: 'open',
    isDriven: false,
    asked: null,
    urls: [],
    title: null,
    usedAt: NOW,
    restsAt: null,
    paidMs: 0,
    sees: null,
    picture: null,
  };

  it('waits for the user while a model asks for approval in it, and is not listed again on the home page', async () => {
    const asking = { session: 'shop', reason: 'Buy?', question: 'q' };
    const sessions = [session, { ...session, name: 'shop2' }];
    const html = textOf(await desk({ waiting: [asking], sessions }));
    expect(html).toMatch(/Session shop Nothing happens until you answer\..* Open sessions .*shop2 +open/u);
    expect(html).not.toMatch(/Open sessions .*shop +open/u);
    const driven = await desk({ waiting: [asking], sessions: [{ ...session, isDriven: true }] });
    expect(driven).toMatch(/a person is driving.*href="\/console\/approvals\?name=shop&amp;question=q">Answer/su);
  });

  it('offers the next action first: take over if a model waits, otherwise watch, and nothing once it has ended', () => {
    const asks = { ...session, asked: 'Sign in' };
    expect(sessionActions(asks).link).toEqual({ to: '/live/shop', label: 'Take over', isMain: true });
    expect(sessionActions({ ...asks, isDriven: true }).link).toEqual({ to: '/live/shop', label: 'Watch live' });
    expect(sessionActions(session).link).toEqual({ to: '/live/shop', label: 'Watch live' });
    expect(sessionActions({ ...asks, state: 'ended' })).toEqual({ about: 'shop' });
  });
});

describe('the latest changes', () => {
  const word = (kind: 'same' | 'gone' | 'new', text: string) => ({ kind, text });
  const found: ListedChange = {
    follow: 'f_1',
    round: 2,
    key: 'k',
    kind: 'changed',
    url: 'https://docs.acme.dev/prices',
    movedTo: null,
    title: 'Prices',
    problem: null,
    library: 'https://docs.acme.dev/',
    at: NOW,
    blocks: 3,
    first: {
      kind: 'changed',
      before: null,
      after: null,
      section: 'Plans',
      head: null,
      words: [word('same', 'The small plan costs '), word('gone', '5 '), word('new', '6 '), word('same', 'dollars.')],
    },
    origin: 'https://periscope.acme.dev',
  };

  it('are on the home page with the removed and added words, and link to their page', async () => {
    const html = await desk({ changes: [found] });
    expect(html).toContain('<a href="/changes/f_1/2?page=k">');
    expect(html).toContain('small plan costs <del>5</del> <ins>6</ins> dollars.');
    expect(textOf(html)).toContain('2 more blocks');
    expect(await desk({})).not.toContain('Latest changes');
  });
});

describe('activity lines', () => {
  it('belong to one task while one client pauses no longer than ten minutes', () => {
    const line = (minute: number, client: string) => ({ at: NOW + minute * 60_000, client });
    const lines = [line(40, 'a'), line(31, 'a'), line(30, 'b'), line(29, 'a'), line(5, 'a'), line(0, 'b')];
    expect(groupByTask(lines)).toEqual([[lines[0], lines[1], lines[3]], [lines[2]], [lines[4]], [lines[5]]]);
    expect(groupByTask([])).toEqual([]);
  });

  it('count a call once, however many pages it read', async () => {
    const lines = [{ ...LINE, isCall: false }, { ...LINE, isCall: false }, LINE];
    const task = await shownText(TaskActivity({ lines, nameOf: (client) => client }));
    expect(task).toContain('1 call, began');
    const own = await shownText(
      TaskActivity({ lines: [{ ...LINE, isCall: false }], nameOf: () => 'You, in the console' }),
    );
    expect(own).toContain('You, in the console began');
  });

  it('show the question of a passage search next to its page', async () => {
    const line = { ...LINE, tool: 'find_passages', title: 'Retries', words: 'How many attempts?' };
    expect(await shownText(activityItem(line, null).body)).toBe('Asked “How many attempts?” Retries');
  });

  it('name the element that a click was for as its selector does, without more quotes', async () => {
    const line = { ...LINE, tool: 'browser_click', words: 'button "Save"', error: 'element_not_found', reason: 'No.' };
    expect(await shownText(activityItem(line, null).body)).toBe('Could not click on button "Save" No.');
  });

  it('name the subject of a call without a page', async () => {
    const line = { ...LINE, tool: 'changes', session: null };
    expect(await shownText(activityItem(line, null).body)).toBe('Looked for changes in followed pages');
    const failed = { ...line, error: 'invalid_argument', reason: 'check: is not a parameter' };
    expect(await shownText(activityItem(failed, null).body)).toBe(
      'Could not look for changes in followed pages check: is not a parameter',
    );
  });
});

async function shownText(part: unknown): Promise<string> {
  return textOf((await render`<p>${part}</p>`).toString()).trim();
}

describe('the description of a step', () => {
  const at = (role: string, name: string) => ({ role, name, nth: null, frame: null });
  const press = (what: ScriptTarget): ScriptStep => {
    return { do: 'click', at: what, button: 'left', count: 1, modifiers: [] };
  };
  const click = press(at('button', 'Send'));

  it('names the clicked or filled element, and never the typed text', () => {
    expect(describeSteps('click', [click])).toBe('Clicked button “Send”');
    const value = { text: 'ana@acme.dev' };
    const fill: ScriptStep = { do: 'fill', at: at('textbox', 'Email'), field: 'text', value };
    const type: ScriptStep = { do: 'type', at: null, text: { text: 'sesame' }, keys: ['Enter'] };
    const words = describeSteps('do', [fill, type, click]);
    expect(words).toBe('Filled field “Email”, then typed, then clicked button “Send”');
    expect(describeSteps('click', [press(at('generic', ''))])).toBe('Clicked an element');
    expect(describeSteps('click', [press(at('button', `x\u202e${'y'.repeat(200)}`))]).length).toBeLessThan(110);
  });

  it('is the kind of step when no more was stored, or the name of an unknown kind', () => {
    expect(describeSteps('navigate', [])).toBe('Went to an address');
    const go: ScriptStep = { do: 'go', url: 'https://shop.acme.dev/orders?key=sesame' };
    expect(describeSteps('navigate', [go])).toBe('Went to shop.acme.dev');
    expect(describeSteps('later', [])).toBe('later');
  });
});
