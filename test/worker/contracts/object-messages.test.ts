import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import * as worker from '#index.ts';

/**
 * The messages of the previous version, as its Worker and its objects send them. Objects take up a new version minutes
 * after the Worker: whoever changes a method makes it understand these, and changes them one version later
 * (docs/decisions/0018-neighbouring-versions-speak-to-each-other.md).
 */
const LIMITS = {
  perDay: { calls: 100, searches: 100, browser_ms: 100 },
  totalPerDay: { calls: 100, searches: 100, browser_ms: 100 },
  callsPerMinute: 100,
};
const PAGE = { documentId: 'd', url: 'https://docs.acme.dev/', title: null, lineCount: 10, restStart: null };
const BUCKETS = [{ key: 'neighbours', max: 3, windowMs: 1_000 }];
const SECRET = {
  name: 'bank',
  sites: ['https://bank.example'],
  hasValue: true,
  hasCode: false,
  addedAt: 1,
  usedAt: null,
  sealed: new Uint8Array([1]),
};
const STRANGER = { subject: 'o_neighbour', session: 'none', ownHosts: [] };
const NOW = Date.now();
const DEED = {
  id: 'one.0',
  at: NOW,
  isCall: true,
  client: 'client',
  tool: 'open_url',
  kind: 'read',
  url: 'https://docs.acme.dev/',
  title: 'Docs',
  words: null,
  cursor: null,
  documentId: null,
  lines: { start: 0, end: 3 },
  session: null,
  ms: 12,
  error: null,
};
const STEP = {
  id: 'step',
  session: 's',
  at: NOW,
  what: 'click',
  url: 'https://docs.acme.dev/',
  title: null,
  error: null,
  without: null,
};
const ISSUED = { id: 'token', endsAt: NOW + 60_000 };
const ROTATION = {
  from: 'first',
  presented: 'first',
  wrappedKey: 'key',
  next: 'second',
  record: '{}',
  answer: new Uint8Array([1]),
  issued: ISSUED,
  graceMs: 60_000,
  endsAt: NOW + 60_000,
};
const NO_SESSION = { failure: { code: 'unknown_session', session: 'none' } };

