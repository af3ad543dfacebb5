import type { ServerResponse } from 'node:http';
import { sha256Hex } from '#core/text/text.ts';
import { open } from './rig.ts';
import type { Rig } from './rig.ts';
import type { Part, Try } from './try.ts';
import { at, textOf } from './wire.ts';
import type { Answer, Caller } from './wire.ts';

/** Pages that one user opened and another looks for: pages behind secret addresses, and private pages. */

type Owned = { name: string; path: string; headers: Record<string, string>; find: string; secret: string };

const ADDRESSES: readonly (readonly [name: string, query: string])[] = [
  ['share=', 'share=Zk81mQ9xVt2'],
  ['token=', 'token=Zk81mQ9xVt2'],
  ['key=', 'key=Zk81mQ9xVt2'],
  ['sig=', 'sig=Zk81mQ9xVt2&se=2030-01-01'],
  ['X-Amz-Signature=', 'X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=91ab5c81f2'],
  ['access_token=', 'access_token=eyJhbGciOi.eyJzdWIi.c2ln'],
  ['resourcekey=', 'resourcekey=0-Zk81mQ9xVt2'],
  ['code=', 'code=Zk81mQ9xVt2'],
  ['session id', 'sid=Zk81mQ9xVt2'],
  ['invite=', 'invite=9f1c2b7a-1c7e-4f1a-9a53-0be8f9a7e111'],
];
const HEADERS: readonly (readonly [name: string, headers: Record<string, string>])[] = [
  ['private', { 'cache-control': 'private, max-age=600' }],
  ['no-store', { 'cache-control': 'no-store' }],
  ['PRIVATE in capitals, with a field', { 'cache-control': 'max-age=3600, PRIVATE="set-cookie"' }],
  ['no-store in a second header', { 'cache-control': 'max-age=60,no-store' }],
];

function owned(): Owned[] {
  const words = (index: number) => ({ find: `findmequill${index}x`, secret: `secretwren${index}x` });
  return [
    ...ADDRESSES.map(([name, query], index) => ({
      name: `an address with ${name}`,
      path: `/kept/${index}?${query}`,
      headers: {},
      ...words(index),
    })),
    ...HEADERS.map(([name, headers], index) => ({
      name: `a page sent ${name}`,
      path: `/sent/${index}`,
      headers,
      ...words(100 + index),
    })),
  ];
}

export async function othersPages(rig: Rig): Promise<Part> {
  const tries: Try[] = [];
  for (const page of owned()) {
    const body = `<!doctype html><html lang="en"><head><title>Plan ${page.secret}</title></head><body><main><h1>Plan ${page.secret}</h1><p>The ${page.find} of this plan is ${page.secret}, which nobody else may read, and it goes on for a line or two.</p></main></body></html>`;
    const url = rig.site.page(page.path, body, page.headers);
    const opened = await open(rig.ana.caller, url);
    if (!opened.text.includes(page.secret)) throw new Error(`Ana cannot read ${page.path}`);
    tries.push(...triesAt(rig, page, url, opened.snapshot));
  }
  tries.push(...(await lists(rig)), ...together(rig), ...(await controls(rig)));
  return { name: 'what another opened', tries };
}

function triesAt(rig: Rig, page: Owned, url: string, snapshot: string): Try[] {
  const { bob, owner } = rig;
  const hidden = (answer: Answer) => shown(answer, [page.secret, page.path.split('?')[0] ?? '']);
  return [
    {
      name: `${page.name}: search and web_search`,
      run: async () => {
        for (const who of [bob.caller, owner.caller, rig.local]) {
          for (const [tool, query] of [
            ['web_search', ''],
            ['search', ''],
            ['search', '?toolsets=chatgpt'],
          ] as const) {
            const found = hidden(await who.call(tool, { query: page.find }, query));
            if (found !== null) return `${tool} ${query} lists it: ${found}`;
          }
        }
        return null;
      },
    },
    {
      name: `${page.name}: cache_get and resources by its hash`,
      run: async () => {
        // The hash that anyone can compute from the address, and the one that was handed out.
        const guessed = await sha256Hex([url, 'accept: text/markdown first', 'auto'].join('\n'));
        for (const hash of new Set([guessed, snapshot])) {
          const got = await bob.caller.call('cache_get', { snapshot: hash });
          if (!got.isRefused) return `cache_get shows ${hash === guessed ? 'the computed hash' : 'the hash given out'}`;
          for (const kind of ['cache', 'meta']) {
            const read = await bob.caller.rpc('resources/read', { uri: `resource://${kind}/${hash}` });
            if (!read.isRefused) return `resource://${kind} shows it`;
          }
          const prompt = await bob.caller.rpc('prompts/get', {
            name: 'docs_summarize_for_coding',
            arguments: { snapshot: hash },
          });
          if (prompt.body.includes(page.secret)) return 'a prompt embeds it';
        }
        return null;
      },
    },
    {
      name: `${page.name}: opened by another, it is asked of its site`,
      run: async () => {
        const before = rig.site.requests.length;
        const answer = await bob.caller.call('web_open', { url, max_age_seconds: 2_592_000 });
        if (at(answer.structured, 'cached') === true) return 'the answer says that it was stored';
        const asked = rig.site.requests.slice(before);
        if (asked.some(({ headers }) => headers['if-none-match'] !== undefined)) return 'with what another was given';
        return asked.length > 0 ? null : 'its site was not asked';
      },
    },
  ];
}

