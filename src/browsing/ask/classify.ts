import type { PageActFacts, ElementFacts, FormFacts } from './act-facts.ts';
import type { ActionMeaning } from './words/lexicon.ts';
import {
  beginsWithConfirmWord,
  beginsWithContinueWord,
  isAboutCookies,
  hasSecondaryActionWord,
  isMessageFieldText,
  findActionMeaning,
  findNounMeaning,
  isHarmlessPhrase,
  hintsToLexiconText,
  toLexiconText,
  beginsWithReplyWord,
} from './words/words.ts';
import type { LexiconText } from './words/words.ts';

/**
 * Reason for asking the user. `form`: the submitted form has such a field. `word`: the control's name has such a word.
 */
export type ApprovalReason =
  | { why: 'form'; holds: 'password' | 'payment' | 'address' }
  | { why: 'word'; meaning: ActionMeaning }
  | { why: 'upload' }
  | { why: 'dialog' };

/**
 * Maximum words in the name of a link that causes a question. A longer name, such as `How to delete your old account`,
 * is a title.
 */
const LINK_WORDS_MAX = 5;
/** Maximum words of a name in which an act counts anywhere. In longer names, it counts only near the start or end. */
const NAME_WORDS_MAX = 8;
const FIRST_WORDS = 3;
const LAST_WORDS = 4;

/** Decides from the facts whether the user is asked before an act. `null`: the user is not asked. */
export function findApprovalReason({ kind, acceptsDialog, element }: PageActFacts): ApprovalReason | null {
  if (kind === 'upload') return { why: 'upload' };
  if (acceptsDialog && kind !== 'choose') return { why: 'dialog' };
  if (kind === 'delete_key') return { why: 'word', meaning: 'delete' };
  if (kind === 'choose' || element.kind === 'option') return ofOption(element);
  const isChoice = element.kind === 'check' || element.kind === 'choice';
  // Enter in a checkbox or a list may submit the form around it, as in a text field.
  if (kind === 'enter' && isChoice) return ofEnter(element) ?? ofChoice(element);
  if (isChoice) return ofChoice(element);
  if (kind === 'enter' && (element.kind === 'text' || element.kind === 'multiline')) return ofEnter(element);
  if (element.kind === 'text' || element.kind === 'multiline') return null;
  return ofForm(element) ?? ofName(element);
}

/** Asks about a checkbox or radio button only if its name accepts terms (`I agree`) or grants access (`Allow`). */
function ofChoice(element: ElementFacts): ApprovalReason | null {
  const read = toLexiconText(element.name);
  const meaning = findActionMeaning(read)?.meaning ?? null;
  if (meaning !== 'accept' && meaning !== 'grant') return null;
  return isAboutCookies(read) ? null : { why: 'word', meaning };
}

/**
 * Asks about options whose name begins or ends with an act, such as `Delete` in an action list, because choosing one
 * may run the act.
 */
function ofOption({ name }: ElementFacts): ApprovalReason | null {
  for (const read of readLines(name)) {
    const found = findActionMeaning(read);
    if (found === null || read.words.length > LINK_WORDS_MAX || isAboutCookies(read)) continue;
    const isWhole = found.at === 0 || found.at + found.count === read.words.length;
    if (isWhole && OPTION_ACTS.has(found.meaning)) return { why: 'word', meaning: found.meaning };
  }
  return null;
}

const OPTION_ACTS: ReadonlySet<ActionMeaning> = new Set([
  'delete',
  'cancel',
  'send',
  'publish',
  'transfer',
  'accept',
  'grant',
]);

function readLines(name: string): LexiconText[] {
  return name.split('\n').map(toLexiconText);
}

function ofEnter({ name, kind, submits, form }: ElementFacts): ApprovalReason | null {
  if (form !== null && submits) {
    const reasons = buttonNames(form).map((button) => ofWords({ ...BUTTON, name: button, form, submits }));
    const reason = sensitive(form) ?? reasons.find((one) => one !== null) ?? null;
    if (reason !== null) return reason;
    if (form.isSearch || (form.method === 'get' && kind !== 'multiline')) return null;
  }
  if (kind !== 'text' && kind !== 'multiline') return null;
  const isMessage = isMessageFieldText(toLexiconText(name)) && !(form?.isSearch ?? false);
  return isMessage ? { why: 'word', meaning: 'send' } : null;
}

/**
 * The buttons that Enter may press. Enter in a field does not press the remove buttons of the field's entries, such as
 * tags.
 */
