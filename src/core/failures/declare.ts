import type { TextOrigins } from '#core/text/page-texts.ts';

export type FailureResultFields = Record<string, string | number | readonly string[]>;

/** The next step for a model, and facts of the failure that become fields of the result. */
export type FailureAdvice = [hint: string, extra?: FailureResultFields];

export type FailureDefinition<Fields> = {
  /** A sentence about what happened, for models and people. */
  message: (failure: Fields) => string;
  advice: (failure: Fields) => FailureAdvice;
  /** Origin of the text in each field. Secrets are masked only in text from a page. */
  texts: Omit<Exclude<TextOrigins<Fields & { code: string }>, string>, 'code'>;
};

export function declareFailure<Fields extends object>(entry: FailureDefinition<Fields>): FailureDefinition<Fields> {
  return entry;
}

/** A field with helpful words of the page. They are already marked as page text. */
export function pageQuoteField(text: string | undefined): FailureResultFields {
  return text === undefined ? {} : { quoted: text };
}

export function snapshotField(text: string | undefined): FailureResultFields {
  return text === undefined ? {} : { snapshot: text };
}
