import { KIB, MIB } from '#core/limits.ts';
import type { Archive } from '#extract/archive.ts';
import { descendantsOf, parseXml, textOf, renamePrefixes } from '#extract/xml/tree.ts';
import type { XmlElement } from '#extract/xml/tree.ts';

const REFERENCES = {
  'http://schemas.openxmlformats.org/officeDocument/2006/relationships': 'r',
  'http://purl.oclc.org/ooxml/officeDocument/relationships': 'r',
};

/** Gives references to other parts of the file the prefix `r`, as in `r:id`, whatever prefix the file declares. */
export function useReferencePrefix(xml: string): string {
  return renamePrefixes(xml, REFERENCES);
}

/** A reference from one part of an Office file to another, or to a URL (OPC, ECMA-376 part 2). */
type Relation = { type: string; target: string; isExternal: boolean };

/**
 * Returns the name of the main part, such as `word/document.xml`; `usual` if the file declares none, or one that it
 * does not contain.
 */
export function findMainPartName(archive: Archive, usual: string): string {
  const relation = [...readRelations(archive, '').values()].find(({ type }) => type === 'officeDocument');
  return relation !== undefined && archive.names.includes(relation.target) ? relation.target : usual;
}

/** Reads a part of the file as XML with local names; `undefined` if there is no such part. */
export function readPackagePart(archive: Archive, name: string): { root: XmlElement; cut: boolean } | undefined {
  const source = archive.text(name);
  if (source === null) return undefined;
  const { document, cut } = parseXml(useReferencePrefix(source), 'local');
  return { root: document, cut };
}

/**
 * Maximum bytes of XML in all parts besides the main content, which take half a second to read. Real files have a tenth
 * of this.
 */
const SIDE_BYTES_MAX = 4 * MIB;
/** Minimum cost of a part in bytes: finding and unpacking even a tiny part takes as long as reading this many. */
const SIDE_PART_BYTES_MIN = 4 * KIB;

/**
 * Reads charts, notes and comments up to `SIDE_BYTES_MAX`. A hostile file may refer to one part any number of times.
 */
export class SidePartReader {
  readonly #archive: Archive;
  spent = 0;
  isCut = false;

  constructor(archive: Archive) {
    this.#archive = archive;
  }

  /** Returns `undefined` for a missing part, and for every part once the limit is reached. */
  read(name: string): XmlElement | undefined {
    const size = this.#archive.size(name);
    if (size === 0) return undefined;
    this.spent += Math.max(size, SIDE_PART_BYTES_MIN);
    if (this.spent <= SIDE_BYTES_MAX) return readPackagePart(this.#archive, name)?.root;
    this.isCut = true;
    return undefined;
  }

  get notes(): string[] {
    return this.isCut ? ['The file has too many charts, formulas, notes or comments: some were left out.'] : [];
  }
}

/** Reads the relations of part `name`, by id. Targets in the file are part names; `type` is the end of its URI. */
export function readRelations(archive: Archive, name: string): Map<string, Relation> {
  const at = name.lastIndexOf('/') + 1;
  const part = readPackagePart(archive, `${name.slice(0, at)}_rels/${name.slice(at)}.rels`);
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

/** Returns the title in the file's metadata; `null` without one, and for a default title or a file name. */
export function readFileTitle(archive: Archive): string | null {
  const source = archive.text('docProps/core.xml') ?? archive.text('meta.xml');
  const title = textOf(descendantsOf(parseXml(source ?? '').document, 'dc:title')[0])
    .replace(/\s+/g, ' ')
    .trim();
  return title === '' || /\.\w{3,4}$|^(?:untitled|document\d*|presentation\d*)$/i.test(title) ? null : title;
}

export function writeCommentsAndHeaders(
  comments: readonly string[],
  headers: readonly string[],
): { rest: string[]; notes: string[] } {
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

export const TRACKED_CHANGES_NOTE = 'The document has tracked changes: they are shown as accepted.';
