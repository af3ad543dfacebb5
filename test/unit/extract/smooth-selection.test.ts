import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mainLines } from '#core/document/document.ts';
import { markFooterTexts } from '#extract/html/main/furniture.ts';
import { divideIntoSegments } from '#extract/html/main/segments.ts';
import { ContentSelection } from '#extract/html/main/selection.ts';
import { smoothSelection } from '#extract/html/main/smooth-selection.ts';
import { parsePage } from '#extract/html/parse-page.ts';
import { read } from './support.ts';

const BAR = 0.45;

/** The kept texts of a page if `chanceOf` returns the chance of each segment. */
function keptOf(html: string, chanceOf: (text: string, index: number) => number, reach = 0.5): Set<string> {
  const { segments } = divideIntoSegments(parsePage(html, false).document.body);
  const chances = segments.map(({ text, index }) => chanceOf(text, index));
  const keep = chances.map((chance) => chance > BAR);
  smoothSelection(new ContentSelection(segments, chances, { keep, bar: BAR }, reach), markFooterTexts(segments), false);
  return new Set(segments.flatMap(({ text, index }) => (keep[index] === true ? [text] : [])));
}

/** The same with given chances. */
function keptWith(html: string, chances: readonly number[]): Set<string> {
  return keptOf(html, (_, index) => chances[index % chances.length] ?? 0);
}

/** From certainly not content to certainly content. */
const chance = fc.constantFrom(0.001, 0.05, 0.2, 0.4, 0.44, 0.5, 0.7, 0.95);
const chances = fc.array(chance, { minLength: 40, maxLength: 40 });
let made = 0;
/** A text that no other part of a page has. */
const text = () => `Text ${(made += 1)} of the page`;

type Part = { html: string; texts: string[] };
const paragraph = fc.constant(null).map((): Part => {
  const own = text();
  return { html: `<p>${own}</p>`, texts: [own] };
});
const code = fc.constant(null).map((): Part => {
  const own = text();
  return { html: `<pre>${own}</pre>`, texts: [own] };
});
const plainItem = fc.oneof(
  paragraph,
  code,
  fc.constant(null).map((): Part => ({ html: '', texts: [] })),
);
const list = fc
  .tuple(fc.constantFrom('ul', 'ol'), fc.array(fc.tuple(plainItem, fc.boolean()), { minLength: 1, maxLength: 4 }))
  .map(([tag, items]): Part => {
    const parts = items.map(([{ html, texts }, hasLink]) => {
      const own = text();
      const said = hasLink ? `<a href="/x">${own}</a>` : own;
      return { html: `<li>${said}${html}</li>`, texts: [own, ...texts] };
    });
    return {
      html: `<${tag}>${parts.map(({ html }) => html).join('')}</${tag}>`,
      texts: parts.flatMap((part) => part.texts),
    };
  });
const nestedList = fc.tuple(list, list).map(([outer, inner]): Part => {
  const html = outer.html.replace(/<\/li>(?!.*<\/li>)/, `${inner.html}</li>`);
  return { html, texts: [...outer.texts, ...inner.texts] };
});
const parts = fc.array(fc.oneof(paragraph, code, list), { minLength: 1, maxLength: 5 });

function htmlOf(some: readonly Part[]): string {
  return some.map(({ html }) => html).join('');
}

