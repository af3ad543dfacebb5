import type { WallKind } from '#browsing/in-page/script-types.ts';
import {
  createDomReaders,
  createLabelReader,
  parentElementOf,
  textWalker,
} from '#browsing/in-page/elements/safe-dom.ts';
import type { TextWithCuts } from '#core/text/page-texts.ts';
import { sliceWithContext } from './cut.ts';

/**
 * The obstacle in this document that only a person can or should pass; `''` for none. Payment card fields are not an
 * obstacle, but are reported because the screenshots stored for steps must not show them.
 */
export function detectWall(): WallKind {
  const seen = (element: Element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const find = (selector: string) => [...Document.prototype.querySelectorAll.call(document, selector)].filter(seen);
  if (find(CAPTCHAS.join(',')).some(isLarge) || saysHuman()) return 'captcha';
  const inputs = find('input');
  const cards = inputs.filter(isOfCard);
  const others = inputs.filter((input) => !cards.includes(input) && (cards.length === 0 || !isSecurityCode(input)));
  if (others.some((input) => input.matches('[type=password i]'))) return 'password';
  if (others.some(isCode)) return 'code';
  if (cards.length > 0) return 'card';
  return textAsksForCode(inputs) ? 'code' : '';
}

function isOfCard(input: Element): boolean {
  return /\bcc-/iu.test(input.getAttribute('autocomplete') ?? '') || wordsOf(input).some((words) => CARD.test(words));
}

/** Names of payment card fields, such as `cardCvc`, `card_number`, "CVV2". */
const CARD =
  /(?:^|[^a-z])(?:card|cc)?[-_ ]?(?:cvc|cvv|csc)2?(?:[^a-z]|$)|(?:credit|debit|payment)[-_ ]?card|(?:^|[^a-z])(?:card|cc)[-_ ]?number/iu;

/** True for a "security code" field. If the page has other card fields, this is the code of a card. */
function isSecurityCode(input: Element): boolean {
  return wordsOf(input).some((words) => /security[-_ ]?code/iu.test(words));
}

const readLabels = createLabelReader();

function wordsOf(input: Element): string[] {
  if (!(input instanceof HTMLInputElement)) return [];
  const labels = readLabels(input).map(({ textContent }) => textContent ?? '');
  return [input.name, input.id, input.placeholder, input.getAttribute('aria-label') ?? '', ...labels];
}

/** Selectors of CAPTCHA widgets. Invisible widgets are excluded, because they ask nothing of the user. */
const CAPTCHAS = [
  'iframe[src*="recaptcha" i]:not([src*="size=invisible" i])',
  'iframe[src*="hcaptcha.com" i]:not([src*="size=invisible" i])',
  'iframe[src*="challenges.cloudflare.com" i]',
  'iframe[src*="arkoselabs" i]',
  'iframe[src*="funcaptcha" i]',
  'iframe[src*="geetest" i]',
  '.cf-turnstile',
  '.h-captcha',
  '.g-recaptcha:not([data-size=invisible i])',
  'img[src*="captcha" i]',
  'input[name*="captcha" i]:not([type=hidden i])',
];

function isLarge(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  return width >= CAPTCHA_SIDE_MIN && height >= CAPTCHA_HEIGHT_MIN;
}

const CAPTCHA_SIDE_MIN = 60;
const CAPTCHA_HEIGHT_MIN = 20;

/** True for a short page that asks the visitor to prove that they are human. */
function saysHuman(): boolean {
  const text = textOfShortPage();
  return text !== null && HUMAN.test(`${document.title}\n${text}`);
}

/**
 * The visible text of a page with fewer than `WALL_CHARS_MAX` characters; `null` for a longer page. Counts texts first,
 * because `innerText` lays out the whole page.
 */
function textOfShortPage(): string | null {
  const { localName } = createDomReaders();
  const body: HTMLElement | null = Reflect.get(Document.prototype, 'body', document);
  if (body === null) return '';
  const walker = textWalker(body);
  let chars = 0;
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = parentElementOf(node);
    if (parent === null || UNCOUNTED.test(localName(parent))) continue;
    // Blanks beyond this length are rare, and cutting bounds the time for a long text.
    const words = (node.nodeValue ?? '')
      .slice(0, 2 * WALL_CHARS_MAX)
      .replaceAll(/\s+/gu, ' ')
      .trim();
    if (words !== '' && Element.prototype.checkVisibility.call(parent, { visibilityProperty: true }))
      chars += words.length;
    if (chars >= WALL_CHARS_MAX) return null;
  }
  const text = body.innerText;
  return text.length < WALL_CHARS_MAX ? text : null;
}

/** Elements whose text `innerText` omits although they may be rendered, or includes only partly. */
const UNCOUNTED = /^(?:script|style|noscript|template|textarea|option|optgroup|select|text|tspan|title|desc)$/u;

const WALL_CHARS_MAX = 3_000;
const HUMAN =
  /(?:verify|confirm|prove|check(?:ing)?)(?: that| if)? you(?:['’]re| are) (?:a |not a )?(?:human|robot|bot)|i(?:['’]m| am) (?:not a robot|human)|are you a (?:robot|human)/iu;

