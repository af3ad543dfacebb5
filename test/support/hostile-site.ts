import { Response } from 'miniflare';
import type { Request } from 'miniflare';
import { HOSTILE_TEXT } from './invisible.ts';

/** A site that puts invisible characters into every text that it can send. */

type Page = (request: Request) => Response | Promise<Response>;

/** As UTF-8 and as character references, because a parser sees both. */
const REFERENCES = HOSTILE_TEXT.replace(/./gsu, (character) => `&#x${(character.codePointAt(0) ?? 0).toString(16)};`);
/** As ASCII, because a script must not be broken by its own text. */
const IN_SCRIPT = JSON.stringify(HOSTILE_TEXT).replace(
  /[^\x20-\x7e]/g,
  (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
);
/** The part of it that a header may contain, as the bytes that a careless server sends. */
const IN_HEADER = String.fromCharCode(...new TextEncoder().encode(HOSTILE_TEXT)).replace(/[^\x20-\x7e\x80-\xff]/g, '');
const IN_URL = encodeURIComponent(HOSTILE_TEXT.toWellFormed());

const SENTENCES = Array.from(
  { length: 30 },
  (_, n) => `<p>Sentence ${n} of the walrus ${HOSTILE_TEXT} is long enough to be read as content. ${REFERENCES}</p>`,
).join('');

const BODY = `<main><h1 id="${HOSTILE_TEXT}">${HOSTILE_TEXT}</h1>${SENTENCES}
  <p><a href="/page?${HOSTILE_TEXT}#${HOSTILE_TEXT}" title="${HOSTILE_TEXT}">${HOSTILE_TEXT}</a>
  <a href="https://hostile.acme.dev/other/${IN_URL}">elsewhere ${REFERENCES}</a>
  <img src="/x.png?${HOSTILE_TEXT}" alt="${HOSTILE_TEXT}"></p>
  <pre><code class="language-js">let ${HOSTILE_TEXT} = 1;</code></pre>
  <table><caption>${HOSTILE_TEXT}</caption><tr><th>${HOSTILE_TEXT}</th></tr><tr><td>${REFERENCES}</td></tr></table></main>`;

const HEAD = `<title>${HOSTILE_TEXT}${REFERENCES}</title><meta name="description" content="${HOSTILE_TEXT}">
  <script type="application/ld+json">{"@type":"Article","headline":${IN_SCRIPT}}</script>`;

const SAYS_MUCH = `
  const H = ${IN_SCRIPT};
  document.title = H;
  document.cookie = 'c=' + encodeURIComponent('x') + H;
  localStorage.setItem(H, H);
  history.replaceState(null, '', '?' + H + '#' + H);
  const say = () => {
    document.title = H + ' again';
    console.error(H, { [H]: H }); console.warn(H);
    confirm(H); alert(H); prompt(H, H);
    fetch('/missing?' + H).catch(() => undefined);
    fetch('http://10.1.2.3/' + H).catch(() => undefined);
    const save = document.createElement('a'); save.href = '/file?' + H; save.download = H + '.bin';
    document.body.append(save); save.click();
    setTimeout(() => { throw new Error(H) });
  };
  document.querySelector('#say').onclick = say;
  document.querySelector('#open').onclick = () => window.open('/page?' + H, H);
  setTimeout(() => window.open('/page?unasked=' + H), 0);
  document.querySelector('#name').oninput = (event) => { event.target.value = H };
  for (const one of document.querySelectorAll('[data-label]')) {
    one.setAttribute('aria-label', H); one.setAttribute('placeholder', H); one.setAttribute('title', H);
  }
  document.querySelector('#covered').append(H);
`;

const LIVE = `<!doctype html><html lang="en"><head><meta charset="utf-8">${HEAD}</head><body>
  <div id="covered" style="position:fixed;top:0;left:0;width:300px;height:60px;background:#fff;z-index:9"></div>
  <button id="under" style="position:fixed;top:5px;left:5px" data-label>${HOSTILE_TEXT}</button>
  <div style="margin-top:80px"><button id="say">Say</button> <button id="open">Open</button>
  <input id="file" type="file" data-label><form><input id="name" data-label name="${HOSTILE_TEXT}"><input id="must" data-label required>
  <select id="choice" data-label><option>${HOSTILE_TEXT}</option></select><button id="send">Send</button></form></div>
  <iframe name="${HOSTILE_TEXT}" srcdoc="<p>${HOSTILE_TEXT}</p>"></iframe>
  ${BODY}<script>${SAYS_MUCH}</script></body></html>`;

const still = (body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8">${HEAD}</head><body>${body}</body></html>`;

export const HOSTILE_SITE: Record<string, Page> = {
  '/robots.txt': text(
    `User-agent: *\nAllow: /page${HOSTILE_TEXT.replace(/[\n\r]/g, '')}\nAllow: /page\nDisallow: /closed\n`,
    'text/plain',
  ),
  '/llms.txt': text(`# ${HOSTILE_TEXT}\n`, 'text/plain; charset=utf-8'),
  '/page': () =>
    new Response(still(BODY), {
      headers: {
        'content-type': 'text/html; charset=utf-8',
        etag: `"${IN_HEADER}"`,
        'x-robots-tag': `noindex, ${IN_HEADER}`,
        'content-language': IN_HEADER,
      },
    }),
  '/twin': text(
    `<!doctype html><head><title>x</title><link rel="alternate" type="text/markdown" href="/notes.md"></head>${BODY}`,
    'text/html; charset=utf-8',
  ),
  /** Longer than any tool shows at once. */
  '/long': text(still(BODY.repeat(4)), 'text/html; charset=utf-8'),
  '/live': text(LIVE, 'text/html; charset=utf-8'),
  '/moved': () => new Response(null, { status: 302, headers: { location: `/page?${IN_HEADER}#${IN_HEADER}` } }),
  '/moved-inside': () => new Response(null, { status: 302, headers: { location: `http://10.1.2.3/${IN_HEADER}` } }),
  '/odd-type': () => new Response('x', { headers: { 'content-type': `application/x-${IN_HEADER}` } }),
  '/notes.md': text(
    `# ${HOSTILE_TEXT}\n\n${HOSTILE_TEXT} [${HOSTILE_TEXT}](/${HOSTILE_TEXT})\n`,
    'text/markdown; charset=utf-8',
  ),
  '/data.json': text(JSON.stringify({ [HOSTILE_TEXT]: HOSTILE_TEXT }), 'application/json'),
  '/file': () =>
    new Response('x', {
      headers: {
        'content-type': 'application/octet-stream',
        'content-disposition': `attachment; filename*=UTF-8''${IN_URL}`,
      },
    }),
  '/empty': text('<!doctype html><title>x</title>', 'text/html'),
};

function text(body: string, type: string): Page {
  return () => new Response(body, { headers: { 'content-type': type } });
}
