import type { Wall } from './scripts.ts';

/** The kind of wall in this document that only a person can or should pass; empty when there is none. */
export function wallHere(): Wall {
  const seen = (element: Element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const find = (selector: string) => [...Document.prototype.querySelectorAll.call(document, selector)].filter(seen);
  if (find(CAPTCHAS.join(',')).some(isLarge) || saysHuman()) return 'captcha';
  if (find('input[type=password i]').length > 0) return 'password';
  return find('input').some(isCode) ? 'code' : '';
}

/** How captcha services embed their widgets. Invisible ones are no wall. */
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

/** Whether the page is little more than the question "are you human". */
function saysHuman(): boolean {
  const text = document.body?.innerText ?? '';
  return text.length < WALL_CHARS_MAX && HUMAN.test(`${document.title}\n${text}`);
}

const WALL_CHARS_MAX = 3_000;
const HUMAN =
  /(?:verify|confirm|prove|check(?:ing)?)(?: that| if)? you(?:['’]re| are) (?:a |not a )?(?:human|robot|bot)|i(?:['’]m| am) (?:not a robot|human)|are you a (?:robot|human)/iu;

function isCode(element: Element): boolean {
  if (!(element instanceof HTMLInputElement)) return false;
  if (/\bone-time-code\b/iu.test(element.autocomplete)) return true;
  if (!/^(?:text|tel|number)$/u.test(element.type)) return false;
  const words = [element.name, element.id, element.placeholder, element.getAttribute('aria-label') ?? ''];
  const labels = [...(element.labels ?? [])].map(({ textContent }) => textContent ?? '');
  return CODE.test([...words, ...labels].join('\n'));
}

const CODE =
  /\b(?:otp|totp|2fa|mfa)\b|one[-_ ]?time[-_ ]?(?:code|pass)|(?:verification|security|authenticat(?:ion|or)|sms|6[- ]digit)[-_ ]?code|two[-_ ]?factor/iu;
