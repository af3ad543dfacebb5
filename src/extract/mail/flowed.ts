const CONTENT_TYPE = /^content-type:[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*/gim;
const PLAIN_TYPE = /^content-type:\s*text\/plain(?![^\s;])/i;
const OTHER_TYPE = /^content-type:\s*(?:message\/|text\/html(?![^\s;]))/i;
const BOUNDARY = /;\s*boundary=(?:"([^"\r\n]*)"|([^\s;"]+))/i;
const FLOWED = /;\s*(format=)"?flowed(?![^\s;"])/i;
const DELETES_SPACE = /;\s*delsp="?yes(?![^\s;"])/i;
const BLANK_LINE = /\r?\n\r?\n/g;

/** A message whose parser does not join its lines, because `unfoldFlowedText` does. */
type FlowedMessage = { bytes: Uint8Array; deletesSpace: boolean };
type HeaderField = { field: string; index: number };

/**
 * Finds a message whose plain text is all `format=flowed` (RFC 3676), and hides that parameter from the parser, which
 * joins lines without regard to quotes. Returns `null` for all other messages, and for those with HTML,
 * into which the parser inserts the text, or with a message inside. Linear time.
 */
export function takeFlowedMessage(message: Uint8Array): FlowedMessage | null {
  const fields = typesIn(new TextDecoder('latin1').decode(message));
  const types = fields.filter(({ field }) => PLAIN_TYPE.test(field));
  if (types.length === 0 || !types.every(({ field }) => FLOWED.test(field))) return null;
  if (fields.some(({ field }) => OTHER_TYPE.test(field))) return null;
  const bytes = message.slice();
  for (const { field, index } of types) {
    const found = FLOWED.exec(field);
    // The first letter of `format`. The parser ignores unknown parameters.
    if (found !== null) bytes[index + found.index + found[0].toLowerCase().indexOf('format=')] = 0x78;
  }
  return { bytes, deletesSpace: types.some(({ field }) => DELETES_SPACE.test(field)) };
}

/** Returns the types in the headers of a message and of its parts, but none that its text quotes. */
function typesIn(source: string): HeaderField[] {
  const fields: HeaderField[] = [];
  const boundaries = new Set<string>();
  const blanks = source.matchAll(BLANK_LINE);
  let blank = blanks.next();
  let start = 0;
  for (const { 0: field, index } of source.matchAll(CONTENT_TYPE)) {
    for (; blank.done !== true && blank.value.index < index; blank = blanks.next())
      start = blank.value.index + blank.value[0].length;
    if (start === 0 || boundaries.has(boundaryAbove(source.slice(start, index)))) {
      fields.push({ field, index });
      const [, quoted, plain] = BOUNDARY.exec(field) ?? [];
      const boundary = quoted ?? plain;
      if (boundary !== undefined) boundaries.add(boundary);
    }
    start = index + field.length;
  }
  return fields;
}

/** Returns the last line that may be a boundary, without its hyphens. */
function boundaryAbove(text: string): string {
  const last = text.slice(text.lastIndexOf('\n--') + 1);
  return /^--([^\r\n]*)/.exec(last)?.[1]?.trimEnd() ?? '';
}

/**
 * Joins the lines of `format=flowed` text (RFC 3676 §4) that end with a space, within one level of quotes. Removes the
 * space that protects the first character of a line.
 * @param deletesSpace true for `delsp=yes`: the space at the end of a line is not part of the text
 */
export function unfoldFlowedText(text: string, deletesSpace: boolean): string {
  const lines: string[] = [];
  let paragraph: string[] | null = null;
  let level = 0;
  const end = () => {
    if (paragraph !== null) lines.push(`${quoteMarks(level)}${paragraph.join('')}`);
    paragraph = null;
  };
  for (const line of text.split(/\r?\n/)) {
    const own = quoteLevel(line);
    const stuffed = line.slice(own);
    const content = stuffed.startsWith(' ') ? stuffed.slice(1) : stuffed;
    const isSignature = content === '-- ';
    if (own !== level || isSignature) end();
    level = own;
    const flows = content.endsWith(' ') && !isSignature;
    paragraph ??= [];
    paragraph.push(flows && deletesSpace ? content.slice(0, -1) : content);
    if (!flows) end();
  }
  end();
  return lines.join('\n');
}

function quoteLevel(line: string): number {
  let level = 0;
  while (line.charAt(level) === '>') level += 1;
  return level;
}

function quoteMarks(level: number): string {
  return level === 0 ? '' : `${'>'.repeat(level)} `;
}
