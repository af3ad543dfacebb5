/**
 * Maximum characters of a `data:` URL that Chromium downloads itself. It does not report the download of a URL of many
 * megabytes, and then does not respond for seconds.
 */
const DATA_URL_CHARS_MAX = 1_000_000;

/** Downloads a link's very long `data:` URL as a blob. A page that replaces the functions used here loses its download. */
export function downloadLargeDataAsBlobs(): void {
  if (!('navigation' in globalThis)) return;
  navigation.addEventListener('navigate', (event) => {
    const { downloadRequest, destination } = event;
    const { url } = destination;
    if (downloadRequest === null || url.length <= DATA_URL_CHARS_MAX || !url.startsWith('data:')) return;
    event.preventDefault();
    const link = document.createElement('a');
    link.href = URL.createObjectURL(decode(url));
    link.download = downloadRequest === '' ? 'download' : downloadRequest;
    link.click();
    URL.revokeObjectURL(link.href);
  });
}

/** Decodes a `data:` URL. Not by `fetch`, because the page's content security policy may forbid that. */
function decode(url: string): Blob {
  const [address = ''] = url.split('#', 1);
  const comma = address.indexOf(',');
  const [type = '', ...options] = address.slice('data:'.length, comma === -1 ? address.length : comma).split(';');
  const isBase64 = options.at(-1)?.trim().toLowerCase() === 'base64';
  const text = comma === -1 ? '' : address.slice(comma + 1);
  // In a URL, only percent signs encode bytes. All other characters are ASCII.
  const unescaped = text.replaceAll(/%([\da-f]{2})/giu, (_, code: string) =>
    String.fromCodePoint(Number.parseInt(code, 16)),
  );
  const binary = isBase64 ? fromBase64OrEmpty(unescaped) : unescaped;
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.codePointAt(at) ?? 0;
  return new Blob([bytes], { type });
}

/** Broken base64 has no content, as in Chromium. */
function fromBase64OrEmpty(text: string): string {
  try {
    return atob(text);
  } catch {
    return '';
  }
}
