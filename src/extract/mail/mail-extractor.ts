import PostalMime from 'postal-mime';
import type { Address, Email } from 'postal-mime';
import { FILE_MARKDOWN_CHARS_MAX } from '#extract/limits.ts';
import { noPause } from '#core/flow/turns.ts';
import { WORK_CHARS_PER_PAUSE, TITLE_CHARS_MAX } from '#core/limits.ts';
import { escapeInline, PLAIN_CONTEXT } from '#extract/escape.ts';
import { failUnreadableFile, toExtracted } from '#extract/extractor.ts';
import type { ExtractInput, ExtractedText, Extractor } from '#extract/extractor.ts';
import { appendLines, demoteHeadings, createHtmlReader, LONG_HTML_PART_CHARS } from '#extract/html-in-files.ts';
import type { HtmlReader } from '#extract/html-in-files.ts';
import { textExtractor } from '#extract/text-extractor.ts';
import { formatWrittenDate } from '#extract/written-date.ts';
import { takeFlowedMessage, unfoldFlowedText } from './flowed.ts';
import { oneLine, utf8Bytes } from '#core/text/text.ts';

const MESSAGES_MAX = 500;
/** Maximum recipients shown per message. Messages to mailing lists can have many more. */
const ADDRESSES_MAX = 20;
const ATTACHMENTS_MAX = 50;
/** Maximum lines read from one mail file, at up to 2 µs each. An attachment of 20 MB has 280,000 lines. */
const LINES_MAX = 300_000;
/** Maximum lines of one mail file that may begin a MIME part (`--boundary`), at up to 30 µs each. */
const PARTS_MAX = 12_000;
/** CPU cost of one message without its text (up to 5 ms), in characters of text that take the same time. */
const MESSAGE_COST = 15_000;
const OPTIONS = { maxNestingDepth: 20, maxHeadersSize: 256 * 1024 } as const;

/** Extracts mail (RFC 5322, MIME) and mailboxes (RFC 4155): sender, recipients, date, text, names of attachments. */
export const mailExtractor: Extractor = { id: 'mail', version: '6', extract: extractMail };

async function extractMail(input: ExtractInput): Promise<ExtractedText> {
  const { pause = noPause } = input;
  const messages = messagesIn(input.bytes);
  const reader = await createHtmlReader(pause);
  const cuts = new Set<string>();
  const markdown: string[] = [];
  let title: string | null = null;
  let chars = 0;
  let cost = 0;
  const budget = { lines: LINES_MAX, parts: PARTS_MAX };
  for (const [index, whole] of messages.entries()) {
    if (chars > FILE_MARKDOWN_CHARS_MAX || index >= MESSAGES_MAX || isSpent(budget)) {
      cuts.add(`The mailbox has ${messages.length} messages: those after ${index} were left out.`);
      break;
    }
    const message = withinBudget(whole, budget);
    const flowed = takeFlowedMessage(message);
    const email = await parsed(flowed?.bytes ?? message);
    if (isSpent(budget)) cuts.add('A message has too many lines or parts: the rest of it was left out.');
    if (email === null) cuts.add('A message is too deep or broken: it was left out.');
    if (email === null) continue;
    if (flowed !== null && email.text !== undefined) email.text = unfoldFlowedText(email.text, flowed.deletesSpace);
    const lines = await messageLines(email, { input, reader, cuts });
    for (const line of lines) chars += line.length + 1;
    appendLines(markdown, lines);
    if (messages.length === 1) title = email.subject ?? null;
    cost += whole.length + MESSAGE_COST;
    if (cost < WORK_CHARS_PER_PAUSE) continue;
    await pause();
    cost = 0;
  }
  if (markdown.length === 0) return failUnreadableFile(input, 'the file holds no message that can be read');
  return toExtracted(mailExtractor, { title, markdown, cuts: [...cuts], strategy: 'messages' }, input);
}

async function parsed(bytes: Uint8Array): Promise<Email | null> {
  try {
    return await PostalMime.parse(bytes, OPTIONS);
  } catch (error) {
    if (error instanceof Error) return null;
    throw error;
  }
}

type Context = { input: ExtractInput; reader: HtmlReader; cuts: Set<string> };

async function messageLines(email: Email, context: Context): Promise<string[]> {
  const subject = oneLine(email.subject ?? '', TITLE_CHARS_MAX);
  const facts = [
    ['From', named(email.from === undefined ? [] : [email.from])],
    ['To', named(email.to ?? [])],
    ['Cc', named(email.cc ?? [])],
    ['Date', formatWrittenDate(email.date ?? '')],
  ].flatMap(([name, value]) =>
    value === '' || value === undefined ? [] : [`- ${name}: ${escapeInline(value, PLAIN_CONTEXT)}`],
  );
  const body = await bodyLines(email, context);
  if (subject === '' && facts.length === 0 && body.length === 0) return [];
  return [
    `# ${escapeInline(subject === '' ? 'Message without a subject' : subject, PLAIN_CONTEXT)}`,
    '',
    ...(facts.length === 0 ? [] : [...facts, '']),
    ...demoteHeadings(body, 1),
    '',
    ...attachmentLines(email),
  ];
}

