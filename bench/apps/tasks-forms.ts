import type { Task } from './task.ts';

/** Fields with more functions than the browser's own. */
export const FORM_TASKS: readonly Task[] = [
  {
    name: 'choose a range of dates and book',
    app: 'flatpickr',
    page: '/dates',
    play: async (player, url) => {
      await player.open(url);
      await player.click('textbox "Stay', 'May 10, 2027');
      await player.click('May 10, 2027', { again: 'May 14, 2027' });
      await player.click('May 14, 2027');
      await player.click('button "Book"', 'Booked: 2027-05-10 to 2027-05-14');
    },
    isDone: `s.stay === '2027-05-10 to 2027-05-14' && s.told !== ''`,
  },
  {
    name: 'find two people on the server and share with them',
    app: 'Select2',
    page: '/select2',
    play: async (player, url) => {
      await player.open(url);
      for (const name of ['Eva Lindgren', 'Adam Berg']) {
        await player.click('searchbox|textbox "People|textbox "Search people|combobox "People|People');
        await player.type(null, name.slice(0, 4), name);
        await player.click(`option "${name}"|${name}`);
      }
      await player.click('button "Share"', 'Shared with 2 people');
    },
    isDone: `s.people.join() === 'Eva Lindgren,Adam Berg' && s.told === 'Shared with 2 people'`,
  },
  {
    name: 'let somebody write, not only read',
    app: 'Select2',
    page: '/select2',
    play: async (player, url) => {
      await player.open(url);
      await player.click('combobox "Read"|combobox "Right|Read', 'Comment');
      await player.click('option "Write"|Write', 'Write');
    },
    isDone: `s.right === 'Write'`,
  },
  {
    name: 'fill in a subject, two tags and a port, and file the report',
    app: 'Tom Select',
    page: '/tags',
    play: async (player, url) => {
      await player.open(url);
      await player.type('textbox "Subject', 'Loose buoy');
      await player.click('combobox "Tags|Tags');
      await player.type(null, 'buoy');
      await player.press('Enter');
      await player.type(null, 'urgent');
      await player.press('Enter');
      await player.click('combobox "Port|Choose a port|Port', 'Kristiansand');
      await player.click('option "Kristiansand"|Kristiansand');
      await player.click('button "File"', 'Filed under harbour,buoy,urgent');
    },
    isDone: `s.tags === 'harbour,buoy,urgent' && s.port === 'Kristiansand' && s.subject === 'Loose buoy' && s.told !== ''`,
  },
  {
    name: 'choose a suggested port and a date',
    app: 'jQuery UI',
    page: '/widgets',
    play: async (player, url) => {
      await player.open(url);
      await player.type('textbox "Home port', 'Br', 'Bremen');
      await player.click('option "Bremen"|Bremen');
      await player.click('textbox "Since', 'May');
      await player.click('link "17"|"17"', undefined);
    },
    isDone: `s.port === 'Bremen' && s.since === '2027-05-17'`,
  },
  {
    name: 'turn the volume up to 60',
    app: 'jQuery UI',
    page: '/widgets',
    play: async (player, url) => {
      await player.open(url);
      await player.click('tab "Sound"|link "Sound"', 'Horn volume');
      await player.press('Tab');
      await player.press('PageUp', '60', 2);
    },
    isDone: `s.volume === 60`,
  },
  {
    name: 'open a dialog that asks, and dismiss it',
    app: 'jQuery UI',
    page: '/widgets',
    play: async (player, url) => {
      await player.open(url);
      await player.click('tab "Danger zone"|link "Danger zone"', 'Delete all logs');
      await player.click('button "Delete all logs"', 'This cannot be undone');
      await player.click('button "Keep"', 'Nothing is deleted');
    },
    isDone: `s.wiped === false && s.open === false && s.told === 'Nothing is deleted.'`,
  },
  {
    name: 'narrow a price range to 20 to 70',
    app: 'noUiSlider',
    page: '/price',
    play: async (player, url) => {
      await player.open(url);
      await player.click('slider "Lowest price"');
      await player.press('ArrowRight', undefined, 2);
      await player.click('slider "Highest price"');
      await player.press('ArrowLeft', '70', 4);
    },
    isDone: `s.values.join() === '20,70'`,
  },
  {
    name: 'fill in a form of web components, send it and close what it says',
    app: 'Shoelace',
    page: '/shoelace',
    play: async (player, url) => {
      await player.open(url, 'Public profile');
      await player.fillIn([
        { label: 'textbox "Name', kind: 'textbox', value: 'Ada Holm' },
        { label: 'textbox "About', kind: 'textbox', value: 'Sails since 1991' },
        { label: 'checkbox "Send me news|Send me news', kind: 'checkbox', value: 'true' },
      ]);
      await player.click('combobox "Fleet', 'South fleet');
      await player.click('option "South fleet"|South fleet');
      await player.click('switch "Public profile"|Public profile');
      await player.click('button "Join"', 'member 4711');
      await player.click('member 4711 > button "Close"');
    },
    isDone: `s.sent.name === 'Ada Holm' && s.sent.fleet === 'south' && s.sent.about === 'Sails since 1991' && s.sent.news === 'on' && s.sent.public === 'on' && !s.open`,
  },
];
