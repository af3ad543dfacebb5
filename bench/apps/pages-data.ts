import type { HostPage } from './page.ts';

/** Grids, calendars and maps: libraries that draw data. */
const ROWS = `const towns = ['Aalborg','Bergen','Cork','Dover','Esbjerg','Falmouth','Gdansk','Hull','Inverness'];
const boats = Array.from({ length: 400 }, (_, i) => ({ id: i + 1, boat: 'Boat ' + (i + 1), harbour: towns[(i * 7) % 9], berth: 1 + ((i * 37) % 211), fee: 100 + ((i * 7919) % 1987), paid: i % 3 === 0 }));`;

export const DATA_PAGES: Readonly<Record<string, HostPage>> = {
  grid: {
    title: 'Berths',
    libraries: ['ag-grid-community/dist/ag-grid-community.min.js'],
    body: '<p>All boats of the season.</p><div id="grid" style="height:460px;width:900px"></div>',
    script: `${ROWS}
agGrid.ModuleRegistry?.registerModules?.([agGrid.AllCommunityModule]);
const api = agGrid.createGrid(document.querySelector('#grid'), {
  rowData: boats,
  rowSelection: { mode: 'multiRow' },
  getRowId: ({ data }) => String(data.id),
  columnDefs: [{ field: 'boat', filter: true, floatingFilter: true }, { field: 'harbour', filter: true, floatingFilter: true }, { field: 'berth' }, { field: 'fee', editable: true }, { field: 'paid' }],
});
window.state = () => {
  const shown = [];
  api.forEachNodeAfterFilterAndSort(({ data }) => shown.push(data));
  return { shown: shown.slice(0, 5), count: shown.length, sort: api.getColumnState().filter((one) => one.sort).map((one) => one.colId + ' ' + one.sort), chosen: api.getSelectedRows().map(({ boat }) => boat), fees: Object.fromEntries(boats.slice(0, 8).map((one) => [one.boat, one.fee])) };
};`,
  },
  tabulator: {
    title: 'Crew list',
    libraries: ['tabulator-tables/dist/css/tabulator.min.css', 'tabulator-tables/dist/js/tabulator.min.js'],
    body: '<div id="table"></div>',
    script: `const names = ['Ada','Bo','Cleo','Dan','Eve','Finn','Gus','Hal','Ida','Jo'];
const crew = Array.from({ length: 90 }, (_, i) => ({ id: i + 1, name: names[(i * 3) % 10] + ' ' + (i + 1), watch: ['first','middle','morning'][i % 3], miles: (i * 733) % 997 }));
const table = new Tabulator('#table', { data: crew, layout: 'fitColumns', pagination: true, paginationSize: 10, columns: [
  { title: 'Name', field: 'name' }, { title: 'Watch', field: 'watch', editor: 'list', editorParams: { values: ['first','middle','morning'] } }, { title: 'Miles', field: 'miles', sorter: 'number' }] });
window.state = () => ({ page: table.getPage(), rows: table.getRows('visible').map((row) => row.getData()), sort: table.getSorters().map(({ field, dir }) => field + ' ' + dir), first: table.getData().slice(0, 4) });`,
  },
  calendar: {
    title: 'Rota',
    libraries: ['fullcalendar/index.global.min.js'],
    body: '<div id="calendar" style="max-width:900px"></div><p id="told" role="status"></p>',
    script: `const calendar = new FullCalendar.Calendar(document.querySelector('#calendar'), {
  initialDate: '2027-03-10', editable: true, height: 620, headerToolbar: { left: 'prev,next today', center: 'title', right: 'dayGridMonth,timeGridWeek,listMonth' },
  events: [{ id: 'a', title: 'Crane inspection', start: '2027-03-09' }, { id: 'b', title: 'Pilot meeting', start: '2027-03-18' }, { id: 'c', title: 'Dredging', start: '2027-04-06' }],
  eventDrop: ({ event }) => (document.querySelector('#told').textContent = event.title + ' moved to ' + event.startStr) });
calendar.render();
window.state = () => ({ title: calendar.view.title, view: calendar.view.type, events: Object.fromEntries(calendar.getEvents().map((one) => [one.title, one.startStr])) });`,
  },
  map: {
    title: 'Harbour map',
    libraries: ['leaflet/dist/leaflet.css', 'leaflet/dist/leaflet.js'],
    body: '<div id="map" style="width:800px;height:500px;background:#cde" aria-label="Map"></div>',
    script: `const map = L.map('map', { zoomAnimation: false, fadeAnimation: false, inertia: false }).setView([54.3, 10.1], 9);
const depth = L.layerGroup([L.circle([54.4, 10.2], { radius: 4000 })]);
const buoys = L.layerGroup([['Lighthouse', 54.42, 10.18, 'Lit from dusk. Height 34 metres.'], ['North buoy', 54.5, 10.3, 'Bell, red.'], ['Ferry pier', 54.32, 10.14, 'Two ferries an hour.']].map(([name, lat, lng, text]) => L.marker([lat, lng], { title: name, alt: name }).bindPopup('<b>' + name + '</b><br>' + text))).addTo(map);
L.control.layers(null, { Buoys: buoys, 'Depth lines': depth }).addTo(map);
window.state = () => ({ zoom: map.getZoom(), centre: map.getCenter(), depth: map.hasLayer(depth), popup: document.querySelector('.leaflet-popup-content')?.textContent ?? null });`,
  },
};
