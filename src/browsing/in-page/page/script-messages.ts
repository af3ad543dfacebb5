/**
 * First argument of the console messages by which in-page scripts report copied text, denied permissions and downloads.
 */
export const SCRIPT_MESSAGE_MARK = 'periscope-page-tells';

/** Permissions that a page can request, worded to follow "permission denied: ". */
export const DENIABLE_PERMISSIONS = [
  'notifications',
  'camera',
  'microphone',
  'location',
  'reading the clipboard',
  'MIDI devices',
  'local fonts',
] as const;

/** Maximum characters reported of a text that a page copies. Long enough for links and keys. */
export const COPIED_TEXT_CHARS_MAX = 2_000;
