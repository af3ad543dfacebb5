import { Response } from 'miniflare';
import type { Request } from 'miniflare';

type Page = (request: Request) => Response;

/** A site that shows, announces and stores typed text in as many places as possible. */
export const MIRROR_SITE: Record<string, Page> = {
  '/': page(`<form action="/greet"><input name="user" id="user"><input name="pass" id="pass" type="password">
    <input name="code" id="code" autocomplete="one-time-code"><button>Go on</button></form>
    <p id="seen"></p><p id="split"></p><p id="unseen"></p><a id="link" href="/greet">Link</a><script>
    for (const field of document.querySelectorAll('input')) field.addEventListener('input', () => {
      const { value } = field;
      field.setAttribute('value', value);
      document.title = value;
      seen.textContent = 'You typed ' + value;
      split.innerHTML = 'In parts <b></b><i></i>';
      split.children[0].textContent = value.slice(0, 4);
      split.children[1].textContent = value.slice(4);
      unseen.textContent = 'Apart ' + [...value].join('\\u200b');
      link.href = '/greet?user=' + encodeURIComponent(value);
      localStorage.setItem('typed', value);
      document.cookie = 'typed=' + encodeURIComponent(value);
      history.replaceState(null, '', '/?' + new URLSearchParams({ typed: value }) + '#' + value);
      console.warn('typed ' + value);
      fetch('/heard?' + new URLSearchParams({ value }));
      if (!self.hasAlerted) alert('typed ' + value);
      self.hasAlerted = true;
    });</script>`),
  '/greet': (request) => {
    const query = new URL(request.url).searchParams;
    const user = (query.get('user') ?? '').replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    const again = `<input size="30" value="${user}"><input placeholder="${user}"><select><option>${user}</select>
      <input type="button" value="${user}"><img src="/none.png" alt="${user}" width="300" height="30">`;
    return page(`<h1>Hello, ${user}</h1>${again}<p>Your code was ${query.get('code') ?? ''}.</p><script>
      document.title = 'Hello, ' + ${JSON.stringify(query.get('user') ?? '').replaceAll('<', '\\u003c')};
      console.warn(location.search); fetch('/heard' + location.search)</script>`)(request);
  },
  '/heard': () => new Response('', { headers: { 'content-type': 'text/plain' } }),
};

function page(body: string): Page {
  const style = '<style>* { font: 20px monospace; caret-color: transparent }</style>';
  return () =>
    new Response(`<!doctype html><title>Mirror</title>${style}<body>${body}</body>`, {
      headers: { 'content-type': 'text/html' },
    });
}
