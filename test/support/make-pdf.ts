/** Small generated PDFs: Helvetica and Courier text placed by hand, with one content stream per page. */

export type PdfText = {
  x: number;
  y: number;
  size?: number;
  text: string;
  turned?: boolean;
  mono?: boolean;
  /** Name of a font in the page's `fonts`. */
  font?: string;
  /** Operators before the text, which apply to it only: `1 g` makes it white. */
  state?: string;
};
export type PdfPage = {
  texts: readonly PdfText[];
  links?: readonly { rect: readonly number[]; uri: string }[];
  /** Operators before the texts, such as rectangles. */
  drawn?: string;
  /** Dictionaries of further annotations. */
  annotations?: readonly string[];
  /** Entries of the font dictionary. */
  fonts?: string;
  /** Further entries of the resource dictionary. */
  resources?: string;
};
export type PdfOptions = { title?: string; trailer?: string; objects?: readonly string[]; catalog?: string };

/** Coordinates are points from the bottom left of a 600 × 800 page. */
export function makePdf(pages: readonly PdfPage[], options: PdfOptions = {}): Uint8Array {
  const objects: string[] = [];
  const add = (body: string) => objects.push(body);
  const firstPage = 4;
  const kids = pages.map((_, index) => `${firstPage + index * 2} 0 R`).join(' ');
  add(`<< /Type /Catalog /Pages 2 0 R ${options.catalog ?? ''} >>`);
  add(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`);
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>');
  for (const [index, page] of pages.entries()) {
    const links = (page.links ?? []).map(
      ({ rect, uri }) => `<< /Type /Annot /Subtype /Link /Rect [${rect.join(' ')}] /A << /S /URI /URI (${uri}) >> >>`,
    );
    const annotations = [...links, ...(page.annotations ?? [])];
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Resources << /Font << /F 3 0 R /M << /Type /Font /Subtype /Type1 /BaseFont /Courier >> ${page.fonts ?? ''}>> ${page.resources ?? ''}>> ` +
        `/Annots [${annotations.join(' ')}] /Contents ${firstPage + index * 2 + 1} 0 R >>`,
    );
    add(stream([...(page.drawn === undefined ? [] : [page.drawn]), ...page.texts.map(drawn)].join('\n')));
  }
  for (const extra of options.objects ?? []) add(extra);
  const info = options.title === undefined ? '' : `/Info << /Title (${options.title}) >>`;
  return latin1(assemble(objects, `${info} ${options.trailer ?? ''}`));
}

export function stream(content: string): string {
  return `<< /Length ${content.length} >>\nstream\n${content}\nendstream`;
}

function drawn({ x, y, size = 10, text, turned = false, mono = false, font, state }: PdfText): string {
  // The bullet of WinAnsiEncoding.
  const escaped = text.replace(/[\\()]/g, '\\$&').replaceAll('•', '\x95');
  const matrix = turned ? `0 1 -1 0 ${x} ${y}` : `1 0 0 1 ${x} ${y}`;
  const shown = `BT /${font ?? (mono ? 'M' : 'F')} ${size} Tf ${matrix} Tm (${escaped}) Tj ET`;
  return state === undefined ? shown : `q ${state} ${shown} Q`;
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

/** Advance widths of Helvetica from the space to the tilde, in thousandths of the size. */
const HELVETICA =
  '278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584'
    .split(' ')
    .map(Number);

export function widthOf(text: string, size: number): number {
  const thousandths = Array.from(text, (character) => HELVETICA[character.charCodeAt(0) - 32] ?? 0).reduce(
    (sum, width) => sum + width,
    0,
  );
  return (thousandths * size) / 1000;
}

/** Runs of text one after the other on a line; some are smaller, and raised or lowered. */
export function inline(
  x: number,
  y: number,
  runs: readonly { text: string; size?: number; rise?: number }[],
): PdfText[] {
  let at = x;
  return runs.map(({ text, size = 10, rise = 0 }) => {
    const run = { x: at, y: y + rise, size, text };
    at += widthOf(text, size);
    return run;
  });
}

/** Lines of text below each other, from `y` downwards. */
export function column(lines: readonly string[], x: number, y: number, size = 10, pitch = 12): PdfText[] {
  return lines.map((text, index) => ({ x, y: y - index * pitch, size, text }));
}
