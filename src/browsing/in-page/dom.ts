/**
 * The part of the DOM that our page scripts use; the Worker's own types have none of it. Members that only some
 * elements have are optional, so that a script asks before it uses them.
 */
export type Rect = { left: number; top: number; right: number; bottom: number; width: number; height: number };

export type DomNode = {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly nodeValue: string | null;
  readonly isConnected: boolean;
  readonly parentNode: DomNode | null;
  readonly ownerDocument: DomDocument;
  readonly textContent: string | null;
  contains: (other: DomNode | null) => boolean;
  getRootNode: () => DomRoot;
};

export type DomElement = DomNode & {
  readonly localName: string;
  readonly id: string;
  readonly shadowRoot: DomRoot | null;
  readonly parentElement: DomElement | null;
  readonly isContentEditable?: boolean;
  readonly innerText?: string;
  readonly labels?: Iterable<DomElement> | null;
  /** Of a `<label>`: what it labels. */
  readonly control?: DomElement | null;
  readonly form?: DomNode | null;
  readonly options?: Iterable<DomOption>;
  readonly multiple?: boolean;
  readonly readOnly?: boolean;
  readonly scrollHeight: number;
  readonly scrollWidth: number;
  readonly clientHeight: number;
  readonly clientWidth: number;
  readonly clientLeft: number;
  readonly clientTop: number;
  readonly offsetWidth?: number;
  readonly offsetHeight?: number;
  scrollTop: number;
  scrollLeft: number;
  type?: string;
  value?: string;
  checked?: boolean;
  autocomplete?: string;
  getAttribute: (name: string) => string | null;
  hasAttribute: (name: string) => boolean;
  /** Not of a shadow root, which stands in event paths, too. */
  matches?: (selector: string) => boolean;
  closest: (selector: string) => DomElement | null;
  querySelectorAll: (selector: string) => Iterable<DomElement>;
  getBoundingClientRect: () => Rect;
  getClientRects: () => Iterable<Rect>;
  checkVisibility: (options: { visibilityProperty: boolean }) => boolean;
  scrollBy: (options: { left: number; top: number; behavior: string }) => void;
  scrollIntoView: (options: { block: string; inline: string; behavior: string }) => void;
  focus: (options: { preventScroll: boolean }) => void;
  blur: () => void;
  select?: () => void;
  setSelectionRange?: (start: number, end: number) => void;
  dispatchEvent: (event: object) => boolean;
};

export type DomOption = DomElement & {
  selected: boolean;
  disabled: boolean;
  label: string;
  value: string;
  text: string;
};

/** A document or a shadow root. */
export type DomRoot = DomNode & {
  readonly host?: DomElement;
  readonly activeElement: DomElement | null;
  elementFromPoint: (x: number, y: number) => DomElement | null;
  addEventListener: (type: string, listener: (event: DomEvent) => void, capture: boolean) => void;
  removeEventListener: (type: string, listener: (event: DomEvent) => void, capture: boolean) => void;
};

export type DomDocument = DomRoot & {
  readonly documentElement: DomElement;
  readonly body: DomElement | null;
  readonly scrollingElement: DomElement | null;
  readonly defaultView: object | null;
  createRange: () => DomRange;
  querySelectorAll: (selector: string) => Iterable<DomElement>;
  hasFocus: () => boolean;
};

export type DomRange = {
  selectNodeContents: (node: DomNode) => void;
  collapse: (toStart: boolean) => void;
  getClientRects: () => Iterable<Rect>;
};

export type DomEvent = {
  readonly type: string;
  readonly isTrusted: boolean;
  composedPath: () => readonly DomElement[];
  preventDefault: () => void;
  stopImmediatePropagation: () => void;
};

export type DomStyle = {
  display: string;
  pointerEvents: string;
  overflowX: string;
  overflowY: string;
  visibility: string;
  paddingLeft: string;
  paddingTop: string;
};
