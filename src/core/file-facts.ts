/** What is known of a kept file. `name` and `mediaType` are made safe to show; both are a page's words: data. */
export type FileFacts = {
  id: string;
  name: string;
  mediaType: string;
  bytes: number;
  sha256: string;
  /** ms since 1970. */
  takenAt: number;
};

const SCHEME = 'periscope-file:';
const ID = /^f_[A-Za-z0-9_-]{16,64}$/;

export function newFileId(): string {
  return `f_${crypto.randomUUID().replaceAll('-', '')}`;
}

/** The address under which the reader opens a kept file. */
export function fileAddress(id: string): string {
  return SCHEME + id;
}

/** Whether an address is meant to be that of a kept file, well formed or not. */
export function isFileAddress(url: string): boolean {
  return url.trim().toLowerCase().startsWith(SCHEME);
}

/** The id in such an address, without its fragment; `null` when it holds none. */
export function fileIdIn(url: string): string | null {
  const [id = ''] = url.trim().slice(SCHEME.length).split('#');
  return isFileId(id) ? id : null;
}

export function isFileId(id: string): boolean {
  return ID.test(id);
}
