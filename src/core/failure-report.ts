import type { FailureCode } from './errors.ts';

/** What a caller sees of a failure. `extra` holds the additional machine-readable fields. */
export type FailureReport = {
  error: FailureCode | 'element_not_usable';
  message: string;
  hint: string;
  extra: Record<string, string | number | readonly string[]>;
};

export type Words = Omit<FailureReport, 'error'>;

export function words(message: string, hint: string, extra: FailureReport['extra'] = {}): Words {
  return { message, hint, extra };
}

/** Words of the page that help, inside a fence. */
export function quoted(text: string | undefined): FailureReport['extra'] {
  return text === undefined ? {} : { quoted: text };
}
