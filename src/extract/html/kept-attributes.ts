/** Attributes that say something of content; all others are dropped before the DOM. */
export const KEPT_ATTRIBUTES: ReadonlySet<string> = new Set(
  (
    'class id href src data-src data-original data-lazy-src data-srcset srcset alt title lang xml:lang colspan rowspan start value type ' +
    'checked role aria-label datetime itemprop itemtype itemscope rel open name encoding display alttext reversed close data-syntaxhighlighter-params ' +
    'data-lang data-language data-line-number data-tex property content charset http-equiv width height scope disabled aria-level aria-checked data-testid data-component-type data-footnote-ref data-footnote-backref data-syntax data-enlighter-language data-code-language data-mode data-as'
  ).split(' '),
);
/** Those that hold addresses. */
export const LINKS: ReadonlySet<string> = new Set([
  'href',
  'src',
  'data-src',
  'data-original',
  'data-lazy-src',
  'srcset',
  'data-srcset',
]);
