/** Chromium's role names, sorted by what they mean for a view. */

/** One acts on these, whether or not they take the focus. */
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

/** What the browser draws parts of its own in, which no page can fill: fields of a date, controls of a player. */
export const BUILT_ROLES: ReadonlySet<string> = new Set(['Date', 'DateTime', 'InputTime', 'Video', 'Audio']);

/** Controls that a person writes or chooses a value in. */
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

/** Parts of running text: they share a line with what stands beside them. */
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

/** Their line tells where one is; what they hold is indented under it. */
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

/** Shown when the page has named them. */
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

/** One of many of its kind, which pages recycle and sort. */
export const ITEM_ROLES: ReadonlySet<string> = new Set(['row', 'listitem', 'article', 'treeitem', 'option']);

/** What these say changes by itself, and so identifies nothing. */
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

/** Words for roles that a model knows by another name. */
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
