/**
 * Acts of the tasks that a person wants to be asked about, as the server words them: they submit a password, or book, order,
 * send, delete or remove something. A question about any other act is a false one. The removal of a tag from a field that is
 * still being edited counts as harmless.
 */
const CONSEQUENTIAL: readonly RegExp[] = [
  /"Book"/u,
  /"Delete all logs"/u,
  /"Send" because it may send/u,
  /"Remove" because/u,
  /"Login" because it submits a form with a password/u,
  /^Press Delete on /u,
  /"Place order"/u,
  /"حذف الحجز"|"نعم، احذف"/u,
];

export function isConsequential(words: string): boolean {
  return CONSEQUENTIAL.some((one) => one.test(words));
}
