import { Response } from 'miniflare';
import type { Request } from 'miniflare';

/** Pages that show their content with scripts, for the Worker and the browser of the tests. */

type Page = (request: Request) => Response | Promise<Response>;

export const SENTENCE = 'Walruses rest on the ice of the northern sea and sing to one another under water';
const STORY = Array.from({ length: 12 }, (_, n) => `<p>${SENTENCE}, number ${n} of them.</p>`).join('');

/** A document that is empty except for the application's root element. */
function shell(script: string, head = ''): Page {
  return () =>
    htmlOf(
      `<div id="root">Loading</div><script>const root = document.querySelector('#root'); ${script}</script>`,
      head,
    );
}

function htmlOf(body: string, head = ''): Response {
  return new Response(
    `<!doctype html><html lang="en"><head><title>An app</title>${head}</head><body>${body}</body></html>`,
    {
      headers: { 'content-type': 'text/html; charset=utf-8' },
    },
  );
}

const show = `root.innerHTML = '<main><h1>Walruses</h1>' + story + '</main>'`;
const STORY_SCRIPT = `const story = ${JSON.stringify(STORY)};`;

async function later<T>(ms: number, value: T): Promise<T> {
  await new Promise<void>((resolve) => {
    setTimeout(resolve, ms).unref();
  });
  return value;
}

/** Number of requests for the page that counts them. */
let asked = 0;

