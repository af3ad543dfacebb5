import { fail } from '#core/errors.ts';

/** Clicks, values and keys cannot put a file into a field. */
export function refuseFile(): never {
  return fail({
    code: 'invalid_argument',
    field: 'selector',
    problem: 'this is a file field; nothing was done',
    hint: 'Call browser_files with {"action": "put"}, this selector, and the file: an id, or name and text.',
  });
}
