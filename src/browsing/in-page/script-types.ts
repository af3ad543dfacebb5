/**
 * Types of the data that in-page scripts take and return. The scripts are functions in this folder that use only the
 * DOM. `generated/page-scripts.js` contains their bundled sources and `page-scripts.d.ts` their types; "go to
 * definition" on a name leads to the function. `tabs/call-in-page.ts` runs them.
 */
import type { TextWithCuts } from '#core/text/page-texts.ts';

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined };

/**
 * Host patterns of the site rules for sockets. In each list, the first matching pattern decides. A socket is blocked if
 * any list blocks it.
 */
export type SocketHosts = { hosts: [pattern: string, isStopped: boolean][]; isStopped: boolean }[];

export type DocumentPart<Node> = {
  /** Number of elements of the document. */
  elements: number;
  /** Size of the document, in elements. Long texts count as several. */
  size: number;
  /** True if the part begins at the requested node. After a search: true if the part has all matches. */
  isThere: boolean;
  /** Nodes of the part, each with its whole content, in reading order. */
  whole: Node[];
  /** Nodes of `whole` that are read without their content: fields with a long value. */
  long: Node[];
  /**
   * Long texts of the part, and elements named by them. They are in no other list, because Chromium would describe every
   * line of these texts.
   */
  texts: LongText[];
  /** The nodes of `texts`. Not enumerable, because a serialized node contains its whole text. */
  textNodes?: Node[];
  around: Node[];
  /** First node of the next part; `null` at the end. */
  next: Node | null;
};

/**
 * An excerpt of a long text or value, or of the name of another element: `uncut` from `from` to `to`. The characters
 * around it are needed to mask secrets.
 */
export type LongText = {
  /** Role of the node in the accessibility tree. */
  role: string;
  /** Address of a link; `''` for other nodes. Characters from `urlEnd` on only mask secrets. */
  url: string;
  urlEnd: number;
  /** Index of the element of this list that contains the text; -1 for none. */
  inside: number;
  /** Length of the whole text. */
  chars: number;
  uncut: string;
  from: number;
  to: number;
  /** States of an element: `name` or `name=value`, by the names of the accessibility tree. */
  states: string[];
  /** Name of a field, of which the excerpt is the value; `null` for other nodes. Characters from `nameEnd` on only mask secrets. */
  name: string | null;
  nameEnd: number;
  isSecret: boolean;
  /** Number of lines of a field's value. */
  lines: number;
  linesBefore: number;
};

/** Facts about a document that its accessibility tree lacks. */
export type DomFacts<Node> = {
  /** True if the script made Chromium add elements to the accessibility tree, which must then be read again. */
  isTreeOld: boolean;
  /** Size of the document, or of what was read of it, in elements: long texts count as several. */
  size: number;
  /**
   * Elements without a role that look clickable (a pointer cursor, `onclick`), controls without a name, draggable
   * elements, and elements with `aria-current` or `aria-sort`.
   */
  telling: Node[];
  /** Fields that are not empty, and elements that show only an icon. */
  others: Node[];
  hints: ElementHint<Node>[];
  unseen: Node[];
  /** Text nodes with a visible gap before them but no space character. */
  apart: Node[];
  /** Text nodes on a line below or above the previous text, in another box. */
  below: Node[];
  silent: AriaHiddenText<Node>[];
  silentLeft: number;
  /** Elements under the mouse pointer or around the keyboard focus. */
  underHand: Node[];
  /** Elements that CSS positions over the other content, such as an overlay. */
  over: Node[];
  /** The modal dialog or full-screen overlay in front of all others; empty for none. */
  front: Node[];
};
/**
 * A fact that an element's accessible name lacks, such as its tooltip. For the kind `file`, the address of the embedded
 * file.
 */
export type ElementHint<Node> = { element: Node; kind: HintKind; words: string };
type HintKind =
  | 'tooltip'
  | 'icon'
  | 'class'
  | 'title'
  | 'placeholder'
  | 'frame'
  | 'file'
  | 'checked'
  | 'closed'
  | 'chosen'
  | 'box';
