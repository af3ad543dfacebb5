import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { Picture } from '../browser/subjects.ts';
import { Run } from './run.ts';
import type { Place, Result } from './run.ts';
import { SERVERS } from './servers.ts';
import type { ServerName, Servers } from './servers.ts';
import { findTask } from './tasks.ts';

const BEGIN = z.object({ server: z.enum(SERVERS), app: z.string(), task: z.string() });
const CALL = z.object({ tool: z.string(), args: z.record(z.string(), z.unknown()).default({}) });

/**
 * Lets a person do tasks from a shell, call by call, over a socket in the file system, which no page can reach: `curl
 * --unix-socket SOCKET http://hand/begin -d '{"server":"ours","app":"…","task":"…"}'`, then `/tools`, `/call` with
 * `{"tool":"…","args":{…}}`, `/check` (the verdict, which ends the task) and finally `/quit`.
 */
export async function driveByHand(
  socket: string,
  place: Place,
  servers: Servers,
  keep: (result: Result, story: readonly string[]) => void,
): Promise<void> {
  const pictures = mkdtempSync(join(tmpdir(), 'periscope-pictures-'));
  let current: { run: Run; name: ServerName } | null = null;

  const leave = async () => {
    if (current === null) return;
    const { run, name } = current;
    current = null;
    await servers.leave(name, run.subject);
    await run.end();
  };
  const begin = async (body: unknown) => {
    const { server, app, task } = BEGIN.parse(body);
    await leave();
    const found = findTask(place.folder, app, task);
    const run = await Run.begin(place, server, await servers.connect(server), found);
    current = { run, name: server };
    return run.prompt;
  };
  const going = () => {
    if (current === null) throw new Error('No task has begun.');
    return current.run;
  };
  const routes: Record<string, (body: unknown) => Promise<string>> = {
    '/begin': begin,
    '/tools': async () => JSON.stringify(await going().subject.told(), null, 1),
    '/call': async (body) => {
      const answer = await going().call(CALL.parse(body));
      const kept = answer.pictures.map((picture, at) =>
        keepPicture(pictures, `${going().story.length}-${at}`, picture),
      );
      return [...(answer.isError ? ['[error]'] : []), answer.text, ...kept].join('\n');
    },
    '/check': async () => {
      const run = going();
      const result = await run.check();
      keep(result, run.story);
      await leave();
      return JSON.stringify({ ...result, calls: result.calls.length });
    },
  };

  await new Promise<void>((resolve, reject) => {
    const server = createServer((request, response) => {
      const path = request.url ?? '';
      if (path === '/quit') {
        response.end('bye\n');
        server.close(() => resolve());
        return;
      }
      const route = routes[path];
      const answering = route === undefined ? Promise.reject(new Error(`No ${path}.`)) : bodyOf(request).then(route);
      answering.then(
        (text) => response.end(`${text}\n`),
        (error: unknown) => response.writeHead(400).end(`${String(error)}\n`),
      );
    });
    server.once('error', reject);
    server.listen(socket, () => console.log(`Listening on ${socket}.`));
  });
  await leave();
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text === '' ? {} : JSON.parse(text);
}

function keepPicture(folder: string, name: string, { data, mimeType }: Picture): string {
  const file = join(folder, `${name}.${mimeType.split('/')[1] ?? 'png'}`);
  writeFileSync(file, Buffer.from(data, 'base64'));
  return `[picture: ${file}]`;
}
