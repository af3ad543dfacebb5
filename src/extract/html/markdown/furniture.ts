import { classOf } from '#extract/html/tree.ts';
import type { DomElement } from '#extract/html/tree.ts';

/** Words on a control that only opens or closes something, in the languages of large documentation sites. */
const TOGGLE =
  /^[[(]?\s*(?:(?:show|hide|show\s*\/\s*hide|hide\s*\/\s*show|toggle|expand|collapse)(?:\s+(?:all|more|less|details|diagram|image|code|source|example|menu|section))?|anzeigen|ausblenden|einblenden|verbergen|afficher|masquer|mostrar|ocultar|mostra|nascondi|показать|скрыть|表示|非表示|显示|隐藏|顯示|隱藏)\s*[\])]?$/iu;
const TOGGLE_CHARS_MAX = 24;

/** Whether a button, or a link that leads nowhere, only shows and hides something. A text does not need it. */
export function isToggle(element: DomElement): boolean {
  const name = element.localName;
  const isControl =
    name === 'button' || element.getAttribute('role') === 'button' || (name === 'a' && leadsNowhere(element));
  if (!isControl) return false;
  const text = element.textContent ?? '';
  return text.length <= TOGGLE_CHARS_MAX && TOGGLE.test(text.trim());
}

function leadsNowhere(link: DomElement): boolean {
  return /^(?:#?|javascript:.*)$/i.test((link.getAttribute('href') ?? '').trim());
}

/** Names that DocBook, Texinfo and LaTeX2HTML give to pictures of arrows. */
const ARROW =
  /(?:^|[/_-])(?:prev(?:ious)?|next|up|home|top|back|forward|arrow|left|right|down|toc|contents?|index|nav)(?:[_-]?(?:arrow|btn|button|group|motif|motf|gr|g|e|\d{1,3}|left|right|up|down))*\.(?:gif|png|svg|jpe?g|webp)$/i;
const ARROW_CHARS_MAX = 20;

/** Whether a picture is only an arrow of a menu. Its meaning is in its alternative text. */
export function isArrow(source: string, alt: string): boolean {
  return alt.length <= ARROW_CHARS_MAX && ARROW.test(source.replace(/[?#].*$/, ''));
}

const LOGO = /(?:^|[^a-z])logo(?![a-z])/i;

/** Whether a picture is the logo of a site. At the beginning of a page it is not content. */
export function isLogo(image: DomElement, source: string): boolean {
  const names = [
    classOf(image),
    image.getAttribute('id') ?? '',
    image.getAttribute('alt') ?? '',
    source.split('/').at(-1) ?? '',
  ];
  return names.some((name) => LOGO.test(name));
}
