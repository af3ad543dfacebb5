/**
 * In a form, a field hides the form's own member of the same name (HTML §4.10.3), such as `id` or `parentElement`; in the
 * document, a named picture or form does (HTML §3.1.6). `scripts/page-scripts/read-hidden-members.ts` puts these functions wherever
 * a page script uses a DOM member, so that the scripts are written as usual.
 */

export function hidesMembers(object: unknown): boolean {
  return object instanceof HTMLFormElement || object === document;
}

/** `object[name]`, of a form or the document */
export function readHiddenMember(object: object, name: string): unknown {
  return Reflect.get(Object.getPrototypeOf(object), name, object);
}

/** The object, in a form that can be destructured. */
export function withMembers(object: object): object {
  return hidesMembers(object) ? new Proxy(object, { get: (of, name) => readHiddenMember(of, String(name)) }) : object;
}
