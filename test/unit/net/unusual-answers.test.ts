import { deflateRawSync, deflateSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { loadPage } from '#net/fetch/load.ts';
import { failureOf, page, redirect, world } from '../../support/net-world.ts';

const URL_OF_PAGE = 'https://site.test.com/a';
const HTML = '<!doctype html><p>Deflated words.</p>';

async function load(answer: Response, more: Record<string, Response> = {}) {
  const loaded = await loadPage({ requestedUrl: URL_OF_PAGE }, world({ [URL_OF_PAGE]: answer, ...more }));
  if (loaded.notModified) throw new Error('expected content');
  return loaded;
}

describe('a deflate-encoded body', () => {
  it.each([
    ['with its frame', deflateSync(HTML)],
    ['without its frame', deflateRawSync(HTML)],
    ['that the platform has unpacked', new TextEncoder().encode(HTML)],
  ])('is read: %s', async (_, body) => {
    const loaded = await load(page(new Uint8Array(body), { 'content-encoding': 'deflate' }));
    expect(loaded).toMatchObject({ text: HTML, kind: 'html' });
  });

  it.each(['zebra', '2024-01-01,4', '{"a":1}'])('that the platform has unpacked is read: %s', async (text) => {
    const loaded = await load(page(text, { 'content-type': 'text/plain', 'content-encoding': 'deflate' }));
    expect(loaded).toMatchObject({ text });
  });

  it.each([
    ['deflate', deflateSync(Array.from({ length: 500 }, (_, at) => at * at).join()).subarray(0, 900)],
    ['zstd', zstdCompressSync(HTML)],
  ])('leaves the status of an error response known, whose body cannot be unpacked: %s', async (encoding, body) => {
    const answer = new Response(new Uint8Array(body), { status: 404, headers: { 'content-encoding': encoding } });
    const failure = await failureOf(loadPage({ requestedUrl: URL_OF_PAGE }, world({ [URL_OF_PAGE]: answer })));
    expect(failure).toMatchObject({ code: 'http_error', statusCode: 404 });
  });

  it('is refused if it unpacks to far more than its size', async () => {
    const bomb = new Uint8Array(deflateSync(Buffer.alloc(30_000_000)));
    const answer = page(bomb, { 'content-encoding': 'deflate' });
    const failure = await failureOf(loadPage({ requestedUrl: URL_OF_PAGE }, world({ [URL_OF_PAGE]: answer })));
    expect(['extract_failed', 'too_large']).toContain(failure.code);
  });
});

describe('an unusual response', () => {
  const choices = () => new Response(HTML, { status: 300, headers: { 'content-type': 'text/html' } });

  it('with several variants is read, or leads to the variant that it prefers', async () => {
    expect(await load(choices())).toMatchObject({ status: 300, text: HTML });
    const preferred = await load(redirect('/b', 300), { 'https://site.test.com/b': page(HTML) });
    expect(preferred).toMatchObject({ finalUrl: 'https://site.test.com/b', text: HTML });
  });

  it('with a part of the page reports the range', async () => {
    const headers = { 'content-type': 'text/html', 'content-range': 'bytes 0-36/90000' };
    expect(await load(new Response(HTML, { status: 206, headers }))).toMatchObject({ range: 'bytes 0-36/90000' });
    expect(await load(page(HTML))).toMatchObject({ range: null });
  });

  it('with a refresh header reports the destination', async () => {
    expect(await load(page(HTML, { refresh: '0; url=/next' }))).toMatchObject({ refresh: '0; url=/next' });
  });

  it.each([
    ["attachment; filename*=UTF-8''data.csv", 'csv'],
    ['attachment; filename="data.tsv"', 'tsv'],
    ['attachment; filename=notes.md', 'markdown'],
    ['attachment; filename="data.unknown"', 'text'],
    ['inline', 'text'],
  ])('with the disposition %s has the kind %s', async (disposition, kind) => {
    const headers = { 'content-type': 'application/octet-stream', 'content-disposition': disposition };
    expect(await load(new Response('a,b\n1,2\n', { headers }))).toMatchObject({ kind });
  });
});
