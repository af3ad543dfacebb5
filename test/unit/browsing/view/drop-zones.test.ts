import { describe, expect, it } from 'vitest';
import { recordedPages } from '#support/recorded/recorded-pages.ts';

let body = '';
const pages = recordedPages('view/drop-zones', () => `<!doctype html><title>T</title><body>${body}</body>`);

const LISTENS = `<script>
  for (const element of document.querySelectorAll('.drop')) element.addEventListener('drop', () => {});
  for (const element of document.querySelectorAll('.over')) element.addEventListener('dragover', () => {});
  for (const element of document.querySelectorAll('.click')) element.addEventListener('click', () => {});
</script>`;

async function shown(html: string): Promise<string[]> {
  body = html + LISTENS;
  const page = await pages.open('http://site.example/');
  return (await page.text()).split('\n');
}

describe('a drop zone', () => {
  it('is shown with a ref and its text', async () => {
    expect(await shown('<div class="drop">Drop files here</div><p>Up to 5 MB</p>')).toEqual([
      '@e1 drop zone "Drop files here"',
      'Up to 5 MB',
    ]);
  });

  it('is shown when it is empty, and when it surrounds other content', async () => {
    const lists = `<h2>To do</h2><div class="over"><div draggable="true">Mend sail</div><div draggable="true">Order rope</div></div>
      <h2>Done</h2><div class="over" style="height: 50px"></div>`;
    expect(await shown(lists)).toEqual([
      '## To do',
      '@e1 drop zone',
      ' @e2 group "Mend sail" draggable',
      ' @e3 group "Order rope" draggable',
      '## Done',
      '@e4 drop zone',
    ]);
  });

  it('lists its non-interactive parts line by line', async () => {
    expect(await shown('<ul class="over"><li>Mend sail</li><li>Order rope</li></ul>')).toEqual([
      '@e1 list drop zone',
      ' - Mend sail',
      ' - Order rope',
    ]);
  });

  it('is marked when it also responds to other actions', async () => {
    expect(
      await shown(
        '<button class="drop">Upload</button><div class="drop click">Choose</div><textarea class="drop"></textarea>',
      ),
    ).toEqual(['@e1 button "Upload" drop zone', '@e2 clickable "Choose" drop zone', '@e3 textbox drop zone']);
  });

  it('is marked if only some of the draggable elements are drop zones, and not if all of them are', async () => {
    const folder = '<div class="drop" draggable="true">Folder</div>';
    expect(await shown(`${folder}<div class="drop" draggable="true">Other</div>`)).toEqual([
      '@e1 group "Folder" draggable',
      '@e2 group "Other" draggable',
    ]);
    expect(await shown(`${folder}<div draggable="true">File</div>`)).toEqual([
      '@e1 group "Folder" draggable drop zone',
      '@e2 group "File" draggable',
    ]);
  });

  it('is neither the document nor the container of the page', async () => {
    expect(
      await shown(
        '<div class="drop over"><nav><a href="/a">A</a></nav><main><p>Text</p></main></div><script>document.body.ondrop = () => {}</script>',
      ),
    ).toEqual(['nav', ' @e1 link "A" /a', 'main', ' Text']);
  });

  it('can be targeted by its text, and so can a text inside it', async () => {
    body = `<div class="drop">Drop files here</div><div class="over"><div>Mend sail</div><div>Order rope</div></div>${LISTENS}`;
    const page = await pages.open('http://site.example/');
    expect(await page.ask(await page.resolve('drop zone "Drop files here"'), 'this.className')).toBe('drop');
    expect(await page.ask(await page.resolve('text=Mend sail'), 'this.textContent')).toBe('Mend sail');
  });
});
