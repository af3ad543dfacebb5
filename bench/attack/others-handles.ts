import { open } from './rig.ts';
import type { Rig } from './rig.ts';
import type { Part, Try } from './try.ts';
import { at, stringsIn, textOf } from './wire.ts';
import type { Answer } from './wire.ts';

/** Handles of another user: cursors, browser sessions, tabs, documents of a live page. */
export async function othersHandles(rig: Rig): Promise<Part> {
  const tries = [...(await cursors(rig)), ...(await sessions(rig)), ...purge(rig)];
  return { name: 'handles of another', tries };
}

const SECRET = 'secretheron';

async function cursors({ ana, bob, owner, local, site }: Rig): Promise<Try[]> {
  const url = site.page('/cursor', `<title>Page</title><h1>Page</h1><p>${SECRET} one, two and three.</p>`);
  const { cursor } = await open(ana.caller, url);
  const list = textOf(at((await ana.caller.call('web_search', { query: SECRET })).structured, 'cursor'));
  const refusedTo = async (calls: readonly Promise<Answer>[]): Promise<string | null> => {
    for (const answer of await Promise.all(calls)) {
      if (answer.body.includes(SECRET)) return 'the text is shown';
      if (!answer.isRefused) return `answered: ${answer.text.slice(0, 80)}`;
    }
    return null;
  };
  const others = [bob.caller, owner.caller, local];
  return [
    {
      name: 'control: her cursors work for Ana',
      run: async () => {
        const scrolled = await ana.caller.call('scroll', { cursor });
        const opened = await ana.caller.call('open_result', { cursor: list, result_id: 1 });
        return scrolled.body.includes(SECRET) && opened.body.includes(SECRET) ? null : 'they do not';
      },
    },
    { name: 'scroll', run: () => refusedTo(others.map((who) => who.call('scroll', { cursor }))) },
    { name: 'find', run: () => refusedTo(others.map((who) => who.call('find', { cursor, pattern: 'one' }))) },
    {
      name: 'find by regular expression',
      run: () => refusedTo(others.map((who) => who.call('find', { cursor, pattern: '.*', is_regex: true }))),
    },
    {
      name: 'open_result of a list',
      run: () => refusedTo(others.map((who) => who.call('open_result', { cursor: list, result_id: 1 }))),
    },
    { name: 'scroll of a list', run: () => refusedTo(others.map((who) => who.call('scroll', { cursor: list }))) },
    {
      name: 'the newer protocol',
      run: () =>
        refusedTo([bob.caller.rpc('tools/call', { name: 'scroll', arguments: { cursor } }, { era: '2026-07-28' })]),
    },
    {
      name: 'cursors with white space, wildcards, quotes, paths, case',
      run: () =>
        refusedTo(
          [
            `${cursor} `,
            ` ${cursor}`,
            'c_%',
            'c_*',
            '%',
            "c_' OR '1'='1",
            `../ana/${cursor}`,
            `${cursor}\u0000`,
            `${cursor}/../${cursor}`,
            cursor.toUpperCase(),
            cursor.slice(0, -1),
            '',
            'c_',
            `${cursor}#L1`,
          ].map((made) => bob.caller.call('scroll', { cursor: made })),
        ),
    },
    {
      name: 'a subject named in _meta, headers or arguments',
      run: () =>
        refusedTo([
          bob.caller.rpc('tools/call', {
            name: 'scroll',
            arguments: { cursor },
            _meta: { subject: 'sub-ana', 'openai/subject': 'sub-ana', user: 'ana@acme.dev' },
          }),
          bob.caller.rpc(
            'tools/call',
            { name: 'scroll', arguments: { cursor } },
            { headers: { 'x-subject': 'sub-ana', 'x-forwarded-user': 'ana@acme.dev', 'mcp-session-id': 'sub-ana' } },
          ),
          bob.caller.call('scroll', { cursor, subject: 'sub-ana' }),
        ]),
    },
  ];
}

