import { setTimeout as sleep } from 'node:timers/promises';
import { letsIn } from './bearer.ts';
import { codeOf, newClient, tokenRequest, tokensIn, tokensOf } from './grant.ts';
import type { Client, Tokens } from './grant.ts';
import { open, REFRESH_GRACE_MS } from './rig.ts';
import type { Rig } from './rig.ts';
import type { Part, Try } from './try.ts';
import { Caller } from './wire.ts';

/** Misuse of refresh tokens: old ones, forged ones, those of another user, and many uses at the same time. */
export async function doorRefresh(rig: Rig): Promise<Part> {
  const client = await newClient(rig);
  const stranger = await newClient(rig);
  const make = () => tokensOf(rig, rig.ana.browser, client);
  const hands: Hands = {
    make,
    refresh: async (token, changes = {}) => {
      const fields = { grant_type: 'refresh_token', client_id: client.id, refresh_token: token, ...changes };
      return tokensIn(await tokenRequest(rig, fields));
    },
    letsIn: ({ access }) => letsIn(rig.port, access),
    old: async () => {
      const first = await make();
      const second = await hands.refresh(first.refresh);
      const third = await hands.refresh(second.refresh);
      await sleep(REFRESH_GRACE_MS + SLACK_MS);
      return { first, second, third };
    },
  };
  return {
    name: 'shared refresh tokens',
    tries: [
      ...atOnce(rig, hands),
      ...replayed(hands, stranger),
      ...forged(rig, hands, client),
      ...ended(rig, hands, client),
    ],
  };
}

type Hands = {
  /** Connects a client of Ana. */
  make: () => Promise<Tokens>;
  /** Returns empty tokens if the server refuses. */
  refresh: (token: string, changes?: Record<string, string>) => Promise<Tokens>;
  letsIn: (tokens: Tokens) => Promise<boolean>;
  /** A connection that was refreshed twice, so that its first token is no longer valid. */
  old: () => Promise<Record<'first' | 'second' | 'third', Tokens>>;
};

const SLACK_MS = 1_000;
const AT_ONCE = 16;
const GUESSES = 200;

/** @returns the problem of a connection that should keep working, or `null` */
async function goesOn({ refresh, letsIn: isIn }: Hands, tokens: Tokens): Promise<string | null> {
  const next = await refresh(tokens.refresh);
  return next.access !== '' && (await isIn(next)) ? null : 'the connection ended';
}

function atOnce(rig: Rig, hands: Hands): Try[] {
  const many = (tokens: Tokens) => Promise.all(Array.from({ length: AT_ONCE }, () => hands.refresh(tokens.refresh)));
  return [
    {
      name: 'control: many at once with one token all get in, and all go on',
      run: async () => {
        const all = await many(await hands.make());
        if (!(await Promise.all(all.map(hands.letsIn))).every(Boolean)) return 'somebody is left outside';
        const next = await Promise.all(all.map(({ refresh }) => hands.refresh(refresh)));
        return (await Promise.all(next.map(hands.letsIn))).every(Boolean) ? null : 'somebody cannot go on';
      },
    },
    {
      name: 'many at once with one token do not make many connections of it',
      run: async () => {
        const all = await many(await hands.make());
        const different = new Set(all.map(({ refresh }) => refresh)).size;
        return different === 1 ? null : `${different} successors`;
      },
    },
    {
      name: 'the previous token, again and again, makes no second connection',
      run: async () => {
        const first = await hands.make();
        const second = await hands.refresh(first.refresh);
        await sleep(REFRESH_GRACE_MS + SLACK_MS);
        const all = await many(first);
        return all.every(({ refresh }) => refresh === second.refresh) ? null : 'another successor was given';
      },
    },
    {
      name: 'a repeated refresh with more permissions, and for another resource',
      run: async () => {
        const first = await hands.make();
        await hands.refresh(first.refresh, { scope: 'web:read' });
        const wide = await hands.refresh(first.refresh, { scope: 'web:read browser:use browser:evaluate cache:purge' });
        const resource = 'https://evil.acme.dev/mcp';
        if ((await hands.refresh(first.refresh, { resource })).access !== '') return `tokens for ${resource}`;
        const list = await new Caller(rig.port, wide.access).rpc('tools/list');
        return /browser_evaluate|cache_purge/.test(list.body) ? 'more permissions were given' : null;
      },
    },
  ];
}

