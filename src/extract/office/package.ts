import type { Archive } from '#extract/archive.ts';
import { descendantsOf, parseXml, textOf } from '#extract/xml/tree.ts';
import { withUsualPrefixes } from '#extract/xml/prefixes.ts';
import type { XmlElement } from '#extract/xml/tree.ts';

const REFERENCES = {
  'http://schemas.openxmlformats.org/officeDocument/2006/relationships': 'r',
  'http://purl.oclc.org/ooxml/officeDocument/relationships': 'r',
};

/** The same XML with references to other parts as `r:id`, whatever prefix their namespace has. */
export function withUsualReferences(xml: string): string {
  return withUsualPrefixes(xml, REFERENCES);
}

/** How the parts of an Office file refer to each other (OPC, ECMA-376 part 2). */
type Relation = { type: string; target: string; isExternal: boolean };

/** The name of the part that the file itself refers to as its document; `usual` for a file that does not say. */
export function mainPart(archive: Archive, usual: string): string {
  const relation = [...relationsOf(archive, '').values()].find(({ type }) => type === 'officeDocument');
  return relation !== undefined && archive.names.includes(relation.target) ? relation.target : usual;
}

/** A part as XML with local names; `undefined` if the file has no part of this name. */
export function readPart(archive: Archive, name: string): { root: XmlElement; cut: boolean } | undefined {
  const source = archive.text(name);
  if (source === null) return undefined;
  const { document, cut } = parseXml(withUsualReferences(source), 'local');
  return { root: document, cut };
}

/**
 * The relations of the part `name`, by id. Targets inside the file are names of parts. `type` is the last word of its
 * URI.
 */
export function relationsOf(archive: Archive, name: string): Map<string, Relation> {
  const at = name.lastIndexOf('/') + 1;
  const part = readPart(archive, `${name.slice(0, at)}_rels/${name.slice(at)}.rels`);
  return new Map(
    descendantsOf(part?.root, 'Relationship').map(({ attributes }) => {
      const isExternal = attributes['TargetMode'] === 'External';
      const target = attributes['Target'] ?? '';
      const type = (attributes['Type'] ?? '').split('/').at(-1) ?? '';
      return [attributes['Id'] ?? '', { type, target: isExternal ? target : inside(name, target), isExternal }];
    }),
  );
}

function inside(from: string, target: string): string {
  return URL.parse(target, `part:///${from}`)?.pathname.replace(/^\/+/, '') ?? '';
}

/** The title that an Office file declares; `null` if it has none, or if it is the file name of a template. */
export function coreTitle(archive: Archive): string | null {
  const source = archive.text('docProps/core.xml') ?? archive.text('meta.xml');
  const title = textOf(descendantsOf(parseXml(source ?? '').document, 'dc:title')[0])
    .replace(/\s+/g, ' ')
    .trim();
  return title === '' || /\.\w{3,4}$|^(?:untitled|document\d*|presentation\d*)$/i.test(title) ? null : title;
}

/** Texts beside the content of a document, as Markdown lists for its rest, with a note on each. */
export function restOf(comments: readonly string[], headers: readonly string[]): { rest: string[]; notes: string[] } {
  const lists = [
    { title: 'Comments:', lines: comments, note: 'Comments were left out of the main part: the rest lists them.' },
    {
      title: 'Headers and footers:',
      lines: headers,
      note: 'Headers and footers were left out of the main part: the rest lists them.',
    },
  ].filter(({ lines }) => lines.length > 0);
  return {
    rest: lists.flatMap(({ title, lines }) => [title, '', ...lines, '']),
    notes: lists.map(({ note }) => note),
  };
}
