import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { handleBackupRequest, deriveBackupToken } from '#account/backup.ts';
import { parseConfig } from '#core/config/config.ts';
import { MIB } from '#core/limits.ts';

const SECRET = 'a secret of the deployment that is long enough';
const config = parseConfig({ ...env, SESSION_SECRET: SECRET });
const CHUNK = new Uint8Array(MIB);
const SENT_MIB_MAX = 40;

for (const path of ['/restore', '/backup']) {
  it(`a body without a stated length is read only up to the maximum length of a part at ${path}`, async () => {
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent += 1;
        if (sent > SENT_MIB_MAX) controller.close();
        else controller.enqueue(CHUNK);
      },
    });
    const headers = { authorization: `Bearer ${await deriveBackupToken(SECRET)}` };
    const request = new Request(`http://localhost${path}`, { method: 'POST', headers, body });
    expect(request.headers.has('content-length')).toBe(false);
    const answer = await handleBackupRequest(request, env, config);
    expect(answer?.status).toBe(path === '/restore' ? 413 : 400);
    expect(sent).toBeLessThan(SENT_MIB_MAX / 2);
  });
}
