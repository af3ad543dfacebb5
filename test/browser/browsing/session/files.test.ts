import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { safeFileName } from '#core/document/file-facts.ts';
import { partNamed } from '#core/objects.ts';
import type { Scope } from '#core/principal.ts';
import { FILES_PER_SUBJECT_MAX } from '#storage/limits.ts';
import { grantFor } from '#support/grants.ts';
import { callTool } from '#support/mcp-call.ts';

const SCOPES: readonly Scope[] = ['web:read', 'browser:use'];
const SITE = 'http://files.acme.dev';

/** One person with a token of their own, calling tools. */
type Person = (
  tool: string,
  args?: Record<string, unknown>,
) => Promise<{
  text: string;
  isError: boolean;
  structured: Record<string, unknown>;
}>;

async function person(subject: string): Promise<Person> {
  const token = await grantFor(subject, SCOPES);
  return async (tool, args = {}) => {
    const { result } = await callTool('modern', tool, args, { token });
    const text = result?.content?.find(({ type }) => type === 'text')?.text ?? '';
    return { text, isError: result?.isError === true, structured: result?.structuredContent ?? {} };
  };
}

/** The file that a result tells of. */
function fileIn(text: string): { id: string; name: string; type: string; bytes: number; sha256: string } {
  const [, id, name, type, bytes, sha256] =
    /^file (f_\w+) "((?:[^"\\]|\\.)*)": (\S+), (\d+) bytes, SHA-256 ([0-9a-f]{64})$/m.exec(text) ?? [];
  if (id === undefined || name === undefined || type === undefined || sha256 === undefined) {
    throw new Error(`no file in ${text}`);
  }
  return { id, name, type, bytes: Number(bytes), sha256 };
}