async function bodyLines(
  { html = '', text = '' }: Email,
  { input, reader, cuts }: Context,
): Promise<readonly string[]> {
  if (html.trim() !== '') {
    const read = await reader(html, input.url);
    for (const cut of read.cuts) cuts.add(cut);
    if (read.markdown.some((line) => line.trim() !== '')) return read.markdown;
  }
  if (text.trim() === '') return [];
  const pause = text.length < LONG_HTML_PART_CHARS ? noPause : input.pause;
  return (await textExtractor.extract({ ...input, kind: 'text', text, url: 'https://mail.invalid/', pause })).lines;
}

function named(addresses: readonly Address[]): string {
  const all = addresses.flatMap((one) => (one.group === undefined ? [one] : one.group));
  const shown = all.slice(0, ADDRESSES_MAX).map(({ name, address }) => {
    if (address === '') return name;
    return name === '' ? address : `${name} (${address})`;
  });
  const more = all.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

function attachmentLines({ attachments }: Email): string[] {
  const lines = attachments.slice(0, ATTACHMENTS_MAX).map(({ filename, mimeType, content }) => {
    const size = typeof content === 'string' ? utf8Bytes(content) : content.byteLength;
    const name = filename === null || filename === '' ? 'without a name' : oneLine(filename, TITLE_CHARS_MAX);
    return `- ${escapeInline(`${name} (${mimeType}, ${size} bytes)`, PLAIN_CONTEXT)}`;
  });
  return lines.length === 0 ? [] : ['Attachments, which are not read:', '', ...lines, ''];
}

type Budget = { lines: number; parts: number };

function isSpent({ lines, parts }: Budget): boolean {
  return lines <= 0 || parts <= 0;
}

/** Cuts a message to the remaining budget of lines and MIME parts. A line that begins with `--` may begin a part. */
function withinBudget(message: Uint8Array, budget: Budget): Uint8Array {
  for (let at = message.indexOf(LINE_END); at >= 0; at = message.indexOf(LINE_END, at + 1)) {
    budget.lines -= 1;
    if (message[at + 1] === DASH && message[at + 2] === DASH) budget.parts -= 1;
    if (isSpent(budget)) return message.subarray(0, at + 1);
  }
  return message;
}

const DASH = 0x2d;
const FROM = [...new TextEncoder().encode('From ')];
const LINE_END = 0x0a;
const RETURN = 0x0d;
const QUOTE = 0x3e;

/**
 * Splits a mailbox into messages. Each begins with a line `From …` at the start of the file or after a blank line. A
 * file that does not begin with such a line is a single message.
 */
function messagesIn(bytes: Uint8Array): Uint8Array[] {
  if (!isFromLine(bytes, 0)) return [bytes];
  const starts = [0];
  for (let at = bytes.indexOf(LINE_END); at >= 0; at = bytes.indexOf(LINE_END, at + 1)) {
    if (isFromLine(bytes, at + 1) && isBlankBefore(bytes, at)) starts.push(at + 1);
  }
  return starts.map((start, index) => {
    const body = bytes.indexOf(LINE_END, start) + 1;
    return withoutQuotedFrom(bytes.subarray(body === 0 ? bytes.length : body, starts[index + 1]));
  });
}

function isFromLine(bytes: Uint8Array, at: number): boolean {
  return FROM.every((byte, index) => bytes[at + index] === byte);
}

function isBlankBefore(bytes: Uint8Array, lineEnd: number): boolean {
  const before = bytes[lineEnd - 1] === RETURN ? lineEnd - 2 : lineEnd - 1;
  return bytes[before] === LINE_END;
}

/** Undoes an escape of mailboxes: `>From …` represents a line of the message that begins with `From`. */
function withoutQuotedFrom(message: Uint8Array): Uint8Array {
  const dropped: number[] = [];
  for (let at = message.indexOf(LINE_END); at >= 0; at = message.indexOf(LINE_END, at + 1)) {
    let end = at + 1;
    while (message[end] === QUOTE) end += 1;
    if (end > at + 1 && isFromLine(message, end)) dropped.push(at + 1);
  }
  if (dropped.length === 0) return message;
  const out = new Uint8Array(message.length - dropped.length);
  let from = 0;
  let to = 0;
  for (const at of [...dropped, message.length]) {
    out.set(message.subarray(from, at), to);
    to += at - from;
    from = at + 1;
  }
  return out;
}
