import { fail } from '#core/errors.ts';

/** Clicks, values and keys cannot put a file into a field. */
export function refuseFile(): never {
  return fail({
    code: 'invalid_argument',
    field: 'selector',
    problem: 'this field takes files, which cannot be uploaded here; nothing was done',
    hint: 'Ask the person to upload the file themselves.',
  });
}