function buttonNames({ submit, entryButtons = '' }: FormFacts): string[] {
  const removes = (name: string) => (findActionMeaning(toLexiconText(name))?.meaning ?? 'delete') === 'delete';
  return [...submit.split('\n'), ...entryButtons.split('\n').filter((name) => !removes(name))];
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

function ofForm(element: ElementFacts): ApprovalReason | null {
  const { form, submits, name } = element;
  if (form === null) return null;
  if (submits && form.method !== 'script') return sensitive(form);
  // A script submits a form without a submit button when one of its buttons is clicked.
  const mayBeSubmit = form.method === 'script' && element.kind === 'button' && name.trim() !== '';
  return mayBeSubmit && submits && !hasSecondaryActionWord(toLexiconText(name)) ? sensitive(form) : null;
}

function sensitive({ has, isSearch }: FormFacts): ApprovalReason | null {
  for (const holds of ['payment', 'password', 'address'] as const) {
    if (has.includes(holds) && !(holds === 'address' && isSearch)) return { why: 'form', holds };
  }
  return null;
}

function ofName(element: ElementFacts): ApprovalReason | null {
  if (element.kind === 'link' && element.opens !== null) return ofLink(element);
  return ofWords(element);
}

/** Asks about links only if they have a short name such as `Delete`. Titles and menus contain such words by chance. */
function ofLink({ name }: ElementFacts): ApprovalReason | null {
  for (const read of readLines(name)) {
    const found = read.words.length > LINK_WORDS_MAX ? null : findActionMeaning(read);
    if (found !== null && !isAboutCookies(read)) return { why: 'word', meaning: found.meaning };
  }
  return null;
}

/**
 * True if the act submits a POST form with a button that only searches, filters or fills a basket, and no field of the
 * form needs a question.
 */
export function submitsOrdinaryForm({ kind, element }: PageActFacts): boolean {
  const { form, submits, name } = element;
  if (form === null || form.method !== 'post' || !submits || form.has.length > 0) return false;
  const reads = readLines(kind === 'enter' ? form.submit : name);
  const isGo = (read: LexiconText) => read.words.length === 0 || beginsWithConfirmWord(read);
  return reads.every((read) => isHarmlessPhrase(read) || (form.isSearch && isGo(read)));
}

function ofWords(element: ElementFacts): ApprovalReason | null {
  const around = toLexiconText(element.around);
  const isNameless = toLexiconText(element.name).words.length === 0;
  const reads = isNameless ? [hintsToLexiconText(element.hints)] : readLines(element.name);
  for (const read of reads) {
    const found = findActionMeaning(read);
    if (found === null || !(isNameless || isAtAnEnd(found, read))) continue;
    const isConsent = found.meaning === 'accept' || found.meaning === 'grant';
    if (isConsent && (isAboutCookies(around) || isAboutCookies(read))) return null;
    // `Confirm` may confirm any act. The text around the button, such as `Delete this file?`, shows which act.
    const confirmed = found.meaning === 'accept' ? ofConfirmation(element, read, around) : null;
    return { why: 'word', meaning: confirmed ?? found.meaning };
  }
  for (const read of isNameless ? [toLexiconText('')] : reads) {
    const meaning = ofReply(element, read) ?? ofConfirmation(element, read, around);
    if (meaning !== null) return { why: 'word', meaning };
  }
  return null;
}

function isAtAnEnd({ at }: { at: number }, { words }: LexiconText): boolean {
  return words.length <= NAME_WORDS_MAX || at < FIRST_WORDS || at >= words.length - LAST_WORDS;
}

/** The meaning of `Reply`: below a comment, it opens a form; in that form, it publishes the text. */
function ofReply({ form, submits }: ElementFacts, read: LexiconText): ActionMeaning | null {
  if (form === null || !submits || !form.has.includes('text') || form.isSearch) return null;
  return beginsWithReplyWord(read) || read.words.length === 0 ? 'publish' : null;
}

function ofConfirmation(
  { isInDialog, submits }: ElementFacts,
  read: LexiconText,
  around: LexiconText,
): ActionMeaning | null {
  const isNameless = read.words.length === 0;
  const mayConfirm = beginsWithConfirmWord(read) || ((beginsWithContinueWord(read) || isNameless) && isInDialog);
  if (!mayConfirm || isAboutCookies(around)) return null;
  return findActionMeaning(around)?.meaning ?? (isInDialog || submits ? findNounMeaning(around) : null);
}
