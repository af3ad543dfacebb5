import { ATTACKS } from '#support/attacks.ts';
import { fresh, html, PROSE, redirect, serve } from './lay.ts';
import type { Way } from './lay.ts';
import type { Rig } from './rig.ts';
import { FILES } from './ways-files.ts';

/** Ways in which a requested page or file names an address that was not requested. */

const REDIRECTS: readonly Way[] = [
  ...[301, 302, 303, 307, 308].map((status) => ({
    name: `redirect ${status}`,
    lay: redirect(status, (target) => `http://${target}/`),
  })),
  { name: 'redirect without a scheme', lay: redirect(302, (target) => `//${target}/`) },
  { name: 'redirect with back-slashes', lay: redirect(302, (target) => `\\\\${target}\\`) },
  { name: 'redirect in hex', lay: redirect(302, (target) => `http://0x7f.1:${target.split(':')[1]}/`) },
  { name: 'redirect with credentials', lay: redirect(302, (target) => `http://a:b@${target}/`) },
  { name: 'redirect to [::1]', lay: redirect(302, (target) => `http://[::1]:${target.split(':')[1]}/`) },
  { name: 'redirect to localhost', lay: redirect(302, (target) => `http://localhost:${target.split(':')[1]}/`) },
  {
    name: 'redirect over another site',
    lay: (target, rig) => {
      const path = fresh();
      rig.other.routes[path] = (_request, response) =>
        void response.writeHead(307, { location: `http://${target}/` }).end();
      return serve(rig, fresh(), '', { location: rig.other.url + path }, 302);
    },
  },
  {
    name: 'Refresh header',
    lay: (target, rig) =>
      serve(rig, fresh(), PROSE, { refresh: `0;url=http://${target}/`, 'content-type': 'text/html' }),
  },
  {
    name: 'Link header: twin, preload, next, canonical',
    lay: (target, rig) =>
      serve(rig, fresh(), PROSE, {
        link: `<http://${target}/>; rel="alternate"; type="text/markdown", <http://${target}/>; rel=preload; as=script, <http://${target}/>; rel=next, <http://${target}/>; rel=canonical`,
        'content-type': 'text/html',
      }),
  },
  {
    name: 'Content-Location',
    lay: (target, rig) =>
      serve(rig, fresh(), PROSE, { 'content-location': `http://${target}/`, 'content-type': 'text/html' }),
  },
];

const HEADS: readonly Way[] = [
  { name: 'meta refresh', lay: html('<meta http-equiv="refresh" content="0;url=http://TARGET/">') },
  {
    name: 'declared Markdown twin',
    lay: html('<link rel="alternate" type="text/markdown" href="http://TARGET/x.md">'),
  },
  { name: 'canonical', lay: html('<link rel="canonical" href="http://TARGET/">') },
  {
    name: 'amphtml, next, prev, start',
    lay: html(
      '<link rel="amphtml" href="http://TARGET/a"><link rel="next" href="http://TARGET/n"><link rel="prev" href="http://TARGET/p">',
    ),
  },
  {
    name: 'feeds and oEmbed',
    lay: html(
      '<link rel="alternate" type="application/rss+xml" href="http://TARGET/f"><link rel="alternate" type="application/json+oembed" href="http://TARGET/o">',
    ),
  },
  { name: 'manifest', lay: html('<link rel="manifest" href="http://TARGET/m">') },
  { name: 'base', lay: html('<base href="http://TARGET/">', '<img src="x.png"><link rel=stylesheet href=y.css>') },
  {
    name: 'og:image, og:url, twitter:player',
    lay: html(
      '<meta property="og:image" content="http://TARGET/i"><meta property="og:url" content="http://TARGET/u"><meta name="twitter:player" content="http://TARGET/p">',
    ),
  },
  {
    name: 'import map and speculation rules',
    lay: html(
      '<script type="importmap">{"imports":{"a":"http://TARGET/a.js"}}</script><script type="module">import "a"</script><script type="speculationrules">{"prefetch":[{"urls":["http://TARGET/"],"eagerness":"immediate"}]}</script>',
    ),
  },
  {
    name: 'a policy that reports',
    lay: html(
      '<meta http-equiv="Content-Security-Policy" content="img-src \'none\'; report-uri http://TARGET/">',
      '<img src=x>',
    ),
  },
];

const CALLS: readonly Way[] = [
  {
    name: 'web_extract with a private base',
    lay: (target) => ({
      tool: 'web_extract',
      args: { html: `<base href="http://${target}/"><p>Words</p><img src=x>`, base_url: `http://${target}/` },
    }),
  },
  {
    name: 'web_batch_open',
    lay: (target) => ({
      tool: 'web_batch_open',
      args: {
        urls: [
          `http://${target}/a`,
          `http://localhost:${target.split(':')[1]}/`,
          `http://[::1]:${target.split(':')[1]}/`,
        ],
      },
    }),
  },
  {
    name: 'a fetch from a script of the caller',
    lay: (target) => ({
      tool: 'browser_evaluate',
      args: { script: `fetch('http://${target}/').then(r => r.text()).catch(e => String(e))` },
    }),
  },
  {
    name: 'a site config that does not exist',
    lay: (target, rig) => ({
      tool: 'web_open',
      args: { url: rig.site.url + fresh(), siteconfig: `http://${target}/` },
    }),
  },
];

/** The pages of the gate's browser tests, here against the whole product. */
const LIVE: readonly Way[] = ATTACKS.map(({ name, page, needsClick }) => ({
  name: `browser: ${name}`,
  live: true,
  ...(needsClick === true ? { click: '#go' } : {}),
  lay: (target: string, rig: Rig) => rig.site.page(fresh(), `<!doctype html><title>${name}</title>${page(target)}`),
}));

export const WAYS: readonly Way[] = [...REDIRECTS, ...HEADS, ...FILES, ...CALLS, ...LIVE];
