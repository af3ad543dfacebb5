import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Facts from proc(5) about the processes that a test has started. */

/** Process ids of our descendants, at any depth. */
export function processesBelowUs(): string[] {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parents = new Map(processes.map((id) => [id, attempt(() => parentOf(id)) ?? '']));
  const isBelowUs = (id: string): boolean => {
    const parent = parents.get(id) ?? '';
    return parent === String(process.pid) || (parent !== '' && isBelowUs(parent));
  };
  return processes.filter(isBelowUs);
}

/** TCP ports that these processes listen on, over IPv4. */
export function listeningPorts(): number[] {
  const sockets = new Set(processesBelowUs().flatMap((id) => attempt(() => socketsOf(id)) ?? []));
  const rows = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1);
  return rows.flatMap((row) => {
    const [, local = '', , state, , , , , , inode = ''] = row.trim().split(/\s+/);
    return state === LISTENS && sockets.has(inode) ? [Number.parseInt(local.split(':')[1] ?? '', 16)] : [];
  });
}

const LISTENS = '0A';

/** Fields of a `stat` file after the process name: the first is the state. */
export function fieldsOf(path: string): string[] {
  return readFileSync(path, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
}

function parentOf(id: string): string {
  return fieldsOf(`/proc/${id}/stat`)[1] ?? '';
}

function socketsOf(id: string): string[] {
  return readdirSync(`/proc/${id}/fd`).flatMap((descriptor) => {
    const target = attempt(() => readlinkSync(`/proc/${id}/fd/${descriptor}`)) ?? '';
    return /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? [];
  });
}

/** Returns `null` if the process ends during the look. */
export function attempt<T>(look: () => T): T | null {
  try {
    return look();
  } catch {
    return null;
  }
}