describe('a file that a page offers', () => {
  let ada: Person;
  let bob: Person;

  beforeAll(async () => {
    ada = await person('ada-of-files');
    bob = await person('bob-of-files');
  });

  it('is stored, read as lines and uploaded to another page with the same bytes, all behind a login', async () => {
    await ada('browser_navigate', { url: `${SITE}/sign-in` });
    const clicked = await ada('browser_click', { selector: 'a' });
    const file = fileIn(clicked.text);
    expect(file).toMatchObject({ name: 'report.csv', type: 'text/csv' });
    expect(clicked.structured['next_steps']).toContain(`open_url {"url":"periscope-file:${file.id}"}`);
    expect(clicked.structured).toMatchObject({ navigated: false, tab: { url: `${SITE}/sign-in` } });

    const opened = await ada('open_url', { url: `periscope-file:${file.id}` });
    expect(opened.text).toContain('| 2026-01-40 | 663 |');
    expect(opened.structured).toMatchObject({ url: `periscope-file:${file.id}` });
    const found = await ada('find', { cursor: opened.structured['cursor'], pattern: 'naïve' });
    expect(found.text).toContain('naïve');

    await ada('browser_navigate', { url: `${SITE}/upload` });
    const put = await ada('browser_files', { action: 'put', file: file.id, selector: '#one' });
    expect(put.text).toContain('Put the file into the field.');
    const sent = await ada('browser_click', { selector: '#send', snapshot: true });
    expect(sent.text).toContain(`Received report.csv (text/csv): ${file.bytes} bytes, ${file.sha256}`);
  });

  it('is private to its user', async () => {
    await ada('browser_navigate', { url: `${SITE}/links` });
    const { id } = fileIn((await ada('browser_click', { selector: '#attached' })).text);
    expect((await bob('browser_files', { action: 'list' })).structured['files']).toEqual([]);
    await bob('browser_navigate', { url: `${SITE}/upload` });
    for (const refused of [
      await bob('open_url', { url: `periscope-file:${id}` }),
      await bob('browser_files', { action: 'delete', file: id }),
      await bob('browser_files', { action: 'put', file: id, selector: '#one' }),
    ]) {
      expect(refused.isError).toBe(true);
      expect(refused.text).toContain('unknown_file');
    }
    expect((await ada('open_url', { url: `periscope-file:${id}` })).text).toContain('The attached file.');
    await bob('browser_close');
  });

  it.each([
    ['#attached', 'notes.txt', 'text/plain'],
    ['#window', 'notes.txt', 'text/plain'],
    ['#frame', 'notes.txt', 'text/plain'],
    ['#form', 'notes.txt', 'text/plain'],
    ['#csv', 'data.csv', 'text/csv'],
  ])('arrives by %s, and the page stays', async (selector, name, type) => {
    await ada('browser_navigate', { url: `${SITE}/links` });
    const { text, structured } = await ada('browser_click', { selector });
    expect(fileIn(text)).toMatchObject({ name, type });
    expect(structured).toMatchObject({ navigated: false, tab: { url: `${SITE}/links` } });
    expect(structured).not.toHaveProperty('tabs');
  });

  it('is reported when the opened URL is a file', async () => {
    const { text, structured } = await ada('browser_navigate', { url: `${SITE}/data.csv` });
    expect(text).toContain('This is a file, not a page');
    expect(fileIn(text)).toMatchObject({ name: 'data.csv', bytes: 8 });
    expect(structured).toMatchObject({ still_loading: false });
  });

  it('is named when its empty page is read, with the call that reads the file', async () => {
    const zoe = await person('zoe-who-reads');
    const { id } = fileIn((await zoe('browser_navigate', { url: `${SITE}/data.csv` })).text);
    const { structured } = await zoe('browser_read');
    expect(structured).toMatchObject({
      error: 'extract_failed',
      hint: expect.stringContaining(`open_url {"url":"periscope-file:${id}"}`),
      quoted: expect.stringMatching(/^⟦\S+ data\.csv \S+⟧$/u),
    });
    await zoe('browser_close');
  });

  it('is read as an HTML page if it is one, and cannot choose its URL', async () => {
    const { id } = fileIn((await ada('browser_navigate', { url: `${SITE}/attached.html` })).text);
    const { text, isError } = await ada('open_url', { url: `periscope-file:${id}` });
    expect(isError).toBe(false);
    expect(text).toContain('An attached page');
    expect(text).toContain('docs.acme.dev');
    expect(text).not.toContain('alert');
  });

  it('is reported as in progress when it takes longer than the call, and then arrives', async () => {
    const sam = await person('sam-who-waits');
    const { text, isError, structured } = await sam('browser_navigate', { url: `${SITE}/slow`, timeout_ms: 4_000 });
    expect(isError).toBe(false);
    expect(text).toContain('still being downloaded');
    expect(structured).toMatchObject({ still_loading: false, events: [] });
    expect(await firstFile(sam)).toMatchObject({ name: 'slow.txt', bytes: 2_300 });
    expect(fileIn((await sam('browser_snapshot')).text)).toMatchObject({ name: 'slow.txt' });
    await sam('browser_close');
  });

  it('is not created from content that a browser displays', async () => {
    await ada('browser_navigate', { url: `${SITE}/links` });
    const { structured } = await ada('browser_click', { selector: '#inline' });
    expect(structured).toMatchObject({ navigated: true, tab: { url: `${SITE}/inline` }, events: [] });
  });

  it('has the type of its bytes', async () => {
    expect(fileIn((await ada('browser_navigate', { url: `${SITE}/zip` })).text)).toMatchObject({
      name: 'archive.csv',
      type: 'application/zip',
    });
  });

  it('is stored once, listed, and gone once it is deleted', async () => {
    const first = fileIn((await ada('browser_navigate', { url: `${SITE}/attached` })).text);
    expect(fileIn((await ada('browser_navigate', { url: `${SITE}/attached` })).text)).toEqual(first);
    const listed = await ada('browser_files', { action: 'list' });
    expect(listed.structured['files']).toContainEqual(expect.objectContaining(first));
    expect((await ada('browser_files', { action: 'delete', file: first.id })).text).toContain('is deleted');
    const gone = await ada('open_url', { url: `periscope-file:${first.id}` });
    expect(gone.text).toContain('unknown_file');
  });

  it('is deleted with its session', async () => {
    await ada('browser_navigate', { url: `${SITE}/attached`, session: 'short' });
    const before = (await ada('browser_files', { action: 'list' })).structured['files'];
    expect((await ada('browser_close', { session: 'short' })).text).toContain(
      'The file that it downloaded is gone, too.',
    );
    expect(before).toHaveLength(1 + (await filesOf(ada)).length);
  });
});

