import { expect, it } from 'vitest';
import type { BodyKind } from '#core/document/kinds.ts';
import { read } from './support.ts';

type Case = [name: string, kind: BodyKind, source: string, lines: readonly string[]];

/** Small inputs of kinds that readers and converters often get wrong, with lines that each must have. */
const CASES: readonly Case[] = [
  [
    'a pipe in code in a cell',
    'html',
    '<table><tr><th>Op</th><th>Use</th></tr><tr><td><code>a | b</code></td><td>or</td></tr></table>',
    ['| `a \\| b` | or |'],
  ],
  [
    'a block in an item of a list',
    'html',
    '<ul><li><p>one</p><p>more</p></li><li><p>two</p><blockquote>q</blockquote></li></ul>',
    ['- one', '  more', '- two', '  > q'],
  ],
  ['a list that counts down', 'html', '<ol reversed><li>c</li><li>b</li></ol>', ['2. c', '1. b']],
  ['a list with given numbers', 'html', '<ol start=5><li>five</li><li value=9>nine</li></ol>', ['5. five', '9. nine']],
  [
    'a cell over the rest of the rows',
    'html',
    '<table><tr><th>a</th><th>b</th></tr><tr><td rowspan=0>x</td><td>1</td></tr><tr><td>2</td></tr></table>',
    ['| x | 1 |', '| x | 2 |'],
  ],
  [
    'slots of a shadow root',
    'html',
    '<x-card><template shadowrootmode="open"><h3><slot name="t">Default</slot></h3><slot></slot></template><b slot="t">Given</b><p>Body</p></x-card>',
    ['### **Given**', 'Body'],
  ],
  [
    'tasks',
    'html',
    '<ul><li><input type=checkbox checked> done</li><li><input type=checkbox> open</li></ul>',
    ['- [x] done', '- [ ] open'],
  ],
  [
    'marks of Markdown',
    'html',
    '<p>1. no list</p><p># no heading</p><p>+ no item</p>',
    [String.raw`1\. no list`, String.raw`\# no heading`, String.raw`\+ no item`],
  ],
  ['readings of characters', 'html', '<p><ruby>漢<rt>kan</rt>字<rt>ji</rt></ruby></p>', ['漢(kan)字(ji)']],
  ['a fence in code', 'html', '<pre><code>```js\nx\n```</code></pre>', ['````', '```js', 'x', '```', '````']],
  [
    'CSV with semicolons and a byte order mark',
    'csv',
    '\ufeffName;Sum\r\n"Hill; Sons";1.234,50\r\nB;2,0\r\n',
    ['| Name | Sum |', '| Hill; Sons | 1.234,50 |'],
  ],
  ['CSV with a stray quote', 'csv', 'name,size\n5" pipe,3\n6" pipe,4\n', ['| 5" pipe | 3 |', '| 6" pipe | 4 |']],
  ['CSV that declares its separator', 'csv', 'sep=;\na;b\n1;2\n', ['| a | b |', '| 1 | 2 |']],
  ['CSV with old line ends', 'csv', 'a,b\r1,2\r3,4\r', ['| 1 | 2 |', '| 3 | 4 |']],
  ['CSV without a name for its first column', 'csv', ',2020,2021\nA,1,2\n', ['|  | 2020 | 2021 |', '| A | 1 | 2 |']],
  ['a list below zero', 'html', '<ol start=-1><li>under</li><li>zero</li></ol>', ['- -1) under', '- 0) zero']],
  [
    'a list that counts down below zero',
    'html',
    '<ol reversed start=1><li>a</li><li>b</li><li>c</li></ol>',
    ['- 1) a', '- 0) b', '- -1) c'],
  ],
  ['an invisible part of a formula', 'html', '<p><math><mphantom><mn>9</mn></mphantom><mn>1</mn></math></p>', ['$1$']],
  [
    'a formula of which one form is shown',
    'html',
    '<p><math><maction actiontype="toggle" selection="2"><mn>1</mn><mn>2</mn></maction></math></p>',
    ['$2$'],
  ],
  [
    'a struck-out part of a formula',
    'html',
    '<p><math><menclose notation="updiagonalstrike"><mn>50</mn></menclose><mn>40</mn></math></p>',
    [String.raw`$\cancel{50} 40$`],
  ],
  [
    'a coefficient, which is no fraction',
    'html',
    '<p><math><mo>(</mo><mfrac linethickness="0"><mi>n</mi><mi>k</mi></mfrac><mo>)</mo></math></p>',
    [String.raw`$( {n \atop k} )$`],
  ],
  [
    'signs above letters, which are no powers',
    'html',
    '<p><math><mover><mi>x</mi><mo>¯</mo></mover><mo>=</mo><mover><mi>y</mi><mo>^</mo></mover></math></p>',
    [String.raw`$\bar{x} = \hat{y}$`],
  ],
  ['a mean', 'html', '<p><math><mover><mi>x</mi><mo>ˉ</mo></mover></math></p>', [String.raw`$\bar{x}$`]],
  ['words in a formula', 'html', '<p><math><mtext>if </mtext><mi>x</mi></math></p>', [String.raw`$\text{if } x$`]],
  [
    'numbers in the words of a formula',
    'html',
    '<p><math><mtext>in 2024 10 of</mtext><mi>x</mi></math></p>',
    [String.raw`$\text{in 2024 10 of} x$`],
  ],
  ['a mixed number in one element', 'html', '<p><math><mn>1 1/2</mn><mi>x</mi></math></p>', ['$1 1/2 x$']],
  ['a number in several elements', 'html', '<p><math><mn>3</mn><mo>.</mo><mn>1</mn><mn>4</mn></math></p>', ['$3.14$']],
  [
    'a number under a root',
    'html',
    '<p><math><msqrt><mn>1</mn><mn>2</mn></msqrt></math></p>',
    [String.raw`$\sqrt{12}$`],
  ],
  ['numbers in a column', 'html', '<p><math><mstack><mn>12</mn><mn>34</mn></mstack></math></p>', ['$12 34$']],
  [
    'a power of a sum that begins with a sign above a letter',
    'html',
    '<p><math><msup><mrow><mover><mi>x</mi><mo>^</mo></mover><mo>+</mo><mn>1</mn></mrow><mn>2</mn></msup></math></p>',
    [String.raw`${'$'}{\hat{x} + 1}^{2}$`],
  ],
  [
    'a power of a product that begins with a root',
    'html',
    '<p><math><msup><mrow><msqrt><mi>x</mi></msqrt><mi>y</mi></mrow><mn>2</mn></msup></math></p>',
    [String.raw`${'$'}{\sqrt{x} y}^{2}$`],
  ],
  [
    'a formula whose shown form is missing',
    'html',
    '<p><math><maction selection="9"><mn>1</mn><mn>2</mn></maction></math></p>',
    ['$1$'],
  ],
  ['an invisible formula', 'html', '<p>A <math><mphantom><mn>1</mn></mphantom></math> B</p>', ['A B']],
  [
    'a list with a number below zero',
    'html',
    '<ol><li>a</li><li value=-5>b</li><li>c</li></ol>',
    ['- 1) a', '- -5) b', '- -4) c'],
  ],
  [
    'a list that counts down from a given number to below zero',
    'html',
    '<ol reversed start=3><li>a</li><li value=0>b</li><li>c</li></ol>',
    ['- 3) a', '- 0) b', '- -1) c'],
  ],
  ['colours of a terminal in a text', 'text', '\x1b[32mok\x1b[0m 3 tests\n', ['ok 3 tests']],
  [
    'the text before a cleared screen in a log',
    'text',
    'Step 1 failed\n\x1b[2J\x1b[HStep 2 passed\n',
    ['Step 1 failed\nStep 2 passed'],
  ],
  ['coloured lines with old line ends', 'text', '\x1b[32mfirst\x1b[0m\rsecond\rthird', ['first\nsecond\nthird']],
  [
    'losses, prices and labels with the class of a deleted word',
    'html',
    '<p>Lost <b class="diff-del">-$5.00</b>, <b class="diff-del">▼ 3%</b> and <b class="diff-del">(3)</b>. <i class="diff-removed">Removed:</i> tea</p><table><tr><th>Shop</th><th>Change</th></tr><tr><td>A</td><td class="diff-del">-3.2%</td></tr></table>',
    ['Lost **-$5.00**, **▼ 3%** and **(3)**.', '*Removed:* tea', '| A | -3.2% |'],
  ],
  [
    'a foot of a table that the source has first',
    'html',
    '<table><tfoot><tr><td>Sum</td><td>3</td></tr></tfoot><tbody><tr><td>a</td><td>1</td></tr></tbody><thead><tr><th>Name</th><th>Size</th></tr></thead><tbody><tr><td>b</td><td>2</td></tr></tbody></table>',
    ['| Name | Size |\n| --- | --- |\n| a | 1 |\n| b | 2 |\n| Sum | 3 |'],
  ],
  [
    'a second foot of a table, which is shown where it stands',
    'html',
    '<table><tr><th>Name</th><th>Size</th></tr><tfoot><tr><td>Sum</td><td>3</td></tr></tfoot><tfoot><tr><td>x</td><td>4</td></tr></tfoot><tbody><tr><td>a</td><td>1</td></tr></tbody></table>',
    ['| Name | Size |\n| --- | --- |\n| x | 4 |\n| a | 1 |\n| Sum | 3 |'],
  ],
  [
    'CSV below comments',
    'csv',
    '# Made by x, y\n# on 2026-01-01\nName,Size\na,1\n',
    ['Made by x, y\n\non 2026-01-01\n\n| Name | Size |\n| --- | --- |\n| a | 1 |'],
  ],
  ['TSV below a comment', 'tsv', '# note\na\tb\n1\t2\n', ['note\n\n| a | b |\n| --- | --- |\n| 1 | 2 |']],
  [
    'CSV whose names begin with #',
    'csv',
    '##v1\n#Name,Size\na,1\n',
    ['v1\n\n| #Name | Size |\n| --- | --- |\n| a | 1 |'],
  ],
  [
    'CSV below a title',
    'csv',
    'Sales, 2026\n\nName;Size;Price\na;1,5;2\nb;2,5;3\n',
    ['Sales, 2026\n\n| Name | Size | Price |\n| --- | --- | --- |\n| a | 1,5 | 2 |'],
  ],
  [
    'CSV below titles with empty cells',
    'csv',
    'Sales 2026,,\nUnit: EUR,,\nName,Size,Price\na,1,2\n',
    ['Sales 2026\n\nUnit: EUR\n\n| Name | Size | Price |\n| --- | --- | --- |\n| a | 1 | 2 |'],
  ],
  ['CSV with a name for one column only', 'csv', 'Name,\nAnn,3\n', ['| Name |  |\n| --- | --- |\n| Ann | 3 |']],
  ['CSV with spaces before quotes', 'csv', 'a, b\nA, "x, y"\nB, "z" w\n', ['| A | x, y |', '| B | "z" w |']],
  ['edits in code in a line', 'html', '<p><code>wait(<del>1</del><ins>2</ins>)</code></p>', ['`wait([-1-]{+2+})`']],
  ['deleted code in a line', 'html', '<p><del><code>wait(1)</code></del> now</p>', ['~~`wait(1)`~~ now']],
  ['CSV with one column', 'csv', 'Name\nAnn\n', ['| Name |\n| --- |\n| Ann |']],
  ['CSV with commas in numbers', 'csv', 'a;b;c\n1,5;2,5;3,5\n4,5;5,5;6,5\n', ['| 1,5 | 2,5 | 3,5 |']],
  [
    'CSV with pipes and breaks in cells',
    'csv',
    '\ufeff"a"|"b"\n"1\n2"|3\n4|5|6\n',
    ['| a | b |  |', '| 1<br>2 | 3 |  |', '| 4 | 5 | 6 |'],
  ],
  ['a number too long for a float', 'json', '{"id":12345678901234567890,"v":1.10}', ['  "id": 12345678901234567890,']],
];

it.each(CASES)('%s is read line by line', async (_, kind, source, lines) => {
  const found = (await read(kind, source)).lines.join('\n');
  for (const line of lines) expect(`\n${found}\n`).toContain(`\n${line}\n`);
});
