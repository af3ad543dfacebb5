import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { send, startOrigin } from './origin.ts';
import type { Origin } from './origin.ts';

/** A site that requires a password and the code of an authenticator (RFC 6238). */
export type VaultSite = Origin & {
  password: string;
  /** The shared secret of the authenticator. */
  key: string;
  /** The current code. The site accepts it for two minutes, so that a slow machine can type it in time. */
  code: () => string;
};

const COOKIE = 'vault';
const STEP_MS = 30_000;
const STEPS_TAKEN = 4;

/** Fixed places, so that input can hit them by coordinates: the field at 100, 100, the button at 100, 200. */
const form = (action: string, field: string, words: string) => `<!doctype html><title>${words}</title>
<style>body > * { position: absolute; left: 100px; margin: 0 } input, button { font: 20px monospace; position: absolute }
input { top: 100px; left: 100px; width: 400px; height: 40px } button { top: 200px; left: 100px; width: 200px; height: 40px }
h1 { top: 20px } form { left: 0; top: 0 }</style>
<h1>${words}</h1><form method="post" action="${action}">${field}<button>Go on</button></form>
<script>const field = document.querySelector('input');
field.addEventListener('input', () => { console.warn('typed ' + field.value); fetch('/heard', { method: 'POST', body: field.value }); });
</script>`;

export async function startVaultSite(port?: number): Promise<VaultSite> {
  const password = `owl-${randomBytes(9).toString('hex')}`;
  const seed = randomBytes(20);
  const code = (stepsAgo = 0) => totp(seed, Date.now() - stepsAgo * STEP_MS);
  const isCode = (value: string) => Array.from({ length: STEPS_TAKEN }, (_, ago) => code(ago)).includes(value);
  const entered = new Map<string, 'password' | 'both'>();
  const stepOf = (request: IncomingMessage) =>
    entered.get(/(?:^|; )vault=([^;]*)/.exec(request.headers.cookie ?? '')?.[1] ?? '');
  const page = (request: IncomingMessage, response: Parameters<ReturnType<typeof send>>[1]) => {
    const step = stepOf(request);
    if (step === 'both')
      return send('<!doctype html><title>Vault</title><h1>The vault is open</h1>')(request, response);
    if (step === 'password')
      return send(form('/code', '<input name="otp" aria-label="Code">', 'Enter the code'))(request, response);
    return send(form('/password', '<input name="password" type="password" aria-label="Password">', 'Sign in'))(
      request,
      response,
    );
  };
  const accept =
    (field: string, isRight: (value: string) => boolean, step: 'password' | 'both') =>
    (request: IncomingMessage, response: Parameters<ReturnType<typeof send>>[1]) => {
      void bodyOf(request).then((body) => {
        if (!isRight(new URLSearchParams(body).get(field) ?? ''))
          return response.writeHead(303, { location: '/' }).end();
        const key = crypto.randomUUID();
        entered.set(key, step);
        return response
          .writeHead(303, { location: '/', 'set-cookie': `${COOKIE}=${key}; HttpOnly; Path=/; SameSite=Lax` })
          .end();
      });
    };
  const origin = await startOrigin(
    {
      '/': page,
      '/heard': send(''),
      '/password': accept('password', (value) => value === password, 'password'),
      '/code': (request, response) =>
        stepOf(request) === undefined
          ? response.writeHead(303, { location: '/' }).end()
          : accept('otp', isCode, 'both')(request, response),
    },
    undefined,
    port,
  );
  return { ...origin, password, key: `otpauth://totp/vault?secret=${base32(seed)}`, code: () => code() };
}

function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return bits.replace(/.{5}/g, (five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.charAt(Number.parseInt(five, 2)));
}

function totp(seed: Buffer, now: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(now / STEP_MS)));
  const mac = createHmac('sha1', seed).update(counter).digest();
  const at = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
