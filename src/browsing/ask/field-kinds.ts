import type { FieldKindInForm, FormFacts, SentFormValue } from './act-facts.ts';
import { toLexiconText } from './words/words.ts';

/** A form field, as read from the page. */
type SeenField = {
  type: string;
  name: string;
  label: string;
  autocomplete: string;
  value: string;
  chars: number;
};

type SeenForm = Pick<FormFacts, 'method' | 'action' | 'isSearch' | 'submit' | 'entryButtons' | 'digest'> & {
  fields: readonly SeenField[];
};

export function toFormFacts(form: SeenForm): FormFacts {
  const { method, action, isSearch, submit, entryButtons = '', fields, digest = '' } = form;
  const kinds = fields.map(kindOf);
  const has = new Set(kinds.flatMap((kind) => (kind === null || kind === 'postcode' ? [] : kind)));
  // A postcode alone may search for a shop. Together with a street or town, it is a home address.
  if (kinds.filter((kind) => kind === 'postcode').length > 0 && fields.some(isTown)) has.add('address');
  return { method, action, isSearch, submit, entryButtons, has: [...has], values: fields.map(toSentFormValue), digest };
}

export function toSentFormValue(field: SeenField): SentFormValue {
  const kind = kindOf(field);
  const isSecret = kind === 'password' || kind === 'payment';
  return {
    name: field.label || field.name,
    value: field.value,
    kind: isSecret ? 'secret' : field.type === 'hidden' ? 'hidden' : 'plain',
  };
}

function kindOf(field: SeenField): FieldKindInForm | 'postcode' | null {
  const { type, autocomplete, chars } = field;
  if (NO_TEXT.has(type)) return null;
  const tokens = autocomplete.toLowerCase().split(/\s+/u);
  if (type === 'password' || tokens.some((token) => PASSWORDS.has(token))) return 'password';
  const read = toLexiconText(`${field.name.replaceAll(/[_.[\]-]/gu, ' ')} ${field.label}`);
  const words = read.words.join(' ');
  if (tokens.some((token) => token.startsWith('cc-')) || mentions(words, PAYMENT) || mentionsIn(read.text, PAYMENT_CJK))
    return 'payment';
  if (tokens.some((token) => ADDRESSES.has(token)) || mentions(words, STREET) || mentionsIn(read.text, STREET_CJK))
    return 'address';
  if (tokens.includes('postal-code') || mentions(words, POSTCODE)) return 'postcode';
  return (type === 'textarea' || type === 'editor') && chars > 0 ? 'text' : null;
}

/** Types of fields without typed text: their names do not make them password, payment or address fields. */
const NO_TEXT: ReadonlySet<string> = new Set([
  'hidden',
  'checkbox',
  'radio',
  'button',
  'submit',
  'reset',
  'image',
  'file',
]);
const PASSWORDS: ReadonlySet<string> = new Set(['current-password', 'new-password', 'one-time-code']);
const ADDRESSES: ReadonlySet<string> = new Set([
  'street-address',
  'address-line1',
  'address-line2',
  'address-line3',
  'address-level1',
  'address-level2',
  'address-level3',
]);

const PAYMENT = [
  'card number, cardnumber, creditcard, credit card, cc number, ccnumber, cvc, cvv, cvv2, csc, security code, iban, sort code, routing number, account number, expiry date, card expiry, name on card',
  'kartennummer, kreditkarte, kreditkartennummer, kontonummer, prufziffer, numero de carte, carte bancaire, cryptogramme, numero de tarjeta, tarjeta, numero carta, carta di credito, numero do cartao, cartao de credito, kaartnummer, rekeningnummer, numer karty, numer konta',
].flatMap(listed);
const PAYMENT_CJK = ['カード番号', 'セキュリティコード', '口座番号', '卡号', '银行卡', '安全码', '账号余额', '卡號'];
const STREET = [
  'street, street address, address line, address line 1, address1, address 1, addressline1, shipping address, billing address, delivery address, home address, postal address, house number, your address',
  'strasse, hausnummer, anschrift, adresse, lieferadresse, rue, calle, direccion, domicilio, via, indirizzo, endereco, rua, morada, straat, adres, huisnummer, ulica',
].flatMap(listed);
const STREET_CJK = ['住所', '番地', '地址', '街道', '門牌'];
const POSTCODE = [
  'zip, zip code, zipcode, postcode, post code, postal code, plz, postleitzahl, code postal, codigo postal, cap, cep, kod pocztowy',
].flatMap(listed);
const TOWN = [
  'city, town, ort, stadt, ville, ciudad, citta, cidade, localidade, stad, plaats, woonplaats, miasto, miejscowosc',
].flatMap(listed);

function listed(list: string): string[] {
  return list.split(', ');
}

function isTown({ name, label }: SeenField): boolean {
  return mentions(toLexiconText(`${name} ${label}`).words.join(' '), TOWN);
}

/** True if the words contain a phrase as whole words. An e-mail, web or IP address is not a street address. */
function mentions(words: string, phrases: readonly string[]): boolean {
  const text = ` ${words} `;
  if (phrases === STREET && /(?:^| )(?:e ?mail|mail|url|web|ip|mac)(?: |$)/u.test(words)) return false;
  return phrases.some((phrase) => text.includes(` ${phrase} `));
}

function mentionsIn(text: string, phrases: readonly string[]): boolean {
  return phrases.some((phrase) => text.includes(phrase));
}
