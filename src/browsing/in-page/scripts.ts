/**
 * Data that scripts take and return. The scripts are functions in the files next to this one, which use the DOM library
 * and nothing else. `generated/page-scripts.js` contains their bundled sources, and `page-scripts.d.ts` their types; "go
 * to definition" on a name from it leads to the function. `tabs/call-in-page.ts` runs them.
 */
import type { TextWithCuts } from '#core/text/page-texts.ts';

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined };

/**
 * Which hosts may open sockets, following the rules for sites: in each list, the first matching pattern decides. A
 * socket is stopped if any list stops it.
 */
export type SocketHosts = { hosts: [pattern: string, isStopped: boolean][]; isStopped: boolean }[];

export type DocumentPart<Node> = {
  elements: number;
  /** True if the part begins at the requested node. After a search: true if these are all matching parts. */
  isThere: boolean;
  /** Nodes of the part, each with its whole content, in reading order. */
  whole: Node[];
  around: Node[];
  /** First node of the next part; `null` at the end. */
  next: Node | null;
};

/** Facts that only the DOM has. */
export type TellingElements<Node> = {
  /** True if the accessibility tree read earlier is outdated, because it has gained elements. */
  isTreeOld: boolean;
  elements: number;
  /** Elements without a role that react to a click (a hand cursor, an `onclick`), and the current element of a set. */
  telling: Node[];
  /** Fields that are not empty, and elements that show only an icon. */
  others: Node[];
  hints: Hint<Node>[];
  unseen: Node[];
  /** Texts that have a visible gap before them, but no space character. */
  apart: Node[];
  /** Texts that begin a line below the previous text, in another box. */
  below: Node[];
  silent: SilentText<Node>[];
  silentLeft: number;
  /** Elements under the pointer or around the focus. */
  underHand: Node[];
  /** Elements that a style puts over the other content of the page. */
  over: Node[];
};
/** A hint for an element without a name, such as its class or tooltip. `file`: address of the file that it shows. */
export type Hint<Node> = { element: Node; kind: HintKind; words: string };
type HintKind = 'tooltip' | 'icon' | 'class' | 'title' | 'placeholder' | 'frame' | 'file' | 'checked';
/** A visible line of text that assistive technology does not get, or a canvas (without words). */
export type SilentText<Node> = {
  block: Node;
  words: string;
  /** The last text before the line that assistive technology gets. */
  after: Node | null;
  /** Elements around the line that may be in the accessibility tree, innermost first. */
  around: Node[];
};

export type TimerWatch = { dueInMs: () => number; stop: () => void; wait: (ms: number) => Promise<void> };

/** Runs in a document as a whole, or on an element of it. */
type OfDocument = 'document';
/** Runs on an element only. */
type OfElement = 'element';
/** Takes or returns elements or values of the page, not only plain data. */
type OfHandles = 'handles';

/** The source of a script, bundled with everything that it calls, and the function that it is. */
export type Source<Of extends OfDocument | OfElement | OfHandles, Run extends Script> = string & {
  readonly of: Of;
  readonly runs: Run;
};

export type Script = (...args: never[]) => unknown;

export type Sendable = readonly Json[];

/** `hidden`: in the document, but invisible. `words`: for a visible text, the text around it. */
export type Looked = { state: 'seen' | 'hidden' | 'missing' | 'invalid'; words: TextWithCuts };

/** Added (`came`) and removed (`went`) classes and attributes, in the page's words. */
export type Marks = { came: TextWithCuts[]; went: TextWithCuts[] };

export type ShownWords = { words: TextWithCuts; isAll: boolean };

/** State of a point of the page compared with the screenshot. */
export type PointState = 'same' | 'disabled' | 'changed' | 'nothing';

/**
 * Result of a click on the element: mostly a picker, which no view and no screenshot shows. `text`: a field for typing.
 * `list`: a list box, where a click chooses the option under the pointer.
 */
export type ClickKind = 'plain' | 'option' | 'select' | 'list' | 'file' | 'picker' | 'text';

type Unready = 'covered' | 'hidden' | 'disabled' | 'moved' | 'replaced';
/** Pixels of the frame's viewport. `by`: the covering element. `mayHoldFrame`: a press may go to a frame. */
export type Readiness =
  | { state: 'ready'; x: number; y: number; mayHoldFrame?: boolean }
  | { state: Unready; by: TextWithCuts | null; where?: Outside | undefined };
