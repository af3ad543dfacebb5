import { describe, expect, it } from 'vitest';
import { extract } from '#extract/extract.ts';
import { NOTEBOOK_OUTPUT_CHARS_MAX } from '#extract/limits.ts';
import { markdownOf, readText } from './support.ts';

function notebook(...cells: object[]): string {
  return JSON.stringify({ nbformat: 4, metadata: { language_info: { name: 'julia' } }, cells });
}

const code = (source: unknown, ...outputs: object[]) => ({ cell_type: 'code', source, outputs });

describe('a notebook', () => {
  it('keeps its Markdown unchanged and puts its code into fences with its language', async () => {
    const file = notebook({ cell_type: 'markdown', source: ['# Lamps *now*\n', 'Some text.'] }, code('x = 1\n'));
    const { lines, title } = await readText('notebook', file);
    expect(lines).toEqual(['# Lamps *now*', 'Some text.', '', '```julia', 'x = 1', '```']);
    expect(title).toBe('Lamps now');
  });

  it('shows text outputs, tables and errors, and marks the place of an image', async () => {
    const file = notebook(
      code('a', { output_type: 'stream', text: ['one\n', 'two\n'] }),
      code('b', { output_type: 'execute_result', data: { 'text/plain': '42' } }),
      code('c', { output_type: 'display_data', data: { 'image/png': 'AAAA', 'text/plain': '<Figure>' } }),
      code('d', { output_type: 'error', ename: 'E', evalue: 'v', traceback: ['\u001b[0;31mE\u001b[0m: v'] }),
      code('e', {
        output_type: 'execute_result',
        data: { 'text/html': '<table><tr><th>h</th></tr><tr><td>1</td></tr></table>' },
      }),
    );
    const text = await markdownOf(readText('notebook', file));
    expect(text).toContain('```julia\na\n```\n\n```\none\ntwo\n```');
    expect(text).toContain('```\n42\n```');
    expect(text).toContain('*(an image is left out)*');
    expect(text).not.toContain('Figure');
    expect(text).toContain('```\nE: v\n```');
    expect(text).toContain('| h |\n| --- |\n| 1 |');
  });

  it.each([
    ['10%\r20%\r100%\n', '100%'],
    ['100 left\r5', '500 left'],
    ['100 left\r\u001b[K5 left', '5 left'],
    ['abc\b\bX', 'aXc'],
    ['|\b/\b-\bdone', 'done'],
    ['a: 1\nb: 1\u001b[A\ra: 2\nb: 2', 'a: 2\nb: 2'],
    ['one\u001b[2J\u001b[Htwo', 'two'],
    ['one\r\ntwo\r\n', 'one\ntwo'],
    ['\u001b[1m\u001b[31mred\u001b[0m\u001b]8;;https://a.example\u0007 link\u001b]8;;\u0007', 'red link'],
    ['漢字\r一', '一字'],
  ])('shows the last state of an output that writes over itself: %j', async (text, shown) => {
    for (const output of [
      { output_type: 'stream', text },
      { output_type: 'execute_result', data: { 'text/plain': text } },
    ])
      expect(await markdownOf(readText('notebook', notebook(code('x', output))))).toContain(`\`\`\`\n${shown}\n\`\`\``);
  });

  it('has no colours of a terminal in cells', async () => {
    const file = notebook({ cell_type: 'markdown', source: 'A \u001b[31mred\u001b[0m lamp' }, code('p("\u001b[1mx")'));
    expect(await markdownOf(readText('notebook', file))).toMatch(/^A red lamp\n\n```\w*\np\("x"\)/);
  });

  it('shows an output that moves its cursor in linear time', async () => {
    const text = 'a\u001b[500C\b\u001b[A\n\u001b[1K\u001b[Jb\r'.repeat(20_000);
    const file = notebook(code('x', { output_type: 'stream', text: `${text}\u001b[2J\u001b[Hdone` }));
    expect(await markdownOf(readText('notebook', file))).toContain('```\ndone\n```');
  });

  it('closes a fence that a cell leaves open before the next cell', async () => {
    const file = notebook({ cell_type: 'markdown', source: '```\nopen' }, { cell_type: 'markdown', source: 'Next.' });
    expect(await markdownOf(readText('notebook', file))).toBe('```\nopen\n```\n\nNext.');
  });

  it('omits embedded images', async () => {
    const file = notebook({ cell_type: 'markdown', source: 'See ![a lamp](data:image/png;base64,AAAA) here.' });
    expect(await markdownOf(readText('notebook', file))).toBe('See *(an image is left out: a lamp)* here.');
  });

  it('shortens an endless output, and reports this', async () => {
    const { cuts } = await readText(
      'notebook',
      notebook(code('x', { output_type: 'stream', text: 'y'.repeat(50_000) })),
    );
    expect(cuts).toEqual([`Outputs longer than ${NOTEBOOK_OUTPUT_CHARS_MAX} characters were shortened.`]);
  });

  it('is cut when it has a million lines, and reports this', async () => {
    const { cuts } = await readText('notebook', notebook({ cell_type: 'markdown', source: 'a\n\n'.repeat(1_100_000) }));
    expect(cuts).toEqual([expect.stringContaining('characters of text'), expect.stringContaining('lines')]);
  });

  it('lets others work between thousands of short outputs', async () => {
    const html = { output_type: 'display_data', data: { 'text/html': '<table><tr><td>x' } };
    const text = notebook(code('a', ...Array.from({ length: 5_000 }, () => html)));
    let pauses = 0;
    const pause = async () => void (pauses += 1);
    await extract({
      kind: 'notebook',
      text,
      bytes: new Uint8Array(),
      url: 'https://a.example/n',
      mode: 'readable',
      pause,
    });
    expect(pauses).toBeGreaterThanOrEqual(8);
  });

  it('is read in format 3, too', async () => {
    const cells = [
      { cell_type: 'heading', level: 2, source: 'Old' },
      { cell_type: 'code', input: 'print 1', outputs: [{ output_type: 'pyout', text: '1' }] },
    ];
    const text = await markdownOf(readText('notebook', JSON.stringify({ nbformat: 3, worksheets: [{ cells }] })));
    expect(text).toBe('## Old\n\n```python\nprint 1\n```\n\n```\n1\n```');
  });

  it('is refused by name when it is invalid', async () => {
    for (const text of ['{"a":1}', '{', '[]', 'null', '{"cells":5}']) {
      await expect(readText('notebook', text)).rejects.toMatchObject({
        failure: { code: 'extract_failed', reason: 'the notebook is not valid' },
      });
    }
  });
});
