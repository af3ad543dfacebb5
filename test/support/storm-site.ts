import { Response } from 'miniflare';
import type { Request } from 'miniflare';

type Page = (request: Request) => Response | Promise<Response>;

/** Pages that open endless dialogs or pop-ups. `#go` starts those that do not start automatically. */
const STORMS: Readonly<Record<string, string>> = {
  calm: '',
  'alert-loop': `go.onclick = () => { for (;;) alert('Again') }`,
  'confirm-until': `go.onclick = () => { while (!confirm('Agree?')); document.title = 'agreed' }`,
  'alert-timer': `go.onclick = () => setInterval(() => alert('Again'), 0)`,
  'alert-timer-loads': `setInterval(() => alert('Again'), 0)`,
  'alert-loop-loads': `for (;;) alert('Again')`,
  'prompt-chain': `const ask = () => { prompt('Name?'); setTimeout(ask, 0) }; go.onclick = ask`,
  'alert-focus': `const f = document.createElement('input'); document.body.append(f); f.onfocus = () => { alert('Focus'); f.blur(); setTimeout(() => f.focus(), 0) }; go.onclick = () => f.focus()`,
  leaving: `onbeforeunload = (event) => { event.preventDefault(); setTimeout(() => { location.href = '/calm?' + Math.random() }, 0) }; go.onclick = () => { location.href = '/calm' }`,
  frames: `go.onclick = () => { for (let n = 0; n < 10; n += 1) { const f = document.createElement('iframe'); f.srcdoc = '<script>for (;;) alert(1)<' + '/script>'; document.body.append(f) } }`,
  'popups-loop': `go.onclick = () => { for (let n = 0; n < 500; n += 1) window.open('/calm?' + n) }`,
  'popups-alone': `go.onclick = () => { for (let n = 0; n < 40; n += 1) window.open('/calm?' + n, '_blank', 'noopener') }`,
  'popups-endless': `go.onclick = () => { for (;;) window.open('/calm') }`,
  'popups-timer': `go.onclick = () => setInterval(() => window.open('/calm'), 0)`,
  'popups-of-popups': `if (opener) for (;;) window.open(location.href); go.onclick = () => window.open(location.href)`,
  'popups-timer-loads': `setInterval(() => window.open('/calm'), 10)`,
  'address-loop': `go.onclick = () => setInterval(() => { for (let n = 0; n < 50; n += 1) history.pushState({}, '', '#' + Math.random()) }, 10)`,
  'many-addresses': `go.onclick = () => { for (let n = 0; n < 500; n += 1) history.replaceState({}, '', '#' + n) }`,
  'few-popups': `go.onclick = () => { for (let n = 0; n < 3; n += 1) window.open('/calm?' + n) }`,
  'few-dialogs': `go.onclick = () => { for (let n = 0; n < 15; n += 1) alert('Step ' + n) }`,
};

export const STORM_SITE: Record<string, Page> = Object.fromEntries(
  Object.entries(STORMS).map(([name, script]) => [
    `/${name}`,
    () =>
      new Response(
        `<!doctype html><title>${name}</title><h1>Words of ${name}</h1><button id="go">Go</button><script>${script}</script>`,
        { headers: { 'content-type': 'text/html' } },
      ),
  ]),
);
