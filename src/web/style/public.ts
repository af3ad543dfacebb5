export const PUBLIC_PAGES_CSS = `
.bare { border-bottom: 1px solid var(--line); }
.bare ul, footer ul { list-style: none; display: flex; flex-wrap: wrap; align-items: center; gap: 4px 16px; max-width: 46rem; margin: 0 auto; padding: 12px 20px; }
body:has(> .broad) :is(.bare, footer) ul { max-width: 65rem; }
.bare li:first-child { margin-right: auto; }
.bare li > a:not(.brand) { color: var(--soft); text-decoration: none; padding: 8px 0; }
.bare a:hover { text-decoration: underline; }
main.broad { max-width: 65rem; padding-top: 0; }
footer { border-top: 1px solid var(--line); color: var(--soft); font-size: .8125rem; }
.hero { display: grid; grid-template-columns: 1.05fr 1fr; gap: 48px; align-items: center; padding: 48px 0 40px; }
.hero > * { min-width: 0; }
.hero h1 { font-size: 2.5rem; line-height: 1.12; letter-spacing: -.025em; font-weight: 680; margin: 0 0 12px; text-wrap: balance; }
.hero .lead { font-size: 1.0625rem; margin: 0 0 20px; }
.hero h2 { margin: 0; font-size: .8125rem; color: var(--soft); }
.chat { margin: 0; background: var(--panel); border: 1px solid var(--line); border-radius: 12px; box-shadow: 0 12px 40px rgb(20 40 30 / .08); overflow: hidden; }
.chat > p { margin: 0; padding: 12px 16px; }
.chat > p:first-child { color: var(--soft); border-bottom: 1px solid var(--line); }
.chat .cite { color: var(--accent); font: .8125rem var(--mono); white-space: nowrap; }
.excerpt { border-top: 1px solid var(--line); background: var(--bg); padding: 12px 0; font-size: .8125rem; }
.excerpt p { margin: 0; padding: 0 16px 8px; color: var(--faint); font-size: .75rem; overflow-wrap: anywhere; }
.excerpt ol { list-style: none; margin: 0; padding: 0; }
.excerpt li { display: grid; grid-template-columns: 44px minmax(0, 1fr); padding: 2px 16px 2px 0; line-height: 1.6; }
.excerpt i { font: .75rem/1.75 var(--mono); text-align: right; padding-right: 12px; color: var(--faint); }
.excerpt .hit { background: var(--tint); box-shadow: inset 3px 0 var(--accent); }
.excerpt .hit i { color: var(--accent); }
.features { display: grid; grid-template-columns: repeat(4, 1fr); gap: 16px 24px; margin: 0 0 32px; }
.features > div { border-top: 2px solid var(--line); padding-top: 12px; }
.features dt { color: inherit; font-weight: 600; }
.features dd { color: var(--soft); font-size: .875rem; }
@media (max-width: 56rem) { .hero { grid-template-columns: minmax(0, 1fr); padding: 28px 0; gap: 28px; } .hero h1 { font-size: 1.875rem; } .features { grid-template-columns: 1fr 1fr; } }
@media (max-width: 30rem) { .features { grid-template-columns: 1fr; } }
.picture img { display: block; width: 100%; height: auto; border: 1px solid var(--line); border-radius: var(--r); }
.picture figcaption { color: var(--soft); margin-top: 8px; font-size: .875rem; }
.sights { display: grid; grid-template-columns: 1fr 1fr; gap: 24px; }
.sights figure { margin: 0; }
@media (max-width: 56rem) { .sights { grid-template-columns: minmax(0, 1fr); } }
.clients { display: flex; flex-wrap: wrap; gap: 4px; border: 0; padding: 0; margin: 16px 0 0; }
.clients legend { padding: 0 0 4px; font-size: .8125rem; color: var(--soft); }
.clients label { margin: 0; padding: 4px 12px; border-radius: 6px; font-weight: 400; font-size: .875rem; color: var(--soft); cursor: pointer; }
.clients input:checked + label { background: var(--side); color: var(--ink); box-shadow: inset 0 -2px var(--accent); font-weight: 600; }
.clients input:focus-visible + label { outline: 2px solid var(--accent); outline-offset: 2px; }
.client { display: none; order: 1; flex: 1 0 100%; min-width: 0; }
.clients input:checked + label + .client { display: block; }
.sheet { max-width: 34rem; margin: 40px auto 64px; background: var(--panel); border: 1px solid var(--line); border-radius: 12px; box-shadow: 0 12px 40px rgb(20 40 30 / .07); padding: 28px; }
.sheet h1 { font-size: 1.375rem; }
.sheet > .brand { margin-bottom: 20px; }
.sheet .actions { margin: 20px 0 0; }
.halved { display: grid; grid-template-columns: 1fr 1fr; }
.sheet .halved button { min-height: 44px; }
@media (max-width: 36rem) { .sheet { margin: 12px; padding: 20px 16px; } }
.pair { display: flex; align-items: center; gap: 10px; margin-bottom: 16px; }
.pair .logo, .pair .other { width: 40px; height: 40px; border-radius: 10px; }
.pair .other { display: grid; place-items: center; border: 1px solid var(--line); background: var(--side); font-weight: 650; }
.pair::after { content: ""; order: 1; width: 28px; border-top: 2px dotted var(--edge); }
.pair .logo { order: 2; }
.permits { padding: 0; overflow: hidden; }
.permits legend { margin-left: 12px; }
.permits h2 { font-size: .75rem; color: var(--faint); margin: 0; padding: 12px 16px 0; }
.permits h2 ~ h2 { border-top: 1px solid var(--line); }
.permits .choice { padding: 8px 16px; margin: 0; }
.permits .note { margin: 0; padding: 8px 16px; }
.controls { display: flex; flex-wrap: wrap; align-items: flex-start; gap: 8px; margin: 20px 0; }
.controls > p { margin: 0; }
.controls > details[open] { flex: 1 0 100%; }
.controls > details > summary { display: inline-flex; align-items: center; gap: 8px; min-height: 36px; padding: 4px 14px; font-size: .875rem; font-weight: 550; line-height: 1.3; color: var(--ink); background: var(--panel); border: 1px solid var(--edge); border-radius: var(--r); list-style: none; }
.controls summary::-webkit-details-marker { display: none; }
.controls summary:hover { border-color: var(--ink); }
.controls summary::after { content: ""; width: 6px; height: 6px; margin-top: -4px; border: solid currentColor; border-width: 0 1.5px 1.5px 0; transform: rotate(45deg); }
.controls [open] > summary::after { margin-top: 3px; transform: rotate(225deg); }
@media (max-width: 56rem), (pointer: coarse) { .controls > details > summary { min-height: 44px; } }
`;
