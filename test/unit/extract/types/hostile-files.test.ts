import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { BodyKind } from '#core/document/kinds.ts';
import type { ExtractedText } from '#extract/extractor.ts';
import { mailExtractor } from '#extract/mail/mail-extractor.ts';
import { blankCostlyStreams } from '#extract/pdf/file/guard-streams.ts';
import {
  makeDocx,
  makeOdp,
  makeOds,
  makeOdt,
  makePptx,
  makeXlsx,
  relations,
  slideShape,
  slideText,
  wordParagraph,
} from '#support/make-archive.ts';
import { makePdf, stream } from '#support/make-pdf.ts';
import { readBytes, readText } from './support.ts';

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const many = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => part(at)).join('');
/** Text that does not pack well, as the parts of an archive may not pack too well. */
function noise(chars: number): string {
  let state = 1;
  let out = '';
  while (out.length < chars) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    out += state.toString(36);
  }
  return out.slice(0, chars);
}
/** XML that takes long to read for its size. */
const bulky = (name: string, elements = 60_000) =>
  `<${name}>${'<a>b</a>'.repeat(elements)}<n>${noise(elements / 5)}</n></${name}>`;
const textOf = ({ lines }: ExtractedText) => lines.join('\n');
const TOO_MANY = 'The file has too many charts, formulas, notes or comments: some were left out.';

async function read(kind: BodyKind, bytes: Uint8Array): Promise<ExtractedText> {
  return readBytes(kind, bytes);
}

describe('parts that a file refers to repeatedly', () => {
  const chart =
    '<p:graphicFrame><a:graphic><a:graphicData><c:chart r:id="c"/></a:graphicData></a:graphic></p:graphicFrame>';

  it('are read within a limit: charts of a presentation', async () => {
    const slide = slideShape('', slideText('Ferries')) + chart.repeat(200);
    const { cuts } = await read(
      'pptx',
      makePptx([slide], {
        'ppt/slides/_rels/slide0.xml.rels': relations(['c', 'chart', '../charts/c.xml']),
        'ppt/charts/c.xml': bulky('c:chartSpace'),
      }),
    );
    expect(cuts).toContain(TOO_MANY);
  });

  it('are read within a limit: charts of a Word document', async () => {
    const drawing = '<w:p><w:r><w:drawing><a:graphicData><c:chart r:id="c"/></a:graphicData></w:drawing></w:r></w:p>';
    const { cuts } = await read(
      'docx',
      makeDocx(wordParagraph('Ferries') + drawing.repeat(150), {
        'word/_rels/document.xml.rels': relations(['c', 'chart', 'charts/c.xml']),
        'word/charts/c.xml': bulky('c:chartSpace'),
      }),
    );
    expect(cuts).toContain(TOO_MANY);
  });

  it('are read within a limit: objects of an OpenDocument text', async () => {
    const frame = '<text:p>Ferry<draw:frame><draw:object xlink:href="./O"/></draw:frame></text:p>';
    const { cuts } = await read('odt', makeOdt(frame.repeat(150), { more: { 'O/content.xml': bulky('math') } }));
    expect(cuts).toContain(TOO_MANY);
  });

  it('are read once: the comments of a sheet, and a sheet or slide that is listed twice', async () => {
    const rows = many(1_000, (at) => `<row><c><v>${at}</v></c></row>`);
    const workbook = makeXlsx([{ name: 'a', rows }], [], '0', {
      'xl/worksheets/_rels/sheet0.xml.rels': relations(
        ...Array.from({ length: 300 }, (_, at) => [`r${at}`, 'comments', '../comments.xml'] as const),
      ),
      'xl/comments.xml': `<comments><commentList><comment ref="A1"><text><t>Quay</t></text></comment></commentList>${bulky('x')}</comments>`,
    });
    const sheet = await read('xlsx', workbook);
    expect(sheet.cuts).not.toContain(TOO_MANY);
    expect(textOf(sheet).match(/Quay/g)).toHaveLength(1);
    const slides = makePptx([slideShape('', slideText('Ferries'))], {
      'ppt/presentation.xml': `<p:presentation><p:sldIdLst>${'<p:sldId r:id="s0"/>'.repeat(1_000)}</p:sldIdLst></p:presentation>`,
    });
    expect(textOf(await read('pptx', slides)).match(/Ferries/g)).toHaveLength(1);
  });

  it('are read once: headers of a Word document with many document parts', async () => {
    const { lines } = await read(
      'docx',
      makeDocx(wordParagraph('Ferries'), {
        ...Object.fromEntries(
          Array.from({ length: 400 }, (_, at) => [`word/document${at}.xml`, `<w:document xmlns:w="${WORD}"/>`]),
        ),
        'word/header1.xml': `<w:hdr xmlns:w="${WORD}"><w:p><w:r><w:t>Harbour office</w:t></w:r></w:p></w:hdr>`,
      }),
    );
    expect(lines.join('\n').match(/Harbour office/g)).toHaveLength(1);
  });
});

