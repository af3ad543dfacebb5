/**
 * What each script that runs in pages takes and gives. The scripts are functions of the same names in the files beside this
 * one, which know the DOM library and nothing else. `generated/page-scripts.js` holds their bundled sources; "go to
 * definition" on a name from it leads to the function. `tabs/call-in-page.ts` runs them.
 */
import type { TextWithCuts } from '#core/text/page-texts.ts';
import type { SecretManner, SecretTyped } from '#browsing/in-page/secrets/secret-typed.ts';

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined };

/** Run in a document as a whole, or on an element of it. */
export type DocumentScripts = {
  /** From here on changes count: those of the document and, on an element, of the shadow tree it stands in. */
  markChanges: () => void;
  /** Whether anything has changed since the mark, as soon as it has, or when the time is up. */
  changedSoon: (ms: number) => boolean;
  /** True if nothing changed for `quietMs`, counted from `sinceMs` ago. Resolves between `leastMs` and `ms` from now. */
  quietSoon: (quietMs: number, sinceMs: number, leastMs: number, ms: number) => boolean;
  /**
   * Whether a document that has loaded still changes: in the frame that is drawn next, until its scripts have nothing more
   * to do for now – timers that are due have run, and what waits for something to come into view has seen it – and for a
   * `share` of the time it took to load. No longer than `ms`.
   */
  changedOnceLoaded: (share: number, ms: number) => boolean;
  /** In a document around an element's frame: no event of these kinds has any business there at all. */
  armGuardAround: (kinds: readonly string[], lifeMs: number) => void;
  guardState: (stops: boolean) => Guarded;
  /** From now on, notes the fields that hold a form up. What a person is told of them no view shows. */
  watchInvalid: (fieldsMax: number) => void;
  /** The names of fields with something in them that the page did not come with. */
  typedFields: (max: number) => TextWithCuts[];
  /** Gives them, and stops. */
  takeInvalid: () => InvalidField[];
  /** On a document: its own scrolling, or that of its largest pane. On an element: it, or what scrolls around it. */
  scroll: (distance: Distance) => Scrolled;
  /** Whether the document shows a text to a person; with the words around it. */
  lookForText: (wanted: string, aroundChars: number) => Looked;
  /** All text that the document shows to a person, as far as `charsMax`. */
  shownWords: (charsMax: number) => ShownWords;
  /** The same for an element that a selector matches. */
  lookForSelector: (selector: string) => Looked;
  /** Draws the values of fields as dots, or stops that. */
  hideTyped: (isOn: boolean, blanks: boolean) => void;
  /** Empties the fields that a secret was typed into, and their copies. */
  emptySecrets: () => void;
  /** The name of its window, and its referrer. */
  handedOver: () => string;
  /** The texts of everything that keys can edit. */
  editableTexts: () => string[];
  /** Holds the secrets that a page shows in these fields and editors. */
  guardEditables: (at: readonly number[]) => void;
  /** All text of the document, as one run. */
  allText: () => string;
  controlText: () => string;
  /** Draws boxes over parts of that text, or removes them. Returns false if the text has another length by now. */
  coverText: (chars: number, places: readonly (readonly [start: number, end: number])[]) => boolean;
  /** Once the page has run what was due after the last key: events of a changed selection. */
  nextTask: () => true;
  /** What only a person can pass, or should. */
  wallHere: () => Wall;
  focusKind: () => FocusKind;
  /** Short messages since it was last asked. The first time it begins to note them, and with `goesOn` goes on. */
  announced: (goesOn: boolean) => TextWithCuts[];
  /** Of the list that has the focus. */
  listChoices: (max: number) => Choices | null;
  chooseInList: (at: number) => void;
  html: (options: HtmlOptions) => Html;
  /** As a person sees it, as HTML. */
  visibleHtml: (options: VisibleOptions) => VisibleHtml;
  /** Notes what a picture that is taken now shows. */
  notePicture: (mark: string, elementsMax: number) => void;
  /** What a person would have selected to copy it. */
  selectedText: (charsMax: number) => TextWithCuts;
  /** How many elements the document has. From `enough` on, it is a rough number. */
  countElements: (enough: number) => number;
  /** How much text the document holds in all, whether it is seen or not, and how high it is in CSS pixels. */
  textSize: () => { chars: number; height: number };
  /** In CSS pixels; `density`: pixels of the screen for one of them. */
  viewport: () => { width: number; height: number; density: number };
  /** When fonts are there, and images that are loading: not those that load only when they are scrolled to. */
  drawn: () => void;
  /** Draws labels on an image. Gives base64. */
  draw: (jpegBase64: string, placed: readonly Placed[], fontPx: number, quality: number, scale: number) => string;
  readFrame: (maxBytes: number) => FrameFacts;
  /** @param withFocus whether another focused field counts as a change */
  pageState: (compares: boolean, withFocus?: boolean) => boolean | null;
  /** Begins to read what is to be saved. `null`: the document cannot read it. */
  openSaved: (url: string, key: number) => Saved | null;
  /** Its next bytes, in base64; `null` at the end. */
  readSaved: (key: number, bytesMax: number) => string | null;
  endSaved: (key: number) => void;
  /** Adds a frame to a blank document of ours. */
  addFrame: (src: string) => void;
  /** Takes its frames away again, so that the tab knows of none that is gone. */
  removeFrames: () => void;
  /**
   * Fills the storage that a document of this origin sees. `null`: this is another document, which stays as it is.
   * Otherwise how many entries the browser would not take. The entries come as JSON of `[key, value]` pairs.
   */
  plantFrame: (origin: string, local: string, session: string) => number | null;
  /** Scrolls a document. Whether it could: it may not be tall enough yet. */
  scrollDocumentTo: (x: number, y: number) => boolean;
};

