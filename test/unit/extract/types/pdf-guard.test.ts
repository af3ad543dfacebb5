import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { blankCostlyStreams } from '#extract/pdf/file/guard-streams.ts';
import { encryptPdf } from '#support/make-encrypted-pdf.ts';
import type { EncryptOptions, PdfEncryption } from '#support/make-encrypted-pdf.ts';
import { column, makePdf } from '#support/make-pdf.ts';
import { hostileSize } from '#support/stories.ts';
import { markdownOf, readBytes } from './support.ts';

const METHODS: readonly PdfEncryption[] = ['rc4-40', 'rc4-128', 'aes-128', 'aes-256'];
const WAYS = METHODS.flatMap((method) => [
  { method, hasObjectStream: false },
  { method, hasObjectStream: true },
]);
const URL = 'https://pier.example/a.pdf';
const guarded = (bytes: Uint8Array) => blankCostlyStreams({ bytes, url: URL });
/** Drawing commands that are more than a page may have. */
const ART = '1 0 0 1 0 0 cm\n'.repeat(200_000);
const words = [{ texts: column(['The sealed words of the keeper.'], 60, 700) }, { texts: [] }];
const EMPTY = /<< \/Length 0 >>\nstream\n\nendstream/;

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, 'latin1'));
}

/** The second page draws the stream. */
function withSecond(stream: string, pages = words): Uint8Array {
  return bytesOf(latin1(makePdf(pages)).replace(EMPTY, () => stream));
}

function packed(content: string, entries = '/Filter /FlateDecode'): string {
  const data = deflateSync(Buffer.from(content, 'latin1')).toString('latin1');
  return `<< /Length ${data.length} ${entries} >>\nstream\n${data}\nendstream`;
}

function failureOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

describe('an encrypted PDF', () => {
  it.each(WAYS)(
    'is read if it opens without a password: $method, in an object stream: $hasObjectStream',
    async (way) => {
      const pdf = withSecond(packed('BT /F 10 Tf 60 600 Td (And the second page.) Tj ET'));
      const text = await markdownOf(readBytes('pdf', encryptPdf(pdf, way)));
      expect(text).toContain('The sealed words of the keeper.');
      expect(text).toContain('And the second page.');
    },
  );

  it.each(WAYS)('reports that it needs a password: $method, in an object stream: $hasObjectStream', async (way) => {
    const pdf = encryptPdf(makePdf(words), { ...way, password: 'lamp' });
    const refusal = { failure: { reason: 'the PDF is encrypted and asks for a password' } };
    await expect(readBytes('pdf', pdf)).rejects.toMatchObject(refusal);
    expect(failureOf(() => guarded(pdf))).toMatchObject(refusal);
  });

  it.each(WAYS)(
    'omits only the page that draws too much: $method, in an object stream: $hasObjectStream',
    async (way) => {
      const read = await readBytes('pdf', encryptPdf(withSecond(packed(ART)), way));
      expect(read.lines.join('\n')).toContain('The sealed words of the keeper.');
      expect(read.cuts[0]).toContain('bytes of drawing commands');
      expect(guarded(encryptPdf(withSecond(packed('BT ET')), way)).cut).toBe(false);
    },
  );

  it.each(METHODS)('has its invisible text removed: %s', async (method) => {
    const pages = [
      { texts: [...column(['What all can see.'], 60, 700), { x: 60, y: 600, text: 'UNSEEN', state: '1 g' }] },
    ];
    const { lines, cuts } = await readBytes('pdf', encryptPdf(makePdf(pages), { method }));
    expect(lines.join('\n')).toContain('What all can see.');
    expect(lines.join('\n')).not.toContain('UNSEEN');
    expect(cuts.join('\n')).toContain('6 characters on page 1');
  });

  it('is not read if its streams may contain anything', () => {
    const way: EncryptOptions = { method: 'rc4-128' };
    const sealed = latin1(encryptPdf(withSecond(packed(ART)), way));
    // The number of an object determines the decryption of its stream. This one has a wrong number.
    const renamed = sealed.replace(/(\d+ 0 obj)(?=\n<< \/Length \d+ \/Filter)/, '1%\n$1');
    expect(guarded(bytesOf(renamed)).cut).toBe(true);
    const elsewhere = sealed.replace(/\/Encrypt << [^]*?>> \/ID/, '/Encrypt 900 0 R /ID');
    const refusal = { failure: { reason: 'the PDF is encrypted in a way that cannot be read here' } };
    expect(failureOf(() => guarded(bytesOf(elsewhere)))).toMatchObject(refusal);
  });

  it('is recognised however the file spells the key', async () => {
    const pdf = encryptPdf(withSecond(packed(ART)), { method: 'aes-128', name: 'Encryp#74' });
    const { cuts } = await readBytes('pdf', pdf);
    expect(cuts[0]).toContain('bytes of drawing commands');
  });
});

