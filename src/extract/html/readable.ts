import { Readability } from '@mozilla/readability';
import { isElement } from './dom.ts';
import type { DomDocument, DomElement, DomNode } from './dom.ts';

/** The main content by Mozilla's Readability, or `null`. Takes the document apart: parse it anew for another reading. */
export function readable(document: DomDocument): DomElement | null {
  const reader = new Readability<DomElement | null>(document, {
    serializer: toElement,
    keepClasses: true,
    disableJSONLD: true,
    nbTopCandidates: 5,
    charThreshold: 500,
  });
  return reader.parse()?.content ?? null;
}

function toElement(node: DomNode): DomElement | null {
  return isElement(node) ? node : null;
}
