import * as z from 'zod';
import { viewFile } from '#reading/view/view-file.ts';
import type { FileViewResult } from '#reading/view/view-file.ts';
import { defineTool } from '#tools/define-tool.ts';

export const viewImage = defineTool({
  name: 'view_image',
  toolset: 'web',
  ability: 'browser',
  title: 'View an image',
  description: 'View an image or a PDF page as a picture: photo, chart, diagram, scan. For text, use open_url.',
  hints: { readOnly: true, destructive: false, openWorld: true },
  input: z.strictObject({
    url: z.string().describe('The image or PDF.'),
    page: z.int().min(1).default(1).describe('Page of a PDF.'),
  }),
  output: null,
  async run({ url, page }, { services, signal, progress }) {
    const viewed = await viewFile({ url, page, onFetched: () => progress(1, 2) }, signal, services);
    progress(2, 2);
    const { jpegBase64 } = viewed.drawn;
    return {
      text: [`URL: ${viewed.url}`, facts(viewed, page), ...notes(viewed, page).map((note) => `Note: ${note}`)].join(
        '\n',
      ),
      structured: null,
      image: { base64: jpegBase64, mimeType: 'image/jpeg' },
      url: viewed.url,
    };
  },
});

function facts({ drawn, picture, fileBytes }: FileViewResult, page: number): string {
  const size = picture?.size ?? null;
  const pixels = size === null ? '' : `, ${Math.round(size.width)} × ${Math.round(size.height)} px`;
  const what = picture === null ? `PDF, page ${page} of ${drawn.pages}` : `${picture.format} image${pixels}`;
  return `${what}, ${fileBytes} bytes. Shown as a JPEG of ${drawn.width} × ${drawn.height} px.`;
}

function notes({ drawn, picture, notes: about }: FileViewResult, page: number): string[] {
  return [
    ...about,
    ...(picture?.isAnimated === true ? ['It is animated: this is its first frame.'] : []),
    ...(drawn.isDark ? ['It is light and see-through, so it is shown on dark grey.'] : []),
    ...(drawn.leftOut > 0 ? ['Pictures on this page are missing: they cannot be decoded here.'] : []),
    ...(picture !== null && page > 1 ? ['page had no effect: this is a picture, not a PDF.'] : []),
  ];
}
