/** Roles of Chromium's accessibility tree, grouped by their treatment in a view of the page. */

/** Roles of interactive elements, focusable or not. */
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

export const NATIVE_WIDGET_ROLES: ReadonlySet<string> = new Set(['Date', 'DateTime', 'InputTime', 'Video', 'Audio']);

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

/** Roles of elements that can be checked or switched on. */
export const CHECKABLE_ROLES: ReadonlySet<string> = new Set([
  'checkbox',
  'switch',
  'radio',
  'menuitemcheckbox',
  'menuitemradio',
]);

/** Roles of elements that share a line with their neighbours in a view. */
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

/** Roles of elements with their own line in a view, and with their content indented below. */
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

/** Roles of groups that a view shows only if the page has given them a name. */
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

export const DIALOG_ROLES: ReadonlySet<string> = new Set(['dialog', 'alertdialog']);

/** Roles of layers that a field opens. */
export const POPUP_ROLES: ReadonlySet<string> = new Set(['listbox', 'menu', 'tree', 'grid', 'dialog']);

export const EMBEDDED_ROLES: ReadonlySet<string> = new Set(['EmbeddedObject', 'PluginObject']);

/** Roles of elements that show something other than text. */
export const GRAPHIC_ROLES: ReadonlySet<string> = new Set(['Canvas', 'image', 'SvgRoot', 'Video', ...EMBEDDED_ROLES]);

/** Roles of rows and items, which pages sort and fill with other data. */
export const ITEM_ROLES: ReadonlySet<string> = new Set(['row', 'listitem', 'article', 'treeitem', 'option']);

/** Roles of elements whose text changes on its own, so that the text does not identify them. */
export const SELF_CHANGING_ROLES: ReadonlySet<string> = new Set([
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

export function displayRole(role: string): string {
  return ROLE_WORDS.get(role) ?? (INTERNAL.test(role) ? 'clickable' : role);
}

/** Maximum characters of a name that is a sign or initials, such as "AB". A view adds the description. */
export const INITIALS_CHARS_MAX = 3;
