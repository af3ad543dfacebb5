import { ALL } from './player.ts';
import { found } from './reading.ts';
import type { Task } from './task.ts';

/** Tasks in libraries that no tool had been tried with before. */
export const MORE_TASKS: readonly Task[] = [
  {
    name: 'write a line with a word in bold',
    app: 'Trix',
    page: '/trix',
    play: async (player, url) => {
      await player.open(url);
      await player.type('textbox "Text of the notice|Text of the notice', 'Tide at ');
      await player.click('button "Bold"|Bold');
      await player.type(null, 'nine', 'nine');
    },
    isDone: `/Tide at ?(&nbsp;)?<strong>nine<\\/strong>/.test(s.html)`,
  },
  {
    name: 'find the lamps, fewest first, and read the shelf',
    app: 'Grid.js',
    page: '/gridjs',
    play: async (player, url) => {
      await player.open(url, 'Shelf 1');
      await player.type('searchbox "Type a keyword|textbox "Type a keyword|Type a keyword', 'lamp', 'Shelf 9');
      await player.click('Count > button "Sort column|Count > Sort column', ALL);
      // Below the head of the table.
      return found(player.last.slice(player.last.lastIndexOf('Count')), /Shelf \d+/);
    },
    isDone: `s.search === 'lamp' && s.rows.length === 10 && s.rows.every((row, at) => at === 0 || Number(row[2]) >= Number(s.rows[at - 1][2])) && a === s.rows[0][0]`,
  },
  {
    name: 'change a number, and write the sum',
    app: 'Jspreadsheet',
    page: '/sheet',
    play: async (player, url) => {
      await player.open(url);
      await player.click('Tuesday > 25|text=25', undefined, { isDouble: true });
      await player.press('Control+a');
      await player.type(null, '30');
      await player.press('Enter', undefined);
      await player.press('ArrowDown');
      await player.type(null, '101');
      await player.press('Enter', '101');
    },
    isDone: `String(s.tuesday) === '30' && String(s.sum) === '101'`,
  },
  {
    name: 'take a part out of a diagram',
    app: 'Drawflow',
    page: '/flow',
    play: async (player, url) => {
      await player.open(url);
      await player.click('Filter');
      await player.press('Delete', ALL);
    },
    isDone: `s.names === 'pump,tank'`,
  },
  {
    name: 'move a part of a diagram onto another',
    app: 'Drawflow',
    page: '/flow',
    play: async (player, url) => {
      await player.open(url);
      await player.drag('text=Pump', 'text=Filter', ALL);
    },
    isDone: `s.places.pump[0] > 250 && s.places.pump[1] > 110 && s.places.filter[0] === 320`,
  },
  {
    name: 'zoom in three times and show the wrecks',
    app: 'OpenLayers',
    page: '/chart',
    play: async (player, url) => {
      await player.open(url);
      for (let times = 0; times < 3; times += 1) await player.click('button "Zoom in"|Zoom in');
      await player.fillIn([{ label: 'combobox "Layer', kind: 'combobox', value: 'Wrecks' }]);
    },
    isDone: `Math.round(s.zoom) === 7 && s.wrecks && !s.buoys`,
  },
  {
    name: 'play at one and a half times the speed, without sound',
    app: 'Plyr',
    page: '/player',
    play: async (player, url) => {
      await player.open(url);
      await player.click('button "Mute"|Mute');
      await player.click('button "Settings"|Settings', 'Speed');
      await player.click('menuitem "Speed|Speed', '1.5');
      await player.click('1.5');
    },
    isDone: `s.speed === 1.5 && s.muted`,
  },
  {
    name: 'open a folder and rename a file in it',
    app: 'jsTree',
    page: '/files',
    play: async (player, url) => {
      await player.open(url, 'Photos');
      await player.click('Photos');
      await player.press('ArrowRight', 'boat.jpg');
      await player.click('boat.jpg');
      await player.press('F2');
      await player.press('Control+a');
      await player.type(null, 'ship.jpg');
      await player.press('Enter', 'ship.jpg');
    },
    isDone: `s.names === 'Charts,north.pdf,south.pdf,Photos,ship.jpg,crew.jpg,readme.txt'`,
  },
  {
    name: 'see what is on two months later',
    app: 'Event Calendar',
    page: '/watch',
    play: async (player, url) => {
      await player.open(url, 'Fog signal test');
      await player.click('button "Next"|Next', 'April 2027');
      await player.click('button "Next"|Next', 'Buoy repair');
      return found(player.last, /Buoy repair/);
    },
    isDone: `s.title === 'May 2027' && a === 'Buoy repair'`,
  },
  {
    name: 'fill in an order of web components, and place it',
    app: 'Fluent UI',
    page: '/fluent',
    play: async (player, url) => {
      await player.open(url, 'Place order');
      await player.fillIn([{ label: 'textbox "Who orders', kind: 'textbox', value: 'Ada Holm' }]);
      await player.click('checkbox "Urgent|Urgent > checkbox|Urgent');
      await player.click('radio "By road|By road');
      await player.click('button "Place order"|Place order', 'Ordered for Ada Holm');
    },
    isDone: `s.who === 'Ada Holm' && s.urgent && s.how === 'road' && s.told === 'Ordered for Ada Holm'`,
  },
  {
    name: 'ask for a pilot with fields made for touch',
    app: 'Ionic',
    page: '/ionic',
    play: async (player, url) => {
      await player.open(url, 'Ask for a pilot');
      await player.fillIn([{ label: 'textbox "Ship', kind: 'textbox', value: 'Kittiwake' }]);
      await player.click('switch "At night|checkbox "At night|At night');
      await player.click('combobox "Berth|button "Berth|Berth', 'South quay');
      await player.click('button "South quay|radio "South quay|South quay');
      await player.click('button "Ask for a pilot"|Ask for a pilot', 'A pilot comes to Kittiwake');
    },
    isDone: `s.ship === 'Kittiwake' && s.night && s.berth === 's' && s.told === 'A pilot comes to Kittiwake'`,
  },
  {
    name: 'sort and delete on a page from right to left',
    app: 'Bootstrap',
    page: '/rtl',
    play: async (player, url) => {
      await player.open(url);
      await player.click('button "ترتيب"|ترتيب', 'السعر');
      await player.click('button "السعر"|السعر', 'مرتب حسب');
      await player.click('button "حذف الحجز"|حذف الحجز', 'نعم، احذف');
      await player.click('button "نعم، احذف"|نعم، احذف', 'تم الحذف');
    },
    isDone: `s.sort === 'السعر' && s.gone`,
  },
  {
    name: 'go to the third picture and read its year',
    app: 'Swiper',
    page: '/swiper',
    play: async (player, url) => {
      await player.open(url);
      await player.click('button "Next slide"|Next slide');
      await player.click('button "Next slide"|Next slide', ALL);
      return found(player.last, /Ice in the basin[^]*?Taken in (\d+)/);
    },
    isDone: `s.at === 2 && a === '1987'`,
  },
  {
    name: 'choose two guests in a field that searches',
    app: 'Choices.js',
    page: '/choices',
    play: async (player, url) => {
      await player.open(url);
      for (const name of ['Clara Holst', 'Erik Holm']) {
        await player.click('searchbox|textbox "Guests|combobox "Guests|Guests');
        await player.type(null, name.slice(0, 4), name);
        await player.click(`option "${name}|${name}`);
      }
    },
    isDone: `s.guests === 'Clara Holst,Erik Holm'`,
  },
  {
    name: 'add a label and take another away',
    app: 'Tagify',
    page: '/tagify',
    play: async (player, url) => {
      await player.open(url);
      await player.click('button "remove tag"|draft > button');
      await player.click('textbox|Labels');
      await player.type(null, 'storm');
      await player.press('Enter', 'storm');
    },
    isDone: `s.labels === 'ice,storm'`,
  },
  {
    name: 'drag an instrument below another',
    app: 'GridStack',
    page: '/board2',
    play: async (player, url) => {
      await player.open(url);
      await player.drag('Wind', 'Ice', ALL);
    },
    isDone: `s.Wind[1] >= 1 && s.Tides[0] === 3 && s.Tides[1] === 0`,
  },
  {
    name: 'rename a boat in dialogs one after the other',
    app: 'SweetAlert2',
    page: '/alert',
    play: async (player, url) => {
      await player.open(url);
      await player.click('button "Rename"|Rename', 'Name of the boat');
      await player.type('textbox "Name of the boat|Name of the boat', 'Fulmar');
      await player.click('button "Next"|Next', 'Call it Fulmar?');
      await player.click('button "Yes, rename"|Yes, rename', 'Fulmar');
    },
    isDone: `s.name === 'Fulmar' && !s.open`,
  },
];
