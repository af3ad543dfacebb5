import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

/** File of this machine with the secret that opens the deployment's backups. Ignored by Git. */
export const KEPT_SEAL = '.deployed.vars';

/** @param secret the new secret; `undefined` if one is already set, which cannot be read */
export function keepSeal(project: string, secret: string | undefined): void {
  if (secret === undefined) return;
  const text = `# Opens the backups of the deployment, and nothing else does. Keep a copy elsewhere.\nSESSION_SECRET=${secret}\n`;
  writeFileSync(join(project, KEPT_SEAL), text, { mode: 0o600 });
  console.log(
    `SESSION_SECRET is in ${KEPT_SEAL}, which git ignores. A backup opens with it alone: keep a copy elsewhere.`,
  );
}

/** @returns `null` if no deploy from this machine has set the secret */
export function keptSeal(project: string): string | null {
  const file = join(project, KEPT_SEAL);
  return existsSync(file) ? (parseEnv(readFileSync(file, 'utf8'))['SESSION_SECRET'] ?? null) : null;
}