async function sessions(rig: Rig): Promise<Try[]> {
  const { ana, bob, owner, site } = rig;
  const url = site.page(
    '/live',
    `<title>Inbox ${SECRET}</title><h1>Inbox</h1><p>Mail to Ana: ${SECRET}.</p><button>Delete</button>`,
  );
  await ana.caller.call('browser_navigate', { url });
  await ana.caller.call('browser_navigate', { url, session: 'ledger' });
  const read = await ana.caller.call('browser_read', {});
  const cursor = textOf(at(read.structured, 'cursor'));
  const hashes = new Set(stringsIn(read.structured).flatMap((text) => text.match(/\b[0-9a-f]{64}\b/g) ?? []));
  const unseen = (answers: readonly Answer[]): string | null => {
    const bad = answers.find(({ body }) => body.includes(SECRET));
    return bad === undefined ? null : `shown: ${bad.text.slice(0, 80)}`;
  };
  const names = [
    'ledger',
    'shared/ledger',
    'private/sub-ana/ledger',
    'shared/../private/sub-ana/ledger',
    'shared/private/ana/default',
    'default ',
    'Default',
    'default\u0000',
    'shared/default',
    'SHARED/ledger',
    'shared%2Fledger',
    'ｄefault',
    'a'.repeat(300),
    '',
    '__proto__',
    'constructor',
  ];
  return [
    {
      name: 'control: Ana sees her session and her reading of it',
      run: async () => {
        const seen = await ana.caller.call('browser_snapshot', {});
        const scrolled = await ana.caller.call('scroll', { cursor });
        return seen.body.includes(SECRET) && scrolled.body.includes(SECRET) ? null : 'she does not';
      },
    },
    ...names.map((session): Try => ({
      name: `session ${JSON.stringify(session.slice(0, 30))}`,
      run: async () => {
        const answers = [];
        for (const tool of ['browser_snapshot', 'browser_read', 'browser_html'])
          answers.push(await bob.caller.call(tool, { session }));
        return unseen(answers);
      },
    })),
    {
      name: 'tabs of another by their ids',
      run: async () => {
        const answers = [];
        for (const tab of ['t1', 't2', 't99', '*', '../t1'])
          answers.push(await bob.caller.call('browser_snapshot', { tab }));
        return unseen(answers);
      },
    },
    {
      name: 'browser_launch lists only one’s own sessions',
      run: async () => {
        const answer = await bob.caller.call('browser_launch', { session: 'mine' });
        await bob.caller.call('browser_close', { session: 'mine' });
        return answer.body.includes('ledger') ? 'Ana’s session is listed' : null;
      },
    },
    {
      name: 'browser_close of another’s session',
      run: async () => {
        for (const who of [bob, owner]) await who.caller.call('browser_close', { session: 'ledger' });
        const still = await ana.caller.call('browser_snapshot', { session: 'ledger' });
        return still.body.includes(SECRET) && at(still.structured, 'restored') === false ? null : 'it is closed';
      },
    },
    {
      name: 'a shared session of one’s own is no way into private ones',
      run: async () => {
        await bob.caller.call('browser_launch', { session: 'ledger', shared: true });
        const seen = unseen([await bob.caller.call('browser_snapshot', { session: 'shared/ledger' })]);
        await bob.caller.call('browser_close', { session: 'shared/ledger' });
        return seen;
      },
    },
    {
      name: 'the document of a live page: cursor, hash, search, resources',
      run: async () => {
        const answers = [
          await bob.caller.call('scroll', { cursor }),
          await bob.caller.call('web_search', { query: 'Mail to Ana' }),
          await ana.caller.call('web_search', { query: 'Mail to Ana' }),
          await bob.caller.rpc('resources/list'),
          await rig.local.call('web_search', { query: 'Mail to Ana' }),
        ];
        for (const hash of hashes) {
          answers.push(await bob.caller.call('cache_get', { snapshot: hash }));
          answers.push(await owner.caller.call('cache_get', { snapshot: hash }));
        }
        return unseen(answers);
      },
    },
    {
      name: 'browser_evaluate from another site’s page sees no cookies or storage of Ana',
      run: async () => {
        await ana.caller.call('browser_evaluate', {
          script: `document.cookie='k=${SECRET}'; localStorage.k='${SECRET}'; 1`,
        });
        await bob.caller.call('browser_navigate', { url });
        return unseen([
          await bob.caller.call('browser_evaluate', { script: 'document.cookie + " " + (localStorage.k ?? "")' }),
        ]);
      },
    },
  ];
}

function purge({ ana, bob, site }: Rig): Try[] {
  return [
    {
      name: 'cache_purge without the permission, in both protocols and in a batch',
      run: async () => {
        const url = site.page('/purged', '<title>Purged</title><h1>P</h1><p>A page that stays where it is.</p>');
        const { snapshot } = await open(ana.caller, url);
        const args = { snapshot, dry_run: false };
        const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'cache_purge', arguments: args } };
        const harmless = { jsonrpc: '2.0', id: 8, method: 'ping' };
        await bob.caller.call('cache_purge', args);
        await bob.caller.rpc('tools/call', { name: 'cache_purge', arguments: args }, { era: '2026-07-28' });
        await bob.caller.post([harmless, call]);
        await bob.caller.post([call]);
        await bob.caller.post({ ...call, params: { ...call.params, name: ['cache_purge'] } });
        await bob.caller.call('cache_purge', args, '?toolsets=web,cache');
        const still = await ana.caller.call('cache_get', { snapshot });
        return still.isRefused ? 'the page is gone' : null;
      },
    },
  ];
}
