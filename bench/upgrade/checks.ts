import type { Tokens } from '../attack/grant.ts';
import { letsIn } from '../attack/bearer.ts';
import type { Part, Try } from '../attack/try.ts';
import { textOf } from '../attack/wire.ts';
import type { TestClient, ToolResult } from '#support/mcp-clients.ts';
import { pageOf } from '#support/oauth-browser.ts';
import type { Browser } from '#support/oauth-browser.ts';
import { refresh } from './fill.ts';
import type { Kept } from './fill.ts';
import { FIELD, KEPT_IN_BROWSER, QUOTE, read, REASON, refsIn, REPORT, SEEN_SETTINGS, withCookies } from './world.ts';
import type { World } from './world.ts';

/** What is looked at in the present version, on the data of the one before. Each is `null` when it is read. */
export function checks(world: World, kept: Kept, client: TestClient): readonly Part[] {
  const owner = withCookies(world.origin, kept.ownersCookies);
  const ana = withCookies(world.origin, kept.anasCookies);
  const here: Here = { world, kept, owner, ana, call: (tool, args) => client.call(tool, args) };
  return [
    // First: public links are there before anybody comes back.
    { name: 'citations', tries: citations(here) },
    { name: 'people', tries: people(here) },
    { name: 'pages', tries: pages(here) },
    { name: 'the console', tries: consolePages(here) },
    { name: 'files', tries: files(here) },
    { name: 'sessions', tries: sessions(here) },
    { name: 'OAuth', tries: grants(here) },
  ];
}

type Here = {
  world: World;
  kept: Kept;
  owner: Browser;
  ana: Browser;
  call: (tool: string, args: Record<string, unknown>) => Promise<ToolResult>;
};

/** Which of these a text does not have; `null` for none. */
function missing(text: string, ...wanted: readonly string[]): string | null {
  const absent = wanted.filter((one) => !text.includes(one));
  return absent.length === 0 ? null : `without ${absent.join(', ')}: ${text.slice(0, 400)}`;
}

function people({ world, kept, owner, ana }: Here): Try[] {
  const enters = (token: string) => async () => ((await letsIn(world.port, token)) ? null : 'it is refused');
  const isIn = async (browser: Browser) => missing((await read(browser, '/console/tokens')).text, 'Access tokens');
  return [
    { name: 'the cookie of the owner', run: () => isIn(owner) },
    { name: 'the cookie of a person from a provider', run: () => isIn(ana) },
    { name: 'an access token', run: enters(kept.token) },
    { name: 'an access token of a person from a provider', run: enters(kept.anasToken) },
    {
      name: 'the list of access tokens',
      run: async () => missing((await read(owner, '/console/tokens')).text, 'build agent'),
    },
  ];
}

function pages({ world: { site }, kept, call }: Here): Try[] {
  const { page, list } = kept;
  const unasked = async (ask: () => Promise<string | null>) => {
    const before = site.requests.length;
    return (await ask()) ?? (site.requests.length === before ? null : 'the site was asked again');
  };
  const shows = (tool: string, args: Record<string, unknown>) => async () =>
    unasked(async () => missing((await call(tool, args)).text, QUOTE));
  return [
    { name: 'by its snapshot', run: shows('cache_get', { snapshot: page.structured['snapshot'] }) },
    { name: 'by its cursor', run: shows('find', { cursor: page.structured['cursor'], pattern: 'brass compass' }) },
    { name: 'by its address', run: shows('web_open', { url: `${site.url}/log` }) },
    { name: 'by words in it', run: shows('search', { query: 'compass lightship degrees' }) },
    { name: 'by a list of results', run: shows('open_result', { cursor: list.structured['cursor'], result_id: 1 }) },
  ];
}

