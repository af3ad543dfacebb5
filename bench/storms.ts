/**
 * Measures how much the noisiest pages slow down other users: while one session opens each page, another connection
 * sends `ping` without a pause. Usage: node bench/storms.ts [NAME]. Figures need an idle machine. The first row is a
 * page that does nothing.
 */
import { createServer } from 'node:http';
import { connectModern } from '#support/mcp-clients.ts';
import { TEST_BROWSER } from '#support/chromium.ts';
import { startServer } from '#support/server.ts';

const SECOND_MS = 1_000;

/** The script of each page. */
const STORMS: Readonly<Record<string, string>> = {
  nothing: '',
  '100,000 console lines': `for (let n = 0; n < 1e5; n += 1) console.error('line ' + n)`,
  'console without end': `for (;;) console.error('line')`,
  'console by timers': `setInterval(() => { for (let n = 0; n < 1e4; n += 1) console.log('line', n, { n }) })`,
  'long console lines': `for (let n = 0; n < 200; n += 1) console.error('x'.repeat(1e6))`,
  'errors without end': `setInterval(() => { for (let n = 0; n < 1e3; n += 1) setTimeout(() => { throw new Error('x') }) })`,
  'dialogs without end': `for (;;) alert(1)`,
  'dialogs by timers': `setInterval(() => confirm('x'.repeat(1e5)))`,
  'a huge title': `document.title = 'x'.repeat(1e8)`,
  'a huge dialog': `alert('x'.repeat(2e7))`,
  'requests without end': `setInterval(() => { for (let n = 0; n < 200; n += 1) fetch('/x?' + Math.random()).catch(() => 0) })`,
  'inner requests': `setInterval(() => { for (let n = 0; n < 500; n += 1) fetch('data:,x').catch(() => 0) })`,
  'reloads without end': `location.reload()`,
  'places in history': `let n = 0; setInterval(() => { for (let i = 0; i < 500; i += 1) history.replaceState(0, '', '?' + n++) })`,
  'frames without end': `setInterval(() => { for (let n = 0; n < 50; n += 1) { const f = document.createElement('iframe'); f.srcdoc = 'x'; document.body.append(f); setTimeout(() => f.remove(), 50) } })`,
  'windows without end': `setInterval(() => window.open('/x'))`,
  'workers without end': `setInterval(() => { const w = new Worker(URL.createObjectURL(new Blob(['0']))); setTimeout(() => w.terminate(), 100) }, 1)`,
  'downloads without end': `setInterval(() => { const a = document.createElement('a'); a.href = '/file'; a.download = 'x'; a.click() }, 1)`,
  'changes without end': `setInterval(() => { for (let n = 0; n < 2000; n += 1) document.body.append(document.createElement('p')) })`,
};

const names = process.argv.slice(2);
const site = createServer((request, response) => {
  const name = decodeURIComponent((request.url ?? '/').slice(1).split('?')[0] ?? '');
  const script = STORMS[name];
  if (script === undefined) return response.writeHead(404).end();
  return response
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    .end(
      `<!doctype html><title>${name}</title><body><p>Words.</p><script>setTimeout(() => { ${script} }, 50)</script>`,
    );
});
await new Promise<void>((resolve) => site.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1', resolve));
const address = site.address();
const host = typeof address === 'object' && address !== null ? `127.0.0.1:${address.port}` : '';
const server = await startServer({ ALLOWED_PRIVATE_HOSTS: host, ...TEST_BROWSER });
const noisy = await connectModern(server);

for (const name of Object.keys(STORMS)) {
  if (names.length > 0 && !names.some((word) => name.includes(word))) continue;
  await measure(name);
}
await noisy.close();
await server.close();
site.close();

async function measure(name: string): Promise<void> {
  const session = name.replaceAll(/[^a-z0-9]/g, '-');
  await noisy.call('browser_launch', { session });
  const pings: number[] = [];
  const over = new AbortController();
  const listening = (async () => {
    while (!over.signal.aborted) pings.push(await ping());
  })();
  const started = Date.now();
  const url = `http://${host}/${encodeURIComponent(name)}`;
  const opened = await noisy.call('browser_navigate', { session, url, timeout_ms: 5_000 });
  const seen = await noisy.call('browser_snapshot', { session });
  const ms = Date.now() - started;
  await new Promise((resolve) => setTimeout(resolve, 3 * SECOND_MS));
  over.abort();
  await listening;
  await noisy.call('browser_close', { session });
  pings.sort((a, b) => a - b);
  const at = (share: number) => (pings[Math.floor((pings.length - 1) * share)] ?? 0).toFixed(0).padStart(6);
  const outcome = [opened, seen].map(({ isError, text }) => (isError ? text.split('\n')[0] : 'ok')).join(' | ');
  console.log(`${name.padEnd(24)} ping p50 ${at(0.5)} p95 ${at(0.95)} max ${at(1)} ms, calls ${ms} ms  ${outcome}`);
}

async function ping(): Promise<number> {
  const started = performance.now();
  const response = await fetch(server.mcpUrl, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${server.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  });
  await response.text();
  await new Promise((resolve) => setTimeout(resolve, 20));
  return performance.now() - started - 20;
}