function replayed(hands: Hands, stranger: Client): Try[] {
  return [
    {
      name: 'a stolen token from long ago is refused, and ends the connection',
      run: async () => {
        const { first, second, third } = await hands.old();
        if ((await hands.refresh(first.refresh)).access !== '') return 'it got tokens';
        for (const tokens of [second, third]) {
          if (await hands.letsIn(tokens)) return 'an access token of the connection still works';
          if ((await hands.refresh(tokens.refresh)).access !== '') return 'a refresh token of it still works';
        }
        return null;
      },
    },
    {
      name: 'a token from long ago at the same moment as the current one',
      run: async () => {
        const { first, third } = await hands.old();
        const [old, current] = await Promise.all([hands.refresh(first.refresh), hands.refresh(third.refresh)]);
        if (old.access !== '') return 'the old one got tokens';
        if (current.access !== '' && (await hands.letsIn(current))) return 'what the other one got outlives the end';
        return (await hands.refresh(third.refresh)).access === '' ? null : 'the connection goes on';
      },
    },
    {
      name: 'old and current tokens of Ana by another client get nothing and end nothing',
      run: async () => {
        const { first, second, third } = await hands.old();
        for (const { refresh } of [first, second, third]) {
          if ((await hands.refresh(refresh, { client_id: stranger.id })).access !== '') return 'tokens were given';
        }
        return goesOn(hands, third);
      },
    },
  ];
}

function forged(rig: Rig, hands: Hands, client: Client): Try[] {
  const spellings = (token: string, other: string): string[] => {
    const [subject = '', grant = '', secret = ''] = token.split(':');
    const [bob = '', bobs = '', his = ''] = other.split(':');
    return [
      `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
      `${subject}:${grant}:`,
      `${subject}:${grant}`,
      `${subject}:${grant}:${secret}:`,
      `${subject}:${grant}:${secret} `,
      `${subject}:${grant}:${secret.toUpperCase()}`,
      `${subject}:${grant}:${secret}%00`,
      `${subject}:${grant}:${his}`,
      `${subject}:${bobs}:${secret}`,
      `${bob}:${bobs}:${secret}`,
      `${bob}:${grant}:${secret}`,
      `${subject}:${'g'.repeat(600)}:${secret}`,
      `grant:${subject}:${grant}`,
      '::',
      '',
    ];
  };
  return [
    {
      name: 'forged spellings of a token, and parts of another person’s',
      run: async () => {
        const anas = await hands.make();
        const bobs = await tokensOf(rig, rig.bob.browser, client);
        for (const token of spellings(anas.refresh, bobs.refresh)) {
          if ((await hands.refresh(token)).access !== '') return `tokens for ${token.slice(0, 80)}`;
        }
        return (await goesOn(hands, anas)) ?? goesOn(hands, bobs);
      },
    },
    {
      name: `${GUESSES} guesses at the secret of a connection that somebody knows by name end nothing`,
      run: async () => {
        const anas = await hands.make();
        const name = anas.refresh.slice(0, anas.refresh.lastIndexOf(':'));
        const guesses = Array.from({ length: GUESSES }, (_, n) => `${name}:${String(n).padStart(32, 'x')}`);
        for (let n = 0; n < GUESSES; n += AT_ONCE) {
          const got = await Promise.all(guesses.slice(n, n + AT_ONCE).map((guess) => hands.refresh(guess)));
          if (got.some(({ access }) => access !== '')) return 'tokens were given';
        }
        return goesOn(hands, anas);
      },
    },
    {
      name: 'a code, an access token and a token of the console as refresh tokens',
      run: async () => {
        const { access } = await hands.make();
        for (const token of [access, rig.ana.caller.token, await codeOf(rig, rig.ana.browser, client)]) {
          if ((await hands.refresh(token)).access !== '') return 'tokens were given';
        }
        return null;
      },
    },
    {
      name: 'a refreshed token of Bob opens nothing of Ana’s',
      run: async () => {
        const bobs = await hands.refresh((await tokensOf(rig, rig.bob.browser, client)).refresh);
        const hers = await open(rig.ana.caller, rig.site.page('/hers', '<p>What she alone has opened.</p>'));
        const his = await new Caller(rig.port, bobs.access).call('scroll', { cursor: hers.cursor, loc: 0 });
        return his.isRefused && !his.body.includes('she alone') ? null : 'he reads her page';
      },
    },
  ];
}

function ended(rig: Rig, hands: Hands, client: Client): Try[] {
  const revoke = (token: string) => tokenRequest(rig, { token, client_id: client.id }, '/revoke');
  return [
    {
      name: 'a connection that is ended while many refresh it',
      run: async () => {
        const first = await hands.make();
        const racing = Array.from({ length: AT_ONCE }, () => hands.refresh(first.refresh));
        await revoke(first.refresh);
        const all = [first, ...(await Promise.all(racing)).filter(({ access }) => access !== '')];
        for (const tokens of all) {
          if (await hands.letsIn(tokens)) return 'an access token outlives the end';
          if ((await hands.refresh(tokens.refresh)).access !== '') return 'a refresh token outlives the end';
        }
        return null;
      },
    },
    {
      name: 'a connection that is ended with a token that another one has replaced',
      run: async () => {
        const { first, third } = await hands.old();
        await revoke(first.refresh);
        return (await hands.letsIn(third)) ? 'it goes on' : null;
      },
    },
  ];
}