describe('a file that only the page can read', () => {
  it.each([
    ['#saved', 'saved.txt', 'Plain text.'],
    ['#blob', 'made.txt', 'made here'],
    ['#data', 'd.txt', 'from the address'],
  ])('arrives by %s', async (selector, name, words) => {
    const eve = await person(`eve-of-${selector}`);
    await eve('browser_navigate', { url: `${SITE}/links` });
    await eve('browser_click', { selector });
    const file = await firstFile(eve);
    expect(file).toMatchObject({ name, type: 'text/plain', bytes: words.length });
    expect((await eve('open_url', { url: `periscope-file:${String(file['id'])}` })).text).toContain(words);
    // The next answer reports events after the last answer.
    const told = await eve('browser_snapshot');
    expect(told.text).not.toContain('refused');
    await eve('browser_close');
  });
});

describe('a large file that only the page has', () => {
  it.each([
    ['#data', 1],
    ['#blob', 1],
    ['#two', 2],
  ])(
    'is refused for its size in the result of the click on %s, and the next call does not wait',
    async (selector, refused) => {
      const eve = await person(`eve-of-large-${selector}`);
      await eve('browser_navigate', { url: `${SITE}/large` });
      const clicked = await eve('browser_click', { selector });
      expect(clicked.text.match(/it is larger than 25 MB/gu)).toHaveLength(refused);
      const begun = Date.now();
      expect((await eve('browser_navigate', { url: `${SITE}/plain` })).text).not.toContain('restored');
      expect(Date.now() - begun).toBeLessThan(2_000);
      await eve('browser_close');
    },
  );

  it.each(['#middle', '#fragment'])(
    'is stored from a `data:` URL that Chromium would not download: %s',
    async (button) => {
      const eve = await person('eve-of-middle');
      await eve('browser_navigate', { url: `${SITE}/large` });
      const file = fileIn((await eve('browser_click', { selector: button })).text);
      expect(file).toMatchObject({ name: 'middle.bin', bytes: 3_000_000 });
      await eve('browser_close');
    },
  );
});

describe('a file upload', () => {
  let ada: Person;
  const given = { action: 'put', name: '../b\u202Ead/CON.txt', text: 'Written by a model: naïve.\n' };
  const received =
    'Received _CON.txt (text/plain): 28 bytes, c9085f8a622552e3b117b753a5913f33702c1aa5bbe980f07c3ebd150986c3db';

  beforeAll(async () => {
    ada = await person('ada-who-puts');
    await ada('browser_navigate', { url: `${SITE}/upload` });
  }, 60_000);

  it.each([
    ['the field', '#one'],
    ['its label', '#label'],
  ])('puts a file into %s, as text with a safe name', async (_, selector) => {
    await ada('browser_navigate', { url: `${SITE}/upload` });
    expect((await ada('browser_files', { ...given, selector })).text).toContain('Put the file into the field.');
    expect((await ada('browser_click', { selector: '#send', snapshot: true })).text).toContain(received);
  });

  it.each([
    ['a drop zone', '#zone', 'Dropped the file.'],
    ['something in a drop zone', '#inner', 'Dropped the file.'],
    ['what holds one hidden field', '#box', 'Put the file into the field.'],
    ['a form whose fields are called like functions, to drop on', '#droptrap', 'Dropped the file.'],
  ])('puts a file into %s', async (_, selector, words) => {
    await ada('browser_navigate', { url: `${SITE}/upload` });
    expect((await ada('browser_files', { ...given, selector })).text).toContain(words);
    const after = await ada('browser_wait', { selector: '#out p', snapshot: true });
    expect(after.text).toContain(received);
  });

  it('finds the only file field of a form whose fields are named like functions', async () => {
    await ada('browser_navigate', { url: `${SITE}/upload` });
    expect((await ada('browser_files', { ...given, selector: '#trap' })).text).toContain(
      'Put the file into the field.',
    );
  });

  it('uses a file chooser without a field in the document that a click opened, but only once', async () => {
    await ada('browser_navigate', { url: `${SITE}/upload` });
    const clicked = await ada('browser_click', { selector: '#choose' });
    expect(clicked.text).toContain('the page opened a file chooser');
    expect(clicked.structured['next_steps']).toContain('browser_files {"action":"put","file":"f_…"}');
    expect((await ada('browser_files', given)).text).toContain('Put the file into the field.');
    expect((await ada('browser_wait', { selector: '#out p', snapshot: true })).text).toContain(received);
    expect((await ada('browser_files', given)).text).toContain('the page has no file chooser open');
  });

  it.each([
    [{ ...given, selector: '#plain' }, 'nor a drop zone'],
    [{ ...given, selector: '#off' }, 'disabled'],
    [{ action: 'put', file: 'f_0123456789abcdef0123', selector: '#one' }, 'There is no file f_0123456789abcdef0123'],
  ])('is refused with advice: %j', async (args, words) => {
    const { text, isError } = await ada('browser_files', args);
    expect(isError).toBe(true);
    expect(text).toContain(words);
    expect(text).toContain('Hint: ');
  });

  it('works only with its own tool, and other tools name that tool', async () => {
    for (const [tool, args] of [
      ['browser_click', { selector: '#one' }],
      ['browser_fill', { selectors: ['#one'], values: ['x'] }],
      ['browser_type', { selector: '#one', text: 'x' }],
    ] as const) {
      expect((await ada(tool, args)).text).toContain('browser_files with action "put"');
    }
  });
});

