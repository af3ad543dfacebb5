import { addReferenceHeadings, REFERENCE_ENTRY } from '#extract/html/reference-names.ts';
import type { DomElement } from '#extract/html/tree.ts';
import { arrangeTables, TABLE_PARTS, TABLE_ROLES } from './aria-tables.ts';
import { EDIT_TAGS, markEditsInCode } from './code-edits.ts';
import { DIFF_ACTION_ATTRIBUTE, strikeDeletedWords } from './diff-words.ts';
import { DIFF_SIGN_ATTRIBUTES, writeDiffSigns } from './diffs.ts';
import { MENU_NAMES, MENU_ROLE, separateInlineMenus } from './inline-menus.ts';
import { applyStyleEffects, STYLE_EFFECTS_ATTRIBUTE } from './looks.ts';

/** Matches classes of which `diffs.ts` and `diff-words.ts` need one to find a diff, and others. */
const MAY_BE_DIFF = /diff|d2h|blob-code|line-(?:added|inserted|removed|deleted)|ec-line|line_content|sidebyside/i;

/**
 * Names in the markup of a page: tags, attributes, roles and classes. They tell which rearrangements a page may need.
 * Most pages need none, and each is a walk through the whole tree.
 */
export class MarkupNames {
  private readonly tags = new Set<string>();
  private readonly attributes = new Set<string>();
  private readonly roles = new Set<string>();
  private readonly classes = new Set<string>();

  add({ localName, attributes }: DomElement): void {
    this.tags.add(localName);
    for (const name in attributes) {
      this.attributes.add(name);
      if (name === 'class') this.classes.add(attributes[name] ?? '');
      else if (name === 'role') this.roles.add(attributes[name] ?? '');
    }
  }

  /** Moves and marks parts of the page whose meaning only style sheets or roles show. */
  rearrange(body: DomElement): void {
    const { tags, attributes, roles } = this;
    const classes = [...this.classes].join('\n');
    const mayBeDiff = hasAny(attributes, [DIFF_ACTION_ATTRIBUTE, ...DIFF_SIGN_ATTRIBUTES]) || MAY_BE_DIFF.test(classes);
    if (roles.has(MENU_ROLE) || MENU_NAMES.test(classes)) separateInlineMenus(body);
    if (REFERENCE_ENTRY.test(classes)) addReferenceHeadings(body);
    if (hasAny(tags, TABLE_PARTS) || hasAny(roles, TABLE_ROLES)) arrangeTables(body);
    if (mayBeDiff) strikeDeletedWords(body);
    if (mayBeDiff) writeDiffSigns(body);
    if (mayBeDiff || hasAny(tags, EDIT_TAGS)) markEditsInCode(body);
    if (attributes.has(STYLE_EFFECTS_ATTRIBUTE)) applyStyleEffects(body);
  }
}

function hasAny(names: ReadonlySet<string>, some: Iterable<string>): boolean {
  for (const name of some) if (names.has(name)) return true;
  return false;
}
