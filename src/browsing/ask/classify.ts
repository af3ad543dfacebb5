import type { Act, ElementFacts, FormFacts } from './act-facts.ts';
import type { Meaning } from './words/lexicon.ts';
import {
  confirms,
  continues,
  isAboutCookies,
  isAside,
  isMessageField,
  findMeaning,
  findNounMeaning,
  readHints,
  readText,
  replies,
} from './words/words.ts';
import type { Read } from './words/words.ts';

/** Reason for asking a person. `form`: the contents of the submitted form. `word`: a word in the control's name. */
export type Reason =
  | { why: 'form'; holds: 'password' | 'payment' | 'address' }
  | { why: 'word'; meaning: Meaning }
  | { why: 'upload' }
  | { why: 'dialog' };

/** Maximum words of a link's name for its words to count. Longer names are titles of articles and products. */
const LINK_WORDS_MAX = 5;
/** Maximum words of a name in which any word counts. In longer names, only the first words count. */
const NAME_WORDS_MAX = 8;
const FIRST_WORDS = 3;

/** Decides from the facts whether a person is asked before an act. `null`: no question. */
export function classify({ kind, acceptsDialog, element }: Act): Reason | null {
  if (kind === 'upload') return { why: 'upload' };
  if (acceptsDialog && kind !== 'choose') return { why: 'dialog' };
  if (kind === 'delete_key') return { why: 'word', meaning: 'delete' };
  const isChoice = element.kind === 'check' || element.kind === 'choice';
  // Enter in a checkbox or a list submits the form around it, as in a text field.
  if (kind === 'enter' && isChoice) return ofEnter(element) ?? ofChoice(element);
  if (kind === 'choose' || isChoice) return ofChoice(element);
  if (kind === 'enter' && (element.kind === 'text' || element.kind === 'multiline')) return ofEnter(element);
  if (element.kind === 'text' || element.kind === 'multiline') return null;
  return ofForm(element) ?? ofName(element);
}

/** Asks about a choice only if it accepts terms or grants access. */
function ofChoice(element: ElementFacts): Reason | null {
  const read = readText(element.name);
  const meaning = findMeaning(read)?.meaning ?? null;
  if (meaning !== 'accept' && meaning !== 'grant') return null;
  return isAboutCookies(read) ? null : { why: 'word', meaning };
}

function ofEnter({ name, kind, submits, form }: ElementFacts): Reason | null {
  if (form !== null && submits) {
    const reason = sensitive(form) ?? ofWords({ ...BUTTON, name: form.submit, form, submits });
    if (reason !== null) return reason;
    if (form.isSearch || (form.method === 'get' && kind !== 'multiline')) return null;
  }
  if (kind !== 'text' && kind !== 'multiline') return null;
  const isMessage = isMessageField(readText(name)) && !(form?.isSearch ?? false);
  return isMessage ? { why: 'word', meaning: 'send' } : null;
}

const BUTTON: ElementFacts = {
  kind: 'button',
  name: '',
  hints: '',
  around: '',
  isInDialog: false,
  opens: null,
  form: null,
  submits: false,
  path: '',
};

function ofForm(element: ElementFacts): Reason | null {
  const { form, submits, name } = element;
  if (form === null) return null;
  if (submits && form.method !== 'script') return sensitive(form);
  // A form without a submit button is submitted by a script when one of its buttons is pressed.
  const mayBeSubmit = form.method === 'script' && element.kind === 'button' && name.trim() !== '';
  return mayBeSubmit && submits && !isAside(readText(name)) ? sensitive(form) : null;
}

function sensitive({ has, isSearch }: FormFacts): Reason | null {
  for (const holds of ['payment', 'password', 'address'] as const) {
    if (has.includes(holds) && !(holds === 'address' && isSearch)) return { why: 'form', holds };
  }
  return null;
}

function ofName(element: ElementFacts): Reason | null {
  if (element.kind === 'link' && element.opens !== null) return ofLink(element);
  return ofWords(element);
}

/** A link needs a question only for a short name such as `Delete`. Titles and menus contain such words by chance. */
function ofLink({ name }: ElementFacts): Reason | null {
  const read = readText(name);
  if (read.words.length > LINK_WORDS_MAX) return null;
  const found = findMeaning(read);
  return found === null || isAboutCookies(read) ? null : { why: 'word', meaning: found.meaning };
}

function ofWords(element: ElementFacts): Reason | null {
  const read = readText(element.name);
  const isNameless = read.words.length === 0;
  const around = readText(element.around);
  const found = isNameless ? findMeaning(readHints(element.hints)) : findMeaning(read);
  const isEarly = found !== null && (read.words.length <= NAME_WORDS_MAX || found.at < FIRST_WORDS);
  if (found !== null && isEarly) {
    const isConsent = found.meaning === 'accept' || found.meaning === 'grant';
    return isConsent && (isAboutCookies(around) || isAboutCookies(read))
      ? null
      : { why: 'word', meaning: found.meaning };
  }
  const meaning = ofReply(element, read) ?? ofConfirmation(element, read, around);
  return meaning === null ? null : { why: 'word', meaning };
}

/** A `Reply` button in a list opens a form; the same button in the form publishes its text. */
function ofReply({ form, submits }: ElementFacts, read: Read): Meaning | null {
  if (form === null || !submits || !form.has.includes('text') || form.isSearch) return null;
  return replies(read) || read.words.length === 0 ? 'publish' : null;
}

function ofConfirmation({ isInDialog, submits }: ElementFacts, read: Read, around: Read): Meaning | null {
  const isNameless = read.words.length === 0;
  const mayConfirm = confirms(read) || ((continues(read) || isNameless) && isInDialog);
  if (!mayConfirm || isAboutCookies(around)) return null;
  return findMeaning(around)?.meaning ?? (isInDialog || submits ? findNounMeaning(around) : null);
}
