import { PeriscopeError } from '#core/errors.ts';
import { sniff } from './sniff.ts';
import type { Sniffed } from './sniff.ts';

/** The media type of a file: what its first bytes prove, else what the server said, else what its name and looks say. */
export function fileType(contentType: string | null, name: string, head: Uint8Array): string {
  try {
    const { mediaType } = sniffFile(contentType, name, head);
    return SHORT_TYPE.test(mediaType) ? mediaType : 'application/octet-stream';
  } catch (error) {
    const failure = error instanceof PeriscopeError ? error.failure : null;
    if (failure?.code !== 'unsupported_mime') throw error;
    return failure.mediaType.includes('/') ? failure.mediaType : 'application/octet-stream';
  }
}

/** Registered ones have far fewer characters. */
const SHORT_TYPE = /^[a-z0-9.+-]{1,60}\/[a-z0-9.+-]{1,90}$/;

/** The same with the kind that it is read as. @throws {PeriscopeError} `unsupported_mime` for what is not read */
export function sniffFile(contentType: string | null, name: string, bytes: Uint8Array): Sniffed {
  return sniff({ contentType, url: `periscope-file:/${encodeURIComponent(name)}`, bytes });
}
