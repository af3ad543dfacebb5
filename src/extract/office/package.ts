import { KIB, MIB } from '#core/limits.ts';
import type { Archive } from '#extract/archive.ts';
import { descendantsOf, parseXml, textOf } from '#extract/xml/tree.ts';
import { withUsualPrefixes } from '#extract/xml/prefixes.ts';
import type { XmlElement } from '#extract/xml/tree.ts';

const REFERENCES = {
  'http://schemas.openxmlformats.org/officeDocument/2006/relationships': 'r',
  'http://purl.oclc.org/ooxml/officeDocument/relationships': 'r',
};

/** Renames the namespace prefix of references to other parts to `r`, so that they are always `r:id`. */
export function withUsualReferences(xml: string): string {
  return withUsualPrefixes(xml, REFERENCES);
}

/** A reference between parts of an Office file (OPC, ECMA-376 part 2). */
type Relation = { type: string; target: string; isExternal: boolean };

/** Returns the name of the main document part. Returns `usual` if the file declares none. */
export function mainPart(archive: Archive, usual: string): string {
  const relation = [...relationsOf(archive, '').values()].find(({ type }) => type === 'officeDocument');
  return relation !== undefined && archive.names.includes(relation.target) ? relation.target : usual;
}

/** Reads a part as XML with local names. Returns `undefined` if the file has no such part. */
export function readPackagePart(archive: Archive, name: string): { root: XmlElement; cut: boolean } | undefined {
  const source = archive.text(name);
  if (source === null) return undefined;
  const { document, cut } = parseXml(withUsualReferences(source), 'local');
  return { root: document, cut };
}

/**
 * Bytes of XML in all parts of a file except its main content. They take half a second to read. Real files have a tenth
 * of this.
 */
const SIDE_BYTES_MAX = 4 * MIB;
/** Minimum cost of a part, in bytes. Finding and unpacking a smaller part takes as long as this many bytes. */
const SIDE_PART_BYTES_MIN = 4 * KIB;

/**
 * Reads parts such as charts, notes and comments, within `SIDE_BYTES_MAX` in total. The limit is needed because a file
 * may refer to the same part any number of times.
 */
export class SideParts {
  readonly #archive: Archive;
  spent = 0;
  isCut = false;

  constructor(archive: Archive) {
    this.#archive = archive;
  }

  /** Returns `undefined` for a missing part. After the limit was reached, returns `undefined` for every part. */
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

/**
 * Reads the relations of the part `name`, by id. Internal targets are resolved to part names. `type` is only the last
 * segment of its URI.
 */
export function relationsOf(archive: Archive, name: string): Map<string, Relation> {
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

/**
 * Returns the title in the metadata of the file. Returns `null` if it is missing, is a default title, or is the name of
 * a file.
 */
export function coreTitle(archive: Archive): string | null {
  const source = archive.text('docProps/core.xml') ?? archive.text('meta.xml');
  const title = textOf(descendantsOf(parseXml(source ?? '').document, 'dc:title')[0])
    .replace(/\s+/g, ' ')
    .trim();
  return title === '' || /\.\w{3,4}$|^(?:untitled|document\d*|presentation\d*)$/i.test(title) ? null : title;
}

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

export const TRACKED_CHANGES = 'The document has tracked changes: they are shown as accepted.';