describe('a page of a PDF that draws too much', () => {
  const flate = deflateSync(Buffer.from(ART)).toString('latin1');
  const long = `<< /Length ${flate.length} /Filter /FlateDecode /Pad (${'x'.repeat(5_000)}) >>`;
  const asStream = (dictionary: string, data = flate, word = 'stream\n') =>
    `${dictionary.replace('LENGTH', String(data.length))}\n${word}${data}\nendstream`;
  const hex = `${Buffer.from(flate, 'latin1').toString('hex')}>`;
  const runs = `${String.fromCharCode(129, 32).repeat(30_000)}\x80`;
  /** A copy of what lies before the data. pdf.js reads on after it. */
  const broken = deflateSync(Buffer.from(ART));
  const ways: Record<string, string> = {
    'with a name that is spelled in another way': packed(ART, '/Filter /Fl#61teDecode'),
    'with the short name of its filter': packed(ART, '/F /Fl'),
    'with a filter that stands elsewhere': packed(ART, '/Filter 900 0 R'),
    'with a long dictionary': asStream(long),
    'with a filter before its filter': asStream('<< /Length LENGTH /Filter [/AHx /Fl] >>', hex),
    'with runs': asStream('<< /Length LENGTH /Filter /RunLengthDecode >>', runs),
    'with a space after the word': asStream('<< /Length LENGTH /Filter /FlateDecode >>', flate, 'stream \n'),
    'with another line end': asStream('<< /Length LENGTH /Filter /FlateDecode >>', flate, 'stream\r'),
    'that says that it is an image': packed(ART, '/Subtype /Image /Filter /FlateDecode'),
    'that says that it is a font': packed(ART, '/Length1 9 /Filter /FlateDecode'),
    'that is the data of an image': packed('', '/Filter /CCITTFaxDecode'),
    'with a comment before the data': packed(ART, '/Filter % (\n /FlateDecode'),
    'that breaks at its end': asStream(
      '<< /Length LENGTH /Filter /FlateDecode >>',
      broken.subarray(0, broken.length - 20).toString('latin1'),
    ),
  };

  it.each(Object.keys(ways))('is left out: %s', async (way) => {
    const pdf = withSecond(ways[way] ?? '');
    const named = latin1(pdf).replace('%%EOF', '%%EOF\n900 0 obj\n/FlateDecode\nendobj\n');
    expect(guarded(bytesOf(named)).cut).toBe(true);
    await expect(markdownOf(readBytes('pdf', bytesOf(named)))).resolves.toContain('The sealed words of the keeper.');
  });

  it('is left out when its stream is in the data of another one', () => {
    const inner = `7 0 obj\n${packed(ART)}\nendobj`;
    const pdf = makePdf(words, { objects: [`<< /Length ${inner.length} >>\nstream\n${inner}\nendstream`] });
    expect(guarded(pdf).cut).toBe(true);
  });

  it('is not confused with a page that has a picture, or draws little', () => {
    expect(guarded(makePdf(words, { objects: [packed(ART, '/Subtype /Image /Filter /FlateDecode')] })).cut).toBe(false);
    expect(guarded(withSecond(packed('BT ET'))).cut).toBe(false);
  });
});

describe('streams packed by other filters', () => {
  const content = 'BT /F 10 Tf 60 600 Td (Packed in its own way.) Tj ET';
  const hex = `${Buffer.from(content).toString('hex')}>`;
  const runs = Buffer.concat([Buffer.from([content.length - 1]), Buffer.from(content), Buffer.from([128])]).toString(
    'latin1',
  );
  /** Nine bits for each character, as long as the table has fewer than 511 entries. */
  const codes = [256, ...Buffer.from(content), 257].map((code) => code.toString(2).padStart(9, '0')).join('');
  const lzw = String.fromCharCode(
    ...(codes.padEnd(Math.ceil(codes.length / 8) * 8, '0').match(/.{8}/g) ?? []).map((byte) =>
      Number.parseInt(byte, 2),
    ),
  );
  const cases = [
    ['AHx', hex],
    ['RunLengthDecode', runs],
    ['LZWDecode', lzw],
  ] as const;

  it.each(cases)('are read: %s', async (filter, data) => {
    const pdf = withSecond(`<< /Length ${data.length} /Filter /${filter} >>\nstream\n${data}\nendstream`);
    expect(await markdownOf(readBytes('pdf', pdf))).toContain('Packed in its own way.');
  });
});

describe('a PDF whose words look like objects', () => {
  it.each([
    ['an object in each other', (count: number) => '1 0 obj<<'.repeat(count)],
    ['streams without an end', (count: number) => '1 0 obj<<>>stream '.repeat(count)],
    ['comments', (count: number) => '1 0 obj%'.repeat(count)],
    ['texts without an end', (count: number) => '1 0 obj<<('.repeat(count)],
  ])('is checked in time that grows with its size: %s', async (_, make) => {
    const pdf = bytesOf(`${latin1(makePdf(words))}${make(100_000)}`);
    await expect(readBytes('pdf', pdf).catch((error: unknown) => error)).resolves.toBeDefined();
  });
});