/** A visible line of text hidden from assistive technology, or a canvas (with empty `words`). */
export type AriaHiddenText<Node> = {
  block: Node;
  /** The line, with more characters after its first `chars` ones, which are needed to mask secrets. */
  words: string;
  chars: number;
  /** Number of characters that follow the first ones. */
  unread: number;
  /** The last accessible text before the line. */
  after: Node | null;
  /** Ancestors of the line, innermost first. The accessibility tree may lack some of them. */
  around: Node[];
};

export type TimerWatch = {
  dueInMs: () => number;
  isPending: () => boolean;
  stop: () => void;
  wait: (ms: number) => Promise<void>;
};

/** A script that runs in a document as a whole, or on one of its elements. */
type OfDocument = 'document';
type OfElement = 'element';
/** A script that takes or returns elements or other handles, not only plain data. */
type OfHandles = 'handles';

/** The bundled source of a script, typed by the function that it contains. */
export type ScriptSource<Of extends OfDocument | OfElement | OfHandles, Run extends PageFunction> = string & {
  readonly of: Of;
  readonly runs: Run;
};

export type PageFunction = (...args: never[]) => unknown;

export type JsonArguments = readonly Json[];

/** Result of looking for a text or an element. `hidden`: it is in the document but invisible. */
export type VisibilityResult = {
  state: 'seen' | 'hidden' | 'missing' | 'invalid';
  /** For a visible text, the text around it. */
  words: TextWithCuts;
};

/** Classes and attributes that were added (`came`) or removed (`went`), in the page's words. */
export type MarkChanges = { came: TextWithCuts[]; went: TextWithCuts[] };

export type VisibleText = { words: TextWithCuts; isAll: boolean };

/** State of a point of the page compared with the last screenshot. */
export type ScreenshotPointState = 'same' | 'disabled' | 'changed' | 'nothing';

/**
 * Meaning of different pixels at a point of the last screenshot. `moving`: an animation runs there. `other`: a video, a
 * text field, or an element that the pointer or the focus has reached or left since, which is drawn differently then.
 * `drawn`: a canvas, on which the caller's own actions may have drawn.
 */
export type ScreenshotPointLook = 'comparable' | 'drawn' | 'moving' | 'other';

/**
 * Effect of a click on the element. Most kinds open a picker outside the page, which no screenshot shows. `text`: a
 * field for typing. `list`: a list box, where a click chooses the option under the pointer.
 */
export type ClickKind = 'plain' | 'option' | 'select' | 'list' | 'file' | 'picker' | 'text';

type Unready = 'covered' | 'hidden' | 'disabled' | 'moved' | 'replaced';
/**
 * Result of waiting for an element. Coordinates in its frame's viewport. `changed`: words of the element, or only of its
 * row, have changed since it was found. `by`: the element that covers it.
 */
export type ClickPointResult =
  | { state: 'ready'; x: number; y: number; mayHoldFrame?: boolean; changed?: 'element' | 'row' }
  | ({ state: Unready; by: TextWithCuts | null } & OutsidePlace);
/** Position of an element beyond an edge of the window. `isPinned`: it is there in a window of any size. */
export type OutsidePlace = { where?: OutsideDirection; isPinned?: boolean };
export type OutsideDirection = 'left' | 'right' | 'above' | 'below';

/** `bytes`: the declared size, which may be wrong; `null` if unknown. */
export type DownloadInPage = { contentType: string | null; bytes: number | null };

/** Outcome of putting a file into a field, or of dropping it. `broken`: the file is incomplete. */
export type PutFileOutcome = {
  outcome: 'field' | 'dropped' | 'disabled' | 'not_taken' | 'broken';
  /** Number of files in the field afterwards; 0 without a field. */
  held: number;
};

/** Kinds of events that reached the element, and kinds that were blocked because they would have reached others. */
export type GuardedEvents = {
  accepted: string[];
  refused: string[];
  /** True if a space or Enter was kept from a control to which the page had moved the focus. */
  isPressBlocked: boolean;
  /** True if the pressed element is gone and no equal element replaced it. */
  isRemoved: boolean;
};

