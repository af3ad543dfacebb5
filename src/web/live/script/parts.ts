export function part<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`no ${id} on this page`);
  return found;
}

export function button(id: string, press: () => void): HTMLButtonElement {
  const found = part(id, HTMLButtonElement);
  found.addEventListener('click', press);
  return found;
}