/** Run on an element only. */
export type ElementScripts = {
  clickKind: () => ClickKind;
  /**
   * Waits until the element can be acted on, and says where.
   * @param stays whether what only scripts can scroll stays scrolled; otherwise until changes are looked for
   * @param words where in it a text is meant that it only contains; `''` for all of it
   */
  readyPoint: (budgetMs: number, isHit: boolean, stays: boolean, words: string) => Readiness;
  drawsItself: () => boolean;
  isHitAt: (x: number, y: number) => boolean;
  isAwayFrom: (x: number, y: number) => boolean;
  /** On an `<iframe>`: whether the page hits it at a point of its document's viewport. */
  frameHit: (x: number, y: number) => boolean;
  /** Keeps real events of these kinds from anything but the element, until one reaches it or {@link DocumentScripts.guardState} says to stop. */
  armGuard: (kinds: readonly string[], lifeMs: number, isForFirst?: boolean) => void;
  lookAtElement: () => Looked;
  /** What it is, for an element that has no name: in the page's words. */
  describeElement: () => TextWithCuts;
  /** @param role of the accessibility tree, which also knows roles that a script has set through `ElementInternals` */
  field: (role?: string) => Field;
  /** Gives the focus to the field and selects what it holds, or puts the caret behind it. Whether it has the focus. */
  focusField: (selects: 'all' | 'end') => boolean;
  /** Sets a value that a picker would give. Gives what the field holds then. */
  setExact: (value: string) => string;
  choose: (wanted: readonly string[], maxShown: number) => Choice;
  /**
   * On an option of a list that draws only some of its options: scrolls the list until an option has the words.
   * @param fromTop whether it first goes to the beginning
   * @param isWhole whether the words are the whole name of the option
   */
  searchList: (wanted: string, ms: number, fromTop: boolean, isWhole: boolean) => ListSearch;
  /** `null` for a field without a `<datalist>`. */
  listedFor: (wanted: string, maxShown: number) => Listed | null;
  /** Types a secret, if the field is on one of its sites. `null` only checks that. */
  typeSecret: (text: string | null, sites: readonly string[], manner: SecretManner) => SecretTyped;
  /** Empties fields in which the page has left a part. Returns false if one of them belongs to the typing into this element. */
  keepsSecretWhole: () => boolean;
  /** What the page has marked otherwise on the element, in it and around it since {@link DocumentScripts.markChanges}. */
  marksSince: () => Marks;
  isInDocument: () => boolean;
  /** Whether the pointer is over it, or the focus in it. */
  isUnderHand: () => boolean;
  /** Keeps a part of the file that {@link ElementScripts.putFile} makes. */
  takePiece: (base64: string, isFirst: boolean) => void;
  /** Makes a file of the pieces and puts it into the field, or drops it on the element. `bytes`: how many it must have. */
  putFile: (name: string, type: string, bytes: number) => PutFile;
};

