/**
 * Scroll position and sizes in CSS pixels. `width` and `height` are of the whole content, `shownWidth` and
 * `shownHeight` of its visible part.
 */
export type ScrollMetrics = {
  x: number;
  y: number;
  width: number;
  height: number;
  shownWidth: number;
  shownHeight: number;
  /** The centre of the scrolled box in the frame's viewport, where wheel events are sent. */
  middle: { x: number; y: number };
  /** For each direction: true if nothing can be scrolled and some box clips its content. */
  cutsOff: { across: boolean; down: boolean };
};
/** `pages`: multiples of 90 % of the visible length, so that some lines stay in view. `px`: pixels. */
export type ScrollDistance = { unit: 'px' | 'pages'; right: number; down: number };

/** A list of which only a part is in the DOM. Lengths in CSS pixels. */
export type VirtualList = {
  /** Height of the visible part. */
  shown: number;
  /** Scroll height of the whole list. */
  height: number;
};
