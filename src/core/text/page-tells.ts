/** First word of a console message by which our script in a page tells what the page has copied, or was denied. */
export const PAGE_TELLS = 'periscope-page-tells';

/** Permissions that a page can ask for, in words that follow "permission denied: ". */
export const DENIED = [
  'notifications',
  'camera',
  'microphone',
  'location',
  'reading the clipboard',
  'MIDI devices',
  'local fonts',
] as const;

/** Length of a text that a page copies: more than a link or a key. */
export const COPIED_CHARS_MAX = 2_000;