/** Take or give what is no data: elements of a page, or a value of its own. */
export type HandleScripts = {
  /** Gives an object with the `count`, and the first elements. Throws for what is no selector. */
  findElements: (selector: string, max: number) => object;
  /** Gives the root of the document or, for text, the body if all of that can be edited. */
  wholeDocument: (isForText: boolean) => object;
  /** On an element: gives the innermost one at a point of its document's viewport. */
  elementAt: (x: number, y: number) => object | null;
  /** On an element that could not be clicked: gives what covered it, as `findElements` gives elements. */
  coversOf: (max: number) => object;
  /** On an element: gives it and those around it, as `findElements` gives elements. */
  ancestorsOf: (max: number) => object;
  /** Gives the element of the frame that has the focus. */
  focusedFrame: () => object | null;
  /** On a text: gives the element that it stands in. */
  elementOfText: () => object | null;
  /** On an element that has gone: gives the one that is there in its place now. */
  replacedBy: () => object | null;
  /** Gives an object with the `state` of a point of the picture, a `PointState`, and the element that is `hit` there. */
  underPoint: (mark: string, x: number, y: number) => object;
  /** About `max` nodes from one on, or from the beginning; all of them in one element, or in the document. */
  partOf: (max: number, from: never, within: never) => DocumentPart<object>;
  /** The parts that a name stands in. */
  partsNamed: (words: string, max: number) => DocumentPart<object>;
  /** The parts that elements stand in. */
  partsAround: (...elements: never[]) => DocumentPart<object>;
  tellingElements: (
    max: number,
    othersMax: number,
    textsMax: number,
    silentMax: number,
    part?: never,
  ) => TellingElements<object>;
  /** Where elements lie in the viewport of their document; `null` for one that cannot be seen, or is covered by another. */
  boxesOf: (...elements: never[]) => (Box | null)[];
  /** Among the page's own scripts: a value as JSON within `charsMax` and `depthMax`. */
  toJson: (value: unknown, charsMax: number, depthMax: number) => CappedJson;
};

/** Parts of a large document. */
export type DocumentPart<Node> = {
  /** How many elements the document has. */
  elements: number;
  /** Whether it begins where it was to; of parts that were looked for, whether these are all. */
  isThere: boolean;
  /** What is in it, with all that it holds, in reading order. */
  whole: Node[];
  /** What stands around that. */
  around: Node[];
  /** Where the next part begins; `null` when there is none. */
  next: Node | null;
};

