import type { Protocol } from 'devtools-protocol';
import { fromBase64 } from '#core/text/base64.ts';
import { readDisposition } from '#net/types/file-type.ts';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import { ignoreGone } from '#browsing/cdp/connection.ts';
import { FILE_READ_BYTES } from './limits.ts';

type Paused = Protocol.Fetch.RequestPausedEvent;

/** Something that is to be kept as a file, read piece by piece. What the page and its server say of it is data. */
export type FileSource = {
  /** As it was given; `null` when nothing names it. */
  name: string | null;
  /** Known when something has been read. */
  contentType: () => string | null;
  /** Bytes it is said to have. */
  announced: number | null;
  /** It will be read, in its turn. */
  begin: () => void;
  /** The next bytes, after decompression; `null` at the end. @throws when the source ends early */
  read: () => Promise<Uint8Array | null>;
  /** Nobody reads further. */
  end: () => Promise<void>;
};

/** A document that the browser would save: where it came from, and its body. */
export type FileAnswer = FileSource & { url: string; frameId: string };

/** Whether the event is about the answer to a request, not the request. */
export function isAnswer({ responseStatusCode, responseErrorReason }: Paused): boolean {
  return responseStatusCode !== undefined || responseErrorReason !== undefined;
}

/** The answer as a file, or `null` for one that the browser shows. */
export function fileAnswer(session: CdpSession, paused: Paused): FileAnswer | null {
  const { requestId, request, frameId, responseStatusCode: status = 0 } = paused;
  const header = (name: string) =>
    paused.responseHeaders?.find((one) => one.name.toLowerCase() === name)?.value ?? null;
  const { isAttachment, name } = readDisposition(header('content-disposition'));
  const contentType = header('content-type');
  if (status < 200 || status > 299 || EMPTY.has(status)) return null;
  if (!isAttachment && !isSaved(contentType)) return null;
  const length = header('content-encoding') === null ? header('content-length') : null;
  return {
    url: request.url,
    frameId,
    name: name ?? nameInAddress(request.url),
    contentType: () => contentType,
    begin: () => undefined,
    announced: length !== null && /^\d{1,15}$/.test(length) ? Number(length) : null,
    ...bodyOf(session, requestId),
  };
}

/** No Content, Reset Content: the browser stays where it is. */
const EMPTY: ReadonlySet<number> = new Set([204, 205]);

/**
 * Whether browsers save a document of this type. One that is missing or unknown they look into themselves; what this
 * does not know they report as a download.
 */
function isSaved(contentType: string | null): boolean {
  const [type = ''] = (contentType ?? '').toLowerCase().split(';');
  const essence = type.trim();
  if (!/^[\w.+-]+\/[\w.+-]+$/.test(essence)) return false;
  return SAVED.test(essence) || (essence.startsWith('application/') && !SHOWN.test(essence));
}

const SAVED =
  /^(?:font\/.*|text\/(?:csv|x-csv|comma-separated-values|tab-separated-values|tsv|(?:x-)?v?calendar|(?:x-)?v-?card|directory|rtf|ldif|qif|ofx))$/;
const SHOWN =
  /^application\/(?:.*\+(?:xml|json)|xml|xhtml|xslt|json|(?:x-)?(?:javascript|ecmascript)|unknown|signed-exchange|x-mpegurl|vnd\.apple\.mpegurl|ogg|mp4)$/;

function nameInAddress(url: string): string | null {
  const last = URL.canParse(url) ? new URL(url).pathname.split('/').findLast((part) => part !== '') : undefined;
  if (last === undefined) return null;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/** The body is asked for when it is first read: one that nobody reads is not sent. */
function bodyOf(session: CdpSession, requestId: string): Pick<FileSource, 'read' | 'end'> {
  let asked: Promise<string> | null = null;
  let isOver = false;
  const handle = () => {
    asked ??= session.send('Fetch.takeResponseBodyAsStream', { requestId }).then(({ stream }) => stream);
    return asked;
  };
  return {
    read: async () => {
      while (!isOver) {
        const size = FILE_READ_BYTES;
        const { data, base64Encoded, eof } = await session.send('IO.read', { handle: await handle(), size });
        isOver = eof;
        if (data !== '') return base64Encoded === true ? fromBase64(data) : new TextEncoder().encode(data);
      }
      return null;
    },
    end: async () => {
      isOver = true;
      if (asked === null) return;
      await asked.then((open) => session.send('IO.close', { handle: open })).catch(ignoreGone);
    },
  };
}
