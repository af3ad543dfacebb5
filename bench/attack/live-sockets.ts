import { WebSocket } from 'ws';
import { SESSION_TABS_MAX } from '#core/limits.ts';
import { pageOf } from '#support/oauth-browser.ts';
import type { Rig, Someone } from './rig.ts';
import type { Part, Try } from './try.ts';
import { send } from './wire.ts';

/** The live view of a session: its ticket, its socket, and the input of the viewer. */
export async function liveSockets(rig: Rig): Promise<Part> {
  const url = rig.site.page('/driven', '<!doctype html><title>Driven</title><input id="user" autofocus>');
  await rig.ana.caller.call('browser_navigate', { session: 'driven', url });
  return { name: 'the live view', tries: [...doors(rig), ...noises(rig), ...addresses(rig)] };
}

const SESSION = 'driven';

function cookieOf({ browser }: Someone): string {
  return [...browser.cookies].map((pair) => pair.join('=')).join('; ');
}

async function ticketOf(rig: Rig, who: Someone, session = SESSION): Promise<string> {
  const { html } = pageOf(await who.browser.get(`${rig.origin}/console/secrets`));
  const form = /name="form" value="([^"]+)"/.exec(html)?.[1] ?? '';
  const reply = await send(rig.port, {
    method: 'POST',
    path: `/live/${session}`,
    headers: {
      cookie: cookieOf(who),
      origin: rig.origin,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ form, wake: '0' }).toString(),
  });
  return /"ticket":"([^"]+)"/.exec(reply.body)?.[1] ?? '';
}

type Opened = { status: number; socket: WebSocket | null; said: string[]; closed: Promise<number> };

async function open(rig: Rig, ticket: string, headers: Record<string, string>, session = SESSION): Promise<Opened> {
  const page = crypto.randomUUID();
  const socket = new WebSocket(`ws://localhost:${rig.port}/live/${session}?ticket=${ticket}&page=${page}`, { headers });
  const said: string[] = [];
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) socket.send('{"kind":"drawn"}');
    else said.push(data.toString());
  });
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  const status = await new Promise<number>((resolve) => {
    socket.once('open', () => resolve(101));
    socket.once('unexpected-response', (_, { statusCode }) => resolve(statusCode ?? 0));
    socket.once('error', () => resolve(0));
  });
  return { status, socket: status === 101 ? socket : null, said, closed };
}

async function admitted(rig: Rig): Promise<Opened & { socket: WebSocket }> {
  const ticket = await ticketOf(rig, rig.ana);
  const opened = await open(rig, ticket, { cookie: cookieOf(rig.ana), origin: rig.origin });
  if (opened.socket === null) throw new Error(`not admitted: ${opened.status}`);
  return { ...opened, socket: opened.socket };
}

/** Long, because a busy machine is slow, and a viewer who leaves before driving blocks others for a minute. */
const PATIENCE_MS = 60_000;

async function until(is: () => boolean, ms = PATIENCE_MS): Promise<boolean> {
  const end = Date.now() + ms;
  while (!is() && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 50));
  return is();
}

function doors(rig: Rig): Try[] {
  const { ana, bob, origin } = rig;
  const refused = async (ticket: string, headers: Record<string, string>, session = SESSION) => {
    const { status, socket } = await open(rig, ticket, headers, session);
    socket?.close();
    return status === 101 ? 'it is opened' : null;
  };
  return [
    {
      name: 'a ticket for the session of another',
      run: async () => ((await ticketOf(rig, bob)) === '' ? null : 'given'),
    },
    {
      name: 'her ticket with the cookie of another',
      run: async () => refused(await ticketOf(rig, ana), { cookie: cookieOf(bob), origin }),
    },
    { name: 'her ticket without a cookie', run: async () => refused(await ticketOf(rig, ana), { origin }) },
    ...['https://evil.example', 'null', `${origin}.evil.example`, 'https://claude.ai', ''].map((from): Try => ({
      name: `her ticket and cookie from ${from === '' ? 'no origin' : from}`,
      run: async () =>
        refused(await ticketOf(rig, ana), { cookie: cookieOf(ana), ...(from === '' ? {} : { origin: from }) }),
    })),
    {
      name: 'a ticket that was used',
      run: async () => {
        const ticket = await ticketOf(rig, ana);
        const first = await open(rig, ticket, { cookie: cookieOf(ana), origin });
        first.socket?.close();
        return first.status === 101 ? refused(ticket, { cookie: cookieOf(ana), origin }) : 'Ana herself is refused';
      },
    },
  ];
}

