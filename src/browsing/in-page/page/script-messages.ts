/**
 * First word of the console message by which this server's in-page script reports text that the page copied, or a
 * denied permission.
 */
export const SCRIPT_MESSAGE_MARK = 'periscope-page-tells';

/** Permissions that a page can ask for, worded to follow "permission denied: ". */
export const DENIABLE_PERMISSIONS = [
  'notifications',
  'camera',
  'microphone',
  'location',
  'reading the clipboard',
  'MIDI devices',
  'local fonts',
] as const;

/** Limit on a text that a page copies: longer than a link or a key. */
export const COPIED_CHARS_MAX = 2_000;
