import { describe, expect, it } from 'vitest';
import { sniffBodyType } from '#net/types/sniff.ts';
import { FILE_URL, readBytes } from './support.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text.replaceAll('\n', '\r\n'));
const base64 = (text: string) => Buffer.from(text).toString('base64');
const linesOf = async (mail: string) => (await readBytes('mail', bytesOf(mail))).lines.filter((line) => line !== '');

const HEAD = `Received: from a
From: =?utf-8?q?Ann_M=C3=BCller?= <ann@lamps.example>
To: Team: bo@lamps.example, cy@lamps.example;
Subject: =?utf-8?b?${base64('Prüfung')}?=
Date: Mon, 02 Nov 2026 10:00:00 +0100
MIME-Version: 1.0
`;

describe('a message', () => {
  it('gives its headers and its decoded text', async () => {
    const mail = `${HEAD}Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

The price is 40=20=A4 or 30=\n more. F=FCr immer.
`;
    expect(await linesOf(mail)).toEqual([
      '# Prüfung',
      '- From: Ann Müller (ann@lamps.example)',
      '- To: bo@lamps.example, cy@lamps.example',
      '- Date: 2026-11-02 09:00 UTC',
      '```',
      'The price is 40 ¤ or 30 more. Für immer.',
      '```',
    ]);
  });

  it.each([
    ['joins the lines of a paragraph', '', ['One two ', 'three.', 'Four.'], ['One two three.', 'Four.']],
    [
      'joins quoted lines within one level',
      '',
      ['> Do you ', '> come ', '>> or ', '>> stay?', 'I ', 'come.'],
      ['> Do you come ', '>> or stay?', 'I come.'],
    ],
    [
      'deletes the space of a soft break',
      '; delsp=yes',
      ['> foot ', '> ball', 'Haus ', 'tür'],
      ['> football', 'Haustür'],
    ],
    [
      'removes stuffed spaces',
      '',
      [' From here', ' > no quote', '  indented'],
      ['From here', '> no quote', ' indented'],
    ],
    ['keeps a signature apart', '', ['Bye ', 'now.', '-- ', 'Ann'], ['Bye now.', '-- ', 'Ann']],
  ])('%s of flowed text', async (_, parameters, written, shown) => {
    const head = `${HEAD}Content-Type: text/plain; charset=utf-8;\n format=flowed${parameters}\n\n`;
    const read = (await linesOf(head + written.join('\n'))).slice(5, -1);
    expect(read.map((line) => line.trimEnd())).toEqual(shown.map((line) => line.trimEnd()));
  });

  it('joins the lines of flowed text before a part with HTML', async () => {
    const mail = `${HEAD}Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain; format=flowed

One line goes 
on here.
--b
Content-Type: text/html

<p>Foot of the list.</p>
--b--
`;
    expect(await linesOf(mail)).toContain('One line goes on here.');
  });

  it('keeps the words of a header that flowed text quotes', async () => {
    const type = 'Content-Type: text/plain; format=flowed';
    const lines = await linesOf(`${HEAD}${type}\n\nThe header was:\n${type}\n-- \nAnn\n`);
    expect(lines).toContain(type);
  });

  it('keeps the lines of a part that is not flowed', async () => {
    const mail = `${HEAD}Content-Type: multipart/mixed; boundary=x

--x
Content-Type: text/plain; format=flowed

Hello 
you.
--x
Content-Type: text/plain

> a 
 b
--x--
`;
    const text = (await linesOf(mail)).join('\n');
    expect(text).toContain('Hello you.');
    expect(text).toContain('> a \n b');
  });

  it('gives its HTML once, and the names of its attachments', async () => {
    const mail = `${HEAD}Content-Type: multipart/mixed; boundary=x

--x
Content-Type: multipart/alternative; boundary=y

--y
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: base64

${base64('The objection is here.')}
--y
Content-Type: text/html; charset=utf-8

<h1>Hello</h1><p>The <b>objection</b> is <a href="https://lamps.example/a">here</a>.</p><script>x</script>
--y--
--x
Content-Type: application/pdf; name="plan.pdf"
Content-Disposition: attachment; filename="plan.pdf"
Content-Transfer-Encoding: base64

${base64('12345')}
--x--
`;
    expect((await linesOf(mail)).slice(4)).toEqual([
      '## Hello',
      'The **objection** is [here](https://lamps.example/a).',
      'Attachments, which are not read:',
      '- plan.pdf (application/pdf, 5 bytes)',
    ]);
  });

  it('is recognised by its first lines, its name or its type', () => {
    const kindOf = (contentType: string | null, url = FILE_URL) =>
      sniffBodyType({ contentType, url, bytes: bytesOf(`${HEAD}\ntext`) }).kind;
    expect(kindOf(null)).toBe('mail');
    expect(kindOf('message/rfc822')).toBe('mail');
    expect(kindOf('text/plain', 'https://lamps.example/a.eml')).toBe('mail');
    expect(kindOf('text/plain')).toBe('text');
  });
});

describe('a mailbox', () => {
  const message = (subject: string, text: string) =>
    `From ann@lamps.example Mon Nov  2 10:00:00 2026\nFrom: ann@lamps.example\nSubject: ${subject}\n\n${text}\n\n`;

  it('gives each message, and lines that look like the start of one', async () => {
    const box = message('One', '>From here on it is dark.\nFrom the sea.') + message('Two', 'Second.');
    expect(sniffBodyType({ contentType: null, url: FILE_URL, bytes: bytesOf(box) }).kind).toBe('mail');
    expect(await linesOf(box)).toEqual([
      '# One',
      '- From: ann@lamps.example',
      '```',
      'From here on it is dark.',
      'From the sea.',
      '```',
      '# Two',
      '- From: ann@lamps.example',
      '```',
      'Second.',
      '```',
    ]);
  });

  it('with endlessly nested parts yields text or a named failure', async () => {
    const deep = Array.from(
      { length: 300 },
      (_, level) => `Content-Type: multipart/mixed; boundary=b${level}\n\n--b${level}\n`,
    ).join('');
    const result = await readBytes('mail', bytesOf(`Subject: deep\n${deep}`)).catch((error: unknown) => error);
    const failed = { failure: { code: 'extract_failed' } };
    expect(result).toMatchObject(result instanceof Error ? failed : { lines: expect.any(Array) });
  });
});
