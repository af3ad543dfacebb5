type FieldWords = { type: string; autocomplete: string; name: string; id: string };

/**
 * True for a field with a password, a one-time code or a card number. Snapshots, HTML and results never show its value.
 */
export function isPrivateField({ type, autocomplete, name, id }: FieldWords): boolean {
  return type.trim().toLowerCase() === 'password' || PRIVATE.test(autocomplete) || [name, id].some(isPrivateName);
}

/** Matches values of `autocomplete` for passwords, one-time codes and card data (HTML, "Autofill"). */
const PRIVATE = /(?:^|[\s-])(?:password|one-time-code|cc-(?:number|csc|exp(?:-month|-year)?))(?:\s|$)/i;

/**
 * True for the name of a private field. The name is tested because a page that reveals a password changes the field's
 * type, but not its name.
 */
function isPrivateName(name: string): boolean {
  const plain = name.toLowerCase().replaceAll(/[^a-z]/g, '');
  return (
    /passw|passcode|onetimecode|cardnumber|securitycode/.test(plain) ||
    /^(?:otp|totp|(?:card|cc)?(?:cvc|cvv|csc)|ccnumber)$/.test(plain) ||
    DATE_OF_CARD.test(name.replaceAll(/([a-z])([A-Z])/g, '$1-$2'))
  );
}

const DATE_OF_CARD = /(?:^|[^a-z])(?:card|cc)[^a-z]?exp(?:iry|iration)?[^a-z]?(?:date|month|year|mm|yy)?(?:[^a-z]|$)/i;