describe('related content of a page', () => {
  it('includes a heading if anything under it is kept', () => {
    const sections = fc.array(fc.tuple(fc.integer({ min: 1, max: 6 }), parts, fc.boolean()), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(sections, chances, (drawn, some) => {
        const written = drawn.map(([level, body, isWrapped]) => ({ level, heading: text(), body, isWrapped }));
        const html = written.map(({ level, heading, body, isWrapped }) => {
          const tag = `<h${level}>${heading}</h${level}>`;
          return `${isWrapped ? `<div>${tag}</div>` : tag}${htmlOf(body)}`;
        });
        // A heading in its own wrapper may be the site's name, so only a likely one is kept.
        const kept = keptWith(
          `<article>${html.join('')}</article>`,
          some.map((value) => Math.max(value, 0.4)),
        );
        for (const [index, { level, heading }] of written.entries()) {
          const end = written.findIndex((other, at) => at > index && other.level <= level);
          const under = written.slice(index, end < 0 ? undefined : end);
          const isOver = under.some((part) => part.body.some(({ texts }) => texts.some((own) => kept.has(own))));
          expect(isOver && !kept.has(heading)).toBe(false);
        }
      }),
    );
  });

  it('excludes a heading without kept content, unless the heading itself was selected', () => {
    const page = '<main><p>Kept</p><h2>Related</h2><ul><li><a href="/a">Other</a></li></ul></main>';
    expect([...keptOf(page, (own) => (own === 'Kept' ? 0.9 : 0.01))]).toEqual(['Kept']);
  });

  it('keeps terms with their explanations', () => {
    const entries = fc.array(
      fc.tuple(fc.integer({ min: 1, max: 2 }), fc.array(parts, { maxLength: 2 }), fc.boolean()),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(entries, chances, fc.boolean(), (drawn, some, isPlain) => {
        const written = drawn.map(([terms, meanings, isWrapped]) => ({
          terms: Array.from({ length: terms }, text),
          meanings,
          isWrapped,
        }));
        const html = written.map(({ terms, meanings, isWrapped }) => {
          const inner =
            terms.map((term) => `<dt>${term}</dt>`).join('') +
            meanings.map((said) => `<dd>${isPlain ? '' : '<section>'}${htmlOf(said)}</dd>`).join('');
          return isWrapped ? `<div>${inner}</div>` : inner;
        });
        const kept = keptWith(`<p>Before</p><dl>${html.join('')}</dl><p>After</p>`, some);
        for (const { terms, meanings } of written) {
          const said = meanings.flat().flatMap(({ texts }) => texts);
          if (said.some((own) => kept.has(own))) for (const term of terms) expect(kept).toContain(term);
          if (said.length > 0 && terms.some((term) => kept.has(term))) {
            expect(said.some((own) => kept.has(own))).toBe(true);
            for (const term of terms) expect(kept).toContain(term);
          }
        }
      }),
    );
  });

  it('includes or excludes lists as a whole, with the lists inside them', () => {
    fc.assert(
      fc.property(fc.oneof(list, nestedList), chances, (part, some) => {
        const kept = keptWith(`<p>Before</p>${part.html}<p>After</p>`, some);
        const own = part.texts.filter((one) => kept.has(one));
        expect([0, part.texts.length]).toContain(own.length);
      }),
    );
  });

  it('excludes a menu between paragraphs as a whole', () => {
    const menu = '<ul><li><a href="/a">Home</a></li><li><a href="/b">Shop</a></li><li><a href="/c">About</a></li></ul>';
    const kept = keptOf(`<article><p>First</p>${menu}<p>Second</p></article>`, (own) =>
      own === 'First' || own === 'Second' ? 0.95 : own === 'Shop' ? 0.6 : 0.02,
    );
    expect([...kept]).toEqual(['First', 'Second']);
  });

  it('includes code between kept blocks, in any number of pieces', () => {
    fc.assert(
      fc.property(fc.array(code, { minLength: 1, maxLength: 4 }), chances, (some, drawn) => {
        const html = `<div><p>Before</p>${htmlOf(some)}<p>After</p></div>`;
        const kept = keptOf(html, (own, index) => (own === 'Before' || own === 'After' ? 0.9 : (drawn[index] ?? 0)));
        for (const { texts } of some) for (const own of texts) expect(kept).toContain(own);
      }),
    );
  });

  it('includes the block after a sentence that ends in a colon', () => {
    fc.assert(
      fc.property(
        fc.oneof(paragraph, code, list, nestedList),
        fc.constantFrom(':', '：'),
        chance,
        (part, colon, some) => {
          const html = `<article><p>Do this${colon}</p>${part.html}</article>`;
          const kept = keptOf(html, (own) => (own.startsWith('Do this') ? 0.9 : Math.max(0.3, some)));
          for (const own of part.texts) expect(kept).toContain(own);
        },
      ),
    );
  });

  it('includes, in reference, a table alone in its wrapper after kept text, with the heading above it', () => {
    const known: Record<string, number> = { Kept: 0.9, Members: 0.1, 'name what it holds': 0.15, Footer: 0.001 };
    const page =
      '<div><h3>Kept</h3><p>Kept</p><div><h4>Members</h4><div><table><tr><th>name</th><td>what it holds</td></tr></table></div></div></div><div><div><div><div><p>Footer</p></div></div></div></div>';
    const chanceIn = (own: string) => known[own] ?? 0;
    expect([...keptOf(page, chanceIn, 4)]).toEqual(['Kept', 'Members', 'name what it holds']);
    expect([...keptOf(page, chanceIn)]).toEqual(['Kept']);
  });

  it('includes, in reference, all rows of a table that lays out declarations between kept ones', () => {
    const rows = fc.array(fc.constantFrom('<tr><td>@</td></tr>', '<tr><td>@</td><td>@</td></tr>'), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(
        rows,
        fc.array(fc.constantFrom(0.05, 0.2, 0.4, 0.9), { minLength: 12, maxLength: 12 }),
        (drawn, some) => {
          const own: string[] = [];
          const cell = () => {
            const said = text();
            own.push(said);
            return said;
          };
          const table = `<table><tr><td><h2>Functions</h2></td></tr>${drawn.join('').replaceAll('@', cell)}</table>`;
          const kept = keptOf(
            `<div><p>Before</p>${table}<p>After</p></div>`,
            (said, index) => (said === 'Before' || said === 'After' ? 0.9 : (some[index] ?? 0.2)),
            4,
          );
          for (const said of own) expect(kept).toContain(said);
        },
      ),
    );
  });

  it('includes, in reference, entries of one kind when most of them are kept, wherever they are', () => {
    const entry = fc.record({ isKept: fc.boolean(), types: fc.integer({ min: 0, max: 2 }) });
    const groups = fc.array(fc.array(entry, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(groups, fc.constantFrom(0.03, 0.1, 0.3), (drawn, rest) => {
        const entries = drawn.flat();
        fc.pre(entries.length >= 3 && entries.filter(({ isKept }) => isKept).length * 2 >= entries.length);
        const own: string[] = [];
        const said = (tag: string, words: string) => {
          own.push(words);
          return `<${tag}>${words}</${tag}>`;
        };
        const html = drawn.map((group) => {
          const written = group.map(
            ({ isKept, types }) =>
              `<div class="entry"><div class="name">${said('div', text())}</div><div>${said('div', isKept ? `Kept ${text()}` : text())}${Array.from({ length: types }, () => said('div', text())).join('')}</div></div>`,
          );
          return `<div class="group">${written.join('')}</div>`;
        });
        const menu = '<ul class="menu"><li><a href="/a">Menu</a></li><li><a href="/b">More</a></li></ul>';
        const kept = keptOf(
          `${menu}<main>${html.join('')}</main>${menu}`,
          (one) => (one.startsWith('Kept') ? 0.9 : rest),
          4,
        );
        for (const one of own) expect(kept).toContain(one);
        expect(kept).not.toContain('Menu');
      }),
    );
  });

  it('excludes, in reference, a link to the source from an entry', () => {
    const entries = [1, 2, 3].map(
      (at) => `<div class="entry"><div><a href="/s">source</a></div><p>Entry ${at}</p></div>`,
    );
    const kept = keptOf(entries.join(''), (one) => (one.startsWith('Entry') ? 0.9 : 0.2), 4);
    expect([...kept]).toEqual(['Entry 1', 'Entry 2', 'Entry 3']);
  });

  it('includes, in reference, headings directly above another of their level', () => {
    const page =
      '<div><h1>Module</h1><h2>Functions</h2><h2>All of them</h2><h2>one</h2><p>Kept</p></div><div><h2>Other</h2><h2>Site</h2></div>';
    const chanceIn = (one: string) => (one === 'Kept' ? 0.9 : one === 'Other' || one === 'Site' ? 0.001 : 0.1);
    const whole = ['Module', 'Functions', 'All of them', 'one', 'Kept'];
    expect([...keptOf(page, chanceIn, 4)]).toEqual(whole);
    expect([...keptOf(page, chanceIn)]).toEqual(['Module', 'one', 'Kept']);
  });

  it('includes, in reference, the title above a synopsis with its text, and the first table of members', () => {
    const title = '<div><h2>Title</h2><p>Purpose</p></div><h2>Synopsis</h2><p>Kept</p>';
    const members = (name: string) =>
      `<table><tr><td><h2>${name}</h2></td></tr><tr><td>member of ${name}</td></tr></table>`;
    const page = `<div>${title}${members('First')}${members('Second')}<h2>Details</h2><p>Kept too</p></div><div><h2>Aside</h2></div>`;
    const chanceIn = (one: string) => (one.startsWith('Kept') ? 0.9 : one === 'Aside' ? 0.001 : 0.2);
    const whole = ['Title', 'Purpose', 'Synopsis', 'Kept', 'First', 'member of First', 'Second', 'member of Second'];
    expect([...keptOf(page, chanceIn, 4)]).toEqual([...whole, 'Details', 'Kept too']);
    const second = `<main>${members('First')}${members('Second')}</main>`;
    const kept = keptOf(second, (one) => (one === 'member of Second' ? 0.9 : 0.2), 4);
    expect([...kept]).toEqual(['First', 'member of First', 'Second', 'member of Second']);
  });

  it('includes, in reference, the content of a heading up to the next kept heading, but no menu', () => {
    const last = '<h4>Return value</h4><div><div><p>Type: number</p><p>The width</p></div></div>';
    const page = `<main><div><h4>Description</h4><p>Kept</p></div><div>${last}</div></main>`;
    const chanceIn = (one: string) => (one === 'Kept' || one === 'Return value' ? 0.9 : 0.2);
    expect([...keptOf(page, chanceIn, 4)].slice(-3)).toEqual(['Return value', 'Type: number', 'The width']);
    expect(keptOf(page, chanceIn)).not.toContain('The width');
    // An unwanted heading is next to a kept one, in a separate part.
    const unwanted = keptOf(page, (one) => (one === 'Kept' ? 0.9 : 0.2), 4);
    expect([...unwanted]).toEqual(['Description', 'Kept', 'Return value', 'Type: number', 'The width']);
    const links = '<div><div><a href="/a">One</a></div><div><a href="/b">Two</a></div></div>';
    const menu = `<main><div><h4>Description</h4><p>Kept</p></div><section><h4>Return value</h4>${links}</section></main>`;
    expect([...keptOf(menu, chanceIn, 4)]).toEqual(['Description', 'Kept', 'Return value']);
    const before = `<main><h3>Signals</h3><div><div><h6>clicked</h6></div><div><div>Emitted</div></div></div><h5>Inherited</h5><p>Kept</p></main>`;
    const signals = keptOf(before, (one) => (one === 'Kept' || one === 'Signals' ? 0.9 : 0.2), 4);
    expect([...signals]).toEqual(['Signals', 'clicked', 'Emitted', 'Inherited', 'Kept']);
  });

  it('includes, in reference, neighbouring articles that each begin with a heading of one level', () => {
    const entry = (name: string) =>
      `<article><div><h4>${name}</h4></div><div><h3>Types of ${name}</h3><p>Text of ${name}</p></div></article>`;
    const page = `<main><p>Exports</p><div>${entry('first')}${entry('second')}${entry('third')}</div></main>`;
    const kept = keptOf(page, (one) => (one === 'first' ? 0.9 : 0.02), 4);
    expect([...kept].slice(-6)).toEqual(
      ['second', 'third'].flatMap((name) => [name, `Types of ${name}`, `Text of ${name}`]),
    );
  });

  it('includes, in reference, the only title in any part of the page, without the table of contents next to it', () => {
    const contents = '<ul><li><a href="#a">One</a></li><li><a href="#b">Two</a></li></ul>';
    const page = (title: string) =>
      `<div>${title}<div>Contents</div>${contents}</div><div><h2>One</h2><p>Kept</p></div>`;
    const chanceIn = (one: string) => (one === 'Kept' ? 0.9 : 0.2);
    expect([...keptOf(page('<h1>Manual</h1>'), chanceIn, 4)]).toEqual(['Manual', 'One', 'Kept']);
    expect([...keptOf(page('<h1>Manual</h1>'), chanceIn)]).toEqual(['One', 'Kept']);
    expect([...keptOf(page('<h1>Site</h1><h1>Manual</h1>'), chanceIn, 4)]).toEqual(['One', 'Kept']);
  });

  it('includes, in reference, names of entries between kept ones, in any markup', () => {
    const tags = fc.array(fc.constantFrom('div', 'section', 'address', 'center'), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(tags, fc.boolean(), (drawn, isLink) => {
        const names = drawn.map(() => text());
        const written = drawn.map((tag, index) => {
          const said = isLink ? `<a href="#${index}">${names[index]}</a>` : names[index];
          return `<${tag} class="name">${said}</${tag}><p>Kept ${index}</p>`;
        });
        const page = `<main><p>Kept</p>${written.join('')}</main><div>Foot</div>`;
        const kept = keptOf(page, (one) => (one.startsWith('Kept') ? 0.9 : 0.2), 4);
        for (const name of names) expect(kept).toContain(name);
        expect(kept).not.toContain('Foot');
      }),
    );
  });

  it('excludes the footer of the page next to kept text, unless the footer itself was selected', () => {
    const feet = [
      '<footer><p>Foot</p></footer>',
      '<div class="article-footer__inner"><p>Foot</p></div>',
      '<div id="copyright"><p>Foot</p></div>',
      '<div role="contentinfo"><table><tr><td>Foot</td></tr></table></div>',
    ];
    const page = (foot: string) => `<main>${'<p>Kept</p>'.repeat(20)}${foot}<p>Kept</p></main>`;
    for (const foot of feet) {
      for (const reach of [0.5, 4]) {
        expect([...keptOf(page(foot), (one) => (one === 'Kept' ? 0.9 : 0.44), reach)]).toEqual(['Kept']);
      }
      expect(keptOf(page(foot), () => 0.9)).toContain('Foot');
    }
    // These are called so, and are not.
    for (const part of [
      '<div class="with-footer"><p>@</p></div>',
      '<blockquote><p>Kept</p><footer><p>Foot</p></footer></blockquote>',
    ]) {
      const whole = page(part.replace('@', `Foot${' and more'.repeat(60)}`));
      expect([...keptOf(whole, (one) => (one === 'Kept' ? 0.9 : 0.44))].some((one) => one.startsWith('Foot'))).toBe(
        true,
      );
    }
  });

  it('includes the summary of a disclosure', () => {
    const page = '<details><summary>Instance details</summary><p>Kept</p></details>';
    expect([...keptOf(page, (one) => (one === 'Kept' ? 0.9 : 0.01))]).toEqual(['Instance details', 'Kept']);
  });

  it('includes the caption of a figure', () => {
    const page = '<figure><div><img src="/a.png" alt="A"><p>Chart</p></div><figcaption>Figure 1</figcaption></figure>';
    expect(keptOf(page, (own) => (own === 'Chart' ? 0.9 : 0.01))).toContain('Figure 1');
  });
});

describe('the work of completing blocks', () => {
  const ITEMS = 2_000;
  /** Each mark is a write: keeping one more part must not mark its other parts again. */
  const MARKS_PER_SEGMENT_MAX = 4;
  const PAGES: Readonly<Record<string, string>> = {
    'items of a list': `<ul>${'<li class="item">item</li>'.repeat(ITEMS)}</ul>`,
    'lists in lists': '<ul><li class="item">item '.repeat(ITEMS),
    'terms of a list': `<dl>${'<dt>term</dt><dd>meaning</dd>'.repeat(ITEMS)}</dl>`,
    'figures in a list': `<ul>${'<li><figure>chart<figcaption>caption</figcaption></figure></li>'.repeat(ITEMS)}</ul>`,
    'lines that announce': `<ul>${'<li>item:</li>'.repeat(ITEMS)}</ul>`,
    'headings over text': '<h2>heading</h2><p>text</p>'.repeat(ITEMS),
  };
  for (const [name, html] of Object.entries(PAGES)) {
    it(`grows with their number, and not with its square, for ${name}`, () => {
      const { segments } = divideIntoSegments(parsePage(html, false).document.body);
      let marks = 0;
      const drawn = segments.map((_, index) => (index % 3 === 0 ? 0.1 : 0.9));
      const keep = new Proxy(
        drawn.map((value) => value > BAR),
        {
          set(target, key, value) {
            marks += 1;
            return Reflect.set(target, key, value);
          },
        },
      );
      smoothSelection(new ContentSelection(segments, drawn, { keep, bar: BAR }, 4), markFooterTexts(segments), false);
      expect(keep.filter((isKept) => isKept).length).toBeGreaterThan(ITEMS / 2);
      expect(marks).toBeLessThanOrEqual(segments.length * MARKS_PER_SEGMENT_MAX);
    });
  }
});

describe('a reference page', () => {
  const SENTENCES = Array.from(
    { length: 8 },
    (_, index) => `Sentence ${index} tells what the command does with the commits that it is given.`,
  );
  const PAGE = `<article><p>${SENTENCES.join(' ')}</p><dl><dt><em>%n</em></dt><dd><p>newline</p></dd><dt><em>%x00</em></dt><dd><p>print a byte from a hex code</p></dd></dl><p>Command:</p><pre class="screen">$ git show 18449ab0</pre><p>Voila.</p><h3>Checkpoints</h3><dl><dt><code>checkpoint_timeout</code> (<code>integer</code>)</dt><dd><p>Maximum time between automatic WAL checkpoints.</p></dd></dl></article>`;

  it('keeps its terms, code and headings', async () => {
    const markdown = mainLines(await read('html', PAGE, 'readable')).join('\n');
    for (const part of [
      '%n',
      'newline',
      '%x00',
      'print a byte',
      'Command:',
      '$ git show 18449ab0',
      'Voila.',
      '### Checkpoints',
      'checkpoint_timeout',
      'integer',
      'Maximum time',
    ]) {
      expect(markdown).toContain(part);
    }
  });
});
