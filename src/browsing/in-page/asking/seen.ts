/** A field of a form. */
export type SeenFieldInPage = {
  type: string;
  name: string;
  label: string;
  autocomplete: string;
  /** The beginning of the value. */
  value: string;
  /** Length of the whole value. */
  chars: number;
};

/** A form as the page shows it before an act. */
export type SeenFormInPage = {
  /** Submission method; `script` without a `<form>` or without a submit button. */
  method: 'get' | 'post' | 'dialog' | 'script';
  action: string;
  isSearch: boolean;
  submit: string;
  entryButtons: string;
  fields: SeenFieldInPage[];
  digest: string;
  /** True if the act would submit the form. */
  submits: boolean;
};

/** A control as the page shows it before an act. */
export type SeenControlInPage = {
  kind: 'button' | 'link' | 'text' | 'multiline' | 'check' | 'choice' | 'option' | 'file' | 'other';
  name: string;
  hints: string;
  around: string;
  isInDialog: boolean;
  opens: string | null;
  form: SeenFormInPage | null;
  path: string;
  /** Left, top, width and height as fractions of the viewport. */
  box: [left: number, top: number, width: number, height: number];
};
