/** A field of a form. `value` is the beginning of the whole value, which has `chars` characters. */
export type FieldSeen = {
  type: string;
  name: string;
  label: string;
  autocomplete: string;
  value: string;
  chars: number;
};

/** `method`: `script` without a `<form>` or without a submit button. `submits`: the act would submit the form. */
export type FormSeen = {
  method: 'get' | 'post' | 'dialog' | 'script';
  action: string;
  isSearch: boolean;
  submit: string;
  fields: FieldSeen[];
  digest: string;
  submits: boolean;
};

/** A control as the page shows it before an act. `box`: left, top, width and height as fractions of the viewport. */
export type ElementSeen = {
  kind: 'button' | 'link' | 'text' | 'multiline' | 'check' | 'choice' | 'option' | 'file' | 'other';
  name: string;
  hints: string;
  around: string;
  isInDialog: boolean;
  opens: string | null;
  form: FormSeen | null;
  path: string;
  box: [left: number, top: number, width: number, height: number];
};