describe('forms that pages share', () => {
  const form = (content: string, entries = '') =>
    packed(content, `/Type /XObject /Subtype /Form /BBox [0 0 9 9] ${entries} /Filter /FlateDecode`);
  const drawing = '0 0 m 9 9 l S\n'.repeat(100_000).trimEnd();
  const page = (drawn: string, object: number) => ({
    texts: column(['A page with a form.'], 60, 700),
    drawn,
    resources: `/XObject << /Fm ${object} 0 R >>`,
  });

  it('are counted each time a page draws them', () => {
    const pages = Array.from({ length: 3 }, () => page('/Fm Do /Fm Do', 10));
    const { facts } = guarded(makePdf(pages, { objects: [form(drawing)] }));
    const [first, second] = [facts.drawnBytes(4), facts.drawnBytes(6)];
    expect([first, second].map((bytes) => Math.floor(bytes / drawing.length))).toEqual([2, 2]);
    const times = (bytes: number) => Math.round((10 * bytes) / drawing.length) / 10;
    expect(times(facts.sharedBytes(4))).toBe(1);
    expect(times(facts.sharedBytes(6))).toBe(2);
  });

  it('end the part of the PDF that is read when they are drawn too often', async () => {
    const pages = Array.from({ length: 40 }, () => page('/Fm Do', 84));
    const { pages: read } = await readBytes('pdf', makePdf(pages, { objects: [form(`${drawing} BT ET`)] }));
    expect(read?.last).toBeLessThan(6);
    const few = Array.from({ length: 40 }, () => page('/Fm Do', 84));
    const { pages: all } = await readBytes('pdf', makePdf(few, { objects: [form('0 0 m 9 9 l S')] }));
    expect(all?.last).toBe(40);
  });

  it('cause a page to be left out that draws one far too often, directly or through another', async () => {
    const often = [page('/Fm Do\n'.repeat(1_000), 8), { texts: column(['The next page.'], 60, 700) }];
    const text = await readBytes('pdf', makePdf(often, { objects: [form(`${drawing} BT /F 9 Tf (a) Tj ET`)] }));
    expect(text.cuts).toEqual(['The text is left out on page 1, which draws too much to be read.']);
    expect(text.lines.join('\n')).toContain('The next page.');
    const nested = [page('/Fm Do/Fm Do/Fm Do/Fm Do', 8), { texts: column(['The next page.'], 60, 700) }];
    const own = (object: number) => `/Resources << /XObject << /Fm ${object} 0 R >> >>`;
    const chain = [form('/Fm Do '.repeat(20), own(9)), form('/Fm Do '.repeat(20), own(10)), form(drawing)];
    const { cuts } = await readBytes('pdf', makePdf(nested, { objects: chain }));
    expect(cuts).toContain('The text is left out on page 1, which draws too much to be read.');
  });

  it('are found through the parent page, and in a separate object', () => {
    const above = latin1(
      makePdf([{ texts: [], drawn: '/Fm Do /Fm Do' }], { objects: [form(drawing), '<< /Fm 6 0 R >>'] }),
    )
      .replace('/Type /Pages', '/Type /Pages /Resources 900 0 R')
      .replace('%%EOF', '%%EOF\n900 0 obj\n<< /XObject 7 0 R >>\nendobj\n');
    expect(guarded(bytesOf(above)).facts.drawnBytes(4)).toBeGreaterThan(2 * drawing.length);
  });
});

describe('the annotations of a page', () => {
  const link = (index: number) => ({ rect: [60, 700, 200, 712], uri: `https://pier.example/${index}` });
  const linked = (links: number) => ({
    texts: column(['A page of links.'], 60, 700),
    links: Array.from({ length: links }, (_, at) => link(at)),
  });

  it('are omitted with a note when there are too many to list', async () => {
    const { lines, cuts } = await readBytes('pdf', makePdf([linked(hostileSize(10_000)), linked(1)]));
    expect(lines.join('\n')).toContain('A page of links.');
    expect(lines.join('\n').match(/pier\.example/g)).toHaveLength(1);
    expect(cuts).toContain(
      'Links, form fields and comments are left out on page 1: there are more than 2000 on a page, or they draw too much.',
    );
  });

  it('are counted when one object occurs many times in a separate list', () => {
    const annotation = '<< /Type /Annot /Subtype /Link /Rect [60 700 200 712] >>';
    const pdf = latin1(makePdf([{ texts: [] }], { objects: [annotation, `[${'6 0 R '.repeat(50_000)}]`] }));
    const { facts } = guarded(bytesOf(pdf.replace('/Annots []', '/Ann#6fts 7 0 R')));
    expect(facts.annotations(4)).toBe(50_000);
    expect(facts.annotations(900)).toBe(Infinity);
  });
});
