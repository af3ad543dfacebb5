import type { TextOrigins } from '#core/text/page-texts.ts';

export type Extra = Record<string, string | number | readonly string[]>;

/** The next step for a model, and facts of the failure that become fields of the result. */
export type Advice = [hint: string, extra?: Extra];

export type FailureEntry<Fields> = {
  /** A sentence about what happened, for models and people. */
  message: (failure: Fields) => string;
  advice: (failure: Fields) => Advice;
  /** Origin of the text in each field. Secrets are masked only in text from a page. */
  texts: Omit<Exclude<TextOrigins<Fields & { code: string }>, string>, 'code'>;
};

export function declare<Fields extends object>(entry: FailureEntry<Fields>): FailureEntry<Fields> {
  return entry;
}

/** A field with helpful words of the page. They are already marked as page text. */
export function pageQuote(text: string | undefined): Extra {
  return text === undefined ? {} : { quoted: text };
}

export function freshSnapshot(text: string | undefined): Extra {
  return text === undefined ? {} : { snapshot: text };
}
