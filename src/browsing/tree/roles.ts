/** Chromium's role names, sorted by what they mean for a view. */

/** Roles that one can act on, whether or not they take the focus. */
export const CONTROL_ROLES: ReadonlySet<string> = new Set([
  'button',
  'link',
  'textbox',
  'searchbox',
  'combobox',
  'listbox',
  'option',
  'checkbox',
  'radio',
  'switch',
  'slider',
  'spinbutton',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'tab',
  'treeitem',
  'scrollbar',
  'Date',
  'DateTime',
  'InputTime',
  'ColorWell',
  'DisclosureTriangle',
  'DisclosureTriangleGrouped',
  'PopUpButton',
  'ToggleButton',
  'Iframe',
  'IframePresentational',
  'Video',
  'Audio',
]);

/** Parts that the browser builds itself and no page can fill: date fields, media controls. */
export const BUILT_ROLES: ReadonlySet<string> = new Set(['Date', 'DateTime', 'InputTime', 'Video', 'Audio']);

/** Controls in which a person writes or chooses a value. */
export const FIELD_ROLES: ReadonlySet<string> = new Set([
  'textbox',
  'searchbox',
  'combobox',
  'listbox',
  'slider',
  'spinbutton',
  'Date',
  'DateTime',
  'InputTime',
  'ColorWell',
]);

/** Parts of running text. They share a line with their neighbours. */
export const INLINE_ROLES: ReadonlySet<string> = new Set([
  'StaticText',
  'link',
  'code',
  'emphasis',
  'strong',
  'subscript',
  'superscript',
  'mark',
  'time',
  'deletion',
  'insertion',
  'Abbr',
  'image',
  'Ruby',
  'RubyAnnotation',
  'superscript',
  'term',
  'FooterAsNonLandmark',
]);

/** Their line tells where one is. Their content is indented below it. */
export const LANDMARK_ROLES: ReadonlySet<string> = new Set([
  'navigation',
  'main',
  'banner',
  'contentinfo',
  'complementary',
  'search',
  'dialog',
  'alertdialog',
  'alert',
  'menu',
  'menubar',
  'tablist',
  'tree',
]);

/** Shown if the page has named them. */
export const NAMED_GROUP_ROLES: ReadonlySet<string> = new Set([
  'form',
  'region',
  'group',
  'radiogroup',
  'toolbar',
  'tabpanel',
  'table',
  'grid',
  'treegrid',
  'list',
  'feed',
]);

/** One of many of its kind. Pages recycle and sort them. */
export const ITEM_ROLES: ReadonlySet<string> = new Set(['row', 'listitem', 'article', 'treeitem', 'option']);

/** Their text changes by itself, so it identifies nothing. */
export const VOLATILE_ROLES: ReadonlySet<string> = new Set([
  'time',
  'timer',
  'status',
  'alert',
  'log',
  'marquee',
  'progressbar',
  'meter',
]);

/** Names for roles that a model knows by another word. */
export const ROLE_WORDS: ReadonlyMap<string, string> = new Map([
  ['generic', 'clickable'],
  ['Date', 'date'],
  ['DateTime', 'datetime'],
  ['InputTime', 'time'],
  ['ColorWell', 'color'],
  ['DisclosureTriangle', 'summary'],
  ['DisclosureTriangleGrouped', 'summary'],
  ['PopUpButton', 'combobox'],
  ['ToggleButton', 'button'],
  ['Iframe', 'iframe'],
  ['IframePresentational', 'iframe'],
  ['Video', 'video'],
  ['Audio', 'audio'],
  ['Canvas', 'canvas'],
  ['image', 'img'],
  ['LayoutTable', 'table'],
  ['LayoutTableRow', 'row'],
  ['LayoutTableCell', 'cell'],
  ['graphics-symbol', 'shape'],
  ['menuitemcheckbox', 'menuitem'],
  ['menuitemradio', 'menuitem'],
  ['contentinfo', 'footer'],
  ['banner', 'header'],
  ['navigation', 'nav'],
  ['complementary', 'aside'],
]);

/** Words of Chromium's own for what has no role. */
const INTERNAL = /[A-Z]/u;

/** What a role is called in our answers. */
export function roleWordOf(role: string): string {
  return ROLE_WORDS.get(role) ?? (INTERNAL.test(role) ? 'clickable' : role);
}