function isCode(element: Element): boolean {
  if (!(element instanceof HTMLInputElement)) return false;
  if (/\bone-time-code\b/iu.test(element.autocomplete)) return true;
  if (!TYPED.test(element.type)) return false;
  const words = wordsOf(element);
  return CODE.test(words.join('\n')) || (words.some(isOnlyCode) && asksForCode());
}

function isOnlyCode(label: string): boolean {
  return /^(?:enter )?(?:the |your )?code$/iu.test(label.trim());
}

/** True for a short page with "code" in its title. Longer pages may mention a voucher code. */
function asksForCode(): boolean {
  return /\bcode\b/iu.test(document.title) && textOfShortPage() !== null;
}

const CODE =
  /\b(?:otp|totp|2fa|mfa)\b|one[-_ ]?time[-_ ]?(?:code|pass)|(?:verification|security|authenticat(?:ion|or)|sms|6[- ]digit)[-_ ]?code|two[-_ ]?factor/iu;

/**
 * True for a short page that asks for a code which was sent or which an app shows, in one field or one box per
 * character. The text must say so, because a single field may also ask for a postal code.
 */
function textAsksForCode(inputs: readonly Element[]): boolean {
  const fields = inputs.filter((one) => one instanceof HTMLInputElement && TYPED.test(one.type));
  const areBoxes = fields.length > 1 && fields.every((one) => one instanceof HTMLInputElement && one.maxLength === 1);
  if (fields.length !== 1 && !areBoxes) return false;
  const text = textOfShortPage();
  return text !== null && (areBoxes ? /\bcode\b/iu : SENT_CODE).test(text);
}

const TYPED = /^(?:text|tel|number)$/u;
const SENT_CODE =
  /\b(?:[4-8]|four|five|six|seven|eight)[- ]digit (?:verification |security |confirmation |login )?code\b|\bcode (?:we|that we|was|has been) sent\b|\bcode (?:from|in) (?:your|the|an) authenticat(?:or|ion)\b/iu;

/**
 * Length of all text, including hidden text, and height of the document in CSS pixels. Includes open shadow trees,
 * excludes scripts.
 */
export function measureText(): { chars: number; height: number } {
  const { nodeType, firstChild, nextSibling, localName, shadowRoot } = createDomReaders();
  let chars = 0;
  const open: Node[] = [document];
  for (let top = open.pop(); top !== undefined; top = open.pop()) {
    for (let child = firstChild(top); child !== null; child = nextSibling(child)) {
      const kind = nodeType(child);
      if (kind === 3) chars += (child.nodeValue ?? '').trim().length;
      if (kind !== 1 || /^(?:script|style|noscript|template)$/u.test(localName(child))) continue;
      open.push(child);
      const shadow = shadowRoot(child);
      if (shadow !== null) open.push(shadow);
    }
  }
  return { chars, height: document.scrollingElement?.scrollHeight ?? 0 };
}

/** The selection of the document or focused field, with the text around it, so that secrets can be recognized. */
export function readSelectedText(charsMax: number): TextWithCuts {
  const selection = document.getSelection();
  const text = selection?.toString() ?? '';
  const [before, behind] = around(selection, text);
  return sliceWithContext(before + text + behind, before.length, before.length + Math.min(text.length, charsMax));
}

function around(selection: Selection | null, text: string): [before: string, behind: string] {
  const field = document.activeElement;
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) {
    const { value, selectionStart: start, selectionEnd: end } = field;
    if (start !== null && end !== null && value.slice(start, end) === text)
      return [value.slice(0, start), value.slice(end)];
  }
  if (selection === null || selection.rangeCount === 0) return ['', ''];
  const { startContainer, startOffset, endContainer, endOffset } = selection.getRangeAt(0);
  const root = startContainer.getRootNode();
  const before = document.createRange();
  before.setStart(root, 0);
  before.setEnd(startContainer, startOffset);
  const behind = document.createRange();
  behind.selectNodeContents(root);
  behind.setStart(endContainer, endOffset);
  return [before.toString(), behind.toString()];
}

/** Size in CSS pixels; `density`: screen pixels per CSS pixel. */
export function viewport(): { width: number; height: number; density: number } {
  return { width: innerWidth, height: innerHeight, density: devicePixelRatio };
}

/** Resolves when fonts and images have loaded. Does not wait for lazy images. */
export async function waitForFontsAndImages(): Promise<void> {
  const pending = [...document.images].filter((image) => !image.complete && image.loading !== 'lazy');
  const loaded = pending.map(
    (image) =>
      new Promise<void>((resolve) => {
        image.addEventListener('load', () => resolve());
        image.addEventListener('error', () => resolve());
      }),
  );
  await Promise.all([document.fonts.ready, ...loaded]);
}

/** Data that an earlier page may have passed on without a request: `window.name` and the referrer. */
export function readNameAndReferrer(): string {
  return `${window.name}\n${document.referrer}`;
}