/** Of each object: what its methods are sent, and what the previous version reads of the answer. */
const MESSAGES: Record<string, Record<string, [args: unknown[], answer: unknown]>> = {
  ClientState: {
    spend: [[{ calls: 1 }, LIMITS], null],
    mintList: [[{ hits: [], lines: ['one'] }, 60_000], expect.stringMatching(/^c_/)],
    mintPage: [[PAGE, 0, null, 60_000], expect.stringMatching(/^c_/)],
    use: [['c_none', null, 60_000], null],
    forget: [[['d']], undefined],
    renew: [['c_none', 1], undefined],
    listed: [[['https://a.example/']], []],
    recents: [[null, 5], expect.objectContaining({})],
    hasOpened: [['s'], false],
    recentsMatching: [['text', 5], []],
    taken: [
      [],
      {
        calls: expect.any(Array),
        searches: expect.any(Array),
        browser_ms: expect.any(Array),
        used: { calls: expect.any(Array), searches: expect.any(Array), browser_ms: expect.any(Array) },
      },
    ],
    secrets: [[], []],
    keepSecret: [[SECRET, false], null],
    usedSecret: [['bank', 1], undefined],
    removeSecret: [['bank'], true],
    heldGrant: [['none', null], null],
    beginGrant: [['grant', { record: '{}', current: 'first', issued: ISSUED, endsAt: NOW + 60_000 }], true],
    rotateGrant: [['grant', ROTATION], null],
    issueToken: [['grant', ISSUED], true],
    endGrant: [['grant'], ['token']],
  },
  HostPace: {
    take: [['turn', 0], 0],
    done: [['turn', 0], undefined],
  },
  PageLease: {
    take: [[], { token: expect.any(String), outcome: null }],
    finish: [['none', { kind: 'gone' }], undefined],
  },
  PersonFiles: {
    add: [['f_none', 'session', 0, new Uint8Array([1]), { each: 1, together: 1 }], null],
    finish: [
      ['f_none', 'session', { name: 'n', mediaType: 'text/plain', sha256: 's' }],
      expect.objectContaining({ bytes: 1 }),
    ],
    list: [[], [expect.objectContaining({ id: 'f_none' })]],
    facts: [['f_none'], expect.objectContaining({ name: 'n', mediaType: 'text/plain', sha256: 's' })],
    piece: [['f_none', 0], new Uint8Array([1])],
    remove: [['f_none'], true],
    removeOf: [['session'], 0],
    erase: [[], undefined],
  },
  PersonHistory: {
    note: [[[DEED], 86_400_000], undefined],
    keepFor: [[86_400_000], undefined],
    deeds: [[{}, null, 5], { deeds: [{ ...DEED, seq: expect.any(Number), reason: null, hint: null }], next: null }],
    deed: [[1], expect.objectContaining({ id: DEED.id })],
    documentOf: [['c_none'], null],
    choices: [[], { clients: ['client'], days: [expect.stringMatching(/^\d{4}-\d\d-\d\d$/)] }],
    use: [[0], { tools: [expect.objectContaining({ tool: 'open_url', calls: 1 })], days: [expect.any(Object)] }],
    clients: [[], [{ id: 'client', usedAt: DEED.at, name: null }]],
    nameClients: [[[['client', 'A client']]], undefined],
    wish: [[], { activity: true, pictures: true }],
    setWish: [[{ pictures: true }], undefined],
    keepStep: [[STEP, new Uint8Array([1])], true],
    steps: [['s', null, 5], { steps: [{ ...STEP, seq: expect.any(Number), done: [] }], next: null }],
    script: [['s'], [null]],
    picture: [[STEP.id], new Uint8Array([1])],
    sessions: [[], [expect.objectContaining({ name: 's', picture: STEP.id, hasSteps: true })]],
    sessionNames: [[], expect.arrayContaining(['s'])],
    forgetSteps: [['s'], undefined],
    sessionEnded: [['s'], undefined],
    forgetDeeds: [[], undefined],
  },
  SearchLimiter: {
    reserve: [[1_000], expect.objectContaining({ granted: true })],
    learn: [[[], false], undefined],
    takeOfDay: [[1], null],
  },
  SignInState: {
    identity: [[], { secret: expect.any(String), ownerSubject: expect.stringMatching(/^o_/) }],
    takeTurn: [[BUCKETS], { granted: true }],
    giveBack: [[BUCKETS], undefined],
    noteClient: [['client'], []],
    keepUpstream: [['key', 'record', 60_000], undefined],
    takeUpstream: [['key'], 'record'],
    consent: [['none'], null],
    forgetConsent: [[['none']], undefined],
    rememberConsent: [['key', { granted: ['web:read'], quietUntil: 0 }], undefined],
  },
  DeploymentBudgets: {
    lease: [
      [{ calls: { least: 1, demand: 1, most: 5 } }, LIMITS.totalPerDay],
      expect.objectContaining({ granted: expect.any(Object) }),
    ],
    taken: [[], expect.objectContaining({ calls: expect.any(Array) })],
  },
  SessionRegistry: {
    open: [
      [
        { key: 'k', subject: 's', name: 'n' },
        { perSubject: 1, total: 1 },
      ],
      expect.objectContaining({ granted: true }),
    ],
    seen: [['k'], undefined],
    list: [['s'], [expect.objectContaining({ key: 'k', subject: 's', name: 'n' })]],
    closed: [['k'], undefined],
    closedAllOf: [['s'], undefined],
  },
  BrowserSession: {
    restore: [[{ rows: [], values: [], alarm: null }, false], 0],
    evaluate: [[STRANGER, {}, { script: '1', args: [] }], NO_SESSION],
    snapshot: [[STRANGER, {}, {}], NO_SESSION],
    click: [[STRANGER, {}, { selector: 'a' }], NO_SESSION],
    fill: [[STRANGER, {}, { selectors: ['a'], values: ['b'] }], expect.objectContaining(NO_SESSION)],
    type: [[STRANGER, {}, { text: 'a' }], NO_SESSION],
    scroll: [[STRANGER, {}, {}], NO_SESSION],
    wait: [[STRANGER, {}, { wanted: { kind: 'text', value: 'a', isGone: false }, timeoutMs: 100 }], NO_SESSION],
    point: [[STRANGER, {}, { action: 'hover', at: { selector: 'a' } }], NO_SESSION],
    takeSteps: [
      [STRANGER, {}, { steps: [{ kind: 'click', selector: 'a' }], snapshot: false, expectsDialog: false }, 'list'],
      { failure: { ...NO_SESSION.failure, listed: { done: 0, total: 1 } } },
    ],
    cancelList: [['list'], undefined],
    log: [[STRANGER, {}, { kind: 'console', after: 0 }], NO_SESSION],
    putFile: [[STRANGER, {}, { file: { name: 'n', text: 't' } }], NO_SESSION],
    screenshot: [[STRANGER, {}, {}], NO_SESSION],
    html: [[STRANGER, {}, {}], NO_SESSION],
    read: [[STRANGER, {}, {}], NO_SESSION],
    handoff: [[STRANGER, {}, { reason: 'Please', declines: false }], NO_SESSION],
    decline: [[], undefined],
    liveTicket: [[STRANGER, false], { refused: 'unknown' }],
    overview: [[], null],
    har: [[], null],
    closeTab: [[STRANGER, 't1'], NO_SESSION],
    leave: [['s'], undefined],
    forgetPerson: [['s'], undefined],
    close: [[STRANGER], { done: expect.objectContaining({ result: expect.objectContaining({ existed: false }) }) }],
  },
};