const BROKEN: [name: string, data: string | Buffer][] = [
  ['no JSON', '{'],
  ['bytes', Buffer.from([0, 1, 2, 255])],
  ['a megabyte', `{"kind":"text","text":"${'x'.repeat(1_000_000)}"}`],
  ['an unknown kind', '{"kind":"eval","script":"1"}'],
  ['a member too many', '{"kind":"take","person":"bob"}'],
  ['a point outside', '{"kind":"mouse","type":"down","button":"left","clicks":1,"held":0,"x":-1,"y":2}'],
  ['a number that is none', '{"kind":"wheel","dx":1e999,"dy":0,"held":0,"x":0,"y":0}'],
  ['deep JSON', '['.repeat(50_000)],
  ['nothing', ''],
];

function noises(rig: Rig): Try[] {
  return [
    ...BROKEN.map(([name, data]): Try => ({
      name: `a message that is ${name}`,
      run: async () => {
        const { socket, closed } = await admitted(rig);
        socket.send(data);
        const code = await Promise.race([
          closed,
          new Promise<string>((resolve) => setTimeout(resolve, 10_000, 'open')),
        ]);
        socket.close();
        return code === 'open' ? 'the socket stays open' : null;
      },
    })),
    {
      name: 'twenty thousand messages at once: another person is answered meanwhile',
      run: async () => {
        const { socket } = await admitted(rig);
        for (let at = 0; at < 20_000; at += 1) {
          socket.send(
            at % 2 === 0
              ? '{"kind":"look","tab":"t1"}'
              : `{"kind":"mouse","type":"move","button":"none","clicks":0,"held":0,"x":${(at % 100) / 100},"y":0.5}`,
          );
        }
        const begun = Date.now();
        const answer = await rig.bob.caller.call('browser_launch', { session: 'beside' });
        const ms = Date.now() - begun;
        const own = await rig.ana.caller.call('browser_snapshot', { session: SESSION });
        socket.terminate();
        if (answer.isRefused || own.isRefused) return `refused: ${answer.text.slice(0, 80)} ${own.text.slice(0, 80)}`;
        return ms < 15_000 ? null : `after ${ms} ms`;
      },
    },
    {
      name: 'a hundred tabs at once',
      run: async () => {
        const { socket, said } = await admitted(rig);
        socket.send('{"kind":"take"}');
        if (!(await until(() => said.some((text) => text.includes('"driver":"you"'))))) return 'she may not drive';
        for (let at = 0; at < 100; at += 1) socket.send('{"kind":"open"}');
        const most = () => Math.max(...said.map((text) => text.split('"id":"t').length - 1));
        await until(() => most() > SESSION_TABS_MAX, 30_000);
        socket.send('{"kind":"give"}');
        await until(() => said.at(-1)?.includes('"driver":null') === true);
        socket.close();
        return most() <= SESSION_TABS_MAX ? null : `${most()} tabs are open`;
      },
    },
    {
      name: 'two who take it at once: one drives',
      run: async () => {
        const both = [await admitted(rig), await admitted(rig)];
        for (const { socket } of both) socket.send('{"kind":"take"}');
        const drives = ({ said }: Opened) => said.some((text) => text.includes('"driver":"you"'));
        await until(() => both.some(drives));
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        const count = both.filter(drives).length;
        for (const { socket } of both) socket.send('{"kind":"give"}');
        await new Promise((resolve) => setTimeout(resolve, 500));
        for (const { socket } of both) socket.close();
        return count === 1 ? null : `${count} drive`;
      },
    },
  ];
}

function addresses(rig: Rig): Try[] {
  const [port = 0] = rig.traps.ports;
  return [
    'file:///etc/passwd',
    'chrome://version',
    'chrome-extension://x/y',
    'devtools://devtools/bundled/inspector.html',
    'view-source:http://127.0.0.1/',
    'javascript:alert(1)',
    'data:text/html,<h1>x',
    'blob:http://x/1',
    'about:version',
    `http://127.0.0.1:${port}/`,
    `http://localhost:${port}/`,
    `http://[::1]:${port}/`,
    'http://169.254.169.254/latest/meta-data/',
    'ftp://127.0.0.1/',
    '\u0000http://x',
  ].map((url) => ({
    name: `the address ${JSON.stringify(url).slice(0, 60)} by the hand of a person`,
    run: async () => {
      rig.traps.arrived();
      const { socket, said } = await admitted(rig);
      socket.send('{"kind":"take"}');
      if (!(await until(() => said.some((text) => text.includes('"driver":"you"'))))) return 'she may not drive';
      socket.send(JSON.stringify({ kind: 'go', url }));
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      socket.send('{"kind":"give"}');
      await until(() => said.at(-1)?.includes('"driver":null') === true);
      socket.close();
      const arrived = rig.traps.arrived();
      if (arrived.length > 0) return `arrived: ${arrived[0]}`;
      const shown = await rig.ana.caller.call('browser_snapshot', { session: SESSION });
      return /root:x:|canaryword|Chromium\s+\d|instance-id/.test(shown.body) ? 'it is shown' : null;
    },
  }));
}