function citations({ kept, owner, call }: Here): Try[] {
  const { cited, citedLive, anasCited } = kept;
  const isPublic = async ({ structured }: ToolResult) => {
    const answer = await fetch(textOf(structured['share_link']));
    return missing(`${answer.status} ${await answer.text()}`, '200 ', QUOTE);
  };
  const opens = async ({ structured }: ToolResult) =>
    missing((await read(owner, new URL(textOf(structured['link'])).pathname)).html, `<mark>${QUOTE}</mark>`);
  const listed = async () => (await read(owner, '/console/citations')).text.split(QUOTE).length - 1;
  return [
    { name: 'with its public link', run: () => isPublic(cited) },
    { name: 'with the public link of a person from a provider', run: () => isPublic(anasCited) },
    { name: 'with its lines', run: () => opens(cited) },
    { name: 'of a live page, with its lines', run: () => opens(citedLive) },
    {
      name: 'in the list, and once when it is cited again',
      run: async () => {
        const before = await listed();
        await call('cite', { cursor: cited.structured['cursor'], quote: QUOTE });
        return before === 2 && (await listed()) === 2 ? null : `${before}, then ${await listed()} instead of 2`;
      },
    },
    {
      name: 'in the list of what everybody shares',
      run: async () => {
        const shared = await read(owner, '/console/shared');
        return missing(
          shared.html,
          ...[cited, anasCited].map(({ structured: s }) => new URL(textOf(s['share_link'])).pathname),
        );
      },
    },
  ].map((one) => ({ ...one, name: `a citation ${one.name}` }));
}

function consolePages({ world: { origin }, kept, owner }: Here): Try[] {
  const shows =
    (path: string, ...wanted: string[]) =>
    async () =>
      missing((await read(owner, path)).text, ...wanted);
  return [
    { name: 'activity', run: shows('/console/activity', 'The log of the lightship', 'session stands') },
    { name: 'the secret', run: shows('/console/secrets', 'vault') },
    { name: 'the stored page', run: shows('/console/store', 'The log of the lightship') },
    { name: 'the connected client', run: shows('/console/clients', 'A client') },
    {
      name: 'steps of a session, and the picture of one',
      run: async () => {
        const { html, text } = await read(owner, '/console/session?name=rests');
        const picture = /\/console\/session\/picture\?id=[\w-]+/.exec(html)?.[0];
        if (picture === undefined) return 'there is no picture';
        const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const { status, headers } = await fetch(origin + picture, { headers: { cookie } });
        return missing(
          `${status} ${headers.get('content-type')} ${text}`,
          '200 image/jpeg',
          'Clicked',
          'Filled fields',
        );
      },
    },
    {
      name: 'what was used of the budgets',
      run: async () => {
        const { text } = await read(owner, '/console/usage');
        const [before, now] = [callsIn(kept.usage), callsIn(text)];
        return now >= before && before > 0 ? null : `${now} calls, and ${before} before`;
      },
    },
  ];
}

/** Calls of the last 24 hours, as the usage page has them. */
function callsIn(usage: string): number {
  return Number(/As a bar Calls ([\d,]+)/.exec(usage)?.[1]?.replaceAll(',', '') ?? NaN);
}

function files({ kept, owner, call }: Here): Try[] {
  const first = kept.files.structured['files'];
  const downloaded = /f_\w+/.exec(JSON.stringify(first))?.[0] ?? '';
  return [
    {
      name: 'in the list',
      run: async () => missing((await call('browser_files', { action: 'list' })).text, downloaded, kept.uploaded),
    },
    ...[downloaded, kept.uploaded].flatMap((id, n): Try[] => {
      const name = n === 0 ? 'one that was downloaded' : 'one that was uploaded';
      return [
        {
          name: `${name}, read by a model`,
          run: async () => missing((await call('open_url', { url: `periscope-file:${id}` })).text, '2026-01-01', '17'),
        },
        {
          name: `${name}, saved by the person`,
          run: async () => {
            const { html } = pageOf(await owner.get(`${owner.origin}/console/files/download?id=${id}`));
            return html === REPORT ? null : `other bytes: ${html.slice(0, 200)}`;
          },
        },
      ];
    }),
  ];
}

