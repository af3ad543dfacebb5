import type { HostPage } from './page.ts';

const NOTES = 'Kiel to Kolding|Tide tables|Engine log|Crew list|Provisions';

/** Editors, sortable lists, and changes that pages make on their own. */
export const WORK_PAGES: Readonly<Record<string, HostPage>> = {
  editor: {
    title: 'Logbook',
    libraries: ['quill/dist/quill.snow.css', 'quill/dist/quill.js'],
    body: '<div id="editor" style="height:260px"></div><p><button id="save">Save entry</button></p><p role="status" id="told"></p>',
    script: `const quill = new Quill('#editor', { theme: 'snow', placeholder: 'Write the entry' });
let saved = null;
document.querySelector('#save').onclick = () => { saved = quill.getContents().ops; document.querySelector('#told').textContent = 'Saved, ' + quill.getLength() + ' characters.'; };
window.state = () => ({ saved, now: quill.getContents().ops });`,
  },
  mail: {
    title: 'Write a letter',
    libraries: ['tinymce/tinymce.min.js'],
    body: '<label>Subject <input id="subject"></label><textarea id="letter"></textarea><p><button id="send">Send</button></p><p role="status" id="told"></p>',
    script: `tinymce.init({ selector: '#letter', license_key: 'gpl', height: 300, menubar: false, toolbar: 'bold italic bullist', plugins: 'lists', promotion: false, branding: false });
let sent = null;
document.querySelector('#send').onclick = () => { sent = { subject: document.querySelector('#subject').value, html: tinymce.activeEditor.getContent() }; document.querySelector('#told').textContent = 'Sent.'; };
window.state = () => ({ sent });`,
  },
  code: {
    title: 'Chart settings',
    libraries: [
      'codemirror/lib/codemirror.css',
      'codemirror/lib/codemirror.js',
      'codemirror/mode/javascript/javascript.js',
    ],
    body: '<div id="code"></div><p><button id="apply">Apply</button></p><p role="status" id="told"></p>',
    script: `const editor = CodeMirror(document.querySelector('#code'), { lineNumbers: true, mode: { name: 'javascript', json: true }, value: '{\\n  "scale": 5000,\\n  "unit": "feet"\\n}\\n' });
let applied = null;
document.querySelector('#apply').onclick = () => { try { applied = JSON.parse(editor.getValue()); document.querySelector('#told').textContent = 'Applied.'; } catch (error) { document.querySelector('#told').textContent = 'Not valid: ' + error.message; } };
window.state = () => ({ applied, text: editor.getValue() });`,
  },
  order: {
    title: 'Reading order',
    libraries: ['sortablejs/Sortable.min.js'],
    body: `<ul id="list" style="width:300px">${NOTES.split('|')
      .map((text) => `<li class="card">${text}</li>`)
      .join('')}</ul>`,
    script: `Sortable.create(document.querySelector('#list'), { animation: 150 });
window.state = () => ({ order: [...document.querySelectorAll('#list li')].map((one) => one.textContent) });`,
  },
  board: {
    title: 'Work board',
    libraries: ['sortablejs/Sortable.min.js'],
    body: `<div class="lists">${['To do', 'Doing', 'Done']
      .map(
        (name, at) =>
          `<section><h2>${name}</h2><div class="list" data-name="${name}" style="min-height:200px">${[
            'Paint hull|Mend sail|Order rope',
            'Clean bilge|Check radio',
            'Buy paint',
          ][at]
            ?.split('|')
            .map((text) => `<div class="card">${text}</div>`)
            .join('')}</div></section>`,
      )
      .join('')}</div><p role="status" id="told"></p>`,
    script: `for (const list of document.querySelectorAll('.list')) Sortable.create(list, { group: 'board', forceFallback: true, onEnd: ({ item, to }) => (document.querySelector('#told').textContent = item.textContent + ' is in ' + to.dataset.name) });
window.state = () => Object.fromEntries([...document.querySelectorAll('.list')].map((list) => [list.dataset.name, [...list.querySelectorAll('.card')].map((one) => one.textContent)]));`,
  },
  basket: {
    title: 'Stores',
    libraries: [
      'jquery-ui/dist/themes/base/jquery-ui.min.css',
      'jquery/dist/jquery.min.js',
      'jquery-ui/dist/jquery-ui.min.js',
    ],
    body: `<div class="lists"><section>${['Anchor', 'Lantern', 'Compass'].map((text) => `<div class="card item">${text}</div>`).join('')}</section><section id="ship" class="card" style="height:180px"><p>On board: <span id="aboard">nothing</span></p></section></div>
<ul id="menu" style="width:160px"><li><div>Stores</div><ul><li><div>Count</div></li><li><div>Refill</div></li></ul></li><li><div>Ship</div><ul><li><div>Load</div></li><li><div>Set sail</div></li></ul></li></ul><p role="status" id="told"></p>`,
    script: `const aboard = [];
let chosen = null;
$('.item').draggable({ revert: 'invalid' });
$('#ship').droppable({ drop: (_, { draggable }) => { aboard.push(draggable.text()); $('#aboard').text(aboard.join(', ')); } });
$('#menu').menu({ select: (_, { item }) => { if (item.children('ul').length === 0) { chosen = item.text(); $('#told').text(chosen + ': done.'); } } });
window.state = () => ({ aboard, chosen });`,
  },
  report: {
    title: 'Season report',
    libraries: [],
    body: '<p>Making a report takes some seconds.</p><button id="make">Make report</button><p role="status" id="told"></p>',
    script: `document.querySelector('#make').onclick = () => { const told = document.querySelector('#told'); told.textContent = 'Working: collecting…'; setTimeout(() => (told.textContent = 'Working: counting…'), 1500); setTimeout(() => (told.textContent = 'The report is ready: 1 284 moorings, 37 complaints.'), 3500); };
window.state = () => ({ told: document.querySelector('#told').textContent });`,
  },
  broken: {
    title: 'Tide monitor',
    libraries: ['leaflet/dist/leaflet.css', 'leaflet/dist/leaflet.js'],
    body: '<div id="map" style="width:500px;height:200px"></div><button id="refresh">Refresh</button><table><tr><th>Station</th><th>Level</th></tr><tr><td>Kiel</td><td id="level">–</td></tr></table>',
    script: `console.log('tide monitor 4.2 starts');
console.info('map ready', L.version);
document.querySelector('#refresh').onclick = async () => { const answer = await fetch('/api/tides?station=kiel'); if (!answer.ok) throw new Error('tide service said ' + answer.status + ': ' + (await answer.json()).reason); };
window.state = () => ({});`,
  },
  records: {
    title: 'Old records',
    libraries: ['jquery/dist/jquery.min.js'],
    body: '<table id="records"><thead><tr><th>Year</th><th>Ship</th><th></th></tr></thead><tbody></tbody></table><p role="status" id="told"></p>',
    script: `for (const [year, ship] of [[1901, 'Albatros'], [1907, 'Meteor'], [1912, 'Passat'], [1926, 'Undine']]) $('#records tbody').append('<tr><td>' + year + '</td><td>' + ship + '</td><td><button class="remove">Remove</button></td></tr>');
$('#records').on('click', '.remove', (event) => { const row = $(event.target).closest('tr'); if (!confirm('Remove the record of ' + row.children().eq(1).text() + '?')) return; row.remove(); $('#told').text('Removed.'); });
window.state = () => ({ ships: $('#records tbody tr').map((_, row) => $(row).children().eq(1).text()).get() });`,
  },
};
