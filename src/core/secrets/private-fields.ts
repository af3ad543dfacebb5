/** What the HTML of a form field says of it. */
type FieldWords = { type: string; autocomplete: string; name: string; id: string };

/**
 * Whether what is typed into a field is private: a password, a one-time code, the number of a card. The one definition of
 * it: such a value is in no view, no HTML and no answer.
 */
export function isPrivateField({ type, autocomplete, name, id }: FieldWords): boolean {
  return type.trim().toLowerCase() === 'password' || PRIVATE.test(autocomplete) || [name, id].some(isPrivateName);
}

/** Tokens of `autocomplete` (HTML, "Autofill"). */
const PRIVATE = /(?:^|[\s-])(?:password|one-time-code|cc-(?:number|csc|exp(?:-month|-year)?))(?:\s|$)/i;

/** Pages that show a password change the type of its field, not its name. */
function isPrivateName(name: string): boolean {
  const plain = name.toLowerCase().replaceAll(/[^a-z]/g, '');
  return (
    /passw|passcode|onetimecode|cardnumber|securitycode/.test(plain) ||
    /^(?:otp|totp|cvc|cvv|csc|ccnumber)$/.test(plain)
  );
}
