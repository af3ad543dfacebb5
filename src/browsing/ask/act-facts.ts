/** Kind of the element that an act operates, as far as classification needs it. */
export type ControlKind = 'button' | 'link' | 'text' | 'multiline' | 'check' | 'choice' | 'option' | 'file' | 'other';

/** Kinds of fields that make a form consequential. `text`: a field for free text of several lines that is not empty. */
export type FieldKindInForm = 'password' | 'payment' | 'address' | 'text';

/** A value that the form sends. `secret`: masked when shown to a person. `hidden`: set by the page, never drawn. */
export type SentValue = { name: string; value: string; kind: 'plain' | 'secret' | 'hidden' };

export type FormFacts = {
  /** `script`: the fields have no form element, or the form has no submit button. */
  method: 'get' | 'post' | 'dialog' | 'script';
  /** Absolute address that receives the form. */
  action: string;
  has: readonly FieldKindInForm[];
  isSearch: boolean;
  /** Name of the button that Enter in a field activates. */
  submit: string;
  values: readonly SentValue[];
  /** Digest of all values, also of those that are too many or too long to be listed. */
  digest?: string;
};

/** Facts of one element before an act, as the page reports them. All texts come from the page, and are bounded. */
export type ElementFacts = {
  kind: ControlKind;
  /** Each text that names the element, in a line of its own. */
  name: string;
  /** Class, id and test id of an element without a name. */
  hints: string;
  /** Text of the dialog, row, item or section around the element. */
  around: string;
  isInDialog: boolean;
  /** Address that a plain link opens; `null` for every other element. */
  opens: string | null;
  form: FormFacts | null;
  /** True if a click on the element, or Enter in it, submits the form. */
  submits: boolean;
  /** Position of the element in the document, to distinguish two rows with the same words. */
  path: string;
};

/** The act of the call on the element. `delete_key`: Delete or Backspace outside a text field. */
export type ActKind = 'click' | 'enter' | 'delete_key' | 'drop' | 'choose' | 'upload';

export type Act = {
  kind: ActKind;
  /** True if the call would answer a dialog of the page with OK. */
  acceptsDialog: boolean;
  element: ElementFacts;
};
