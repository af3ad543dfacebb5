/** Small PDFs of our own: Helvetica and Courier text placed by hand, one content stream a page. */

export type PdfText = { x: number; y: number; size?: number; text: string; turned?: boolean; mono?: boolean };
export type PdfPage = { texts: readonly PdfText[]; links?: readonly { rect: readonly number[]; uri: string }[] };
export type PdfOptions = { title?: string; trailer?: string; objects?: readonly string[] };

/** Points from the bottom left of a 600 × 800 page. */
export function makePdf(pages: readonly PdfPage[], options: PdfOptions = {}): Uint8Array {
  const objects: string[] = [];
  const add = (body: string) => objects.push(body);
  const firstPage = 4;
  const kids = pages.map((_, index) => `${firstPage + index * 2} 0 R`).join(' ');
  add('<< /Type /Catalog /Pages 2 0 R >>');
  add(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`);
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>');
  for (const [index, page] of pages.entries()) {
    const annotations = (page.links ?? []).map(
      ({ rect, uri }) => `<< /Type /Annot /Subtype /Link /Rect [${rect.join(' ')}] /A << /S /URI /URI (${uri}) >> >>`,
    );
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Resources << /Font << /F 3 0 R /M << /Type /Font /Subtype /Type1 /BaseFont /Courier >> >> >> ` +
        `/Annots [${annotations.join(' ')}] /Contents ${firstPage + index * 2 + 1} 0 R >>`,
    );
    add(stream(page.texts.map(drawn).join('\n')));
  }
  for (const extra of options.objects ?? []) add(extra);
  const info = options.title === undefined ? '' : `/Info << /Title (${options.title}) >>`;
  return latin1(assemble(objects, `${info} ${options.trailer ?? ''}`));
}

export function stream(content: string): string {
  return `<< /Length ${content.length} >>\nstream\n${content}\nendstream`;
}

function drawn({ x, y, size = 10, text, turned = false, mono = false }: PdfText): string {
  // The bullet of WinAnsiEncoding.
  const escaped = text.replace(/[\\()]/g, '\\$&').replaceAll('•', '\x95');
  const matrix = turned ? `0 1 -1 0 ${x} ${y}` : `1 0 0 1 ${x} ${y}`;
  return `BT /${mono ? 'M' : 'F'} ${size} Tf ${matrix} Tm (${escaped}) Tj ET`;
}

function assemble(objects: readonly string[], trailer: string): string {
  let out = '%PDF-1.7\n';
  const places = objects.map((body, index) => {
    const at = out.length;
    out += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return at;
  });
  const start = out.length;
  const rows = places.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  out += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`;
  return `${out}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`;
}

export function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Lines of text below each other, from `y` downwards. */
export function column(lines: readonly string[], x: number, y: number, size = 10, pitch = 12): PdfText[] {
  return lines.map((text, index) => ({ x, y: y - index * pitch, size, text }));
}