/** The words of these that `answer` shows. */
function shown(answer: Answer, words: readonly string[]): string | null {
  return words.find((word) => answer.body.includes(word)) ?? null;
}

/** Simultaneous work of two users, the owner's lists, and log lines. */
function together(rig: Rig): Try[] {
  const { ana, bob, owner, site } = rig;
  const visits = (headers: Record<string, string>) => {
    let count = 0;
    return (_request: unknown, response: ServerResponse) => {
      const number = (count += 1);
      const body = `<title>T</title><h1>Visits</h1><p>You are visitor number zxqvisit${number} of this page, it says.</p>`;
      const answer = () => response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(body);
      setTimeout(answer, SLOW_MS);
    };
  };
  const both = async (path: string, headers: Record<string, string>) => {
    site.routes[path.split('?')[0] ?? path] = visits(headers);
    const url = site.url + path;
    const answers = await Promise.all([ana, bob, owner].map(({ caller }) => caller.call('web_open', { url })));
    const seen = answers.map(({ text }) => /zxqvisit\d+/.exec(text)?.[0] ?? text.slice(0, 60));
    return new Set(seen).size === answers.length ? null : `they are shown ${seen.join(', ')}`;
  };
  return [
    {
      name: 'three open a page at once that is sent private: each gets their own',
      run: () => both('/at-once/private', { 'cache-control': 'private' }),
    },
    {
      name: 'three open an address with a secret at once: each gets their own',
      run: () => both('/at-once/share?share=Zk81mQ9xVt2', {}),
    },
    {
      name: 'cache_purge lists what others opened',
      run: async () => {
        const answer = await owner.caller.call('cache_purge', { domain: '127.0.0.1' });
        if (!answer.body.includes('/plain/')) return 'it lists no page at all: nothing is shown by this';
        return shown(answer, ['/kept/', '/sent/', SECRET_VALUE]);
      },
    },
    {
      name: 'the log shows what was secret in an address',
      run: async () => (rig.server.output().includes(SECRET_VALUE) ? 'it does' : null),
    },
  ];
}

const SLOW_MS = 400;
const SECRET_VALUE = 'Zk81mQ9xVt2';

/** Lists and completions that need no name of a page. */
async function lists(rig: Rig): Promise<Try[]> {
  const { ana, bob } = rig;
  const url = rig.site.page(
    '/plain/diary',
    '<title>Diary of diarywren</title><h1>Diary</h1><p>A public page that Ana opened: diarywren.</p>',
  );
  const { snapshot } = await open(ana.caller, url);
  const anaSees = await listed(ana.caller);
  return [
    {
      name: 'resources/list of another',
      run: async () => {
        if (!anaSees.includes(snapshot)) return 'Ana herself does not find it: nothing is shown by this';
        return (await listed(bob.caller)).includes(snapshot) ? 'Bob lists what Ana opened' : null;
      },
    },
    {
      name: 'completion of hashes and addresses',
      run: async () => {
        const ask = (who: Caller, value: string) =>
          who.rpc('completion/complete', {
            ref: { type: 'ref/resource', uri: 'resource://cache/{sha256}' },
            argument: { name: 'sha256', value },
          });
        if (!(await ask(ana.caller, snapshot.slice(0, 8))).body.includes(snapshot)) return 'Ana herself finds nothing';
        for (const value of [snapshot.slice(0, 8), '', '%', '_', 'diary', "' OR 1=1 --"]) {
          if ((await ask(bob.caller, value)).body.includes(snapshot)) return `“${value}” completes to it`;
        }
        const prompt = await bob.caller.rpc('completion/complete', {
          ref: { type: 'ref/prompt', name: 'docs_summarize_for_coding' },
          argument: { name: 'url', value: 'plain/diary' },
        });
        return prompt.body.includes('/plain/diary') ? 'the address is completed' : null;
      },
    },
    {
      name: 'resources/list with made-up places',
      run: async () => {
        for (const cursor of ['0', '-1', '999999999', "1' OR 1=1", '1e3', '１']) {
          const answer = await bob.caller.rpc('resources/list', { cursor });
          if (answer.body.includes(snapshot)) return `cursor ${cursor} lists it`;
        }
        return null;
      },
    },
  ];
}

async function listed(caller: Caller): Promise<string> {
  return (await caller.rpc('resources/list')).body;
}

/** Control tries: an ordinary page is found by everybody, so the tries above could have found something. */
async function controls(rig: Rig): Promise<Try[]> {
  const url = rig.site.page(
    '/plain/news',
    '<title>News of publicwren</title><h1>News</h1><p>An ordinary page with the word findmenews in it, and publicwren besides.</p>',
  );
  const { snapshot } = await open(rig.ana.caller, url);
  return [
    {
      name: 'control: an ordinary page is found by all, and by its hash by who opened it',
      run: async () => {
        const found = await rig.bob.caller.call('web_search', { query: 'findmenews' });
        if (!found.body.includes('publicwren')) return 'search does not find it';
        const got = await rig.ana.caller.call('cache_get', { snapshot });
        return textOf(at(got.structured, 'markdown')).includes('publicwren') ? null : 'cache_get does not show it';
      },
    },
  ];
}
