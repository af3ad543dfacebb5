export const READING_TEXT_CSS = `
.answer { background: var(--panel); border: 1px solid var(--line); border-radius: var(--r); padding: 0 16px 8px; margin: 20px 0; }
.answer h2 { margin-top: 16px; }
.diff { white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext; }
.text { margin: 16px 0; }
.text ul, .text table { list-style: none; padding: 0; margin: 0; }
.text .row { scroll-margin: 20vh; }
.text div.row, .text li.row { display: grid; grid-template-columns: 40px minmax(0, 1fr); gap: 0 16px; padding: 4px 0; }
.text :is(div, li).row > :last-child { margin: 0; min-width: 0; overflow-wrap: anywhere; unicode-bidi: plaintext; }
.text .row > p { white-space: pre-line; }
.text .n { color: var(--faint); font-size: .8125rem; line-height: 1.7; text-align: right; text-decoration: none; user-select: none; font-variant-numeric: tabular-nums; padding-right: 4px; }
.text .n:hover { text-decoration: underline; }
.text .cited .n { color: var(--accent); font-weight: 600; box-shadow: inset 3px 0 var(--accent); }
.text :is(div, li).cited { background: var(--tint); }
.text :is(h2, h3, h4, h5) { font-size: 1rem; margin: 0; }
.text h2 { font-size: 1.25rem; }
.text h3 { font-size: 1.125rem; }
.text hr { width: 100%; align-self: center; border: 0; border-top: 1px solid var(--line); }
.text .code { background: var(--side); border: 1px solid var(--line); border-radius: var(--r); padding: 4px 0; margin: 4px 0; }
.text .code .row { padding: 0 12px 0 0; }
.text .code code { white-space: pre-wrap; }
.text .code .n { padding-top: 0; }
.text tr > td:first-child { width: 56px; min-width: 56px; padding: 6px 16px 6px 0; border: 0; }
.text td .n { display: block; padding-right: 4px; line-height: 1.55; }
@media (max-width: 36rem) { .text div.row, .text li.row { grid-template-columns: 28px minmax(0, 1fr); gap: 0 12px; } .text tr > td:first-child { width: 40px; min-width: 40px; padding-right: 12px; } .text .n { padding-right: 0; } }
.text .quoted > p { border-left: 3px solid var(--line); padding-left: 12px; }
.text .described::before { content: "▧ "; color: var(--faint); }
.text .described { font-style: italic; }
.text .marker { color: var(--faint); }
.text .row:target { outline: 2px solid var(--accent); }
.in1 > :last-child { padding-left: 20px; }
.in2 > :last-child { padding-left: 40px; }
.in3 > :last-child { padding-left: 60px; }
:is(.in4, .in5, .in6) > :last-child { padding-left: 80px; }
details h2 { font-size: .9375rem; margin: 12px 0 4px; }
.picked mark { box-shadow: -.2rem 0 var(--mark), -.4rem 0 var(--accent); }
.sides { display: grid; grid-template-columns: 1fr 1fr; gap: 4px 24px; margin: 8px 0 24px; }
.sides > div { min-width: 0; border-left: 3px solid var(--line); padding-left: 12px; }
@media (max-width: 36rem) { .sides { grid-template-columns: 1fr; gap: 12px; } }
del { color: var(--bad); }
ins { color: var(--ok); text-underline-offset: .2em; }
.printed { display: none; }
@media print { :root { color-scheme: light; --ink: #000; --soft: #333; --faint: #333; --bg: #fff; --panel: #fff; --tint: #fff; --mark: #eee; } main, .app > main { max-width: none !important; padding: 0 !important; } .app { display: block; } form, nav, header, .top, .skip, footer, button, details, .unprinted { display: none !important; } .printed { display: block; } mark { font-weight: 600; } a { color: inherit; } }
`;