describe('styles of a document', () => {
  it('do not write a long text with each item of a list', async () => {
    const suffix = noise(5_000);
    const items = '<text:list-item><text:p>Quay</text:p></text:list-item>'.repeat(100);
    const list = (sign: string) =>
      `<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1" ${sign}/></text:list-style>`;
    const odt = (sign: string) =>
      read('odt', makeOdt(`<text:list text:style-name="L">${items}</text:list>`, { styles: list(sign) }));
    const item =
      '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>Quay</w:t></w:r></w:p>';
    const numbering = `<w:numbering xmlns:w="${WORD}"><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/><w:lvlText w:val="%1${suffix}"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`;
    const texts = await Promise.all([
      odt(`style:num-suffix="${suffix}"`),
      odt(`style:num-list-format="${'%1%-'.repeat(1_000)}"`),
      read('docx', makeDocx(item.repeat(100), { 'word/numbering.xml': numbering })),
    ]);
    for (const text of texts.map(textOf)) {
      expect(text).toContain('Quay');
      expect(text.length).toBeLessThan(30_000);
    }
  });
});

describe('a Word document', () => {
  it('is not divided further if that would repeat too many open tags', async () => {
    const open = `<w:x a="${noise(400_000)}">`;
    const { pages } = await read(
      'docx',
      makeDocx(`${open}${'<w:p><w:r><w:t>Quay</w:t></w:r></w:p>'.repeat(60_000)}</w:x>`),
    );
    expect(pages?.total ?? 1).toBeLessThanOrEqual(7);
  });

  it('cannot imitate the formula marks of this reader by character references', async () => {
    const formula = '<w:p><m:oMath><m:r><m:t>lighthouse</m:t></m:r></m:oMath></w:p>';
    const references = '&#xfdd2;0&#xfdd3;&#64978;0&#64979;'.repeat(50);
    const text = textOf(await read('docx', makeDocx(`${formula}<w:p><w:r><w:t>${references}</w:t></w:r></w:p>`)));
    expect(text.match(/lighthouse/g)).toHaveLength(1);
  });
});

describe('a workbook', () => {
  it('repeats a long text within its format only within the work limit', async () => {
    const rows = '<row><c t="s" s="2"><v>0</v></c></row>'.repeat(20);
    const bytes = makeXlsx([{ name: 'a', rows }], [`<t>${noise(200_000)}</t>`], `${'@'.repeat(120)}x`);
    const { cuts } = await read('xlsx', bytes);
    expect(cuts.join(' ')).toMatch(/format/);
  });

  it('cannot imitate the marks of this reader in its texts', async () => {
    const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
    const rows = `<row>${cell('Pier')}${cell('Pier &#xfdd0;4&#xfdd1;')}</row>`;
    expect(textOf(await read('xlsx', makeXlsx([{ name: 'a', rows }])))).not.toContain('<sup>');
  });

  it('is read to its end below a cell that spans all rows: OpenDocument', async () => {
    const span =
      '<table:table-row><table:table-cell table:number-columns-repeated="256" table:number-rows-spanned="99999999"><text:p>x</text:p></table:table-cell></table:table-row>';
    const { lines } = await read(
      'ods',
      makeOds(`<table:table>${span}${'<table:table-row/>'.repeat(20_000)}</table:table><!-- ${noise(20_000)} -->`),
    );
    expect(lines.length).toBeGreaterThan(1_000);
  });

  it('ends at the budget of repeated text, however often a row repeats: OpenDocument', async () => {
    const row =
      '<table:table-row table:number-rows-repeated="999999999999999"><table:table-cell table:number-columns-repeated="999999999999999"><text:p>x</text:p></table:table-cell></table:table-row>';
    const { lines } = await read('ods', makeOds(`<table:table>${row}</table:table>`));
    expect(lines.length).toBeGreaterThan(1_000);
  });
});

