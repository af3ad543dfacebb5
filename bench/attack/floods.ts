import type { Bomb } from './bombs.ts';
import type { Answer } from './wire.ts';

/** Pages that send endless messages to the model that drives them, while another user waits. */

let count = 0;

const flood = (name: string, code: string, click = false): Bomb => ({
  name: `flood: ${name}`,
  prepare: async ({ site, ana }) => {
    const session = `flood${(count += 1)}`;
    const body = `<title>F</title><h1>Words</h1><button id=go>go</button><script>${code}</script>`;
    const url = site.page(`/flood/${count}`, body);
    const call = (tool: string, args: Record<string, unknown> = {}) => ana.caller.call(tool, { ...args, session });
    // The time to start a browser does not count.
    await call('browser_launch');
    return async () => {
      const answers: Answer[] = [await call('browser_navigate', { url })];
      if (click) answers.push(await call('browser_click', { selector: '#go' }));
      answers.push(await call('browser_snapshot'), await call('browser_screenshot'), await call('browser_read'));
      await call('browser_close');
      return answers;
    };
  },
});

const rendered = (name: string, code: string): Bomb => ({
  name: `rendered: ${name}`,
  prepare: async ({ site, ana }) => {
    const url = site.page(`/flood/${(count += 1)}`, `<title>F</title><div id=root></div><script>${code}</script>`);
    return () => Promise.all([0, 1].map((n) => ana.caller.call('web_open', { url: `${url}?${n}`, mode: 'rendered' })));
  },
});

export const FLOODS: readonly Bomb[] = [
  flood(
    'console, long lines',
    `setInterval(() => { for (let i = 0; i < 500; i++) console.log('x'.repeat(20000)) }, 0)`,
  ),
  flood('console, many lines', `setInterval(() => { for (let i = 0; i < 5000; i++) console.log(i) }, 0)`),
  flood(
    'console, objects',
    `const o = {}; for (let i = 0; i < 2000; i++) o['k' + i] = {a: 'x'.repeat(1000)}; setInterval(() => { for (let i = 0; i < 500; i++) console.log(o, [o]) }, 0)`,
  ),
  flood(
    'exceptions',
    `setInterval(() => { for (let i = 0; i < 500; i++) Promise.reject(new Error('x'.repeat(5000))) }, 0)`,
  ),
  flood('dialogs', `setInterval(() => { for (let i = 0; i < 100; i++) alert('x'.repeat(10000)) }, 0)`),
  flood(
    'dialogs in frames',
    `for (let i = 0; i < 50; i++) { const f = document.createElement('iframe'); f.srcdoc = '<script>for(;;)alert(1)<\\/script>'; document.body.append(f) }`,
  ),
  flood(
    'addresses',
    `setInterval(() => { for (let i = 0; i < 200; i++) try { history.replaceState({}, '', '?' + 'x'.repeat(5000) + Math.random()) } catch {} }, 0)`,
  ),
  flood(
    'titles',
    `setInterval(() => { for (let i = 0; i < 500; i++) document.title = 'x'.repeat(5000) + Math.random() }, 0)`,
  ),
  flood(
    'frames that come and go',
    `setInterval(() => { for (let i = 0; i < 20; i++) { const f = document.createElement('iframe'); f.srcdoc = '<p>x'; document.body.append(f); setTimeout(() => f.remove(), 5) } }, 0)`,
  ),
  flood(
    'workers that come and go',
    `const u = URL.createObjectURL(new Blob(['1'])); setInterval(() => { for (let i = 0; i < 20; i++) { const w = new Worker(u); setTimeout(() => w.terminate(), 5) } }, 0)`,
  ),
  flood(
    'pop-ups',
    `document.getElementById('go').onclick = () => setInterval(() => { for (let i = 0; i < 20; i++) open('about:blank') }, 0)`,
    true,
  ),
  flood(
    'requests',
    `setInterval(() => { for (let i = 0; i < 200; i++) fetch('/none?' + Math.random()).catch(() => {}) }, 0)`,
  ),
  flood(
    'refused requests',
    `setInterval(() => { for (let i = 0; i < 200; i++) fetch('http://10.0.0.1/' + 'x'.repeat(2000) + Math.random(), {mode: 'no-cors'}).catch(() => {}) }, 0)`,
  ),
  flood(
    'WebSockets',
    `setInterval(() => { for (let i = 0; i < 50; i++) new WebSocket('ws://' + location.host + '/') }, 0)`,
  ),
  flood(
    'downloads',
    `setInterval(() => { for (let i = 0; i < 20; i++) { const a = document.createElement('a'); a.href = 'data:application/zip,x'; a.download = 'f'; a.click() } }, 0)`,
  ),
  flood(
    'navigations',
    `setInterval(() => { const f = document.createElement('iframe'); f.src = '/calm?' + Math.random(); document.body.append(f); location.hash = Math.random() }, 0)`,
  ),
  flood(
    'storage',
    `setInterval(() => { for (let i = 0; i < 50; i++) { localStorage['k' + (i % 5)] = 'v'.repeat(500000); document.cookie = 'c' + i + '=' + 'v'.repeat(3000) } }, 0)`,
  ),
  flood(
    'bindings named like ours',
    `for (const n of Object.getOwnPropertyNames(window).filter((n) => /periscope|binding/i.test(n))) setInterval(() => { for (let i = 0; i < 500; i++) try { window[n]('x'.repeat(10000)) } catch {} }, 0); setInterval(() => { document.body.append('x'.repeat(20000)) }, 0)`,
  ),
  rendered('an endless console', `for (;;) console.log('x'.repeat(10000))`),
  rendered('dialogs', `for (;;) alert('x'.repeat(10000))`),
  rendered(
    '2,000,000 elements',
    `const r = document.getElementById('root'); for (let i = 0; i < 400000; i++) r.append(Object.assign(document.createElement('p'), {textContent: 'paragraph ' + i}))`,
  ),
];
