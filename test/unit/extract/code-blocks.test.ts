import { describe, expect, it } from 'vitest';
import { read } from './support.ts';

describe('a block of code', () => {
  for (const name of ['line-numbers', 'lineno', 'gutter', 'copy-btn', 'toolbar']) {
    it(`is recognised when its class is ${name}, which describes its appearance`, async () => {
      const page = `<p>Before</p><pre><code class="language-basic ${name}">For counter = 1\nNext</code></pre><p>After</p>`;
      expect((await read('html', page)).lines.join('\n')).toContain('For counter = 1\nNext');
    });
  }

  it('excludes the line numbers drawn next to it', async () => {
    const page =
      '<p>Before</p><pre><code><span class="lineno">17</span>For counter = 1\n<span class="lineno">18</span>Next</code></pre>';
    expect((await read('html', page)).lines.join('\n')).toContain('\nFor counter = 1\nNext\n');
  });
});
