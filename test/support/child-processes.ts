import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** What Linux tells of the processes that a test has started (proc(5)). */

/** Their ids, at any depth. */
export function processesBelowUs(): string[] {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parents = new Map(processes.map((id) => [id, attempt(() => parentOf(id)) ?? '']));
  const isBelowUs = (id: string): boolean => {
    const parent = parents.get(id) ?? '';
    return parent === String(process.pid) || (parent !== '' && isBelowUs(parent));
  };
  return processes.filter(isBelowUs);
}

/** TCP ports of this machine, over IPv4, at which they listen. */
export function listeningPorts(): number[] {
  const sockets = new Set(processesBelowUs().flatMap((id) => attempt(() => socketsOf(id)) ?? []));
  const rows = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1);
  return rows.flatMap((row) => {
    const [, local = '', , state, , , , , , inode = ''] = row.trim().split(/\s+/);
    return state === LISTENS && sockets.has(inode) ? [Number.parseInt(local.split(':')[1] ?? '', 16)] : [];
  });
}

const LISTENS = '0A';

/** Fields of a `stat` behind the name of the process: the first is its state. */
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

/** A process may end while it is looked at: `null`. */
export function attempt<T>(look: () => T): T | null {
  try {
    return look();
  } catch {
    return null;
  }
}
