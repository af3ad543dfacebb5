/**
 * Groups of words in class names and ids that authors use for parts of a page. Each group is one bit. The order of the
 * groups is part of the model (see `generated/models/model.ts`).
 */
const GROUPS: readonly (readonly [name: string, words: string])[] = [
  [
    'nav',
    'nav navbar navigation navs topnav subnav sidenav navlist menu menus submenu megamenu menuitem dropdown flyout drawer tabs tab tablist',
  ],
  ['crumbs', 'breadcrumb breadcrumbs crumb crumbs toc tableofcontents'],
  ['header', 'header masthead topbar top banner hero head'],
  ['footer', 'footer foot colophon bottom legal copyright contentinfo disclaimer'],
  ['side', 'sidebar aside side rail secondary complementary widget widgets'],
  [
    'related',
    'related recommended recommendation recommendations recommend more similar popular trending also latest recirc upsell suggested suggestions readnext next prev previous adjacent relacionadas relacionados similaires correlati verwandte gerelateerd',
  ],
  ['carousel', 'carousel slider swiper slick slide slides'],
  [
    'share',
    'share sharing social socials follow facebook twitter linkedin pinterest addthis sharedaddy teilen partager compartir',
  ],
  [
    'ad',
    'ad ads advert advertisement advertising sponsor sponsored promo promos promotion promoted adslot outbrain taboola',
  ],
  ['newsletter', 'newsletter subscribe subscription signup mailing email optin cta'],
  ['account', 'login signin register account auth user username userinfo profile avatar member'],
  [
    'meta',
    'meta metadata byline author authors date time timestamp published posted info tag tags category categories label labels badge credit credits datetime',
  ],
  ['notice', 'cookie cookies consent gdpr modal popup popover overlay dialog toast notice notification alert tooltip'],
  ['pager', 'pagination pager pages paging loadmore'],
  ['filter', 'filter filters facet facets sort sorting refine refinement toolbar tools controls search searchbox'],
  ['button', 'btn btns button buttons action actions icon icons'],
  [
    'comment',
    'comment comments reply replies respond discussion disqus kommentar kommentare comentarios commentaires commenti reacties',
  ],
  [
    'post',
    'post posts message messages msg thread threads topic answer answers question questions qa forum postbody bbcode usertext',
  ],
  [
    'content',
    'content contents article articles articlebody body main entry story text prose markdown copy richtext rte rich wysiwyg editor paragraph',
  ],
  [
    'product',
    'product products sku price prices pricing spec specs specification specifications offer offers cart buy',
  ],
  [
    'about',
    'description desc details detail features feature summary overview about excerpt teaser intro abstract lead',
  ],
  ['review', 'review reviews rating ratings star stars testimonial testimonials'],
  ['list', 'list lists listing listings results result grid cards card tile tiles collection items item'],
  ['title', 'title titles headline heading subtitle subheading name'],
  ['picture', 'caption figure figcaption image images img photo photos gallery media video thumbnail thumb'],
  ['signature', 'signature sig bio'],
  ['faq', 'faq faqs accordion'],
  ['code', 'code highlight pre snippet'],
  ['hidden', 'hidden sr sronly visuallyhidden offscreen assistive skip skiplink print noprint'],
  ['panel', 'tabpanel tabpane pane collapse collapsed collapsible collapsable expand expandable toggle disclosure'],
  ['section', 'section block container wrapper module panel region column col row inner'],
];

export const WORD_GROUP_NAMES: readonly string[] = GROUPS.map(([name]) => name);

const GROUP_OF = new Map(GROUPS.flatMap(([, words], index) => words.split(' ').map((word) => [word, index] as const)));
const WORD = /[a-z]+/g;
const CAMEL = /([a-z])([A-Z])/g;
/**
 * Maximum characters of a class list that are read. In a list of hundreds of names, the first names describe the part.
 */
export const CLASS_ATTRIBUTE_CHARS_MAX = 400;

/** Returns the groups of all words in `name` as a bit mask. */
export function findWordGroups(name: string): number {
  let groups = 0;
  const spaced = name.slice(0, CLASS_ATTRIBUTE_CHARS_MAX).replace(CAMEL, '$1 $2').toLowerCase();
  for (const [word] of spaced.matchAll(WORD)) {
    const group = GROUP_OF.get(word);
    if (group !== undefined) groups |= 1 << group;
  }
  return groups;
}

const WORD_OR_NUMBER = /[\p{L}\p{N}]+/gu;

export function lowerCaseWords(text: string): string[] {
  return text.toLowerCase().match(WORD_OR_NUMBER) ?? [];
}

export const SENTENCE_END = /[.!?…。！？:]["”’»)」]?$/;
