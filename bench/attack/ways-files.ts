import { makeDocx, makeEpub, makeXlsx, relations, wordParagraph } from '#support/make-archive.ts';
import { makePdf } from '#support/make-pdf.ts';
import { file, fresh, html, PROSE, serve } from './lay.ts';
import type { Way } from './lay.ts';

/** Files that name addresses, and files of a site that are requested along with a page. */
export const FILES: readonly Way[] = [
  {
    name: 'twin that redirects',
    lay: (target, rig) => {
      const twin = serve(rig, `${fresh()}.md`, '', { location: `http://${target}/` }, 302);
      return html(`<link rel="alternate" type="text/markdown" href="${twin}">`)(target, rig);
    },
  },
  {
    name: 'llms.txt that redirects, and robots.txt that does',
    lay: (target, rig) => {
      for (const path of ['/llms.txt', '/robots.txt'])
        serve(rig, path, '', { location: `http://${target}${path}` }, 302);
      const url = html('')(target, rig);
      return url;
    },
  },
  {
    name: 'llms.txt that lists it',
    lay: (target, rig) => {
      serve(rig, '/robots.txt', 'User-agent: *\nAllow: /\nSitemap: http://' + target + '/sitemap.xml\n', {
        'content-type': 'text/plain',
      });
      serve(rig, '/llms.txt', `# Site\n- [a](http://${target}/way/x.md)\n`, { 'content-type': 'text/plain' });
      return html('')(target, rig);
    },
  },
  {
    name: 'XML with an external entity and DTD',
    lay: file(
      'xml',
      'application/xml',
      (target) =>
        `<?xml version="1.0"?><?xml-stylesheet href="http://${target}/s.xsl" type="text/xsl"?><!DOCTYPE r SYSTEM "http://${target}/d.dtd" [<!ENTITY e SYSTEM "http://${target}/e"><!ENTITY % p SYSTEM "http://${target}/p">%p;]><r xmlns:xi="http://www.w3.org/2001/XInclude"><a>&e;</a><xi:include href="http://${target}/i"/></r>`,
    ),
  },
  {
    name: 'feed with an external entity',
    lay: file(
      'rss',
      'application/rss+xml',
      (target) =>
        `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY e SYSTEM "http://${target}/e">]><rss><channel><title>&e;</title><link>http://${target}/</link><item><title>t</title><enclosure url="http://${target}/m.mp3"/><link>http://${target}/i</link><description>Some words of an item.</description></item></channel></rss>`,
    ),
  },
  {
    name: 'XHTML with an external DTD',
    lay: file(
      'xhtml',
      'application/xhtml+xml',
      (target) =>
        `<?xml version="1.0"?><!DOCTYPE html SYSTEM "http://${target}/d.dtd"><html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title></head><body>${PROSE}</body></html>`,
    ),
  },
  {
    name: 'SVG with images',
    lay: file(
      'svg',
      'image/svg+xml',
      (target) =>
        `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><image xlink:href="http://${target}/i"/><use href="http://${target}/u#x"/><text>Words</text></svg>`,
    ),
  },
  {
    name: 'PDF with actions and links',
    lay: file('pdf', 'application/pdf', (target) =>
      makePdf(
        [
          {
            texts: [{ x: 60, y: 700, text: 'Some words of a page in a file.' }],
            links: [{ rect: [0, 0, 600, 800], uri: `http://${target}/l` }],
          },
        ],
        {
          objects: [`<< /S /URI /URI (http://${target}/o) >>`, `<< /FS /URL /F (http://${target}/f) >>`],
          trailer: '/OpenAction 6 0 R /F 7 0 R',
        },
      ),
    ),
  },
  {
    name: 'Word file with an external template, image and entity',
    lay: file('docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', (target) =>
      makeDocx(wordParagraph('Some words of a document.'), {
        'word/_rels/document.xml.rels': relations(
          ['t', 'attachedTemplate', `http://${target}/t.dotm`],
          ['i', 'image', `http://${target}/i.png`],
          ['s', 'styles', 'styles.xml'],
        ),
        'word/settings.xml': `<!DOCTYPE x [<!ENTITY e SYSTEM "http://${target}/e">]><w:settings xmlns:w="w">&e;</w:settings>`,
      }),
    ),
  },
  {
    name: 'Excel file with an external sheet',
    lay: file('xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', (target) =>
      makeXlsx([
        {
          name: 'a',
          rows: `<row><c t="inlineStr"><is><t>words</t></is></c><c><f>WEBSERVICE("http://${target}/")</f></c></row>`,
        },
      ]),
    ),
  },
  {
    name: 'EPUB with remote parts',
    lay: file('epub', 'application/epub+zip', (target) =>
      makeEpub({
        chapters: [`<p>Words.</p><img src="http://${target}/i"/><link rel="stylesheet" href="http://${target}/s"/>`],
      }),
    ),
  },
  {
    name: 'Markdown with images and includes',
    lay: file(
      'md',
      'text/markdown',
      (target) => `# Words\n\n![x](http://${target}/i.png) <img src="http://${target}/j">\n\n[a]: http://${target}/r\n`,
    ),
  },
  {
    name: 'JSON feed with next_url and hubs',
    lay: file('json', 'application/feed+json', (target) =>
      JSON.stringify({
        version: 'https://jsonfeed.org/version/1.1',
        title: 'f',
        next_url: `http://${target}/n`,
        icon: `http://${target}/i`,
        items: [{ id: '1', url: `http://${target}/u`, content_text: 'Some words.' }],
      }),
    ),
  },
  {
    name: 'notebook with images',
    lay: file('ipynb', 'application/json', (target) =>
      JSON.stringify({ nbformat: 4, cells: [{ cell_type: 'markdown', source: `Words ![x](http://${target}/i)` }] }),
    ),
  },
];
