/** HTML and Markdown made to be slow, by name. Each aims at one way in which reading can cost more than its length. */

const nested = (open: string, times: number, inside: string, close = '') =>
  open.repeat(times) + inside + close.repeat(times);
const rowsOf = (cells: string, times: number) => `<tr>${cells}</tr>`.repeat(times);

export const HTML: Readonly<Record<string, () => string>> = {
  '500 nested div': () => nested('<div>', 500, 'deep', '</div>'),
  '2,000 nested div': () => nested('<div>', 2_000, 'deep', '</div>'),
  '10,000 nested div': () => nested('<div>', 10_000, 'deep', '</div>'),
  '100,000 nested div': () => nested('<div>', 100_000, 'deep', '</div>'),
  '500 nested ul li': () => nested('<ul><li>item ', 500, ''),
  '2,000 nested ul li': () => nested('<ul><li>item ', 2_000, ''),
  '20,000 nested ul li': () => nested('<ul><li>item ', 20_000, ''),
  '4,000 unclosed p div span': () => '<p><div><span>text '.repeat(4_000),
  '16,000 img': () => '<img src="/a.png" alt="picture">'.repeat(16_000),
  '20,000 p': () => '<p>Some paragraph text, with a comma and an end.</p>'.repeat(20_000),
  'table 8,000 x 5': () => `<table>${rowsOf('<td>cell text</td>'.repeat(5), 8_000)}</table>`,
  'table 50,000 rows': () => `<table>${rowsOf('<td>a</td><td>b</td>', 50_000)}</table>`,
  '8,000 text br br': () => 'some text here<br><br>'.repeat(8_000),
  '2 MB of br': () => `<p>x</p>${'<br>'.repeat(500_000)}`,
  '100,000 attributes': () =>
    `<div ${Array.from({ length: 100_000 }, (_, i) => `a${i}="v"`).join(' ')}>text in it</div>`,
  'one text of 5 MB': () => `<p>${'word '.repeat(1_000_000)}`,
  'one word of 3 MB': () => `<p>${'a'.repeat(3_000_000)}`,
  '3 MB of spaces': () => `<p>a${' '.repeat(2_900_000)}b`,
  '3 MB of tabs in pre': () => `<pre>a${'\t'.repeat(2_900_000)}b</pre>`,
  '5 MB of entities': () => `<p>${'&lt;&amp;'.repeat(555_000)}`,
  '1 MB of <': () => `<p>${'<'.repeat(1_000_000)}`,
  '120,000 sentences': () => `<p>${'A short one. Is it? '.repeat(120_000)}`,
  '12,000 links': () => `<p>${'<a href="/x">link</a> text '.repeat(12_000)}`,
  '12,000 li with links': () => `<ul>${'<li><a href="/x">link</a></li>'.repeat(12_000)}</ul>`,
  '12,000 dt and dd': () => `<dl>${'<dt>term</dt><dd>What the term means, in a sentence.</dd>'.repeat(12_000)}</dl>`,
  '8,000 figures in a list': () =>
    `<ul>${'<li><figure>chart<figcaption>caption of it</figcaption></figure></li>'.repeat(8_000)}</ul>`,
  '24,000 div of a class each': () =>
    Array.from({ length: 24_000 }, (_, i) => `<div class="c${i} x-${i}">text ${i}</div>`).join(''),
  '24,000 span in a p': () => `<p>${'<span class="a">word</span>'.repeat(24_000)}`,
  '24,000 h2 at depth 95': () => nested('<div>', 95, '<h2>text of it</h2>'.repeat(24_000)),
  '24,000 b in 95 nested sub': () => nested('<sub>', 95, '<b>x</b> y '.repeat(12_000)),
  '24,000 nested a': () => nested('<a href="/x">', 95, '<a href="/y">text <b>of</b></a>'.repeat(12_000)),
  '24,000 nested code': () => nested('<code>', 95, '<b>x</b> y '.repeat(12_000)),
  '24,000 in nested summary': () => nested('<summary>', 95, '<p>x</p>'.repeat(12_000)),
  '24,000 in nested gutters': () => nested('<div class="gutter">', 95, '<i>1</i> x '.repeat(12_000)),
  '8,000 pre in cells': () => `<table>${rowsOf('<td><pre>1</pre></td><td><pre>code</pre></td>', 4_900)}</table>`,
  '33 nested tables of 7,000 rows': () => nested('<table><tr><td>', 33, `<table>${rowsOf('<td>x', 7_000)}</table>`),
  'spans of 1 MB of text': () =>
    `<table class="wikitable"><tr><td rowspan="60000" colspan="64">${'word '.repeat(200_000)}<td>x</tr>${rowsOf('<td>y</td>', 8_000)}</table>`,
  'table 12,000 wide, 6,000 long': () =>
    `<table class="wikitable"><tr>${'<td>a'.repeat(12_000)}</tr>${rowsOf('<td>b', 6_000)}</table>`,
  '8,000 footnote references': () =>
    `${'<sup><a href="#fn1">1</a></sup> text '.repeat(8_000)}<ol><li id="fn1">note</ol>`,
  '5,000 references to an empty note': () =>
    `${'<sup><a href="#fn1">1</a></sup> text '.repeat(5_000)}<ol><li id="fn1">${'<i></i>'.repeat(14_000)}</ol>`,
  '200,000 nested div': () => nested('<div>', 200_000, 'deep'),
  '9,000 open formats, 3,000 p': () =>
    `<p>${Array.from({ length: 9_000 }, (_, i) => `<b class=c${i}>`).join('')}${'<p>text'.repeat(3_000)}`,
  'the same in a canvas': () =>
    `<canvas><p>${Array.from({ length: 9_000 }, (_, i) => `<b class=c${i}>`).join('')}${'<p>text'.repeat(3_000)}`,
  'a million options': () => `<form><label>x <select>${'<option>a'.repeat(1_000_000)}</select></label><p>end</form>`,
  '8,000 lists of options': () => '<label>x <select><option>a<option>b</select></label>'.repeat(8_000),
  '24,000 fields in one label': () => `<form><label>x${'<input value="a">'.repeat(24_000)}</label></form>`,
  '12,000 fields at depth 95': () =>
    nested('<div>', 95, '<label>x <input id="a" list="b" value="c"></label>'.repeat(12_000)),
  '6,000 fields with a list each': () =>
    `<form>${Array.from({ length: 6_000 }, (_, i) => `<input list="l${i}"><datalist id="l${i}"><option value="a"></datalist>`).join('')}</form>`,
  'one list of 300 for 20,000 fields': () =>
    `<form><datalist id="l">${`<option value="${'a'.repeat(200)}">`.repeat(300)}</datalist>${'<input list="l">'.repeat(20_000)}</form>`,
  'a text area of 4 MB': () => `<form><textarea>${'some text '.repeat(400_000)}</textarea></form>`,
  '5,000 frames with documents': () =>
    `<iframe srcdoc="<p>text <b>of</b> it</p><p hidden>x</p>"></iframe>`.repeat(5_000),
  'a document in a frame of 4 MB': () => `<p>x</p><iframe srcdoc="${'<b>x</b>'.repeat(500_000)}"></iframe>`,
  'frames in frames in frames': () => {
    let page = '<p>x</p>';
    for (let level = 0; level < 12; level += 1)
      page = `<iframe srcdoc="${page.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></iframe>`.repeat(2);
    return page.slice(0, 4_000_000);
  },
  '20,000 drawings with titles': () => '<svg><title>a title</title><desc>of it</desc><path/></svg> '.repeat(20_000),
  '8,000 links with names': () => '<a href="/x" aria-label="name"><i></i></a> '.repeat(8_000),
  '12,000 names in one cell': () =>
    `<table><tr><td>${'<b></b>'.repeat(10_000)}${'<i class="sr-only" style="clip:rect(0,0,0,0)">x</i>'.repeat(12_000)}`,
  '90 nested shadow roots': () =>
    nested('<x-a><template shadowrootmode="open"><b><slot></slot></b></template>', 90, '<p>text</p>'.repeat(8_000)),
  '8,000 slots for 8,000 parts': () =>
    `<x-a><template shadowrootmode="open">${Array.from({ length: 8_000 }, (_, i) => `<slot name="s${i}"></slot>`).join('')}</template>${Array.from({ length: 8_000 }, (_, i) => `<p slot="s${i}">text</p>`).join('')}</x-a>`,
  '8,000 shadow roots': () =>
    '<x-a><template shadowrootmode="open"><slot></slot></template>some text</x-a>'.repeat(8_000),
  '12,000 tab panels of one tab': () =>
    `<b role="tab" id="t">${'<i>word </i>'.repeat(10_000)}</b>${'<div role="tabpanel" aria-labelledby="t">x</div>'.repeat(12_000)}`,
  '10,000 parts that wait': () =>
    `<label>x <select>${Array.from({ length: 300 }, (_, i) => `<option value="v${i}">c</option>`).join('')}</select></label>${Array.from({ length: 10_000 }, (_, i) => `<div id="${'-'.repeat(90)}v${i % 300}" hidden>x</div>`).join('')}`,
  '100,000 misnested formats': () => '<b><i><p>x</b>y</i>'.repeat(100_000),
  '5,000 a over 5,000 div': () => `${'<a href="/x"><div>'.repeat(5_000)}text${'</a>'.repeat(5_000)}`,
  '200,000 texts beside rows': () => `<table><tr>${'x<td>'.repeat(200_000)}`,
  '100,000 tables in each other': () => '<table>x'.repeat(100_000),
  '100,000 nested templates': () => nested('<template>', 100_000, 'text', '</template>'),
  '100,000 shadow roots': () => nested('<div><template shadowrootmode=open>', 100_000, 'text'),
  '100,000 nested noscript': () => nested('<noscript>', 100_000, 'text', '</noscript>'),
  '300,000 short scripts': () => '<script></script>'.repeat(300_000),
  '300,000 open scripts': () => '<script><!--'.repeat(300_000),
  '5 MB in an attribute': () => `<p data-x="${'x'.repeat(5_000_000)}">text after it</p>`,
  '5 MB of script': () => `<script>${'var a = "<p>";'.repeat(360_000)}</script><p>text after it</p>`,
  '5 MB of comments': () => `${'<!-- x -->'.repeat(500_000)}<p>text after it</p>`,
  '5 MB of quotes in tags': () => `<p title="${'\' "x='.repeat(900_000)}>text after it</p>`,
};

