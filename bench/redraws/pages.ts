/** Applications that re-create all their elements on each act, and a control to use. */
export type RedrawnPage = { name: string; html: string; label: string };

type Shape = {
  name: string;
  rows: number;
  /** An expression of `n` and `isOn` for the markup of a row. */
  row: string;
  label: string;
  /** Markup around the rows. */
  around?: readonly [string, string];
};

const SHAPES: readonly Shape[] = [
  {
    name: 'mail, 48 rows',
    rows: 48,
    row: '`<li><input type=checkbox aria-label="Select ${n}"><button aria-label="Star ${n}" aria-pressed=${isOn}>☆</button><a href="#m${n}">Sender ${n % 7}</a> <b>Subject ${n}</b> and how it begins <button>Archive</button><button>Delete</button></li>`',
    label: 'Star 3',
  },
  {
    name: 'mail, 200 rows',
    rows: 200,
    row: '`<li><button aria-label="Star ${n}" aria-pressed=${isOn}>☆</button><a href="#m${n}">Sender ${n % 7}</a> <b>Subject ${n}</b> <button>Archive</button><button>Delete</button></li>`',
    label: 'Star 3',
  },
  {
    name: 'wrapped rows',
    rows: 60,
    row: '`<div>${"<div>".repeat(12)}<button aria-label="Pin ${n}" aria-pressed=${isOn}>p</button><span>Note ${n}</span><button>Share</button><button>Copy</button>${"</div>".repeat(12)}</div>`',
    label: 'Pin 3',
  },
  {
    name: 'table',
    rows: 120,
    row: '`<tr><td><input type=checkbox aria-label="Pick ${n}" ${isOn ? "checked" : ""}></td><td>Ship ${n}</td><td>Port ${n % 12}</td><td><a href="#o${n}">Owner ${n % 9}</a></td><td><button>Edit</button></td></tr>`',
    label: 'Pick 3',
    around: ['<table><tbody>', '</tbody></table>'],
  },
  {
    name: 'grid',
    rows: 60,
    row: '`<div role=row><div role=gridcell tabindex=-1><button aria-label="Mark ${n}" aria-pressed=${isOn}>m</button></div><div role=gridcell tabindex=-1>Ada ${n}</div><div role=gridcell tabindex=-1>${n * 3}</div><div role=gridcell tabindex=-1><button>More</button></div></div>`',
    label: 'Mark 3',
    around: ['<div role=grid>', '</div>'],
  },
  {
    name: 'cards',
    rows: 48,
    row: '`<article><h3>Cabin ${n}</h3><p>${n} km from the sea</p><button aria-label="Keep ${n}" aria-pressed=${isOn}>♡</button><a href="#c${n}">Details</a><select aria-label="Guests"><option>1<option>2<option>3</select></article>`',
    label: 'Keep 3',
  },
  {
    name: 'board',
    rows: 80,
    row: '`<div draggable=true><span>Task ${n}</span><button aria-label="Done ${n}" aria-pressed=${isOn}>✓</button><button>Move</button></div>`',
    label: 'Done 3',
  },
  {
    name: 'chat',
    rows: 100,
    row: '`<div><b>Person ${n % 5}</b><p>${"words ".repeat(12)}${n}</p><button aria-label="Like ${n}" aria-pressed=${isOn}>+</button><button>Reply</button></div>`',
    label: 'Like 3',
  },
  {
    name: 'tree',
    rows: 100,
    row: '`<li role=treeitem aria-label="Folder ${n}"><button aria-label="Open ${n}" aria-expanded=${isOn}>▸</button> folder ${n} <button>Rename</button></li>`',
    label: 'Open 3',
    around: ['<ul role=tree>', '</ul>'],
  },
  {
    name: 'settings',
    rows: 60,
    row: '`<label>Setting ${n} <input type=checkbox aria-label="Set ${n}" ${isOn ? "checked" : ""}></label><button>Reset</button>`',
    label: 'Set 3',
  },
];

export const REDRAWN_PAGES: readonly RedrawnPage[] = SHAPES.map(
  ({ name, rows, row, label, around: [before, behind] = ['<ul>', '</ul>'] }) => ({
    name,
    label,
    html: `<!doctype html><meta charset="utf-8"><title>${name}</title><h1>${name}</h1><main></main><script>
    const on = new Set();
    const row = (n) => { const isOn = on.has(n); return ${row}; };
    const draw = () => { document.querySelector('main').innerHTML = ${JSON.stringify(before)} + Array.from({ length: ${rows} }, (_, n) => row(n)).join('') + ${JSON.stringify(behind)}; };
    addEventListener('click', ({ target }) => {
      const n = Number(/\\d+$/.exec(target.getAttribute('aria-label') ?? '')?.[0] ?? -1);
      if (n < 0) return;
      if (!on.delete(n)) on.add(n);
      draw();
    });
    draw();
  </script>`,
  }),
);
