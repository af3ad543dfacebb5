import { afterAll, beforeAll, expect, it } from 'vitest';
import { jpegSize } from '#extract/image/header.ts';
import { makePng } from '#support/make-image.ts';
import { makePdf } from '#support/make-pdf.ts';
import { CLIENTS } from '#support/mcp-clients.ts';
import { send, startOrigin } from '#support/origin.ts';
import type { Origin } from '#support/origin.ts';
import { newPerson, newSitePort } from '#support/shared.ts';
import type { Person } from '#support/shared.ts';

/** Pictures through the bundle that is deployed: pdf.js is in it twice, as code and as text. */

let origin: Origin;
let account: Person;

beforeAll(async () => {
  const file = (type: string, bytes: Uint8Array) => send(Buffer.from(bytes), { 'content-type': type });
  const files = {
    '/a.png': file('image/png', makePng({ width: 300, height: 200 })),
    '/scan.pdf': file('application/pdf', makePdf([{ texts: [], drawn: '1 0 0 rg 0 0 600 800 re f' }])),
  };
  [account, origin] = await Promise.all([
    newPerson('eye'),
    newSitePort().then((port) => startOrigin(files, undefined, port)),
  ]);
});
afterAll(() => origin?.close());

it.each(CLIENTS)('a scan is opened, and the call that the answer names returns a picture: $kind', async (kind) => {
  const client = await kind.connect(account);
  const opened = await client.call('open_url', { url: `${origin.url}/scan.pdf` });
  expect(opened.text).toContain(`To see page 1, call view_image {"url":"${origin.url}/scan.pdf","page":1}`);
  const scan = await client.call('view_image', { url: `${origin.url}/scan.pdf`, page: 1 });
  expect(scan.text).toContain('PDF, page 1 of 1');
  expect(jpegSize(Buffer.from(scan.image, 'base64'))).toEqual({ width: 1_176, height: 1_568 });
  const picture = await client.call('view_image', { url: `${origin.url}/a.png` });
  expect(picture).toMatchObject({ isError: false, text: expect.stringContaining('PNG image, 300 × 200 px') });
  expect(jpegSize(Buffer.from(picture.image, 'base64'))).toEqual({ width: 300, height: 200 });
  await client.close();
});