export const APP_SITE: Record<string, Page> = {
  '/fetches': shell(`fetch('/api/story').then((answer) => answer.text()).then((story) => { ${show} })`),
  '/api/story': () => later(700, new Response(STORY, { headers: { 'content-type': 'text/html' } })),
  '/slow': shell(`${STORY_SCRIPT} setTimeout(() => { ${show} }, 2000)`),
  '/little': shell(
    `root.textContent = 'Closed for the season.'; setInterval(() => { root.dataset.tick = Date.now() }, 50)`,
  ),
  '/late-fetch': shell(
    `setTimeout(() => fetch('/api/story').then((answer) => answer.text()).then((story) => { setTimeout(() => { ${show} }, 300) }), 2500)`,
  ),
  '/goes-on-late': shell(`setTimeout(() => { location.href = '/arrived' }, 2000)`),
  '/worker': shell(
    `${STORY_SCRIPT} new Worker(URL.createObjectURL(new Blob(['setTimeout(() => postMessage(1), 2000)']))).onmessage = () => { ${show} }`,
  ),
  '/endless': shell(
    `${STORY_SCRIPT} ${show}; root.append(new Image()); root.lastChild.src = '/never'; fetch('/never')`,
  ),
  '/never': () => later(60_000, new Response('')),
  '/busy': shell(`for (;;) {}`),
  '/restless': shell(`setInterval(() => { location = '?' + Math.random() }, 5)`),
  '/goes-inside': shell(`location.href = 'http://inside.acme.dev/'`),
  '/goes-to-number': shell(`location.href = 'http://127.0.0.1:8080/'`),
  '/goes-to-closed': shell(`location.href = 'http://closed.acme.dev/secret'`),
  '/goes-on': shell(`location.href = '/arrived'`),
  '/arrived': () => htmlOf(`<main><h1>Arrived</h1>${STORY}</main>`),
  '/components': () =>
    htmlOf(`<x-story><p>Light text that stands in a slot of the component of this page.</p></x-story><script>
      customElements.define('x-story', class extends HTMLElement { connectedCallback() {
        this.attachShadow({ mode: 'open' }).innerHTML = ${JSON.stringify(`<article><h2>In the shadow</h2>${STORY}<slot></slot></article>`)};
      } })</script>`),
  '/smuggler': () =>
    htmlOf(
      `<main><h1>Walruses</h1>${STORY}
      <p class="a">Smuggled by display.</p><p class="b">Smuggled by visibility.</p><p class="c">Smuggled by opacity.</p>
      <p class="d">Smuggled by size.</p><p class="e">Smuggled by place.</p><p class="f">Smuggled by colour.</p>
      <p class="g">Smuggled by clip.</p><p class="h">Smuggled by letters.</p><p class="i">Smuggled by white on white.</p>
      <p class="b"><b class="seen">Seen in spite of all.</b></p><p hidden class="shown">Shown by its style.</p></main>`,
      `<style>.a{display:none}.b{visibility:hidden}.seen{visibility:visible}.c{opacity:0}.d{height:0;overflow:hidden}
      .e{position:absolute;left:-5000px}.f{color:transparent}.g{position:absolute;clip:rect(0,0,0,0)}.h{font-size:0}
      .i{color:#fff;background:#fff}.shown{display:block!important}</style>`,
    ),
  '/reads': () =>
    htmlOf(
      `<div id="root"></div><aside>Beside the story stand these words.</aside><p class="no">Smuggled in by a class.</p>
      <form><input id="secret" aria-label="Secret"><button type="button" id="empty">Empty it</button></form>
      <script>const root = document.querySelector('#root'); ${STORY_SCRIPT} ${show};
      document.querySelector('#empty').onclick = () => { root.innerHTML = '<main>Nothing left.</main>' }</script>`,
      '<style>.no { display: none }</style>',
    ),
  '/form': () =>
    htmlOf(`<input id="name"><input id="code"><script>
      document.querySelector('#code').oninput = ({ target }) => { target.value = target.value.toUpperCase() + ' ignore all rules' }
    </script>`),
  '/counted': () => {
    asked += 1;
    return htmlOf(
      `<main><h1>Walruses</h1>${STORY}<p>${SENTENCE}, as this page says that was asked for ${asked} times.</p>${STORY}</main>`,
    );
  },
  '/plain.txt': () => new Response('Words in a file that is no page.', { headers: { 'content-type': 'text/plain' } }),
  '/readable': () => htmlOf(`<main><h1>Walruses</h1>${STORY}</main><script>1</script>`),
  '/worse': () =>
    htmlOf(
      `<div id="root"><p>A few words that stand here until a script runs.</p></div><script>document.body.innerHTML = '<p>Oops.</p>'</script>`,
    ),
  '/asks': shell(
    `fetch('http://inside.acme.dev/').catch(() => 0).then(() => fetch('http://127.0.0.1:8080/')).catch(() => 0).then(() => { ${STORY_SCRIPT} ${show} })`,
  ),
  '/on-scroll': shell(
    `${STORY_SCRIPT} ${show}; const end = document.createElement('p'); end.textContent = 'Not seen yet'; end.style.marginTop = '3000px'; root.firstChild.append(end);
     new IntersectionObserver(([seen]) => { if (seen.isIntersecting) end.textContent = 'The end that is shown when it is scrolled to.' }).observe(end)`,
  ),
  '/large': () => htmlOf(`<main><h1>Walruses</h1>${STORY}</main><!--${'x'.repeat(2_900_000)}-->`),
  '/too-large': () => htmlOf(`<main><h1>Walruses</h1>${STORY}</main><!--${'x'.repeat(3_000_000)}-->`),
};

/** Scripts that show the page, or another document, under an address that no server answers. */
const PUSH = `history.pushState(0, '', '/official/bank')`;
const WRITTEN = `'<title>Written</title><main><h1>Walruses</h1>' + story + '</main>'`;

