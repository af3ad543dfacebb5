/** The names that documents may mention: those in the repository. */
export type Repository = {
  /** All tracked paths from the root, with `/`. */
  files: ReadonlySet<string>;
  /** Commands of `npm run`. */
  commands: ReadonlySet<string>;
  /** Every word of code, configuration and migrations. */
  words: ReadonlySet<string>;
  /** Returns the text of a document, for the headings that a link leads to. */
  read: (file: string) => string;
};

/**
 * Finds wrong mentions in a document: a file, a folder, an `npm run`, a link, or a name in code format (a setting, a
 * tool, a field, a constant, a function) that the repository does not have.
 * @param file its path from the root
 * @param elsewhere names that other programs define
 */
export function wrongMentions(
  file: string,
  text: string,
  repository: Repository,
  elsewhere: ReadonlySet<string> = new Set(),
): string[] {
  const spans = codeOf(text);
  const mentioned = [
    ...spans.flatMap((span) => pathsIn(span).filter((path) => !hasPath(path, repository.files))),
    ...spans.flatMap(commandsIn).filter((name) => !repository.commands.has(name)),
    ...spans.filter((span) => NAME.test(span) && !repository.words.has(span) && !elsewhere.has(span)),
    ...linksOf(text).filter((target) => !leadsSomewhere(file, text, target, repository)),
  ];
  return [...new Set(mentioned)].map((mention) => `${file}: ${mention} does not exist.`);
}

/** The lines of fences and the text in backquotes. */
function codeOf(text: string): string[] {
  const fences = Array.from(text.matchAll(FENCE), ([, body = '']) => body.split('\n')).flat();
  const spans = Array.from(text.replaceAll(FENCE, '').matchAll(/(`+)(.+?)\1/gs), ([, , span = '']) => span.trim());
  return [...fences, ...spans];
}

const FENCE = /^```[^\n]*\n(.*?)^```/gms;
/** Names that must exist: `MAX_BYTES`, `open_url`, `defineTool`. A plain word may be anything. */
const NAME = /^(?:[A-Za-z]\w*_\w+|[a-z]+(?:[A-Z]\w*)+|[A-Z][a-z]+(?:[A-Z]\w*)+)$/;

const PATH =
  /(?<![\w./@:#-])(?:(?:src|test|scripts|bench|docs|migrations)\/[\w./*-]*[\w*]|[\w-]+(?:\/[\w-]+)*\.tsx?)(?![\w*{<])/g;

/** Paths in a span. A word in capitals is a placeholder for the reader: `src/tools/TOOLSET/NAME.ts`. */
function pathsIn(span: string): string[] {
  return [...span.matchAll(PATH)].map(([path]) => path).filter((path) => !/(?:^|\/)[A-Z]+(?:\/|\.|$)/.test(path));
}

/** A file may be named by the end of its path: `errors.ts`, `core/errors.ts`. */
function hasPath(path: string, files: ReadonlySet<string>): boolean {
  if (files.has(path)) return true;
  const pattern = new RegExp(
    `(?:^|/)${path.replaceAll('.', String.raw`\.`).replaceAll(/\*+/g, (stars) => (stars.length > 1 ? '.*' : '[^/]*'))}(?:/|$)`,
  );
  return [...files].some((file) => pattern.test(file));
}

function commandsIn(span: string): string[] {
  return [...span.matchAll(/\bnpm run (?:-s |--silent )?([\w:-]+)/g)].map(([, name = '']) => name);
}

function linksOf(text: string): string[] {
  const prose = text.replaceAll(FENCE, '').replaceAll(/(`+).+?\1/gs, '');
  return Array.from(prose.matchAll(/\]\(([^)\s]+)\)/g), ([, target = '']) => target).filter(
    (target) => !/^[a-z]+:/i.test(target),
  );
}

function leadsSomewhere(file: string, text: string, target: string, { files, read }: Repository): boolean {
  const [path = '', anchor] = target.split('#');
  const there = path === '' ? file : new URL(path, `file:///${file}`).pathname.slice(1).replace(/\/$/, '');
  const exists = files.has(there) || [...files].some((one) => one.startsWith(`${there}/`));
  return exists && (anchor === undefined || anchorsOf(there === file ? text : read(there)).has(anchor));
}

/** Anchors of headings, as GitHub makes them. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of text.replaceAll(FENCE, '').matchAll(/^#{1,6} +(.+?) *$/gm)) {
    const plain = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-');
    let anchor = plain;
    for (let copy = 1; anchors.has(anchor); copy += 1) anchor = `${plain}-${copy}`;
    anchors.add(anchor);
  }
  return anchors;
}

/**
 * Files that import a package which a table in a document reserves for other files. The table has the columns
 * "Dependency" and "Imported in".
 * @param imports each file of `src` with the packages that it imports, without type imports
 */
export function wrongDoors(document: string, imports: ReadonlyMap<string, readonly string[]>): string[] {
  return Array.from(document.matchAll(DOOR), ([, names = '', places = '']) => {
    const doors = codeOf(places).map((place) => `src/${place}`);
    return codeOf(names).flatMap((name) =>
      [...imports]
        .filter(([file, packages]) => packages.includes(name) && !doors.some((door) => file.startsWith(door)))
        .map(([file]) => `${file} imports ${name}, which belongs to ${doors.join(', ')}.`),
    );
  }).flat();
}

/** A row of two cells, both with something in code format. */
const DOOR = /^\| ((?:`[^`|]+`(?:, )?)+) +\| ([^|\n]*`[^|\n]+) +\|$/gm;

/** The packages of `import … from 'name/part'` and `import('name')`, without those of `import type`. */
export function packagesOf(source: string): string[] {
  const named = source.matchAll(
    /^(?:import (?!type\b)[^;]*?from |export [^;]*?from |.*\bimport\()'((?:@[^/']+\/)?[^/'#.][^/']*)/gm,
  );
  return Array.from(named, ([, name = '']) => name);
}
