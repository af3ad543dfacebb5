import { SECOND_MS } from '#core/units.ts';

/** A click that found another element under the pointer is tried again so often in all. */
export const ACT_TRIES_MAX = 3;
/** A guard that a call could not take out of a page again ends by itself: longer than any click takes. */
export const ACT_GUARD_MS_MAX = 15 * SECOND_MS;
/** Options of a list that a refusal names, so that the next call can be right. */
export const ACT_OPTIONS_SHOWN_MAX = 20;
export const ACT_OPTIONS_CHARS_MAX = 1_000;
/** Fields with which a form was not sent, as many as a result tells: a person sees one after the other. */
export const INVALID_FIELDS_MAX = 8;
/** The browser confirms an input event when the page has handled it; a page that is busy for longer is left to it. */
export const ACT_INPUT_MS_MAX = 5 * SECOND_MS;
/** Keys on their way at once, so that a far browser does not cost a round trip a key. */
export const TYPE_KEYS_IN_FLIGHT = 32;
/** Suggestion lists that are asked for after each key keep up with this. */
export const TYPE_SLOWLY_MS = 60;
/** Keys of one sequence. */
export const TYPE_NAMED_KEYS_MAX = 50;
/** A script's result as JSON; with the fence and our words it stays within a result. */
export const EVALUATE_RESULT_CHARS_MAX = 20_000;
export const EVALUATE_RESULT_DEPTH_MAX = 8;
/** A page may run one loop after another; with the waits between them it is ended within 8 s. */
export const PAGE_STOPS_MAX = 3;
/** How long a page may take to answer at all, before it counts as hanging. */
export const PAGE_ALIVE_MS = 1 * SECOND_MS;
/** A step of a drag: what sorts itself looks at each, and a frame is drawn between two of them. */
export const DRAG_STEP_PX = 20;
export const DRAG_STEP_MS = 16;
export const DRAG_STEPS_MIN = 5;
/** A drag right across a large window stays under two seconds. */
export const DRAG_STEPS_MAX = 60;
/** How far a drag onto an element goes past its middle: a list changes places there, and a hand goes on, too. */
export const DRAG_PAST_PX = 2;
/** Over its target a drag rests this long before it ends: browsers tell a page of one that rests every 50 ms. */
export const DRAG_REST_MS = 120;