/** What only a look at the DOM tells. */
export type TellingElements<Node> = {
  /** Whether the accessibility tree has more elements from now on. */
  isTreeOld: boolean;
  /** How many elements were looked at. */
  elements: number;
  /** Elements that react to a click without a role (a hand over them, an `onclick`), and the current one of a set. */
  telling: Node[];
  /** Fields that are not empty, and elements that show only an icon. */
  others: Node[];
  hints: Hint<Node>[];
  /** Texts that nobody sees. */
  unseen: Node[];
  /** Texts with room before them that is no space. */
  apart: Node[];
  /** Texts that begin a line below the text before them, in another box. */
  below: Node[];
  /** People see them, and assistive technology does not get them. */
  silent: SilentText<Node>[];
  silentLeft: number;
  /** What the pointer or the focus is in. */
  underHand: Node[];
  /** Their style puts them over the rest of the page. */
  over: Node[];
};
/** A hint for an element without a name, such as its class or tooltip. `file`: the address of the file that it shows. */
export type Hint<Node> = { element: Node; kind: HintKind; words: string };
type HintKind = 'tooltip' | 'icon' | 'class' | 'title' | 'placeholder' | 'frame' | 'file' | 'checked';
/** A line of text that people see and assistive technology is not given, or a canvas, without words. */
export type SilentText<Node> = {
  /** The box that it stands in. */
  block: Node;
  words: string;
  /** The last text before it that assistive technology is given. */
  after: Node | null;
  /** Elements around it that it may be given, from the innermost. */
  around: Node[];
};

/** Run before any script of a page, among its own. */
export type GuardScripts = {
  guardDocument: () => void;
  guardWorker: () => void;
  forbidSharedWorkers: () => void;
};

/** Run among the page's own scripts while something is done to it. */
export type TimerScripts = {
  /** Gives a watch. */
  watchTimers: (msMax: number) => TimerWatch;
  /** On a watch. */
  timersOver: () => boolean;
};
export type TimerWatch = { dueInMs: () => number; stop: () => void; wait: (ms: number) => Promise<void> };

type Scripts = DocumentScripts & ElementScripts & HandleScripts & GuardScripts & TimerScripts;

/** The source of the function `Name`, bundled with what it calls. */
export type Source<Name extends keyof Scripts> = string & { readonly runs: Name };

/** What can be sent to a script. */
export type Sendable = readonly Json[];

/** `hidden`: it is in the document, but nobody sees it. `words`: what stands around it, where it is a text that is seen. */
export type Looked = { state: 'seen' | 'hidden' | 'missing' | 'invalid'; words: TextWithCuts };

/** Classes and attributes, in the page's words. */
export type Marks = { came: TextWithCuts[]; went: TextWithCuts[] };

export type ShownWords = { words: TextWithCuts; isAll: boolean };

/** What lies under a point, as against what a picture showed there. */
export type PointState = 'same' | 'disabled' | 'changed' | 'nothing';

/** The picker that a click on the element opens, which no view and no screenshot shows. `text`: a field for typing. `list`: a list box, where a click chooses the option under the pointer. */
export type ClickKind = 'plain' | 'option' | 'select' | 'list' | 'file' | 'picker' | 'text';

type Unready = 'covered' | 'hidden' | 'disabled' | 'moved' | 'replaced';
/** Pixels of the frame's own viewport; `by`: what lies over the element. `mayHoldFrame`: a press there may go to a frame's document. */
export type Readiness =
  | { state: 'ready'; x: number; y: number; mayHoldFrame?: boolean }
  | { state: Unready; by: TextWithCuts | null; where?: Outside | undefined };
/** Of the window. */
export type Outside = 'left' | 'right' | 'above' | 'below';

/** Something that is to be saved. */
export type Saved = { contentType: string | null };

/** What came of a file that was put; `held`: files that the field then has. `broken`: it did not arrive whole. */
export type PutFile = { outcome: 'field' | 'dropped' | 'disabled' | 'not_taken' | 'broken'; held: number };

/** Which kinds of events reached the element, and which were kept from another one. */
export type Guarded = { accepted: string[]; refused: string[] };

/**
 * How a field is filled: `text` by typing, `exact` by a value in a set format, `choice` from a list, `check` on or off,
 * `none` not at all.
 */
