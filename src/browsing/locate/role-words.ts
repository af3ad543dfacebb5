/** Role names that a target may begin with: those in views, and other common ones. */
export const TARGET_ROLE_NAMES: ReadonlySet<string> = new Set(
  `alert alertdialog article aside banner button canvas cell checkbox clickable color columnheader combobox date datetime
   dialog drop\u00A0zone feed figure footer form grid gridcell group header heading iframe image img link list listbox listitem main
   menu menubar menuitem menuitemcheckbox menuitemradio meter nav navigation option paragraph progressbar radio radiogroup
   region row rowheader search searchbox separator shape slider spinbutton status summary switch tab table tablist tabpanel
   textbox time toolbar tooltip tree treegrid treeitem video audio`
    .split(/[ \n]+/u)
    .map((word) => word.replace('\u00A0', ' ')),
);
