export function requireElement<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`no ${id} on this page`);
  return found;
}

export function bindButton(id: string, press: () => void): HTMLButtonElement {
  const found = requireElement(id, HTMLButtonElement);
  found.addEventListener('click', press);
  return found;
}