/**
 * The way to fill a field. `text`: by typing. `exact`: by a value in a fixed format. `choice`: from a list. `check`: on
 * or off. `none`: not fillable.
 */
export type FieldKind = 'text' | 'editable' | 'exact' | 'choice' | 'check' | 'file' | 'none';
export type FieldState = {
  kind: FieldKind;
  type: string;
  isSecret: boolean;
  isReadOnly: boolean;
  /** True if the element is still in the document. */
  isThere: boolean;
  hasFocus: boolean;
};
export type FieldFacts = FieldState & {
  value: string;
  /** True if the field has options and its text is not known to be one of them. */
  lacksOption: boolean;
};
/** State of a check box, switch or radio button. */
export type Tick = { isRadio: boolean; state: 'on' | 'off' | 'mixed' };
export type OptionChoiceResult = {
  chosen: number;
  missing: string[];
  /** True if a missing option is in the list but disabled. */
  isDisabled: boolean;
  options: TextWithCuts[];
  /** The options that share a wanted name, each with its group and value; empty if every name is clear. */
  alike: TextWithCuts[];
  isMultiple: boolean;
  /** Labels of the found options, one per line. */
  labels: string;
};

/** Result of scrolling a list. Lengths in CSS pixels. */
export type ListScrollResult = {
  isFound: boolean;
  /** True if a script can scroll the list. */
  isThere: boolean;
  /** True if the end of the list was reached. */
  ended: boolean;
  moved: boolean;
  at: number;
  height: number;
};

export type DatalistOptions = { value: TextWithCuts | null; options: TextWithCuts[]; alike: TextWithCuts[] };
/** `control`: a button, link or check box, which takes no text. `field`: any other focused element. */
export type FocusKind = 'nothing' | 'control' | 'field';

/** A field whose validation blocked a form. The texts come from the page and the browser. */
export type InvalidFieldInPage = { name: TextWithCuts; problem: TextWithCuts };

/** `hidesFields`: true to omit the content of fields. */
export type SerializeHtmlOptions = {
  charsMax: number;
  attributeCharsMax: number;
  keepsScripts: boolean;
  hidesFields: boolean;
};
export type HtmlResult = {
  html: TextWithCuts;
  isCut: boolean;
  /** Number of omitted scripts. */
  scripts: number;
  /** Number of omitted style sheets. */
  styles: number;
  /** Number of shadow roots written as templates. */
  shadowRoots: number;
};

/** Limits and options for reading a page as a person sees it. */
export type VisibleHtmlOptions = {
  charsMax: number;
  attributeCharsMax: number;
  looksMax: number;
  hidesFields: boolean;
  /** True to show field values that are not private, for a page in which nobody has typed. */
  keepsValues: boolean;
};
/** An obstacle that only a person can pass; `''` for none. `card`: fields of a payment card. */
export type WallKind = 'password' | 'code' | 'captcha' | 'card' | '';
export type SelectOptions = {
  /** Labels of the options; `''` for one that cannot be chosen. */
  labels: string[];
  chosen: number;
  /** Box of the field as fractions of the viewport. */
  place: Box;
};
export type VisibleHtml = {
  html: TextWithCuts;
  isCut: boolean;
  /** Number of elements marked as hidden, plus omitted invisible texts. */
  hidden: number;
};

/** A box in CSS pixels, from the top left of the document unless stated otherwise. */
export type Box = { x: number; y: number; width: number; height: number };
export type PlacedLabel = { name: string; box: Box; label: Box; colour: string };

/** Storage and scroll position of a document. Storage that the document may not read is `null`. */
export type FrameStorage = {
  /** Origin of the document; `null` for an opaque origin, which has no storage. */
  origin: string | null;
  title: string;
  scrollX: number;
  scrollY: number;
  local: StorageAreaEntries | null;
  session: StorageAreaEntries | null;
  databases: number;
  caches: number;
};
/** JSON of `[key, value]` pairs. JSON preserves strings with lone surrogates. */
export type StorageAreaEntries = { entries: string; omitted: number };
/** The result of a script as JSON text within the limits. `isCut`: true if a part is omitted. */
export type CappedJson = { json: TextWithCuts; isCut: boolean };