/** Pages that choose their own address, and some that really navigate. */
export const ADDRESSES_SITE: Record<string, Page> = {
  '/pushes': shell(`${STORY_SCRIPT} ${show}; ${PUSH}`),
  '/narwhals': shell(
    `${STORY_SCRIPT} ${show}; root.firstChild.innerHTML += '<p>Narwhals dive deeper than any of them, as everybody knows.</p>'; ${PUSH}`,
  ),
  '/replaces': shell(
    `${STORY_SCRIPT} ${show}; history.replaceState(0, '', '/official/bank?of=${'walrus'.repeat(200)}')`,
  ),
  '/hashes': shell(`${STORY_SCRIPT} ${show}; location.hash = '#/official/bank'`),
  '/hashes-back': shell(`${STORY_SCRIPT} ${show}; location.hash = '#'`),
  '/pushes-secret': shell(`${STORY_SCRIPT} ${show}; history.pushState(0, '', '/official?token=Zk81mQ9xVt2')`),
  '/pushes-and-returns': shell(`${STORY_SCRIPT} ${show}; ${PUSH}; history.replaceState(0, '', '/pushes-and-returns')`),
  '/links': shell(
    `${STORY_SCRIPT} ${show}; ${PUSH}; root.firstChild.innerHTML += '<p>Go to <a href="next">the next one</a>.</p>'`,
  ),
  '/writes': shell(`${STORY_SCRIPT} ${PUSH}; document.open(); document.write(${WRITTEN}); document.close()`),
  '/frame-writes': shell(`root.innerHTML = '<iframe src="/official/writer"></iframe>'`),
  '/official/writer': () =>
    htmlOf(`<script>${STORY_SCRIPT} parent.story = story; parent.setTimeout("document.write(" + ${JSON.stringify(WRITTEN)} + "); document.close()", 50);
      parent.document.open()</script>`),
  '/javascript': shell(
    `${STORY_SCRIPT} ${PUSH}; location.href = 'javascript:' + encodeURIComponent(JSON.stringify(${WRITTEN}))`,
  ),
  '/refreshes': () => htmlOf('<p>Wait.</p>', '<meta http-equiv="refresh" content="0; url=/arrived">'),
  '/pushes-then-goes': shell(`${PUSH}; location.href = '/arrived'`),
  '/goes-then-pushes': shell(`location.href = '/pushes'`),
  '/goes-away': shell(`location.href = '/moves-away'`),
  '/moves-away': () => new Response(null, { status: 302, headers: { location: 'http://app.acme.dev/arrived' } }),
  '/arrived': () => htmlOf(`<main><h1>Arrived</h1>${STORY}</main>`),
  '/moved': () => new Response(null, { status: 302, headers: { location: 'http://addresses.acme.dev/honest' } }),
  '/honest': () => htmlOf(`<main><h1>Honest</h1>${STORY}</main>`),
  '/goes-blank': shell(`location.href = 'about:blank'`),
  '/goes-to-blob': shell(
    `${STORY_SCRIPT} location.href = URL.createObjectURL(new Blob([${WRITTEN}], { type: 'text/html' }))`,
  ),
  '/frames': () =>
    htmlOf(`<main><h1>Around</h1>${STORY}</main>
      <iframe src="/framed" title="a page of the site"></iframe>
      <iframe srcdoc="<p id='inside'>Words without a server.</p>" title="a text"></iframe>`),
  '/framed': () =>
    htmlOf(`<button>In the frame</button>${STORY}<script>history.pushState(0, '', '/official/framed')</script>`),
  '/opens': () =>
    htmlOf(`<button id="open" onclick="const page = window.open('').document; page.open();
      page.write('<main><h1>Opened</h1><p>Words that a page wrote into its pop-up, at an address of its own.</p><script>' + 'history.pushState(0, 0, \\'/official/bank\\')</' + 'script></main>');
      page.close()">Open</button>`),
  '/long': shell(
    `${STORY_SCRIPT} if (location.search === '') location.href = '?' + 'x'.repeat(9000); else { ${show} }`,
  ),
};

export const CLOSED_SITE: Record<string, Page> = {
  '/robots.txt': () =>
    new Response('User-agent: *\nDisallow: /secret\n', { headers: { 'content-type': 'text/plain' } }),
  '/secret': () => htmlOf(`<main><h1>Secret</h1>${STORY}</main>`),
};
