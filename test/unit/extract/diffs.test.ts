import { describe, expect, it } from 'vitest';
import { markdownOf } from './support.ts';

const page = (html: string) => markdownOf(`<main><h1>Change</h1><p>The gate opens later.</p>${html}</main>`);
const codeOf = async (html: string) => /```\w*\n([^]*?)\n```/.exec(await page(html))?.[1] ?? null;

const side = (old: [number, string, string] | null, now: [number, string, string] | null) =>
  [old, now]
    .map((one, at) =>
      one === null
        ? `<td class="lineno"></td><td class="${at === 0 ? 'del' : 'add'}_dark"></td>`
        : `<td class="lineno"><a href="#n${one[0]}">${one[0]}</a></td><td class="${one[1]}">${one[2]}</td>`,
    )
    .join('');

describe('a diff whose signs only its colours show', () => {
  it('has signs if its versions are next to each other', async () => {
    const rows = [
      '<td class="hunk" colspan="4">@@ -1,4 +1,4 @@</td>',
      side([1, 'ctx', 'open()'], [1, 'ctx', 'open()']),
      side([2, 'changed', 'wait(<span class="del">1</span>)'], [2, 'changed', 'wait(<span class="add">2</span>)']),
      side([3, 'del', 'ring()'], null),
      side(null, [3, 'add', 'close()']),
    ];
    expect(await codeOf(`<table class="ssdiff">${rows.map((row) => `<tr>${row}</tr>`).join('')}</table>`)).toBe(
      ['@@ -1,4 +1,4 @@', ' open()', '-wait(1)', '+wait(2)', '-ring()', '+close()'].join('\n'),
    );
  });

  it('has signs if its rows have classes', async () => {
    const rows = [
      ['context', 'open()'],
      ['deletion', 'wait(1)'],
      ['addition', 'wait(2)'],
    ].map(([name, text], at) => `<tr class="line ${name}"><td>${at + 1}</td><td><code>${text}</code></td></tr>`);
    expect(await codeOf(`<div class="file-diff"><table>${rows.join('')}</table></div>`)).toBe(
      [' open()', '-wait(1)', '+wait(2)'].join('\n'),
    );
  });

  it('has signs if its lines are elements of inserted and deleted text', async () => {
    const lines = 'open()\n<del>wait(1)\nring()\n</del><ins>wait(2)</ins>\nclose(<del>a</del><ins>b</ins>)';
    expect(await codeOf(`<pre>${lines}</pre>`)).toBe(
      ['open()', '-wait(1)', '-ring()', '+wait(2)', 'close([-a-]{+b+})'].join('\n'),
    );
  });

  it('stays as it is if its text has the signs, and so does text that compares nothing', async () => {
    const lines = '<div class="ctx"> open()</div><div class="del">-wait(1)</div><div class="add">+wait(2)</div>';
    const signed = await page(`<table class="diff"><tr><td>${lines}</td></tr></table>`);
    expect(signed).toMatch(/-wait\(1\)/);
    expect(signed).not.toMatch(/--|\+\+|\\\+/);
    const plain =
      '<table class="menu"><tr class="added"><td>1</td><td>Soup</td></tr><tr><td>2</td><td>Tea</td></tr></table>';
    expect(await page(plain)).toContain('| 1 | Soup |');
    expect(await codeOf('<pre>open(<ins>b</ins>)</pre>')).toBe('open(b)');
  });

  it('keeps the line breaks of deleted code, and marks it once', async () => {
    expect(await codeOf('<pre>open()<br><del>wait(1)<br>ring()</del><br>close()</pre>')).toBe(
      ['open()', '-wait(1)', '-ring()', 'close()'].join('\n'),
    );
    expect(await codeOf('<pre>wait(<del>1<br>2</del>)</pre>')).toBe('wait([-1\n2-])');
    expect(await codeOf('<pre><del><b>wait</b>(1)\n<i>ring</i>()</del></pre>')).toBe('-wait(1)\n-ring()');
    expect(await codeOf('<pre><pre>wait(<del>1</del>)</pre></pre>')).toBe('wait([-1-])');
  });

  it('keeps lines of code that are only a number', async () => {
    const rows = '<tr class="del"><td>1<td>42<tr class="add"><td>2<td>43<tr><td>3<td>open()';
    expect(await codeOf(`<table class="file-diff">${rows}</table>`)).toBe('-42\n+43\n open()');
  });

  it('stays a table if it names its columns', async () => {
    const rows = '<tr class="added"><td>timeout<td>30<tr class="removed"><td>wait<td>5';
    const table = await page(`<div class="api-diff"><table><tr><th>Option<th>Default${rows}</table></div>`);
    expect(table).toContain('| timeout | 30 |\n| wait | 5 |');
  });
});
