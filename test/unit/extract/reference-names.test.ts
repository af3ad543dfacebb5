import { describe, expect, it } from 'vitest';
import { mainLines } from '#core/document/document.ts';
import { read } from './support.ts';

const TEXT = 'It gives back the depth of the harbour at the place that is asked for, in metres below the lowest tide.';

function entry(names: string, heading = 'Name'): string {
  return `<div class="refentry"><a name="x"></a><div class="titlepage"></div><div class="refnamediv"><h2>${heading}</h2><p>${names} — measures ${names}</p></div><div class="refsection"><h2>Description</h2><p>${TEXT} So does ${names}.</p><div class="refsection"><h3>Units</h3><p>${TEXT} ${names} counts in metres.</p></div></div></div>`;
}

async function headingsOf(...entries: string[]): Promise<string[]> {
  const page = `<html><head><title>Manual</title></head><body><div class="chapter"><h2 class="title">Chapter 8. Reference</h2>${entries.join('')}</div></body></html>`;
  return mainLines(await read('html', page)).filter((line) => line.startsWith('#'));
}

describe('reference entries of DocBook', () => {
  it('have their names as headings above their own headings', async () => {
    expect(await headingsOf(entry('depth_at'), entry('DEPTH, DEPTH_MAX'))).toEqual([
      '## Chapter 8. Reference',
      '## depth_at',
      '### Name',
      '### Description',
      '#### Units',
      '## DEPTH, DEPTH_MAX',
      '### Name',
      '### Description',
      '#### Units',
    ]);
  });

  it('keep headings that already contain their names', async () => {
    expect(await headingsOf(entry('depth'), entry('WIDTH', 'Width').replace('WIDTH — ', 'width — '))).toContain(
      '## Width',
    );
  });

  it('keep their headings when they have no names', async () => {
    const unnamed = entry('depth').replace('depth — measures', 'It measures');
    expect(await headingsOf(unnamed)).toContain('## Name');
  });
});
