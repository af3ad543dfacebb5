import { partNamed } from '#core/objects.ts';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { deploymentIdentity } from '#auth/people/principal.ts';
import { UPLOAD_BYTES_MAX } from '#core/limits.ts';
import { sha256Hex } from '#core/text/text.ts';
import { grantFor } from '../../support/grants.ts';
import { callTool } from '../../support/mcp-call.ts';
import { formFields, pageOf, textOf } from '../../support/oauth-browser.ts';
import type { Browser, Shown } from '../../support/oauth-browser.ts';
import { ORIGIN, PASSPHRASE, personsBrowser } from '../../support/oauth-journey.ts';
import { signInObject } from '../../support/stored-people.ts';

const FILES = `${ORIGIN}/console/files`;

async function signedIn(): Promise<{ browser: Browser; page: Shown }> {
  const browser = personsBrowser();
  const asked = pageOf(await browser.get(FILES));
  return { browser, page: pageOf(await browser.submit(asked, '/sign-in', { passphrase: PASSPHRASE })) };
}

/** The form of the page with a chosen file. */
function filled(page: Shown, file: File): FormData {
  const form = new FormData();
  for (const [name, value] of formFields(page.html, '/console/files')) if (name !== 'file') form.set(name, value);
  form.set('file', file);
  return form;
}

const idsOn = ({ html }: Shown) => [...html.matchAll(/periscope-file:(f_\w+)/gu)].map(([, id = '']) => id);

