/** Chromium's role names, grouped by their meaning for a view. */

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

export const BUILT_ROLES: ReadonlySet<string> = new Set(['Date', 'DateTime', 'InputTime', 'Video', 'Audio']);

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

/** They are set to true or false. */
export const BOX_ROLES: ReadonlySet<string> = new Set([
  'checkbox',
  'switch',
  'radio',
  'menuitemcheckbox',
  'menuitemradio',
]);

/** They share a line with their neighbours. */
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

/** They have a line of their own, with their content indented below it. */
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

/** They show a file of another kind in the page. */
export const EMBEDDED_ROLES: ReadonlySet<string> = new Set(['EmbeddedObject', 'PluginObject']);

/** They show something that is no text. */
export const DRAWN_ROLES: ReadonlySet<string> = new Set(['Canvas', 'image', 'SvgRoot', 'Video', ...EMBEDDED_ROLES]);

/** Pages recycle and sort them. */
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

const ROLE_WORDS: ReadonlyMap<string, string> = new Map([
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
  ['EmbeddedObject', 'embed'],
  ['PluginObject', 'object'],
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

const INTERNAL = /[A-Z]/u;

export function roleWordOf(role: string): string {
  return ROLE_WORDS.get(role) ?? (INTERNAL.test(role) ? 'clickable' : role);
}
