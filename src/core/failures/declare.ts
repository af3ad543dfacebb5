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

/** A tab in which the browser shows its error page, because a document did not load. */
export type ErrorPage = { session: string; tab: string; canGoBack: boolean };

export function describeErrorPage({ session, tab, canGoBack }: ErrorPage): string {
  const shown = `Tab ${tab} shows the browser's error page.`;
  const where = { ...(session === 'default' ? {} : { session }), ...(tab === 't1' ? {} : { tab }) };
  return canGoBack
    ? `${shown} To return to the page before it, call browser_navigate ${JSON.stringify({ history: 'back', ...where })}.`
    : `${shown} To open another page there, call browser_navigate with its url.`;
}