describe('the files of a person in the console', () => {
  let browser: Browser;
  let page: Shown;
  let owner: string;

  beforeAll(async () => {
    ({ browser, page } = await signedIn());
    ({ ownerSubject: owner } = await deploymentIdentity(signInObject()));
  });

  const upload = async (file: File, headers: Record<string, string> = {}) =>
    pageOf(await browser.upload('/console/files', filled(page, file), headers));
  const fresh = async () => (page = pageOf(await browser.get(FILES)));

  it('are uploaded, read by a model, saved and deleted there', async () => {
    expect(textOf(page.html)).toContain('No files yet.');
    const text = 'day,visitors\n2026-01-01,1\n';
    const after = await upload(new File([text], '../../naïve "<b>".csv', { type: 'text/csv' }));
    expect(after.url).toBe(`${FILES}?done=uploaded`);
    const [id = ''] = idsOn(after);
    expect(textOf(after.html)).toContain('naïve %22_b_%22.csv');
    expect(textOf(after.html)).toContain(await sha256Hex(text));
    expect(after.html).not.toContain('"<b>"');

    const token = await grantFor(owner, ['web:read', 'browser:use']);
    const listed = await callTool('modern', 'browser_files', { action: 'list' }, { token });
    expect(listed.result?.structuredContent).toMatchObject({ files: [{ id, type: 'text/csv', bytes: text.length }] });
    const read = await callTool('modern', 'open_url', { url: `periscope-file:${id}` }, { token });
    expect(read.result?.content?.[0]?.text).toContain('| 2026-01-01 | 1 |');

    const saved = pageOf(await browser.get(`${ORIGIN}/console/files/download?id=${id}`));
    expect(saved.html).toBe(text);
    expect(saved.headers.get('content-disposition')).toBe(
      `attachment; filename="na_ve _22_b__22.csv"; filename*=UTF-8''na%C3%AFve%20%2522_b_%2522.csv`,
    );
    expect(saved.headers.get('content-type')).toBe('application/octet-stream');
    expect(saved.headers.get('x-content-type-options')).toBe('nosniff');
    expect(saved.headers.get('content-security-policy')).toContain("default-src 'none'");

    const asked = pageOf(await browser.submit(await fresh(), '/console/files/delete', {}));
    expect(textOf(asked.html)).toContain('Delete this file?');
    expect(idsOn(await fresh())).toEqual([id]);
    const gone = pageOf(await browser.submit(asked, '/console/files/delete', {}));
    expect(idsOn(gone)).toEqual([]);
    expect(pageOf(await browser.get(`${ORIGIN}/console/files/download?id=${id}`)).status).toBe(404);
    const twice = pageOf(
      await browser.post('/console/files/delete', [
        ['form', formOf(page)],
        ['id', id],
      ]),
    );
    expect([twice.status, textOf(twice.html)]).toEqual([404, expect.stringContaining('no longer exists')]);
  });

  it('may have many pieces, which are stored unchanged, or be empty', async () => {
    const bytes = new Uint8Array(3_500_000).map((_, at) => at % 251);
    const [id = ''] = idsOn(await upload(new File([bytes], 'large.bin')));
    const visit = await partNamed(env.PERSON_STORE, owner, 'files').facts(id);
    expect(visit).toMatchObject({ bytes: bytes.byteLength, mediaType: 'application/octet-stream' });
    const digest = await crypto.subtle.digest('SHA-256', bytes);
    expect(visit?.sha256).toBe([...new Uint8Array(digest)].map((one) => one.toString(16).padStart(2, '0')).join(''));
    expect(idsOn(await upload(new File([], 'empty.txt')))).toHaveLength(2);
  });

  it('are shown only to their signed-in user', async () => {
    const stranger = personsBrowser();
    const [id = ''] = idsOn(await fresh());
    for (const path of ['/console/files', `/console/files/download?id=${id}`]) {
      expect(pageOf(await stranger.get(ORIGIN + path)).html).toContain('action="/sign-in"');
    }
    const form = filled(page, new File(['x'], 'x.txt'));
    expect(pageOf(await stranger.upload('/console/files', form)).status).toBe(403);
    const fields: [string, string][] = [
      ['form', formOf(page)],
      ['id', id],
    ];
    expect(pageOf(await stranger.post('/console/files/delete', fields)).status).toBe(403);
    const token = await grantFor('somebody-else', ['web:read', 'browser:use']);
    const list = await callTool('modern', 'browser_files', { action: 'list' }, { token });
    expect(list.result?.structuredContent).toMatchObject({ files: [] });
    expect(idsOn(await fresh())).toContain(id);
  });

  it("are accepted only from the page's own form", async () => {
    const before = idsOn(await fresh());
    const file = new File(['x'], 'x.txt');
    const forged = filled(page, file);
    forged.set('form', 'forged');
    const [id = ''] = before;
    for (const [visit, status] of [
      [browser.upload('/console/files', filled(page, file), { origin: 'https://elsewhere.example' }), 403],
      [browser.upload('/console/files', filled(page, file), { origin: 'null' }), 403],
      [browser.upload('/console/files', forged), 403],
      [
        browser.post('/console/files', [
          ['form', formOf(page)],
          ['file', 'x'],
        ]),
        415,
      ],
      [browser.upload('/console/files/delete', filled(page, file)), 415],
      [
        browser.post('/console/files/delete', [
          ['form', 'forged'],
          ['id', id],
        ]),
        403,
      ],
      [
        browser.post('/console/files/delete', [
          ['form', formOf(page)],
          ['id', '../x'],
        ]),
        404,
      ],
    ] as const) {
      expect(pageOf(await visit).status).toBe(status);
    }
    expect(idsOn(await fresh())).toEqual(before);
  });

  it.each([
    ['multipart/form-data; boundary=x', ''],
    ['multipart/form-data; boundary=x', 'no form at all'],
    ['multipart/form-data; boundary=x', '--x\r\ncontent-disposition: form-data; name="form"\r\n\r\nbroken of'],
    ['multipart/form-data; nothing', '--x--'],
  ])('are refused in a broken form: %s, %j', async (type, body) => {
    const before = idsOn(await fresh());
    const answer = pageOf(await browser.upload('/console/files', body, { 'content-type': type }));
    expect([400, 403]).toContain(answer.status);
    expect(idsOn(await fresh())).toEqual(before);
  });

  it('are refused without a file, or with a file that is too large', async () => {
    const none = await upload(new File([], ''));
    expect([none.status, textOf(none.html)]).toEqual([400, expect.stringContaining('Choose a file first.')]);
    const large = await upload(new File([new Uint8Array(UPLOAD_BYTES_MAX + 1)], 'large.bin'));
    expect([large.status, textOf(large.html)]).toEqual([409, expect.stringContaining('it is larger than 25 MB')]);
    const huge = await upload(new File([new Uint8Array(UPLOAD_BYTES_MAX + 100_000)], 'huge.bin'));
    expect([huge.status, textOf(huge.html)]).toEqual([413, expect.stringContaining('25 MB at most')]);
  });
});

function formOf(page: Shown): string {
  return formFields(page.html, '/console/files').find(([name]) => name === 'form')?.[1] ?? '';
}