describe('a presentation', () => {
  it('repeats merged cells within a budget', async () => {
    const cell = (attributes: string, text = '') =>
      `<a:tc ${attributes}><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`;
    const row = `<a:tr>${cell('', noise(100_000))}${cell('hMerge="1"').repeat(200)}</a:tr>`;
    const table = `<p:graphicFrame><a:graphic><a:graphicData><a:tbl>${row}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
    const text = textOf(await read('pptx', makePptx([slideShape('', slideText('Ferries')) + table])));
    expect(text.length).toBeLessThan(1_300_000);
  });

  it('is refused early with empty slides: OpenDocument', async () => {
    await expect(read('odp', makeOdp('<draw:page/>'.repeat(20_000)))).rejects.toMatchObject({
      failure: { code: 'extract_failed' },
    });
  });
});

describe('an e-mail message', () => {
  const head = 'From: a@pier.example\r\nSubject: Tides\r\n';
  const CUT = 'A message has too many lines or parts: the rest of it was left out.';

  it('is read up to a maximum number of parts', async () => {
    const part = '--b\r\n\r\nTide\r\n';
    const source = `${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n${part.repeat(20_000)}--b--\r\n`;
    const message = await readText('mail', source);
    expect(message.cuts).toContain(CUT);
    expect(textOf(message).match(/Tide$/gm)?.length).toBeLessThan(12_001);
  });

  it('pauses by the work done, not once for each message', async () => {
    const source = 'From a@pier.example Thu Jan  1 00:00:00 1970\nSubject: Tides\n\nHigh water\n\n'.repeat(400);
    let pauses = 0;
    const pause = async () => void (pauses += 1);
    const bytes = new TextEncoder().encode(source);
    const url = 'https://pier.example/list.mbox';
    const { lines } = await mailExtractor.extract({ kind: 'mail', text: '', bytes, url, mode: 'raw', pause });
    expect(lines.filter((line) => line === '# Tides')).toHaveLength(400);
    expect(pauses).toBeGreaterThan(5);
    expect(pauses).toBeLessThan(40);
  });

  it('is read up to a maximum number of lines', async () => {
    const attachment = `Content-Transfer-Encoding: base64\r\nContent-Disposition: attachment\r\n\r\n${'QUJD\r\n'.repeat(310_000)}`;
    const parts = ['\r\nFirst\r\n', attachment, '\r\nLast\r\n', '--\r\n'].join('--b\r\n');
    const message = await readText('mail', `${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n${parts}`);
    expect(message.cuts).toContain(CUT);
    expect(textOf(message)).toContain('First');
    expect(textOf(message)).not.toContain('Last');
  });

  it('is read whole at its usual length', async () => {
    const message = await readText('mail', `${head}\r\n${'Tide\r\n'.repeat(5_000)}Last\r\n`);
    expect(message.cuts).toEqual([]);
    expect(textOf(message)).toContain('Last');
  });
});

describe('a PDF', () => {
  const words = { x: 60, y: 700, text: 'The ferry leaves at noon.' };

  it('shows the values of a list', async () => {
    const options = many(3, (at) => `[(k${at}) (n${at})]`);
    const field = `<< /Type /Annot /Subtype /Widget /FT /Ch /Ff 2097152 /F 4 /T (a) /Rect [60 600 160 620] /Opt [${options}] /V [(k0) (k1) (k2)] >>`;
    const text = textOf(await read('pdf', makePdf([{ texts: [words], annotations: [field] }])));
    expect(text).toContain('n0, n1, n2');
  });

  it('lets others run between pages that draw one large stream, and stops in time', async () => {
    const count = 120;
    const pages = Array.from({ length: count }, () => ({ texts: [] }));
    const art = stream(`BT /F 9 Tf 60 700 Td (Tide.) Tj ET ${'1 0 0 1 0 0 cm\n'.repeat(20_000)}`);
    const source = Buffer.from(makePdf(pages, { objects: [art] })).toString('latin1');
    const shared = source.replace(/\/Contents \d+ 0 R/g, `/Contents ${4 + 2 * count} 0 R`);
    let pauses = 0;
    const { extract } = await import('#extract/extract.ts');
    const { pages: covered } = await extract({
      kind: 'pdf',
      text: '',
      bytes: Uint8Array.from(Buffer.from(shared, 'latin1')),
      url: 'https://pier.example/a.pdf',
      mode: 'readable',
      pause: async () => {
        pauses += 1;
      },
    });
    expect(covered?.last).toBeLessThan(20);
    expect(pauses).toBeGreaterThan(covered?.last ?? 0);
  });
});

describe('a large stream of a PDF', () => {
  const withStream = (content: string, dictionary: string) => {
    const packed = deflateSync(Buffer.from(content)).toString('latin1');
    const source = Buffer.from(makePdf([{ texts: [] }])).toString('latin1');
    const packedStream = `<< /Length ${packed.length} /Filter /FlateDecode ${dictionary} >>\nstream\n${packed}\nendstream`;
    return Uint8Array.from(
      Buffer.from(
        source.replace(/<< \/Length 0 >>\nstream\n\nendstream/, () => packedStream),
        'latin1',
      ),
    );
  };
  const guarded = (bytes: Uint8Array) => blankCostlyStreams({ bytes, url: 'https://pier.example/a.pdf' });
  const art = '1 0 0 1 0 0 cm\n'.repeat(200_000);

  it('is not drawn when it only claims to be a font', () => {
    expect(guarded(withStream(art, '/Length1 9')).cut).toBe(true);
    expect(guarded(withStream('BT ET', '/Length1 9')).cut).toBe(false);
  });
});
