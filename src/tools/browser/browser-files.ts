import * as z from 'zod';
import { describeFileLine, writeResultText } from '#browsing/result-text.ts';
import { createClosedSessionState } from '#browsing/session/replies.ts';
import type { UploadInput } from '#browsing/session/operations/session-files.ts';
import { fail } from '#core/failures/failure.ts';
import { fileAddress, isFileId } from '#core/document/file-facts.ts';
import type { FileFacts } from '#core/document/file-facts.ts';
import { GIVEN_FILE_NAME_CHARS_MAX } from '#core/limits.ts';
import type { ToolContext } from '#tools/define-tool.ts';
import { defineTool } from '#tools/define-tool.ts';
import {
  createActionAnswer,
  actionFields,
  writeActionHead,
  toCallOptions,
  writeNextCall,
  selectorInput,
  sessionInput,
  toStateOutput,
  tabInput,
} from './shapes.ts';

const input = z.strictObject({
  action: z
    .enum(['list', 'put', 'delete'])
    .describe('put uploads a file to the page: a stored one (file), or a new one (name and text).'),
  file: z.string().optional().describe('Id of a stored file, from list.'),
  selector: selectorInput
    .optional()
    .describe('File field or drop zone to upload to. Default: the file chooser that a click opened.'),
  name: z.string().min(1).max(GIVEN_FILE_NAME_CHARS_MAX).optional().describe('File name of a new file.'),
  text: z.string().optional().describe('Content of a new file.'),
  session: sessionInput,
  tab: tabInput,
});
type Input = z.output<typeof input>;

const fileShape = z.strictObject({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  bytes: z.int(),
  sha256: z.string(),
  taken_at: z.string(),
});

export const browserFiles = defineTool({
  name: 'browser_files',
  toolset: 'browser',
  title: 'Work with files',
  historyWords: ['Handled files of', 'handle files of'],
  description:
    'Upload (attach) a file, photo or document to a form of the page, or list and delete files. Lists downloads (downloaded files), such as an invoice or CSV export, and uploads of the user. To read a file, pass periscope-file:ID to open_url.',
  hints: { readOnly: false, destructive: true, openWorld: true },
  input,
  unused: [
    {
      options: ['selector', 'name', 'text', 'session', 'tab'],
      when: ({ action }) => action !== 'put',
      because: 'it needs action "put"',
    },
    { options: ['file'], when: ({ action }) => action === 'list', because: 'all files are listed' },
  ],
  output: z.strictObject({ ...actionFields, files: z.array(fileShape) }),
  check: (given) => {
    if (given.action === 'put') fileIn(given);
    else if (given.action === 'delete' && given.file === undefined) failNoFile('delete');
  },
  run: (given, context) => {
    if (given.action === 'list') return list(context);
    return given.action === 'delete' ? remove(given, context) : put(given, context);
  },
});

async function list({ services }: ToolContext) {
  const files = await services.files.list();
  const [first] = files;
  const next = first === undefined ? [] : [openCall(first.id)];
  const head =
    files.length === 0
      ? 'There are no files. To save one, click its download link or button on the page. Files that the user uploads in the console are listed here, too.'
      : `${files.length === 1 ? 'One file' : `${files.length} files`}, the newest first.`;
  return besidePages(head, files, next);
}

async function remove({ file }: Input, { services }: ToolContext) {
  const id = file ?? failNoFile('delete');
  if (!isFileId(id)) fail({ code: 'unknown_file', file: null });
  if (!(await services.files.remove(id))) fail({ code: 'unknown_file', file: id });
  return besidePages(`The file ${id} is deleted.`, [], []);
}

async function put(given: Input, { services }: ToolContext) {
  const file = fileIn(given);
  const { state, result } = await services.browser.call(
    given.session,
    'put_file',
    { file, target: given.selector },
    toCallOptions(given),
  );
  const { held } = result;
  const taken = held === 0 ? 'The page accepted the file; the field is now empty.' : 'Put the file into the field.';
  const head = result.how === 'field' ? taken : writeActionHead('Dropped the file.', state, result);
  const notes = result.how === 'field' && held !== 1 ? [heldNote(held)] : [];
  const answer = await createActionAnswer(state, result, head, notes);
  return { ...answer, structured: { ...answer.structured, files: [] } };
}

function heldNote(held: number): string {
  return held === 0
    ? 'The page emptied the field: it accepted the file or refused it. The changes may show which.'
    : `The field holds ${held} files now.`;
}

function fileIn({ file, name, text }: Input): UploadInput['file'] {
  if (file !== undefined && text === undefined && name === undefined) {
    return isFileId(file) ? { id: file } : fail({ code: 'unknown_file', file: null });
  }
  if (file === undefined && text !== undefined && name !== undefined) return { name, text };
  if (file === undefined && text === undefined && name === undefined) return failNoFile('put');
  return fail({
    code: 'invalid_argument',
    field: file === undefined ? (text === undefined ? 'text' : 'name') : 'file',
    problem: file === undefined ? 'is missing: a new file needs name and text' : 'does not go with name or text',
    hint: 'Pass the id of a file as file, or name and text to make one. Nothing was done.',
  });
}

function failNoFile(action: 'put' | 'delete'): never {
  const hint = `Call browser_files with {"action": "list"} and pass an id from it${action === 'put' ? ', or pass name and text' : ''}.`;
  return fail({ code: 'invalid_argument', field: 'file', problem: `is missing: there is nothing to ${action}`, hint });
}

async function besidePages(head: string, files: readonly FileFacts[], next: string[]) {
  const body = files.map(describeFileLine).join('\n');
  return {
    text: await writeResultText(NO_PAGE, { head, body, next }),
    structured: { ...toStateOutput(NO_PAGE, next), navigated: false, files: files.map(fileValue) },
  };
}

/** State in the answer to a call without a session. Files belong to the user, so listing them needs no session. */
const NO_PAGE = createClosedSessionState('default');

function openCall(id: string): string {
  return writeNextCall('open_url', { url: fileAddress(id) }, NO_PAGE);
}

function fileValue({ id, name, mediaType, bytes, sha256, takenAt }: FileFacts) {
  return { id, name, type: mediaType, bytes, sha256, taken_at: new Date(takenAt).toISOString() };
}