/** These need a browser, and have tests of their own. */
const WITH_BROWSER: Record<string, readonly string[]> = {
  BrowserSession: ['launch', 'navigate'],
  PageRenderer: ['render', 'probe', 'pagesUnderWay'],
};
/** What the platform calls, not a neighbour. */
const OF_PLATFORM: ReadonlySet<string> = new Set(['run', 'constructor', 'alarm', 'fetch']);

const NAMESPACES: Record<
  string,
  { idFromName: (name: string) => DurableObjectId; get: (id: DurableObjectId) => object }
> = {
  ClientState: env.CLIENT,
  HostPace: env.HOST_PACE,
  PageLease: env.LEASE,
  SearchLimiter: env.SEARCH_LIMITER,
  SignInState: env.SIGN_IN,
  DeploymentBudgets: env.BUDGET,
  SessionRegistry: env.SESSIONS,
  BrowserSession: env.BROWSER_SESSION,
  PersonFiles: env.FILES,
  PersonHistory: env.HISTORY,
};

describe('an object understands the previous version', () => {
  it.each(
    Object.entries(MESSAGES).flatMap(([name, methods]) =>
      Object.entries(methods).map(([method, [args, answer]]) => ({ name, method, args, answer })),
    ),
  )('that calls $method of $name', async ({ name, method, args, answer }) => {
    const namespace = NAMESPACES[name];
    if (namespace === undefined) throw new Error(`no namespace of ${name}`);
    const stub = namespace.get(namespace.idFromName('neighbours'));
    const call: (...args: unknown[]) => Promise<unknown> = Reflect.get(stub, method);
    expect(await Reflect.apply(call, stub, args)).toEqual(answer);
  });

  it('in every method of every object', () => {
    const classes = Object.entries(worker).filter(([name]) => name !== 'default');
    const methods = classes.flatMap(([name, made]) =>
      Object.getOwnPropertyNames(Reflect.get(made, 'prototype'))
        .filter((method) => !OF_PLATFORM.has(method))
        .map((method) => `${name}.${method}`),
    );
    const listed = [...Object.entries(MESSAGES), ...Object.entries(WITH_BROWSER)].flatMap(([name, of]) =>
      (Array.isArray(of) ? of : Object.keys(of)).map((method) => `${name}.${String(method)}`),
    );
    expect(methods.toSorted()).toEqual(listed.toSorted());
  });
});
