/** A field of a form. `chars`: length of the whole value, of which `value` is the beginning. */
export type FieldSeen = {
  type: string;
  name: string;
  label: string;
  autocomplete: string;
  value: string;
  chars: number;
};

/** `script`: no form, or a form without a submit button. `submits`: the control would submit the form now. */
export type FormSeen = {
  method: 'get' | 'post' | 'dialog' | 'script';
  action: string;
  isSearch: boolean;
  submit: string;
  fields: FieldSeen[];
  digest: string;
  submits: boolean;
};

/** A control before an act. `box`: left, top, width and height as fractions of the viewport. */
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
