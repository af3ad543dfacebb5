import type { TextOrigins } from '#core/text/page-texts.ts';

export type Extra = Record<string, string | number | readonly string[]>;

/** The next step for a model, and the facts of the failure as fields. */
export type Advice = [hint: string, extra?: Extra];

/** One kind of failure. The key in its table is its code. */
export type FailureEntry<Fields> = {
  /** States what happened, in a sentence for anybody. */
  message: (failure: Fields) => string;
  advice: (failure: Fields) => Advice;
  /** Fields that hold words of a page. Secrets are masked in those only. */
  texts: Omit<Exclude<TextOrigins<Fields & { code: string }>, string>, 'code'>;
};

export function declare<Fields extends object>(entry: FailureEntry<Fields>): FailureEntry<Fields> {
  return entry;
}

/** Words of the page that help, inside a fence. */
export function quoted(text: string | undefined): Extra {
  return text === undefined ? {} : { quoted: text };
}

export function freshSnapshot(text: string | undefined): Extra {
  return text === undefined ? {} : { snapshot: text };
}
