import { percentDecode } from '#core/text/text.ts';
import type { Protocol } from 'devtools-protocol';
import { fromBase64 } from '#core/text/base64.ts';
import { readDisposition } from '#net/types/sniff.ts';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import { ignoreTargetGone } from '#browsing/cdp/connection.ts';
import { KIB } from '#core/limits.ts';

export const DOWNLOAD_READ_BYTES = 512 * KIB;

type Paused = Protocol.Fetch.RequestPausedEvent;

export type DownloadSource = {
  name: string | null;
  /** Returns a name that is known only later, such as that of a link's `download` attribute. */
  nameAtEnd?: () => Promise<string | null>;
  contentType: () => string | null;
  /**
   * Returns the size in the `content-length` header, which may be wrong; `null` if unknown, as for an encoded body.
   * @throws {unknown} if the transfer cannot begin
   */
  declaredBytes: () => Promise<number | null>;
  begin: () => void;
  /**
   * Returns the next chunk; `null` at the end.
   * @throws {unknown} if the transfer breaks off
   */
  read: () => Promise<Uint8Array | null>;
  end: () => Promise<void>;
};

/** A response that is a file to store. */
export type DownloadResponse = DownloadSource & {
  url: string;
  frameId: string;
  /** True if a link's `download` attribute may name the file. Chromium reports the name once the request has failed. */
  mayHaveName: boolean;
  failNow: () => Promise<void>;
};

export function isPausedAtResponse({ responseStatusCode, responseErrorReason }: Paused): boolean {
  return responseStatusCode !== undefined || responseErrorReason !== undefined;
}

export function toDownloadResponse(session: CdpSession, paused: Paused): DownloadResponse | null {
  const { requestId, request, frameId, responseStatusCode: status = 0 } = paused;
  const header = (name: string) =>
    paused.responseHeaders?.find((one) => one.name.toLowerCase() === name)?.value ?? null;
  const { isAttachment, name } = readDisposition(header('content-disposition'));
  const contentType = header('content-type');
  if (status < 200 || status > 299 || EMPTY.has(status)) return null;
  if (!isAttachment && !isSaved(contentType)) return null;
  const length = header('content-encoding') === null ? header('content-length') : null;
  let failing: Promise<void> | null = null;
  return {
    url: request.url,
    frameId,
    // A click on a link with `download` is not a navigation, so its request has no `networkId`.
    mayHaveName: name === null && paused.networkId === undefined,
    failNow: () => (failing ??= session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' })),
    name: name ?? nameInAddress(request.url),
    contentType: () => contentType,
    begin: () => undefined,
    declaredBytes: () => Promise.resolve(length !== null && /^\d{1,15}$/.test(length) ? Number(length) : null),
    ...bodyOf(session, requestId),
  };
}

/** 204 No Content and 205 Reset Content, after which the browser stays on its page. */
const EMPTY: ReadonlySet<number> = new Set([204, 205]);

/**
 * True if browsers download a document of this type. If the type is missing or unknown, they inspect the content, and
 * report a download themselves.
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
  return last === undefined ? null : percentDecode(last);
}

/** Requests the body at the first `read`, so that a body that nobody reads is not transferred. */
function bodyOf(session: CdpSession, requestId: string): Pick<DownloadSource, 'read' | 'end'> {
  let opening: Promise<string> | null = null;
  let isOver = false;
  const handle = () => {
    opening ??= session.send('Fetch.takeResponseBodyAsStream', { requestId }).then(({ stream }) => stream);
    return opening;
  };
  return {
    read: async () => {
      while (!isOver) {
        const size = DOWNLOAD_READ_BYTES;
        const { data, base64Encoded, eof } = await session.send('IO.read', { handle: await handle(), size });
        isOver = eof;
        if (data !== '') return base64Encoded === true ? fromBase64(data) : new TextEncoder().encode(data);
      }
      return null;
    },
    end: async () => {
      isOver = true;
      if (opening === null) return;
      await opening.then((open) => session.send('IO.close', { handle: open })).catch(ignoreTargetGone);
    },
  };
}
