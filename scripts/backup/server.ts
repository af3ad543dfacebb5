import { createHmac } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { z } from 'zod';
import { isLoopbackHost } from '#core/config/config.ts';
import { keptSeal } from '#scripts/deploy/kept-seal.ts';
import { START } from '#scripts/local/project.ts';
import { StopError } from '#scripts/local/stop-error.ts';

/** A running Periscope that is asked for its backup, or given one. */
export type BackupServer = {
  /**
   * @param at the position where the previous part ended; `null` for the first. @returns a sealed part, and the
   * position of the next
   */
  part: (at: string | null) => Promise<{ sealed: Buffer<ArrayBuffer>; next: string | null }>;
  /** @returns how many rows of the part cannot be stored there */
  add: (sealed: Buffer<ArrayBuffer>) => Promise<number>;
};

const PART_MS = 120_000;
const refusalSchema = z.object({ error: z.string() });
const addedSchema = z.object({ left: z.number() });

/** The same key as that of `deriveBackupToken` in the Worker. */
function keyOf(secret: string): string {
  return createHmac('sha256', secret).update('periscope backup v1').digest('base64url');
}

export function backupServer(url: URL, secret: string): BackupServer {
  const post = async (path: string, body: string | Buffer<ArrayBuffer>): Promise<Response> => {
    const headers = { authorization: `Bearer ${keyOf(secret)}` };
    const request = { method: 'POST', headers, body, signal: AbortSignal.timeout(PART_MS) };
    const answer = await fetch(new URL(path, url), request).catch(() => null);
    if (answer === null)
      throw new StopError(`No Periscope answers at ${url.origin}. Is it running? ${START} runs one here.`);
    if (answer.ok) return answer;
    const text = await answer.text();
    const refusal = refusalSchema.safeParse(parsed(text));
    throw new StopError(refusal.success ? refusal.data.error : `${url.origin}${path} answered HTTP ${answer.status}.`);
  };
  return {
    part: async (at) => {
      const answer = await post('/backup', `{"at":${at ?? 'null'}}`);
      return { sealed: Buffer.from(await answer.arrayBuffer()), next: answer.headers.get('periscope-next') };
    },
    add: async (sealed) => addedSchema.parse(await (await post('/restore', sealed)).json()).left,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The secret of the deployment: from the environment, or from where `npm start` or `npm run deploy` stored it. */
export function deploymentSecret(url: URL, home: string): string {
  const given = process.env['SESSION_SECRET']?.trim() ?? '';
  if (given !== '') return given;
  const file = join(home, '.dev.vars');
  const kept = isLoopbackHost(url.hostname) && existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
  const secret = kept['SESSION_SECRET'] ?? '';
  if (secret !== '') return secret;
  const deployed = isLoopbackHost(url.hostname) ? null : keptSeal(home);
  if (deployed !== null) return deployed;
  throw new StopError('SESSION_SECRET must be set in the environment to the secret of that deployment.');
}
