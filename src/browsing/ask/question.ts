import { oneLine } from '#core/text/text.ts';
import type { PageActFacts, ControlKind, SentFormValue } from './act-facts.ts';
import type { ApprovalReason } from './classify.ts';
import type { ActionMeaning } from './words/lexicon.ts';

const NAME_CHARS_MAX = 80;
const AROUND_CHARS_MAX = 160;
const VALUE_CHARS_MAX = 120;
const VALUES_MAX = 30;
const VALUE_NAME_CHARS_MAX = 60;

/** A value that the form sends, as shown to the user. `null` for a secret. */
export type ShownFormValue = { name: string; value: string | null };

/**
 * Texts of a question to the user. The server writes `act`, `because` and `host`. `name`, `around` and `values` come
 * from the page and are shown only as quotes.
 */
type Wording = {
  act: string;
  because: string;
  host: string;
  receiver: string;
  name: string;
  around: string;
  values: ShownFormValue[];
  hidden: number;
};

/**
 * Describes an act for a question.
 * @param receiver origin that receives the form or that the link opens; otherwise, the page's origin
 */
export function describeApprovalQuestion(
  act: PageActFacts,
  reason: ApprovalReason,
  page: string,
  receiver: string,
): Wording {
  const { element } = act;
  const isChoice = element.kind === 'check' || element.kind === 'choice';
  const submits = element.submits && (act.kind === 'enter' || !isChoice);
  const sends = element.form !== null && (submits || reason.why === 'form');
  const values = sends ? (element.form?.values ?? []) : [];
  const shown = values.filter(({ kind, value }) => kind !== 'hidden' && value !== '');
  return {
    act: actWords(act),
    because: describeReason(reason),
    host: urlHost(page),
    receiver,
    name: oneLine(element.name, NAME_CHARS_MAX),
    around: oneLine(element.around, AROUND_CHARS_MAX),
    values: shown.slice(0, VALUES_MAX).map(shownValue),
    hidden: values.filter(({ kind }) => kind === 'hidden').length + Math.max(shown.length - VALUES_MAX, 0),
  };
}

function shownValue({ name, value, kind }: SentFormValue): ShownFormValue {
  return {
    name: oneLine(name, VALUE_NAME_CHARS_MAX),
    value: kind === 'secret' ? null : oneLine(value, VALUE_CHARS_MAX),
  };
}

/** The act in the server's own words, such as `Press Enter in the field`. The element's name is quoted after it. */
function actWords({ kind, acceptsDialog, element }: PageActFacts): string {
  const thing = THINGS[element.kind];
  const does: Record<PageActFacts['kind'], string> = {
    click: `Click the ${thing}`,
    enter: `Press Enter in the ${thing}`,
    delete_key: `Press Delete on the ${thing}`,
    drop: `Drop something on the ${thing}`,
    choose: `Choose in the ${thing}`,
    upload: 'Upload a file to the field',
  };
  return acceptsDialog && kind !== 'upload' ? `Answer OK to the page’s question after this: ${does[kind]}` : does[kind];
}

const THINGS: Record<ControlKind, string> = {
  button: 'button',
  link: 'link',
  text: 'field',
  multiline: 'text field',
  check: 'checkbox',
  choice: 'choice',
  option: 'choice',
  file: 'file field',
  other: 'part of the page',
};

function describeReason(reason: ApprovalReason): string {
  switch (reason.why) {
    case 'form':
      return FORMS[reason.holds];
    case 'word':
      return MEANINGS[reason.meaning];
    case 'upload':
      return 'it gives the site a file';
    case 'dialog':
      return 'the page may ask for a confirmation, which would be given';
  }
}

const FORMS = {
  password: 'it submits a form with a password',
  payment: 'it submits a form with payment details',
  address: 'it submits a form with an address',
} as const;

const MEANINGS: Record<ActionMeaning, string> = {
  buy: 'it may buy something',
  pay: 'it may pay something',
  order: 'it may order something',
  book: 'it may book something',
  send: 'it may send something',
  publish: 'it may publish something',
  delete: 'it may delete or remove something',
  cancel: 'it may cancel something',
  transfer: 'it may transfer something',
  accept: 'it may accept terms',
  grant: 'it may give access or permission',
};

export function urlHost(url: string): string {
  return URL.parse(url)?.host ?? '';
}

export function urlOrigin(url: string): string {
  const origin = URL.parse(url)?.origin ?? 'null';
  return origin === 'null' ? '' : origin;
}

/**
 * The facts for which an approval is valid. If one of them changes, the user is asked again. In a checkout or a form
 * with sensitive fields, clock times are ignored, because a countdown changes them. Elsewhere, they count, because the
 * time of an appointment may have changed.
 */
export function factsBoundToApproval({ kind, acceptsDialog, element }: PageActFacts, reason: ApprovalReason): unknown {
  const isCheckout = reason.why === 'form' || (reason.why === 'word' && CHECKOUT.has(reason.meaning));
  const { name, hints, around, opens, path, form, submits } = element;
  return [
    kind,
    acceptsDialog,
    element.kind,
    name,
    hints,
    isCheckout ? withoutClocks(around) : around,
    opens,
    path,
    submits,
    form,
  ];
}

const CHECKOUT: ReadonlySet<ActionMeaning> = new Set(['buy', 'pay', 'order']);

function withoutClocks(text: string): string {
  return text.replaceAll(/\d{1,2}:\d{2}/gu, 'clock');
}