export const MARKDOWN: Readonly<Record<string, () => string>> = {
  'image of data, 4 MB': () => '![](data:'.repeat(460_000),
  'open links, 4 MB': () => '[a]('.repeat(1_000_000),
  'open references, 4 MB': () => '[][ '.repeat(1_000_000),
  'open formulas, 4 MB': () => '$$ \\$'.repeat(800_000),
  'back-ticks, 4 MB': () => '`a``b```'.repeat(500_000),
  'tabs, 4 MB': () => `a${'\t'.repeat(4_000_000)}b`,
  'spaces, 4 MB': () => `a. b${' '.repeat(4_000_000)}c`,
  'CJK stops, 4 MB': () => `${'。'.repeat(1_333_000)}」x`,
  'stops and marks, 4 MB': () => '.**)'.repeat(1_000_000),
  'quote signs, 4 MB': () => `${'>'.repeat(2_000_000)} ${'One. Two. '.repeat(200_000)}`,
  'delimiter row of spaces, 4 MB': () => `a|b\n${' '.repeat(2_000_000)}-${' '.repeat(2_000_000)}x`,
  'heading of brackets, 4 MB': () => `# ${'['.repeat(4_000_000)}`,
  'heading of spaces, 4 MB': () => `# a${' '.repeat(4_000_000)}b`,
  'a million lines': () => 'word\n'.repeat(1_000_000),
  'tags, 4 MB': () => '<a '.repeat(1_333_000),
  'prose, 5 MB': () => 'It is a lamp. It has a light, and a keeper.\n\n'.repeat(108_000),
};
