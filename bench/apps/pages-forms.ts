import type { HostPage } from './page.ts';

/** Fields with more functions than the browser's own. */
export const FORM_PAGES: Readonly<Record<string, HostPage>> = {
  dates: {
    title: 'Book a stay',
    libraries: ['flatpickr/dist/flatpickr.min.css', 'flatpickr/dist/flatpickr.min.js'],
    body: '<label>Stay <input id="stay" placeholder="from – to"></label><label>Arrival time <input id="time"></label><button id="book">Book</button><p role="status" id="told"></p>',
    script: `const stay = flatpickr('#stay', { mode: 'range', defaultDate: null, dateFormat: 'Y-m-d', disableMobile: true, onReady: (_, __, one) => one.jumpToDate('2027-05-01') });
flatpickr('#time', { enableTime: true, noCalendar: true, dateFormat: 'H:i', time_24hr: true });
document.querySelector('#book').onclick = () => (document.querySelector('#told').textContent = 'Booked: ' + document.querySelector('#stay').value);
window.state = () => ({ stay: document.querySelector('#stay').value, told: document.querySelector('#told').textContent });`,
  },
  select2: {
    title: 'Share a chart',
    libraries: ['select2/dist/css/select2.min.css', 'jquery/dist/jquery.min.js', 'select2/dist/js/select2.min.js'],
    body: '<label for="people">People</label><select id="people" multiple style="width:400px"></select><label for="right">Right</label><select id="right" style="width:200px"><option>Read</option><option>Comment</option><option>Write</option></select><p><button id="share">Share</button></p><p role="status" id="told"></p>',
    script: `$('#people').select2({ ajax: { url: '/api/people', delay: 250, dataType: 'json' }, minimumInputLength: 2, placeholder: 'Search people' });
$('#right').select2({ minimumResultsForSearch: Infinity });
$('#share').on('click', () => $('#told').text('Shared with ' + $('#people').select2('data').length + ' people'));
window.state = () => ({ people: $('#people').select2('data').map((one) => one.text), right: $('#right').val(), told: $('#told').text() });`,
  },
  tags: {
    title: 'File a report',
    libraries: ['tom-select/dist/css/tom-select.css', 'tom-select/dist/js/tom-select.complete.min.js'],
    body: '<label for="subject">Subject</label><input id="subject"><label for="tags">Tags</label><input id="tags" value="harbour"><label for="port">Port</label><select id="port" placeholder="Choose a port"></select><p><button id="file">File</button></p><p role="status" id="told"></p>',
    script: `const tags = new TomSelect('#tags', { create: true, persist: false, plugins: ['remove_button'] });
const port = new TomSelect('#port', { options: ['Kiel','Kolding','Korsør','Kristiansand','Lübeck'].map((text) => ({ value: text, text })) });
document.querySelector('#file').onclick = () => (document.querySelector('#told').textContent = 'Filed under ' + tags.getValue());
window.state = () => ({ tags: tags.getValue(), port: port.getValue(), subject: document.querySelector('#subject').value, told: document.querySelector('#told').textContent });`,
  },
  widgets: {
    title: 'Settings',
    libraries: [
      'jquery-ui/dist/themes/base/jquery-ui.min.css',
      'jquery/dist/jquery.min.js',
      'jquery-ui/dist/jquery-ui.min.js',
    ],
    body: `<div id="tabs"><ul><li><a href="#t1">General</a></li><li><a href="#t2">Sound</a></li><li><a href="#t3">Danger zone</a></li></ul>
<div id="t1"><label>Home port <input id="port"></label><label>Since <input id="since"></label></div>
<div id="t2"><p>Horn volume: <span id="level">20</span></p><div id="volume" style="width:400px"></div></div>
<div id="t3"><button id="wipe">Delete all logs</button></div></div><div id="sure" title="Delete all logs?"><p>This cannot be undone.</p></div><p role="status" id="told"></p>`,
    script: `$('#tabs').tabs();
$('#port').autocomplete({ source: ['Aarhus','Antwerp','Arendal','Bremen','Brest'], delay: 100 });
$('#since').datepicker({ defaultDate: new Date(2027, 4, 1), dateFormat: 'yy-mm-dd' });
$('#volume').slider({ value: 20, slide: (_, { value }) => $('#level').text(value) });
let wiped = false;
$('#sure').dialog({ autoOpen: false, modal: true, buttons: { Delete: () => { wiped = true; $('#sure').dialog('close'); $('#told').text('All logs are deleted.'); }, Keep: () => { $('#sure').dialog('close'); $('#told').text('Nothing is deleted.'); } } });
$('#wipe').on('click', () => $('#sure').dialog('open'));
window.state = () => ({ port: $('#port').val(), since: $('#since').val(), volume: $('#volume').slider('value'), wiped, told: $('#told').text(), open: $('#sure').dialog('isOpen') });`,
  },
  price: {
    title: 'Used boats',
    libraries: ['nouislider/dist/nouislider.min.css', 'nouislider/dist/nouislider.min.js'],
    body: '<p>Price: <span id="from"></span> to <span id="to"></span></p><div id="range" style="width:500px;margin:2rem"></div><p role="status" id="told"></p>',
    script: `const range = noUiSlider.create(document.querySelector('#range'), { start: [10, 90], step: 5, connect: true, range: { min: 0, max: 100 }, handleAttributes: [{ 'aria-label': 'Lowest price' }, { 'aria-label': 'Highest price' }], format: { to: (value) => String(Math.round(value)), from: Number } });
range.on('update', ([from, to]) => { document.querySelector('#from').textContent = from; document.querySelector('#to').textContent = to; });
window.state = () => ({ values: range.get() });`,
  },
  shoelace: {
    title: 'New member',
    libraries: ['@shoelace-style/shoelace/cdn/themes/light.css', '@shoelace-style/shoelace/cdn/shoelace.js'],
    body: `<form id="form"><sl-input name="name" label="Name"></sl-input><sl-select name="fleet" label="Fleet"><sl-option value="north">North fleet</sl-option><sl-option value="south">South fleet</sl-option><sl-option value="inland">Inland fleet</sl-option></sl-select>
<sl-textarea name="about" label="About"></sl-textarea><sl-checkbox name="news">Send me news</sl-checkbox><sl-switch name="public">Public profile</sl-switch><p><sl-button type="submit" variant="primary">Join</sl-button></p></form>
<sl-dialog label="Welcome aboard" id="dialog">You are member 4711.<sl-button slot="footer" variant="primary">Close</sl-button></sl-dialog><p role="status" id="told"></p>`,
    script: `let sent = null;
const dialog = document.querySelector('#dialog');
dialog.querySelector('sl-button').onclick = () => dialog.hide();
document.querySelector('#form').addEventListener('submit', (event) => { event.preventDefault(); sent = Object.fromEntries(new FormData(event.target)); dialog.show(); });
window.state = () => ({ sent, open: dialog.open });`,
  },
};
