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

  it.each([
    [
      'MediaWiki',
      `<table class="diff diff-type-table"><tr class="diff-title"><td colspan="2" class="diff-otitle"><div>Old</div><td colspan="2" class="diff-ntitle"><div>New</div>
      <tr><td colspan="2" class="diff-lineno">Line 3:<td colspan="2" class="diff-lineno">Line 3:
      <tr><td class="diff-marker"></td><td class="diff-context diff-side-deleted"><div>It opens.</div><td class="diff-marker"></td><td class="diff-context diff-side-added"><div>It opens.</div>
      <tr><td class="diff-marker" data-marker="−"></td><td class="diff-deletedline diff-side-deleted"><div>It costs <del class="diffchange">50</del> EUR.</div></td><td class="diff-marker" data-marker="+"></td><td class="diff-addedline diff-side-added"><div>It costs <ins class="diffchange">40</ins> EUR.</div>
      <tr><td colspan="2" class="diff-empty"></td><td class="diff-marker" data-marker="+"></td><td class="diff-addedline"><div>Dogs are free.</div></table>`,
      [' Old', 'New', ' Line 3:', ' It opens.', '-It costs [-50-] EUR.', '+It costs {+40+} EUR.', '+Dogs are free.'],
    ],
    [
      'MediaWiki before 2021',
      '<table class="diff"><tr><td class="diff-marker">−</td><td class="diff-deletedline"><div>It is 50.</div></td><td class="diff-marker">+</td><td class="diff-addedline"><div>It is 40.</div></table>',
      ['-It is 50.', '+It is 40.'],
    ],
    [
      'GitHub',
      '<table class="tab-size"><tr class="diff-line-row"><td class="diff-hunk-cell" colspan="4"><code class="diff-text-cell hunk">@@ -1 +1 @@</code></td></tr><tr><td class="diff-line-number">1</td><td class="diff-line-number"></td><td class="diff-text-cell"><code class="diff-text syntax-highlighted-line deletion"><span class="diff-text-marker">-</span><div class="diff-text-inner">wait(1)</div></code></td></tr><tr><td class="diff-line-number"></td><td class="diff-line-number">1</td><td class="diff-text-cell"><code class="diff-text syntax-highlighted-line addition"><span class="diff-text-marker">+</span><div class="diff-text-inner">wait(2)</div></code></td></tr></table>',
      ['@@ -1 +1 @@', '-wait(1)', '+wait(2)'],
    ],
    [
      'GitHub before 2025',
      '<table class="diff-table"><tr><td class="blob-num blob-num-deletion">1<td><td class="blob-code blob-code-deletion"><span class="blob-code-inner" data-code-marker="-">wait(1)</span><tr><td><td class="blob-num">1<td class="blob-code blob-code-addition"><span class="blob-code-inner" data-code-marker="+">wait(2)</span></table>',
      ['-wait(1)', '+wait(2)'],
    ],
    [
      'GitLab',
      '<div class="diff-file"><table class="code"><tr class="line_holder old"><td class="old_line diff-line-num old">1<td class="new_line diff-line-num old"><td class="line_content old"><span class="line">wait(1)</span><tr class="line_holder new"><td class="old_line diff-line-num new"><td class="new_line diff-line-num new">1<td class="line_content new"><span class="line">wait(2)</span></table></div>',
      ['-wait(1)', '+wait(2)'],
    ],
    [
      'Gerrit',
      '<table id="diffTable" class="gr-diff"><tr class="diff-row gr-diff"><td class="gr-diff left lineNum">1<td class="gr-diff right"><td class="content gr-diff remove"><div class="contentText gr-diff">wait(1)</div><tr class="diff-row gr-diff"><td class="gr-diff left"><td class="gr-diff lineNum right">1<td class="add content gr-diff"><div class="contentText gr-diff">wait(2)</div></table>',
      ['-wait(1)', '+wait(2)'],
    ],
    [
      'Phabricator',
      '<table class="differential-diff diff-2up"><tr><th>1<td class="left">open()<th>1<td class="copy"><td colspan="2">open()<tr><th>2<td class="left old"><span class="bright">wait(1)</span><th>2<td class="copy"><td class="new" colspan="2">wait(2)<tr><th>3<td class="left old old-full">ring()<th><td class="copy"><td colspan="2"></table>',
      [' open()', '-wait(1)', '+wait(2)', '-ring()'],
    ],
    [
      'diff2html',
      '<table class="d2h-diff-table"><tr><td class="d2h-code-linenumber d2h-del"><div class="line-num1">1</div><div class="line-num2"></div></td><td class="d2h-del"><div class="d2h-code-line"><span class="d2h-code-line-prefix">-</span><span class="d2h-code-line-ctn">wait(1)</span></div></td></tr><tr><td class="d2h-code-linenumber d2h-ins"><div class="line-num1"></div><div class="line-num2">1</div></td><td class="d2h-ins"><div class="d2h-code-line"><span class="d2h-code-line-prefix">+</span><span class="d2h-code-line-ctn">wait(2)</span></div></td></tr></table>',
      ['-wait(1)', '+wait(2)'],
    ],
    [
      'Trac',
      '<table class="trac-diff inline"><tbody class="unmod"><tr><th>1<th>1<td class="l"><span>open()</span><tbody class="mod"><tr><th>2<th><td class="l"><span>wait(1)</span><tr><th><th>2<td class="r"><span>wait(2)</span></table>',
      [' open()', '-wait(1)', '+wait(2)'],
    ],
    [
      'react-diff-view',
      '<table class="diff diff-split"><tbody class="diff-hunk"><tr class="diff-line"><td class="diff-gutter diff-gutter-delete">1</td><td class="diff-code diff-code-delete">wait(1)</td><td class="diff-gutter diff-gutter-insert">1</td><td class="diff-code diff-code-insert">wait(2)</td></tr></tbody></table>',
      ['-wait(1)', '+wait(2)'],
    ],
    [
      'Gerrit with columns for signs',
      '<table class="gr-diff"><tr class="gr-diff"><td class="lineNum gr-diff">1<td class="gr-diff sign remove">-<td class="content gr-diff remove"><div>wait(1)</div><td class="lineNum gr-diff">1<td class="gr-diff sign add">+<td class="content gr-diff add"><div>wait(2)</div></table>',
      ['-wait(1)', '+wait(2)'],
    ],
    [
      'DokuWiki',
      '<table class="diff diff_sidebyside"><tr><td class="diff-lineheader">-<td class="diff-deletedline">It is <strong>50</strong><td class="diff-lineheader">+<td class="diff-addedline">It is <strong>60</strong><tr><td class="diff-lineheader"> <td class="diff-context">same<td class="diff-lineheader"> <td class="diff-context">same</table>',
      ['-It is 50', '+It is 60', ' same'],
    ],
    [
      'Gitea with two columns',
      '<table class="chroma"><tr><td class="lines-num"><td class="lines-type-marker del-code"><span data-type-marker="-"></span><td class="lines-code"><code>wait(1)</code><td class="lines-num"><td class="lines-type-marker add-code"><span data-type-marker="+"></span><td class="lines-code"><code>wait(2)</code></table>',
      ['-wait(1)', '+wait(2)'],
    ],
    [
      'a viewer whose code is in elements, with three columns',
      '<table class="code-diff"><tr><td><code>timeout</code><td class="removed"><code>30</code><td class="added"><code>60</code></table>',
      ['timeout', '-30', '+60'],
    ],
    [
      'a file of which lines were only deleted',
      '<div class="diff"><table><tr class="deletion"><td class="lineno">1<td><code>wait(1)</code><tr class="context"><td class="lineno">2<td><code>open()</code></table></div>',
      ['-wait(1)', ' open()'],
    ],
    [
      'code whose own text begins with a sign',
      '<table class="diff-table"><tr><td class="blob-num">1<td class="blob-code blob-code-deletion"><span class="blob-code-inner" data-code-marker="-">  - <span class="pl-s">tea</span></span><tr><td class="blob-num">1<td class="blob-code blob-code-addition"><span class="blob-code-inner" data-code-marker="+"><span class="pl-k">+</span> soup</span></table>',
      ['-  - tea', '++ soup'],
    ],
    [
      'Redmine',
      '<table class="filecontent"><tbody><tr><th class="line-num">1</th><th class="line-num">1</th><td class="line-code"><pre>open()</pre></td></tr><tr><th class="line-num">2</th><th class="line-num"></th><td class="line-code diff_out"><pre>wait(<span>1</span>)</pre></td></tr><tr><th class="line-num"></th><th class="line-num">2</th><td class="line-code diff_in"><pre>wait(<span>2</span>)</pre></td></tr></tbody></table>',
      [' open()', '-wait(1)', '+wait(2)'],
    ],
    [
      'Trac with names above, and whole lines changed',
      '<table class="trac-diff inline"><thead><tr><th>a</th><th>b</th><td></td></tr></thead><tbody class="unmod"><tr><th>1<th>1<td class="l"><span>open()</span><tbody class="mod"><tr class="first"><th>2<th><td class="l"><span>wait(<del>1</del>)</span><tr class="last"><th><th>2<td class="r"><span>wait(<ins>2</ins>)</span><tbody class="rem"><tr><th>3<th><td class="l"><del>ring()</del><tbody class="add"><tr><th><th>3<td class="r"><ins>close()</ins></table>',
      [' a', 'b', ' open()', '-wait([-1-])', '+wait({+2+})', '-ring()', '+close()'],
    ],
    [
      'Trac with two columns',
      '<table class="trac-diff sidebyside"><tbody class="mod"><tr><th>2<td class="l"><span>wait(<del>1</del>)</span><th>2<td class="r"><span>wait(<ins>2</ins>)</span><tbody class="add"><tr><th><td class="l"><th>3<td class="r"><ins>close()</ins></table>',
      ['-wait([-1-])', '+wait({+2+})', '+close()'],
    ],
    [
      'Review Board',
      '<table class="sidebyside"><tbody class="equal"><tr line="1"><th>1</th><td class="l"><pre>open()</pre></td><th>1</th><td class="r"><pre>open()</pre></td></tr></tbody><tbody class="replace"><tr line="2"><th>2</th><td class="l"><pre>wait(<span class="hl">1</span>)</pre></td><th>2</th><td class="r"><pre>wait(<span class="hl">2</span>)</pre></td></tr></tbody><tbody class="insert"><tr><th></th><td class="l"><pre></pre></td><th>3</th><td class="r"><pre>close()</pre></td></tr></tbody><tbody class="delete"><tr><th>3</th><td class="l"><pre>ring()</pre></td><th></th><td class="r"><pre></pre></td></tr></tbody></table>',
      [' open()', '-wait(1)', '+wait(2)', '+close()', '-ring()'],
    ],
    [
      'ViewVC',
      '<table class="vc_diff_block"><tr><td class="vc_diff_line_number">1</td><td class="vc_diff_nochange">open()</td><td class="vc_diff_nochange">open()</td></tr><tr><td class="vc_diff_line_number"></td><td class="vc_diff_change">wait(1)</td><td class="vc_diff_change">wait(2)</td></tr><tr><td class="vc_diff_line_number">3</td><td class="vc_diff_remove">ring()</td><td class="vc_diff_empty"></td></tr><tr><td class="vc_diff_line_number">4</td><td class="vc_diff_empty"></td><td class="vc_diff_add">close()</td></tr></table>',
      [' open()', '-wait(1)', '+wait(2)', '-ring()', '+close()'],
    ],
    [
      'MediaWiki with moved paragraphs',
      '<table class="diff diff-type-table"><tr><td class="diff-marker"><a class="mw-diff-movedpara-left" title="Paragraph was moved." href="#m1">&#x26AB;</a></td><td class="diff-deletedline"><div><a name="m0"></a>It costs 50.</div></td><td class="diff-empty" colspan="2"></td></tr><tr><td class="diff-context">x<td><td class="diff-context">x<tr><td colspan="2" class="diff-empty"></td><td class="diff-marker"><a class="mw-diff-movedpara-right" href="#m0">&#x26AB;</a></td><td class="diff-addedline"><div><a name="m1"></a>It costs <ins class="diffchange">60</ins>.</div></td></tr></table>',
      ['-It costs 50.', ' x', '+It costs 60.'],
    ],
    [
      'rows without text',
      '<table class="file-diff"><tr class="add"><td class="lineno">1<td>a<tr class="add"><td class="lineno">2<td><tr class="add"><td>3<td><tr class="add"><td>4<td>5</table>',
      ['+a', '+', '+', '+5'],
    ],
  ])('has signs in %s', async (_, html, lines) => {
    expect(await codeOf(html)).toBe(lines.join('\n'));
  });

  it.each([
    '<div class="diff-summary"><ul><li class="added">Soup</li><li class="removed">Tea</li></ul></div>',
    '<div class="weekly-diff"><p class="added">Soup</p><p class="removed">Tea</p></div>',
    '<div class="price-diff"><table><tr class="added"><td>Soup<td>4<tr class="removed"><td>Tea<td>2</table></div>',
    '<table class="diff"><tr class="added"><td>2023<td>Soup<tr class="removed"><td>2024<td>Tea</table>',
    '<table class="menu"><tr><td class="sign">Leo</td><td class="diff-added">Soup</td></tr></table>',
    '<table class="rank-diff"><tr class="added"><td class="line-num">1</td><td>Soup</td><td>40</td></tr></table>',
    '<ul><li class="diff-added">Soup</li><li class="diff-removed">Tea</li></ul>',
    '<table class="sidebyside"><tr><th>Old menu</th><th>New menu</th></tr><tr><td class="old">Tea</td><td class="new">Soup</td></tr></table>',
    '<table class="sidebyside"><tr><td class="old">Tea</td><td class="new">Soup</td></tr></table>',
    '<table class="diff-table"><tr><th>Old menu</th><th>New menu</th></tr><tr><td class="old">Tea</td><td class="new">Soup</td></tr></table>',
    '<ul><li class="diff new">Soup</li><li class="diff old">Tea</li></ul>',
    '<div class="diff"><div class="card added"><h3>Soup</h3></div><div class="card removed"><h3>Tea</h3></div></div>',
    '<div class="api-diff"><ul><li class="added"><code>Soup()</code></li><li class="added"><code>Tea()</code></li></ul></div>',
  ])('has none if it is no code, or is not compared: %s', async (html) => {
    const text = await page(html);
    expect(text).toContain('Soup');
    expect(text).not.toMatch(/[-+]`?(?:Soup|Tea)|`[-+]|\\[-+]|```/u);
  });

  it('keeps the pictures that a viewer compares', async () => {
    const text = await page(
      '<table class="differential-diff diff-2up"><tr><td class="left old"><img src="a.png" alt="before"><td class="new"><img src="b.png" alt="after"></table>',
    );
    expect(text).toContain('![before]');
    expect(text).toContain('![after]');
  });

  it('has signs in compared prose that a viewer shows', async () => {
    const text = await page(
      '<div class="prose-diff rich-diff"><p class="removed">Tea.</p><p class="added">Soup.</p></div>',
    );
    expect(text).toMatch(/-Tea\.\n\n\\?\+Soup\./);
  });

  it('has no sign before the number of a line', async () => {
    const text = await page(
      '<table><tr><td class="gutter diff-removed"><pre>1</pre><td class="content diff-removed"><pre>wait(1)</pre><tr><td class="gutter diff-added"><pre>1</pre><td class="content diff-added"><pre>wait(2)</pre></table>',
    );
    expect(text).toContain('-wait(1)');
    expect(text).toContain('+wait(2)');
    expect(text).not.toMatch(/[-+]1/);
  });

  it.each([
    [
      'Stack Overflow',
      '<div class="post-text inline-diff"><p>It is <span class="diff-delete">50</span> <span class="diff-add">60</span> now.</p></div>',
      ['It is ~~50~~ 60 now.'],
    ],
    [
      'a viewer',
      '<div class="diff-view"><p>It is <span class="diff-delete">50</span> <span class="diff-add">60</span> now.</p><p><span class="diff-delete">Gone.</span></p></div>',
      ['It is ~~50~~ 60 now.', '~~Gone.~~'],
    ],
    [
      'Redmine',
      '<div class="text-diff"><p>It is <span class="diff_out">50</span> <span class="diff_in">60</span> now.</p></div>',
      ['It is ~~50~~ 60 now.'],
    ],
    [
      'GitLab',
      '<div class="md"><p>It is <span class="idiff left right deletion">50</span><span class="idiff left right addition">60</span> now.</p></div>',
      ['It is ~~50~~60 now.'],
    ],
    [
      'daisydiff',
      '<p>It is <span class="diff-html-removed" id="r0">50</span><span class="diff-html-added">60</span>.</p>',
      ['It is ~~50~~60.'],
    ],
    [
      'XWiki',
      '<p>It is <span class="diffremoveword">50</span><span class="diffaddword">60</span>.</p>',
      ['It is ~~50~~60.'],
    ],
    [
      'MediaWiki',
      '<p>It is <span data-diff-action="remove">50</span><span data-diff-action="insert">60</span>.</p>',
      ['It is ~~50~~60.'],
    ],
    [
      'Discourse',
      '<div class="inline-diff"><p class="diff-del">Gone.</p><p>It is <del>50</del><ins>60</ins>.</p><p class="diff-ins">New.</p></div>',
      ['~~Gone.~~', 'It is ~~50~~60.', 'New.'],
    ],
  ])('has its deleted words struck out, of %s', async (_, html, lines) => {
    expect((await page(html)).split('\n\n').slice(2)).toEqual(lines);
  });

  it('has its words marked in code', async () => {
    expect(await codeOf('<pre>wait(<span class="diff-delete">1</span><span class="diff-add">2</span>)</pre>')).toBe(
      'wait([-1-]{+2+})',
    );
    expect(
      await codeOf(
        '<pre>It is <span class="idiff left deletion">50</span><span class="idiff addition">60</span>.</pre>',
      ),
    ).toBe('It is [-50-]{+60+}.');
  });

  it.each([
    '<p>Changed <span class="diff-added">+12</span> <span class="diff-removed">-3</span> lines.</p>',
    '<p><span class="diff-deleted">3 deletions</span> and <span class="diff-added">1 addition</span></p>',
    '<p><span class="diff-removed">Removed</span> the option.</p>',
    '<p><span class="price--old">50</span> <span class="old removed deleted">40</span> <del class="x"></del></p>',
    '<p><span class="different-deletion">50</span> <span class="idiff">40</span> <span class="deletion">30</span></p>',
  ])('strikes out nothing else: %s', async (html) => {
    expect(await page(html)).not.toContain('~~');
  });
});