export type FieldKind = 'text' | 'editable' | 'exact' | 'choice' | 'check' | 'file' | 'none';
export type Field = {
  kind: FieldKind;
  type: string;
  isSecret: boolean;
  isReadOnly: boolean;
  value: string;
  /** Part of its document, not of one that was or of nothing any more. */
  isThere: boolean;
  hasFocus: boolean;
};
/** `labels`: of the options that were meant, in the form of what a field holds. */
export type Choice = {
  chosen: number;
  missing: string[];
  options: TextWithCuts[];
  isMultiple: boolean;
  labels: string;
};

/** `ended`: the list was scrolled to its end. `isThere`: it can be scrolled by a script. Pixels. */
export type ListSearch = {
  isFound: boolean;
  isThere: boolean;
  ended: boolean;
  moved: boolean;
  at: number;
  height: number;
};

export type Listed = { value: TextWithCuts | null; options: TextWithCuts[] };
/** `control`: a button, a link or a box, which takes no text. `field`: anything else. */
export type FocusKind = 'nothing' | 'control' | 'field';

/** A field that the browser did not send a form for, in the words of the page and of the browser to a person. */
export type InvalidField = { name: TextWithCuts; problem: TextWithCuts };

/** Pixels. `x`, `y`: how far it is scrolled; `width`, `height`: of all there is; `shown…`: of what is shown at once. */
export type Scrolled = {
  x: number;
  y: number;
  width: number;
  height: number;
  shownWidth: number;
  shownHeight: number;
  /** The middle of what is scrolled, in the frame's viewport: where a wheel would be turned. */
  middle: { x: number; y: number };
  /** Whether, where nothing scrolls, boxes cut off what does not fit. */
  cutsOff: { across: boolean; down: boolean };
};
/** How far: in pixels, or in lengths of what is shown less a tenth, so that the reader keeps the place. */
export type Distance = { unit: 'px' | 'pages'; right: number; down: number };

/** `hidesFields`: what fields hold is left out. */
export type HtmlOptions = { charsMax: number; attributeCharsMax: number; keepsScripts: boolean; hidesFields: boolean };
/** `scripts`, `styles`: how many were left out; `shadowRoots`: how many were written as templates. */
export type Html = { html: TextWithCuts; isCut: boolean; scripts: number; styles: number; shadowRoots: number };

/** `keepsValues`: of fields, as the page gives them: for a page in which nobody types. Private ones are left out all the same. */
export type VisibleOptions = {
  charsMax: number;
  attributeCharsMax: number;
  looksMax: number;
  hidesFields: boolean;
  keepsValues: boolean;
};
/** Something that asks for a person; empty for nothing. */
export type Wall = 'password' | 'code' | 'captcha' | '';
/** Of a list, in its order; a choice that cannot be made is empty. `place`: of its field, as shares of the frame. */
export type Choices = { labels: string[]; chosen: number; place: Box };
/** `hidden`: parts that are marked as not to be seen, and texts left out because nobody sees them. */
export type VisibleHtml = { html: TextWithCuts; isCut: boolean; hidden: number };

/** Places on a page, in CSS pixels from the top left of the document unless said otherwise. */
export type Box = { x: number; y: number; width: number; height: number };
/** A box, its name, and where its label stands. */
export type Placed = { name: string; box: Box; label: Box; colour: string };

/** What a document's own storage and place say, as far as the document may see them. */
export type FrameFacts = {
  /** `null` for a document without an origin of its own, which has no storage. */
  origin: string | null;
  title: string;
  scrollX: number;
  scrollY: number;
  local: AreaFacts | null;
  session: AreaFacts | null;
  databases: number;
  caches: number;
};
/** JSON of `[key, value]` pairs: JSON, because it keeps strings that are not well-formed Unicode as they are. */
export type AreaFacts = { entries: string; omitted: number };
/** What a script gave, as JSON text within its limits; `isCut` when some of it is left out. */
export type CappedJson = { json: TextWithCuts; isCut: boolean };
