import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { Response } from 'miniflare';
import type { Request } from 'miniflare';
import { makeXlsx } from './make-archive.ts';

/** A site that offers files and accepts uploads, some of them hostile. */

type Page = (request: Request) => Response | Promise<Response>;

/** Only served to visitors who are signed in. */
const REPORT = `day,visitors\n${Array.from({ length: 40 }, (_, n) => `2026-01-${n + 1},${n * 17}`).join('\n')}\nnaïve,1\n`;
const SIGNED_IN = 'member=yes-of-the-test';

function page(body: string, headers: Record<string, string> = {}): Response {
  return new Response(`<!doctype html><title>Files</title><body>${body}</body>`, {
    headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
  });
}

function file(body: string | Uint8Array, headers: Record<string, string>): Page {
  return () => new Response(body, { headers });
}

function attached(name: string, type = 'text/plain') {
  return { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` };
}

/** An answer that ends only when its reader disconnects. */
function endless(headers: Record<string, string>): Page {
  return () => {
    const piece = new Uint8Array(256 * 1024).fill(65);
    return new Response(new ReadableStream({ pull: (body) => body.enqueue(piece) }), { headers });
  };
}

/** A browser reads half a kilobyte of a text before it reports an answer. */
const SLOW = ['first half,', 'second half.'].map((half) => half.repeat(100));

/** An answer whose second half arrives after `ms`. */
function slow(ms: number): Page {
  return () => {
    const halves = [...SLOW];
    const pull = async (body: ReadableStreamDefaultController) => {
      const half = halves.shift();
      if (half === undefined) return body.close();
      if (halves.length === 0) await new Promise((resolve) => setTimeout(resolve, ms));
      body.enqueue(new TextEncoder().encode(half));
    };
    return new Response(new ReadableStream({ pull }), { headers: attached('slow.txt') });
  };
}

async function receive(request: Request): Promise<Response> {
  const given = (await request.formData()).getAll('file').filter((one) => typeof one !== 'string');
  const lines = await Promise.all(
    given.map(async (one) => {
      const bytes = new Uint8Array(await one.arrayBuffer());
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      return `<p>Received ${one.name} (${one.type}): ${bytes.byteLength} bytes, ${sha256}</p>`;
    }),
  );
  return page(`<main>${lines.join('') || '<p>Received nothing</p>'}</main>`);
}

const SEND = `async function send(files) {
  const form = new FormData();
  for (const one of files) form.append('file', one);
  const answer = await fetch('/receive', { method: 'POST', body: form });
  out.innerHTML = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('main').innerHTML;
}`;

const archive = { bytes: null as Uint8Array<ArrayBuffer> | null };
const bomb = { bytes: null as Uint8Array<ArrayBuffer> | null };
/** More than a file may have by default. */
const LARGE_BYTES = 39_000_000;
const BOMB_BYTES = 64 * 1024 * 1024;

export const FILES_SITE: Record<string, Page> = {
  '/nothing': () => new Response(null, { status: 204 }),
  '/stops-for-nothing': () => page("<p>Ready</p><script>stop(); location = '/nothing'</script>"),
  '/stops-for-file': () => page("<p>Ready</p><script>stop(); location = '/stopped.txt'</script>"),
  '/stopped.txt': file('kept', attached('stopped.txt')),
  '/sign-in': () =>
    page('<p>Signed in.</p><a href="/report">The report</a>', { 'set-cookie': `${SIGNED_IN}; HttpOnly; Path=/` }),
  '/report': (request) =>
    request.headers.get('cookie')?.includes(SIGNED_IN) === true
      ? new Response(REPORT, { headers: attached('report.csv', 'text/csv; charset=utf-8') })
      : page('<p>Sign in first.</p>'),
  '/links': () =>
    page(`<a id="attached" href="/attached">attached</a> <a id="window" href="/attached" target="_blank">in a window</a>
      <a id="saved" href="/plain" download="saved.txt">saved</a> <a id="csv" href="/data.csv">data</a>
      <a id="inline" href="/inline">inline</a>
      <button id="frame" onclick="document.body.append(Object.assign(document.createElement('iframe'), { src: '/attached?frame' }))">in a frame</button>
      <form method="post" action="/attached"><button id="form">form</button></form>
      <button id="blob">blob</button>
      <script>blob.onclick = () => {
        const url = URL.createObjectURL(new Blob(['made here'], { type: 'text/plain' }));
        Object.assign(document.createElement('a'), { href: url, download: 'made.txt' }).click();
        URL.revokeObjectURL(url);
      }</script>
      <a id="data" download="d.txt" href="data:text/plain,from%20the%20address">data address</a>`),
  '/large': () =>
    page(`<button id="data">data</button> <button id="middle">middle</button> <button id="fragment">fragment</button> <button id="blob">blob</button> <button id="two">two</button>
      <script>
        const letters = 'A'.repeat(4 * ${LARGE_BYTES} / 3);
        const save = (href, name) => Object.assign(document.createElement('a'), { href, download: name }).click();
        const address = 'data:application/octet-stream;base64,' + letters;
        const made = () => URL.createObjectURL(new Blob([new Uint8Array(${LARGE_BYTES})]));
        data.onclick = () => save(address, 'large.bin');
        middle.onclick = () => save('data:application/octet-stream;base64,' + 'QUJD'.repeat(1_000_000), 'middle.bin');
        fragment.onclick = () => save('data:application/octet-stream;base64,' + 'QUJD'.repeat(1_000_000) + '#x', 'middle.bin');
        blob.onclick = () => save(made(), 'large.bin');
        two.onclick = () => { save(address, 'one.bin'); save(made(), 'two.bin') };
      </script>`),
  '/attached': file('The attached file.', attached('notes.txt')),
  '/attached.html': file(
    '<base href="http://10.9.8.7/"><h1>An attached page</h1><p>It <a href="/inside">leads</a> somewhere, <a href="?q">here</a> and <a href="http://docs.acme.dev/">there</a>.<img src="x.png" alt="A picture"><script>alert(1)</script>',
    attached('page.html', 'text/html'),
  ),
  '/plain': file('Plain text.', { 'content-type': 'text/plain' }),
  '/data.csv': file('a,b\n1,2\n', { 'content-type': 'text/csv' }),
  '/inline': file('Shown, not saved.', {
    'content-type': 'text/plain',
    'content-disposition': 'inline; filename="x.txt"',
  }),
  '/empty': file('', attached('empty.txt')),
  '/zip': file(new Uint8Array([80, 75, 3, 4, 20, 0, 0, 0, 0, 0]), attached('archive.csv', 'text/csv')),
  '/named': (request) => {
    const given = new URL(request.url).searchParams;
    const headers = {
      'content-type': given.get('type') ?? 'text/plain',
      'content-disposition': given.get('disposition') ?? '',
    };
    return new Response('Named.', { headers });
  },
  '/huge': endless({ ...attached('huge.bin'), 'content-length': '5000000000' }),
  '/slow': slow(12_000),
  '/endless': endless(attached('endless.bin')),
  '/bomb': () => {
    bomb.bytes ??= Uint8Array.from(gzipSync(new Uint8Array(BOMB_BYTES)));
    return new Response(bomb.bytes, { headers: { ...attached('bomb.txt'), 'content-encoding': 'gzip' } });
  },
  '/bomb.xlsx': () => {
    archive.bytes ??= Uint8Array.from(makeXlsx([{ name: 'One', rows: '<row/>'.repeat(3_000_000) }]));
    return new Response(archive.bytes, { headers: attached('bomb.xlsx', 'application/octet-stream') });
  },
  '/strict': () =>
    page(
      `<a id="saved" href="/plain" download="saved.txt">saved</a> <button id="blob">blob</button>
      <script>blob.onclick = () => {
        const url = URL.createObjectURL(new Blob(['made here'], { type: 'text/plain' }));
        Object.assign(document.createElement('a'), { href: url, download: 'made.txt' }).click();
      }</script>`,
      { 'content-security-policy': "default-src 'none'; script-src 'unsafe-inline'" },
    ),
  '/many': () =>
    page(`<button id="all" onclick="for (let n = 0; n < 1000; n += 1) {
      Object.assign(document.createElement('a'), { href: '/numbered?' + n, download: n + '.txt' }).click()
    }">all</button> <button id="frames" onclick="offer(100)">frames</button> <button id="flood" onclick="offer(300)">flood</button>
    <script>globalThis.offer = (many) => {
      for (let n = 0; n < many; n += 1) {
        document.body.append(Object.assign(document.createElement('iframe'), { src: '/numbered?' + n }));
      }
    }</script>`),
  '/numbered': ({ url }) => new Response(url, { headers: attached(`${new URL(url).search.slice(1)}.txt`) }),
  '/upload': () =>
    page(`<form method="post" action="/receive" enctype="multipart/form-data">
      <input id="one" type="file" name="file"><label id="label" for="one">A file</label>
      <input id="off" type="file" disabled> <div id="plain">Nothing here</div> <button id="send">Send</button></form>
      <div id="zone">Drop here <div id="inner">or here</div></div> <button id="choose">Choose</button>
      <form id="trap">${['querySelectorAll', 'matches', 'dispatchEvent', 'getBoundingClientRect', 'files', 'ownerDocument'].map((name) => `<input name="${name}">`).join('')}<input type="file" name="type"></form>
      <form id="droptrap"><input name="dispatchEvent"><input name="getBoundingClientRect"><input name="matches"></form>
      <div id="box"><input type="file" multiple hidden id="several"></div><main id="out"></main>
      <script>${SEND}
        zone.ondragover = (event) => event.preventDefault();
        zone.ondrop = (event) => { event.preventDefault(); send(event.dataTransfer.files) };
        droptrap.ondragover = (event) => event.preventDefault();
        droptrap.ondrop = zone.ondrop;
        several.onchange = () => send(several.files);
        choose.onclick = () => {
          const field = Object.assign(document.createElement('input'), { type: 'file' });
          field.onchange = () => send(field.files);
          field.click();
        };
      </script>`),
  '/receive': receive,
};