describe('the files of a shared session', () => {
  it('belong to each participant, and its owner can upload files', async () => {
    const [ada, bob] = [await person('ada-of-the-team'), await person('bob-of-the-team')];
    const session = 'shared/team-of-files';
    await ada('browser_launch', { session: 'team-of-files', shared: true });
    const hers = fileIn((await ada('browser_navigate', { url: `${SITE}/attached`, session })).text);
    const his = fileIn((await bob('browser_navigate', { url: `${SITE}/data.csv`, session })).text);
    expect(await filesOf(ada)).toEqual([expect.objectContaining({ id: hers.id })]);
    expect(await filesOf(bob)).toEqual([expect.objectContaining({ id: his.id })]);
    await bob('browser_navigate', { url: `${SITE}/upload`, session });
    const put = (who: Person, file: string) => who('browser_files', { action: 'put', file, selector: '#one', session });
    expect((await put(bob, hers.id)).text).toContain('unknown_file');
    expect((await put(bob, his.id)).isError).toBe(false);
    await ada('browser_close', { session });
    expect(await filesOf(ada)).toEqual([]);
    expect(await filesOf(bob)).toHaveLength(1);
  });
});

describe('a file that cannot be saved', () => {
  it.each(['#saved', '#blob'])('is reported if a policy prevents the page from reading it: %s', async (selector) => {
    const eve = await person(`eve-of-policies-${selector}`);
    await eve('browser_navigate', { url: `${SITE}/strict` });
    const texts = [(await eve('browser_click', { selector })).text];
    await toldIn(texts, eve, 'the page could not read it');
    expect(await filesOf(eve)).toEqual([]);
    await eve('browser_close');
  });

  it('is stored if it is an archive that would fill the memory, and reading it fails with a clear reason', async () => {
    const eve = await person('eve-of-archives');
    const { id } = fileIn((await eve('browser_navigate', { url: `${SITE}/bomb.xlsx` })).text);
    const { text } = await eve('open_url', { url: `periscope-file:${id}` });
    expect(text).toContain('the file unpacks to far more than its own size');
    await eve('browser_close');
  });

  it('is not a page that a browser can open', async () => {
    const eve = await person('eve-of-addresses');
    for (const url of [
      'periscope-file:',
      'PERISCOPE-FILE:f_0123456789abcdef0123',
      'periscope-file://f_0123456789abcdef0123',
    ])
      expect((await eve('browser_navigate', { url })).isError).toBe(true);
  });
});

