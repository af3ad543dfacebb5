import type { HostPage } from './page.ts';

/** Other editors, grids, diagrams, maps, players, trees, calendars and component libraries; right to left, and by touch. */

/** A second of silence, as a WAV file. */
const SILENCE = `const samples = new Uint8Array(44 + 8000);
new DataView(samples.buffer).setUint32(0, 0x52494646);
const view = new DataView(samples.buffer);
[[4, 8036], [16, 16], [24, 8000], [28, 8000], [40, 8000]].forEach(([at, n]) => view.setUint32(at, n, true));
[[8, 0x57415645], [12, 0x666d7420], [36, 0x64617461]].forEach(([at, n]) => view.setUint32(at, n));
[[20, 1], [22, 1], [32, 1], [34, 8]].forEach(([at, n]) => view.setUint16(at, n, true));
samples.fill(128, 44);
const silence = URL.createObjectURL(new Blob([samples], { type: 'audio/wav' }));`;

export const MORE_PAGES: Readonly<Record<string, HostPage>> = {
  trix: {
    title: 'Notice',
    libraries: ['trix/dist/trix.css', 'trix/dist/trix.umd.min.js'],
    body: '<input id="text" type="hidden"><trix-editor input="text" aria-label="Text of the notice"></trix-editor>',
    script: `window.state = () => ({ html: document.querySelector('#text').value });`,
  },
  gridjs: {
    title: 'Stores',
    libraries: ['gridjs/dist/theme/mermaid.min.css', 'gridjs/dist/gridjs.umd.js'],
    body: '<div id="stores"></div>',
    script: `const goods = ['rope','paint','oil','bolt','lamp','net'];
const data = Array.from({ length: 120 }, (_, i) => ['Shelf ' + (i + 1), goods[(i * 5) % 6], (i * 71) % 97]);
new gridjs.Grid({ columns: ['Shelf', 'Goods', 'Count'], data, search: true, sort: true, pagination: { limit: 10 } }).render(document.querySelector('#stores'));
window.state = () => ({ search: document.querySelector('.gridjs-search-input').value, rows: [...document.querySelectorAll('tbody tr')].map((row) => row.innerText.split(/\\s*\\t\\s*/)), told: document.querySelector('.gridjs-summary')?.innerText });`,
  },
  sheet: {
    title: 'Fuel',
    libraries: [
      'jsuites/dist/jsuites.css',
      'jspreadsheet-ce/dist/jspreadsheet.css',
      'jsuites/dist/jsuites.js',
      'jspreadsheet-ce/dist/index.js',
    ],
    body: '<div id="sheet"></div>',
    script: `const [sheet] = jspreadsheet(document.querySelector('#sheet'), { worksheets: [{ data: [['Monday', 40], ['Tuesday', 25], ['Wednesday', 31], ['Sum', '']], columns: [{ title: 'Day', width: 160 }, { title: 'Litres', width: 120 }] }] });
window.state = () => ({ tuesday: sheet.getValue('B2'), sum: sheet.getValue('B4') });`,
  },
  flow: {
    title: 'Water works',
    libraries: ['drawflow/dist/drawflow.min.css', 'drawflow/dist/drawflow.min.js'],
    body: '<div id="flow" style="width:900px;height:420px;border:1px solid #999;position:relative"></div>',
    script: `const flow = new Drawflow(document.querySelector('#flow'));
flow.start();
flow.addNode('pump', 0, 1, 60, 60, '', {}, 'Pump');
flow.addNode('filter', 1, 1, 320, 160, '', {}, 'Filter');
flow.addNode('tank', 1, 0, 600, 60, '', {}, 'Tank');
window.state = () => { const nodes = Object.values(flow.export().drawflow.Home.data); return { names: nodes.map(({ name }) => name).join(), places: Object.fromEntries(nodes.map((one) => [one.name, [Math.round(one.pos_x), Math.round(one.pos_y)]])) }; };`,
  },
  chart: {
    title: 'Sea chart',
    libraries: ['ol/ol.css', 'ol/dist/ol.js'],
    body: '<label>Layer <select id="layer"><option>Buoys</option><option>Wrecks</option></select></label><div id="chart" style="width:800px;height:420px"></div>',
    script: `const layers = { Buoys: new ol.layer.Vector({ source: new ol.source.Vector() }), Wrecks: new ol.layer.Vector({ source: new ol.source.Vector(), visible: false }) };
const chart = new ol.Map({ target: 'chart', layers: Object.values(layers), view: new ol.View({ center: [0, 0], zoom: 4 }) });
document.querySelector('#layer').addEventListener('change', ({ target }) => Object.entries(layers).forEach(([name, layer]) => layer.setVisible(name === target.value)));
window.state = () => ({ zoom: chart.getView().getZoom(), wrecks: layers.Wrecks.getVisible(), buoys: layers.Buoys.getVisible() });`,
  },
  player: {
    title: 'Harbour radio',
    libraries: ['plyr/dist/plyr.css', 'plyr/dist/plyr.min.js'],
    body: '<audio id="radio" controls loop></audio>',
    script: `${SILENCE}
document.querySelector('#radio').src = silence;
const player = new Plyr('#radio', { iconUrl: '/lib/plyr/dist/plyr.svg', blankVideo: '', storage: { enabled: false } });
window.state = () => ({ speed: player.speed, muted: player.muted });`,
  },
  files: {
    title: 'Files',
    libraries: ['jquery/dist/jquery.min.js', 'jstree/dist/themes/default/style.min.css', 'jstree/dist/jstree.min.js'],
    body: '<div id="files"></div>',
    script: `$('#files').jstree({ core: { check_callback: true, animation: 0, data: [{ text: 'Charts', children: ['north.pdf', 'south.pdf'] }, { text: 'Photos', children: ['boat.jpg', 'crew.jpg'] }, 'readme.txt'] } });
const names = (nodes) => nodes.flatMap(({ text, children }) => [text, ...names(children)]);
window.state = () => ({ names: names($('#files').jstree(true).get_json()).join() });`,
  },
  watch: {
    title: 'Watches',
    libraries: [
      '@event-calendar/build/dist/event-calendar.min.css',
      '@event-calendar/build/dist/event-calendar.min.js',
    ],
    body: '<div id="watch" style="max-width:900px"></div>',
    script: `const calendar = EventCalendar.create(document.querySelector('#watch'), { view: 'dayGridMonth', date: '2027-03-10', events: [{ id: '1', title: 'Fog signal test', start: '2027-03-16 09:00', end: '2027-03-16 10:00' }, { id: '2', title: 'Buoy repair', start: '2027-05-04 13:00', end: '2027-05-04 15:00' }] });
window.state = () => ({ title: document.querySelector('.ec-title').innerText });`,
  },
  fluent: {
    title: 'Order supplies',
    libraries: [],
    body: `<fluent-text-input id="who">Who orders</fluent-text-input>
<fluent-field label-position="after"><label slot="label">Urgent</label><fluent-checkbox slot="input" id="urgent"></fluent-checkbox></fluent-field>
<fluent-radio-group id="how" aria-label="Delivery"><fluent-field label-position="after"><label slot="label">By boat</label><fluent-radio slot="input" value="boat" name="how"></fluent-radio></fluent-field><fluent-field label-position="after"><label slot="label">By road</label><fluent-radio slot="input" value="road" name="how"></fluent-radio></fluent-field></fluent-radio-group>
<p><fluent-button id="send">Place order</fluent-button></p><p role="status" id="told"></p>`,
    script: `import '/lib/@fluentui/web-components/dist/web-components-all.min.js';
const of = (id) => document.getElementById(id);
of('send').addEventListener('click', () => (of('told').textContent = 'Ordered for ' + of('who').value));
window.state = () => ({ who: of('who').value, urgent: of('urgent').checked, how: of('how').value, told: of('told').textContent });`,
  },
  ionic: {
    title: 'Pilot',
    libraries: ['@ionic/core/css/ionic.bundle.css'],
    body: `<ion-app style="position:relative;height:30rem;width:390px"><ion-content><ion-list>
<ion-item><ion-input label="Ship" id="ship"></ion-input></ion-item>
<ion-item><ion-toggle id="night">At night</ion-toggle></ion-item>
<ion-item><ion-select label="Berth" id="berth" interface="action-sheet" placeholder="Choose"><ion-select-option value="n">North quay</ion-select-option><ion-select-option value="s">South quay</ion-select-option></ion-select></ion-item>
</ion-list><ion-button id="ask">Ask for a pilot</ion-button><p role="status" id="told"></p></ion-content></ion-app>`,
    script: `import { defineCustomElements } from '/lib/@ionic/core/loader/index.js';
const of = (id) => document.getElementById(id);
document.documentElement.setAttribute('mode', 'ios');
await defineCustomElements(window);
of('ask').addEventListener('click', () => (of('told').textContent = 'A pilot comes to ' + of('ship').value));
window.state = () => ({ ship: of('ship').value, night: of('night').checked, berth: of('berth').value, told: of('told').textContent });`,
  },
  rtl: {
    title: 'مراسي',
    libraries: ['bootstrap/dist/css/bootstrap.rtl.min.css', 'bootstrap/dist/js/bootstrap.bundle.min.js'],
    body: `<div dir="rtl" lang="ar"><div class="dropdown"><button class="btn btn-secondary dropdown-toggle" data-bs-toggle="dropdown" id="sort">ترتيب</button><ul class="dropdown-menu"><li><button class="dropdown-item" data-sort="الاسم">الاسم</button></li><li><button class="dropdown-item" data-sort="السعر">السعر</button></li></ul></div>
<p role="status" id="told"></p><button class="btn btn-danger" data-bs-toggle="modal" data-bs-target="#ask">حذف الحجز</button>
<div class="modal" id="ask" tabindex="-1" aria-labelledby="asked"><div class="modal-dialog"><div class="modal-content"><div class="modal-header"><h2 id="asked" class="modal-title">هل تريد الحذف؟</h2></div><div class="modal-footer"><button class="btn" data-bs-dismiss="modal">إلغاء</button><button class="btn btn-danger" id="yes" data-bs-dismiss="modal">نعم، احذف</button></div></div></div></div></div>`,
    script: `let sort = null, gone = false;
document.querySelectorAll('[data-sort]').forEach((one) => one.addEventListener('click', () => { sort = one.dataset.sort; document.querySelector('#told').textContent = 'مرتب حسب ' + sort; }));
document.querySelector('#yes').addEventListener('click', () => { gone = true; document.querySelector('#told').textContent = 'تم الحذف'; });
window.state = () => ({ sort, gone });`,
  },
  swiper: {
    title: 'Views of the port',
    libraries: ['swiper/swiper-bundle.min.css', 'swiper/swiper-bundle.min.js'],
    body: `<div class="swiper" style="width:600px;height:260px"><div class="swiper-wrapper">${['Old crane', 'Ferry at dawn', 'Ice in the basin', 'Fish market'].map((name, i) => `<div class="swiper-slide"><h2>${name}</h2><p>Taken in ${1961 + i * 13}</p></div>`).join('')}</div><div class="swiper-button-prev"></div><div class="swiper-button-next"></div></div>`,
    script: `const swiper = new Swiper('.swiper', { speed: 0, navigation: { prevEl: '.swiper-button-prev', nextEl: '.swiper-button-next' } });
window.state = () => ({ at: swiper.activeIndex });`,
  },
  choices: {
    title: 'Invite guests',
    libraries: ['choices.js/public/assets/styles/choices.min.css', 'choices.js/public/assets/scripts/choices.min.js'],
    body: `<label for="guests">Guests</label><select id="guests" multiple>${['Ada Holm', 'Bo Lind', 'Clara Holst', 'Erik Holm', 'Per Adamsen'].map((name) => `<option>${name}</option>`).join('')}</select>`,
    script: `const choices = new Choices('#guests', { removeItemButton: true, labelId: 'guests', shouldSort: false });
window.state = () => ({ guests: choices.getValue(true).join() });`,
  },
  tagify: {
    title: 'Label a report',
    libraries: ['@yaireo/tagify/dist/tagify.css', '@yaireo/tagify/dist/tagify.js'],
    body: '<label for="labels">Labels</label><input id="labels" value="draft, ice">',
    script: `const tagify = new Tagify(document.querySelector('#labels'));
window.state = () => ({ labels: tagify.value.map(({ value }) => value).join() });`,
  },
  board2: {
    title: 'Instruments',
    libraries: ['gridstack/dist/gridstack.min.css', 'gridstack/dist/gridstack-all.js'],
    body: `<div class="grid-stack" style="width:900px">${['Wind', 'Tides', 'Ice', 'Traffic'].map((name, i) => `<div class="grid-stack-item" gs-id="${name}" gs-x="${(i % 2) * 3}" gs-y="${Math.floor(i / 2) * 2}" gs-w="3" gs-h="2"><div class="grid-stack-item-content card"><h2>${name}</h2></div></div>`).join('')}</div>`,
    script: `const grid = GridStack.init({ cellHeight: 60, float: true, animate: false });
window.state = () => Object.fromEntries(grid.getGridItems().map((one) => [one.gridstackNode.id, [one.gridstackNode.x, one.gridstackNode.y]]));`,
  },
  alert: {
    title: 'Boats',
    libraries: ['sweetalert2/dist/sweetalert2.all.min.js'],
    body: '<ul><li>Kittiwake <button id="rename">Rename</button></li></ul>',
    script: `let name = 'Kittiwake';
document.querySelector('#rename').addEventListener('click', async () => {
  const { value } = await Swal.fire({ title: 'New name', input: 'text', inputLabel: 'Name of the boat', showCancelButton: true, confirmButtonText: 'Next', inputValidator: (text) => (text.length < 3 ? 'The name is too short' : null) });
  if (!value) return;
  const { isConfirmed } = await Swal.fire({ title: 'Call it ' + value + '?', showDenyButton: true, confirmButtonText: 'Yes, rename', denyButtonText: 'No' });
  if (isConfirmed) { name = value; document.querySelector('li').firstChild.textContent = name + ' '; }
});
window.state = () => ({ name, open: Swal.isVisible() });`,
  },
};
