import type { Archive } from '#extract/archive.ts';
import { allOf, parseXml, textOf } from '#extract/xml/tree.ts';

/** The title that an Office file declares; `null` if it has none, or if it is the file name of a template. */
export function coreTitle(archive: Archive): string | null {
  const source = archive.text('docProps/core.xml') ?? archive.text('meta.xml');
  const title = textOf(allOf(parseXml(source ?? '').document, 'dc:title')[0])
    .replace(/\s+/g, ' ')
    .trim();
  return title === '' || /\.\w{3,4}$|^(?:untitled|document\d*|presentation\d*)$/i.test(title) ? null : title;
}