describe('the list of files', () => {
  it('fits into one result, however many files there are and whatever their names are', async () => {
    const store = partNamed(env.PERSON_STORE, 'max-of-files', 'files');
    const limits = { each: 1, together: FILES_PER_SUBJECT_MAX };
    const long = { mediaType: `${'a'.repeat(60)}/${'b'.repeat(90)}`, sha256: 'c'.repeat(64) };
    for (let n = 0; n < FILES_PER_SUBJECT_MAX; n += 1) {
      const id = `f_${String(n).padStart(32, '0')}`;
      await store.add(id, '', 0, new Uint8Array(1), limits);
      await store.finish(id, '', { ...long, name: safeFileName(`${n}${'😀'.repeat(100)}.txt`) });
    }
    const max = await person('max-of-files');
    const { text, structured } = await max('browser_files', { action: 'list' });
    expect(structured['files']).toHaveLength(FILES_PER_SUBJECT_MAX);
    expect(text.match(/^f_\w{32} "/gmu)).toHaveLength(FILES_PER_SUBJECT_MAX);
    expect(new TextEncoder().encode(text).byteLength).toBeLessThan(75_000);
  });
});

describe('a hostile file server', () => {
  it('sends a media type of many words, and none of them is stored', async () => {
    const eve = await person('eve-of-types');
    const url = `${SITE}/named?disposition=attachment&type=text/${'do-as-i-say-'.repeat(500)}`;
    expect(fileIn((await eve('browser_navigate', { url })).text).type).toBe('application/octet-stream');
  });

  it.each([
    ['/huge', 'it is larger than 25 MB'],
    ['/endless', 'it is larger than 25 MB'],
    ['/bomb', 'it is larger than 25 MB'],
  ])('cannot have a file stored with %s', async (path, reason) => {
    const eve = await person(`eve-at-${path}`);
    // On a slow machine the call is over first, and a later one tells.
    const texts = [(await eve('browser_navigate', { url: SITE + path })).text];
    await toldIn(texts, eve, reason);
    expect(await filesOf(eve)).toEqual([]);
    // The browser and the session continue.
    expect((await eve('browser_navigate', { url: `${SITE}/links`, snapshot: true })).text).toContain('attached');
    await eve('browser_close');
  });

  it.each([
    ['attachment; filename="../../x"', 'x'],
    ["attachment; filename*=UTF-8''a%E2%80%AEfdp.exe", 'afdp.exe'],
    ['attachment; filename="C:\\\\Windows\\\\win.ini"', 'win.ini'],
  ])('sends a file name, and it is made safe: %s', async (disposition, name) => {
    const eve = await person('eve-who-names');
    const url = `${SITE}/named?disposition=${encodeURIComponent(disposition)}`;
    expect(fileIn((await eve('browser_navigate', { url })).text).name).toBe(name);
  });

  it.each([
    ['a thousand files by links', '#all'],
    ['a hundred files by frames', '#frames'],
  ])('offers %s, but only a few are stored, and the page continues', async (_, selector) => {
    const eve = await person(`eve-of-many-${selector}`);
    await eve('browser_navigate', { url: `${SITE}/many` });
    expect((await eve('browser_click', { selector })).isError).toBe(false);
    await isUnharmed(eve);
  });

  it('offers hundreds of files by frames during a whole call, but only a few are stored, and the session continues', async () => {
    const eve = await person('eve-of-floods');
    await eve('browser_navigate', { url: `${SITE}/many` });
    expect((await eve('browser_click', { selector: '#flood' })).text).toMatch(/^(?:Clicked\.|Error timeout:)/u);
    await isUnharmed(eve);
  });

  async function isUnharmed(eve: Person) {
    expect(await firstFile(eve)).toMatchObject({ type: 'text/plain' });
    expect((await filesOf(eve)).length).toBeLessThanOrEqual(20);
    expect((await eve('browser_navigate', { url: `${SITE}/links`, snapshot: true })).text).toContain('attached');
    await eve('browser_close');
  }
});

/** Looks until one of these results, or a later one, has the words. */
async function toldIn(texts: string[], who: Person, words: string): Promise<void> {
  await vi.waitUntil(async () => {
    if (texts.some((text) => text.includes(words))) return true;
    texts.push((await who('browser_snapshot')).text);
    return false;
  }, 60_000);
}

/** The first file of a user without files. Downloads may end after the call that started them. */
async function firstFile(who: Person): Promise<Record<string, unknown>> {
  const [file] = await vi.waitUntil(async () => {
    const files = await filesOf(who);
    return files.length > 0 && files;
  }, 60_000);
  if (typeof file !== 'object' || file === null) throw new Error('no file came');
  return { ...file };
}

async function filesOf(who: Person): Promise<readonly unknown[]> {
  const { files } = (await who('browser_files', { action: 'list' })).structured;
  return Array.isArray(files) ? files : [];
}