/** In this order: one has a browser until it is closed, and there is room for one. */
function sessions({ world: { vault }, kept, owner, call }: Here): Try[] {
  const stands = (tool: string, args: Record<string, unknown> = {}) => call(tool, { session: 'stands', ...args });
  const rests = (tool: string, args: Record<string, unknown> = {}) =>
    call(tool, { session: 'rests', tab: 't1', ...args });
  let restored: ToolResult | undefined;
  const back = async () => (restored ??= await rests('browser_snapshot', { compact: false }));
  return [
    {
      name: 'both are listed, with what a model asked of the person',
      run: async () => missing((await read(owner, '/console/sessions')).text, 'rests parked', 'stands', REASON),
    },
    {
      name: 'the open one is registered',
      run: async () => {
        const { structured } = await rests('browser_snapshot');
        return missing(JSON.stringify(structured), 'session_limit', '"open_sessions":["stands"]');
      },
    },
    {
      name: 'the open one is restored',
      run: async () =>
        missing((await stands('browser_snapshot')).text, 'session was restored', 'lost field: "Password"'),
    },
    {
      name: 'it knows where a secret was typed',
      run: async () => missing((await stands('browser_evaluate', { script: 'document.title' })).text, 'script_blocked'),
    },
    {
      name: 'a sealed secret and its code sign in',
      run: async () => {
        await stands('browser_fill', { selectors: ['input'], values: ['secret:vault'] });
        await stands('browser_click', { selector: 'button' });
        await stands('browser_type', { selector: 'input', text: 'secret:vault.otp' });
        const { text } = await stands('browser_click', { selector: 'button', snapshot: true });
        return text.includes(vault.password) ? 'the password is shown' : missing(text, 'The vault is open');
      },
    },
    {
      name: 'it can be closed, which makes room',
      run: async () => {
        const { text, isError } = await stands('browser_close');
        return isError ? text : null;
      },
    },
    {
      name: 'the parked one is restored, with its tabs',
      run: async () => {
        const { text, structured } = await back();
        const urls = JSON.stringify(structured['tabs']);
        return missing(text, 'session was restored') ?? missing(urls, '"t1"', '/app', '"t2"', '/log');
      },
    },
    { name: 'its cookies and storage', run: async () => missing((await back()).text, ...KEPT_IN_BROWSER) },
    { name: 'its window, colors and language', run: async () => missing((await back()).text, SEEN_SETTINGS) },
    {
      name: 'the field that text was typed into',
      run: async () => missing((await back()).text, `lost field: "${FIELD}"`),
    },
    {
      name: 'its refs go on with new numbers',
      run: async () => {
        const smallest = Math.min(...refsIn((await back()).text));
        return smallest > kept.lastRef && smallest < Infinity ? null : `@e${smallest} after @e${kept.lastRef}`;
      },
    },
    {
      name: 'an old ref names nothing else',
      run: async () => missing((await rests('browser_click', { selector: `@e${kept.lastRef}` })).text, 'stale_ref'),
    },
  ];
}

function grants({ world, kept }: Here): Try[] {
  const { once, twice } = kept.grants;
  const works = async ({ access }: Tokens) =>
    access !== '' && (await letsIn(world.port, access)) ? null : 'it gets none that works';
  return [
    { name: 'an access token', run: () => works(once.newest) },
    { name: 'a refresh token', run: async () => works(await refresh(world, once.client, once.newest.refresh)) },
    {
      // Versions that kept no answers gave each another successor.
      name: `a replaced refresh token${twice.isRepeated ? ', which gets the same new tokens' : ''}`,
      run: async () => {
        const got = await refresh(world, twice.client, twice.first.refresh);
        return twice.isRepeated && got.refresh !== twice.newest.refresh ? 'it gets others' : works(got);
      },
    },
  ];
}
