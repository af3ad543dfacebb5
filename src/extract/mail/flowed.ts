const CONTENT_TYPE = /^content-type:[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*/gim;
const PLAIN_TYPE = /^content-type:\s*text\/plain(?![^\s;])/i;
const FLOWED = /;\s*(format=)"?flowed(?![^\s;"])/i;
const DELETES_SPACE = /;\s*delsp="?yes(?![^\s;"])/i;

/** A message whose parser does not join its lines, because `unfoldFlowedText` does. */
type FlowedMessage = { bytes: Uint8Array; deletesSpace: boolean };

/**
 * Finds a message whose plain text is all `format=flowed` (RFC 3676), and hides that parameter from the parser, which
 * joins lines without regard to quotes. Returns `null` for all other messages. Linear time.
 */
export function takeFlowedMessage(message: Uint8Array): FlowedMessage | null {
  const source = new TextDecoder('latin1').decode(message);
  const types = [...source.matchAll(CONTENT_TYPE)].filter(([type]) => PLAIN_TYPE.test(type));
  if (types.length === 0 || !types.every(([type]) => FLOWED.test(type))) return null;
  const bytes = message.slice();
  for (const { 0: type, index } of types) {
    const found = FLOWED.exec(type);
    // The first letter of `format`. The parser ignores unknown parameters.
    if (found !== null) bytes[index + found.index + found[0].toLowerCase().indexOf('format=')] = 0x78;
  }
  return { bytes, deletesSpace: types.some(([type]) => DELETES_SPACE.test(type)) };
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
