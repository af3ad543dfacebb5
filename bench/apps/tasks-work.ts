import { ALL } from './player.ts';
import { found } from './reading.ts';
import type { Task } from './task.ts';

/** Editors, draggable elements, and changes that pages make on their own. */
export const WORK_TASKS: readonly Task[] = [
  {
    name: 'write a sentence and make its last word bold',
    app: 'Quill',
    page: '/editor',
    play: async (player, url) => {
      await player.open(url);
      await player.click('paragraph|textbox|Write the entry');
      await player.type(null, 'Wind is strong');
      await player.press('Control+Shift+ArrowLeft');
      await player.click('button "bold"|bold');
      await player.click('button "Save entry"', 'Saved, 15 characters');
    },
    isDone: `s.saved.map(({ insert, attributes }) => insert + (attributes?.bold ? '*' : '')).join('|') === 'Wind is |strong*|\\n'`,
  },
  {
    name: 'write a letter in a frame, with a word in italics',
    app: 'TinyMCE',
    page: '/mail',
    play: async (player, url) => {
      await player.open(url, 'Italic');
      await player.type('textbox "Subject', 'Berth 12');
      await player.click('Rich Text Area > paragraph|Rich Text Area');
      await player.type(null, 'Please ');
      await player.press('Control+i');
      await player.type(null, 'hurry');
      await player.click('button "Send"', 'Sent.');
    },
    isDone: `s.sent.subject === 'Berth 12' && s.sent.html === '<p>Please <em>hurry</em></p>'`,
  },
  {
    name: 'change a number in a file and apply it',
    app: 'CodeMirror',
    page: '/code',
    play: async (player, url) => {
      await player.open(url);
      await player.click('text=5000', undefined, { isDouble: true });
      await player.type(null, '2500');
      await player.click('button "Apply"', 'Applied.');
    },
    isDone: `s.applied.scale === 2500 && s.applied.unit === 'feet'`,
  },
  {
    name: 'move an item of a list to the top',
    app: 'SortableJS',
    page: '/order',
    play: async (player, url) => {
      await player.open(url);
      await player.drag('Crew list', 'Kiel to Kolding', ALL);
    },
    isDone: `s.order.join('|') === 'Crew list|Kiel to Kolding|Tide tables|Engine log|Provisions'`,
  },
  {
    name: 'move a card to another list',
    app: 'SortableJS',
    page: '/board',
    play: async (player, url) => {
      await player.open(url);
      await player.drag('text=Mend sail', 'text=Check radio', 'Mend sail is in Doing');
    },
    isDone: `s.Doing.includes('Mend sail') && s['To do'].join() === 'Paint hull,Order rope' && s.Doing.length === 3`,
  },
  {
    name: 'drag two things on board',
    app: 'jQuery UI',
    page: '/basket',
    play: async (player, url) => {
      await player.open(url);
      await player.drag('Lantern', 'On board');
      await player.drag('Compass', 'On board', 'Lantern, Compass');
    },
    isDone: `s.aboard.join() === 'Lantern,Compass'`,
  },
  {
    name: 'choose in a menu that opens on hover',
    app: 'jQuery UI',
    page: '/basket',
    play: async (player, url) => {
      await player.open(url);
      await player.hover('menuitem "Ship"|Ship', 'Set sail');
      await player.click('menuitem "Set sail"|Set sail', 'Set sail: done');
    },
    isDone: `s.chosen === 'Set sail'`,
  },
  {
    name: 'have a report made and read it when it is ready',
    app: 'a page that takes 3.5 seconds',
    page: '/report',
    play: async (player, url) => {
      await player.open(url);
      await player.click('button "Make report"');
      await player.wait('The report is ready', 'complaints');
      return found(player.last, /(\d+) complaints/);
    },
    isDone: `a === '37'`,
  },
  {
    name: 'find out why a button does nothing',
    app: 'a page that fails',
    page: '/broken',
    play: async (player, url) => {
      await player.open(url);
      await player.click('button "Refresh"');
      if (!player.all.includes('tide service said')) await player.errors();
      return found(player.all, /tide service said (\d+)/);
    },
    isDone: `a === '502'`,
  },
  {
    name: 'remove one row of a table and say yes when asked',
    app: 'jQuery',
    page: '/records',
    play: async (player, url) => {
      await player.open(url);
      await player.click('Passat > button "Remove"', 'Removed.', { accepts: true });
    },
    isDone: `s.ships.join() === 'Albatros,Meteor,Undine'`,
  },
];
