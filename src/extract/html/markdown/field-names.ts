import { oneLine } from '#core/text/text.ts';
import { elementsInside } from '#extract/html/tree.ts';
import type { DomElement } from '#extract/html/tree.ts';

const LABELS: ReadonlySet<string> = new Set(['label']);
const LISTS: ReadonlySet<string> = new Set(['datalist']);
const NAME_CHARS_MAX = 200;
const FORM_ROLES = /^(?:form|search|radiogroup)$/;

/** `isLabelled`: its name is text of the page. `name`: a name that is not, or empty. */
export type FieldName = { isLabelled: boolean; isInForm: boolean; name: string };

/** Finds the names of the fields of one page. Each list is made when the first field asks for it. */
export class FieldNames {
  private labelled: ReadonlySet<string> | null = null;
  private lists: ReadonlyMap<string, DomElement> | null = null;
  private readonly told = new Set<DomElement>();

  nameOf(field: DomElement): FieldName {
    const id = field.getAttribute('id') ?? '';
    let isLabelled = field.hasAttribute('aria-labelledby') || (id !== '' && this.labels(field).has(id));
    let isInForm = false;
    for (let around = field.parentNode; around !== null; around = around.parentNode) {
      const { localName } = around;
      if (localName === 'label') isLabelled = true;
      isInForm ||= localName === 'form' || localName === 'fieldset';
      isInForm ||= FORM_ROLES.test(around.getAttribute('role') ?? '');
      if (isInForm && isLabelled) break;
    }
    const given = field.getAttribute('aria-label') ?? field.getAttribute('title') ?? '';
    return { isLabelled, isInForm, name: isLabelled ? '' : oneLine(given, NAME_CHARS_MAX) };
  }

  /** The field's list of suggestions; `null` if another field has told it, `undefined` if there is none. */
  suggestions(field: DomElement): DomElement | null | undefined {
    if (!field.hasAttribute('list')) return undefined;
    this.lists ??= new Map(
      [...elementsInside(topOf(field), LISTS)].map((list) => [list.getAttribute('id') ?? '', list]),
    );
    const list = this.lists.get(field.getAttribute('list') ?? '');
    if (list === undefined) return undefined;
    if (this.told.has(list)) return null;
    this.told.add(list);
    return list;
  }

  private labels(field: DomElement): ReadonlySet<string> {
    this.labelled ??= new Set(
      [...elementsInside(topOf(field), LABELS)].map((label) => label.getAttribute('for') ?? ''),
    );
    return this.labelled;
  }
}

function topOf(element: DomElement): DomElement {
  let top = element;
  while (top.parentNode !== null) top = top.parentNode;
  return top;
}
