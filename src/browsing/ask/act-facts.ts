/** Kind of the element that an act operates. The rules for asking the user differ between these kinds. */
export type ControlKind = 'button' | 'link' | 'text' | 'multiline' | 'check' | 'choice' | 'option' | 'file' | 'other';

/** Kinds of fields that may make the submission of their form need approval. `text`: a non-empty multi-line field. */
export type FieldKindInForm = 'password' | 'payment' | 'address' | 'text';

/** A value that the form sends. `secret`: masked when the user is asked. `hidden`: of an `<input type="hidden">`. */
export type SentFormValue = { name: string; value: string; kind: 'plain' | 'secret' | 'hidden' };

export type FormFacts = {
  /** `script`: the fields have no form element, or the form has no submit button, so only a script can submit it. */
  method: 'get' | 'post' | 'dialog' | 'script';
  /** Absolute URL that receives the form. */
  action: string;
  has: readonly FieldKindInForm[];
  isSearch: boolean;
  /**
   * Name of the submit button that Enter in a field activates. Without a form, the names of all buttons that Enter may
   * press, one per line.
   */
  submit: string;
  /** Without a form: names of the buttons in entries near the field, such as tags, one per line. */
  entryButtons?: string;
  values: readonly SentFormValue[];
  /** Digest of all values of the form, including values that `values` lacks because they are too many or too long. */
  digest?: string;
};

/** Facts about one element before an act, read from the page. All texts are page text of limited length. */
export type ElementFacts = {
  kind: ControlKind;
  /** The texts that name the element, such as its label and the text of a clicked part, one per line. */
  name: string;
  /** Class, id and test id; empty for an element with a name. */
  hints: string;
  /** Text of the dialog, row, list item or section around the element. */
  around: string;
  isInDialog: boolean;
  /** URL that a plain link opens; `null` for every other element. */
  opens: string | null;
  form: FormFacts | null;
  /** True if a click on the element, or Enter in it, submits the form. */
  submits: boolean;
  /** Position of the element in the document, to distinguish two rows with equal texts. */
  path: string;
};

/** Kind of the act on the element. `delete_key`: the Delete or Backspace key outside a text field. */
export type PageActKind = 'click' | 'enter' | 'delete_key' | 'drop' | 'choose' | 'upload';

export type PageActFacts = {
  kind: PageActKind;
  /** True if the call would answer OK to a JavaScript dialog of the page. */
  acceptsDialog: boolean;
  element: ElementFacts;
};
