import { KIB, SECOND_MS } from '#core/limits.ts';

/** How often a click is tried in all when another element was under the pointer. */
export const ACT_TRIES_MAX = 3;
/** A guard that could not be removed from a page ends by itself after this. No click takes longer. */
export const ACT_GUARD_MS_MAX = 15 * SECOND_MS;
/** Options of a list that a refusal names, so that the next call can be right. */
export const ACT_OPTIONS_SHOWN_MAX = 20;
export const ACT_OPTIONS_CHARS_MAX = 1_000;
/** Fields that a result names when a form was not sent. A person sees one after the other. */
export const INVALID_FIELDS_MAX = 8;
/**
 * The browser confirms an input event when the page has handled it. If the page is busy for longer, the event is left
 * to it.
 */
export const ACT_INPUT_MS_MAX = 5 * SECOND_MS;
/**
 * Keys that are sent without waiting for each other's confirmation, so that a distant browser does not cost a round
 * trip for each.
 */
export const TYPE_KEYS_IN_FLIGHT = 32;
/** Keys of one sequence. */
export const TYPE_NAMED_KEYS_MAX = 50;
/** A script's result as JSON. With the fence and our own words it fits in a result. */
export const EVALUATE_RESULT_CHARS_MAX = 20_000;
export const EVALUATE_RESULT_DEPTH_MAX = 8;
/** A page may run one loop after another. With the waits in between, it is ended within 8 s. */
export const PAGE_STOPS_MAX = 3;
/** Of a file on its way into a page: in base64 a message stays under 1 MB, which every browser service takes. */
export const PUT_PIECE_BYTES = 512 * KIB;
/** Length of a drag step. Sortable lists react to each step, and a frame is drawn between two steps. */
export const DRAG_STEP_PX = 20;
export const DRAG_STEP_MS = 16;
export const DRAG_STEPS_MIN = 5;
/** Keeps a drag across a large window below two seconds. */
export const DRAG_STEPS_MAX = 60;
/** How far a drag onto an element goes past its middle. Lists change places at the middle, and a hand goes on, too. */
export const DRAG_PAST_PX = 2;
/** How long a drag rests over its target. Browsers send an event every 50 ms to a page whose drag rests. */
export const DRAG_REST_MS = 120;