export type Outside = 'left' | 'right' | 'above' | 'below';

export type Saved = { contentType: string | null };

/** Outcome of putting a file. `held`: number of files in the field afterwards. `broken`: the file is incomplete. */
export type PutFile = { outcome: 'field' | 'dropped' | 'disabled' | 'not_taken' | 'broken'; held: number };

/** Kinds of events that reached the element, and kinds that were blocked for other elements. */
export type Guarded = { accepted: string[]; refused: string[] };

/**
 * The way to fill a field. `text`: by typing. `exact`: by a value in a fixed format. `choice`: from a list. `check`: on
 * or off. `none`: the field cannot be filled.
 */
export type FieldKind = 'text' | 'editable' | 'exact' | 'choice' | 'check' | 'file' | 'none';
export type Field = {
  kind: FieldKind;
  type: string;
  isSecret: boolean;
  isReadOnly: boolean;
  value: string;
  /** True if the element is part of the current document. */
  isThere: boolean;
  hasFocus: boolean;
  /** True if the field has a list of options and holds a text that is not known to be one of them. */
  lacksOption: boolean;
};
/** `labels`: labels of the matched options, in the form of a field value. */
export type Choice = {
  chosen: number;
  missing: string[];
  /** True if a missing option is in the list, but disabled. */
  isDisabled: boolean;
  options: TextWithCuts[];
  isMultiple: boolean;
  labels: string;
};

/** `ended`: the list was scrolled to its end. `isThere`: a script can scroll the list. Lengths in pixels. */
export type ListSearch = {
  isFound: boolean;
  isThere: boolean;
  ended: boolean;
  moved: boolean;
  at: number;
  height: number;
};

export type Listed = { value: TextWithCuts | null; options: TextWithCuts[] };
/** `control`: a button, link or box that takes no text. `field`: any other focused element. */
export type FocusKind = 'nothing' | 'control' | 'field';

/** A field whose validation blocked a form. The texts come from the page and the browser. */
export type InvalidFieldInPage = { name: TextWithCuts; problem: TextWithCuts };

/** `hidesFields`: true to leave out the content of fields. */
export type HtmlOptions = { charsMax: number; attributeCharsMax: number; keepsScripts: boolean; hidesFields: boolean };
/** `scripts`, `styles`: numbers of elements left out. `shadowRoots`: number of shadow roots written as templates. */
export type Html = { html: TextWithCuts; isCut: boolean; scripts: number; styles: number; shadowRoots: number };

/** `keepsValues`: true to keep field values that are not private, for a page in which nobody types. */
export type VisibleOptions = {
  charsMax: number;
  attributeCharsMax: number;
  looksMax: number;
  hidesFields: boolean;
  keepsValues: boolean;
};
/** The kind of obstacle that only a person can pass; empty for none. */
export type Wall = 'password' | 'code' | 'captcha' | 'card' | '';
/** Choices in list order; a disabled choice is empty. `place`: box of the field, as fractions of the frame. */
export type Choices = { labels: string[]; chosen: number; place: Box };
/** `hidden`: number of parts that are marked as hidden, plus invisible texts left out. */
export type VisibleHtml = { html: TextWithCuts; isCut: boolean; hidden: number };

/** A box on a page, in CSS pixels from the top left of the document unless stated otherwise. */
export type Box = { x: number; y: number; width: number; height: number };
export type Placed = { name: string; box: Box; label: Box; colour: string };

/** Storage and location of a document, as far as the document may read them. */
export type FrameFacts = {
  /** Origin of the document; `null` for an opaque origin, which has no storage. */
  origin: string | null;
  title: string;
  scrollX: number;
  scrollY: number;
  local: AreaFacts | null;
  session: AreaFacts | null;
  databases: number;
  caches: number;
};
/** JSON of `[key, value]` pairs. Strings that are not well-formed Unicode survive in JSON. */
export type AreaFacts = { entries: string; omitted: number };
/** The result of a script as JSON text within its limits; `isCut` when part of it is left out. */
export type CappedJson = { json: TextWithCuts; isCut: boolean };
