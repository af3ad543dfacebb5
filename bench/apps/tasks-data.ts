import { ALL } from './player.ts';
import { found } from './reading.ts';
import type { Task } from './task.ts';

/** Grids, calendars and maps. */
export const DATA_TASKS: readonly Task[] = [
  {
    name: 'sort by fee, highest first, and read the third boat',
    app: 'AG Grid',
    page: '/grid',
    play: async (player, url) => {
      await player.open(url);
      await player.click('columnheader "Fee"|Fee');
      await player.click('columnheader "Fee"|Fee', ALL);
      return found(player.last, /Boat \d+/g, 2);
    },
    isDone: `s.sort[0] === 'fee desc' && a === s.shown[2].boat`,
  },
  {
    name: 'show only boats from Cork',
    app: 'AG Grid',
    page: '/grid',
    play: async (player, url) => {
      await player.open(url);
      await player.type('textbox "Harbour Filter Input', 'Cork', 'Boat 36');
    },
    isDone: `s.count === 44 && s.shown.every(({ harbour }) => harbour === 'Cork')`,
  },
  {
    name: 'change the fee of a boat',
    app: 'AG Grid',
    page: '/grid',
    play: async (player, url) => {
      await player.open(url);
      await player.click('Boat 4 > 2000', undefined, { isDouble: true });
      await player.press('Control+a');
      await player.type(null, '555');
      await player.press('Enter', '555');
    },
    isDone: `s.fees['Boat 4'] === 555 && Object.values(s.fees).filter((fee) => fee === 555).length === 1`,
  },
  {
    name: 'sort by miles, highest first, and read the first name',
    app: 'Tabulator',
    page: '/tabulator',
    play: async (player, url) => {
      await player.open(url);
      await player.click('Miles');
      await player.click('Miles', ALL);
      return found(player.last, /(?:Ada|Bo|Cleo|Dan|Eve|Finn|Gus|Hal|Ida|Jo) \d+/);
    },
    isDone: `s.sort[0] === 'miles desc' && a === s.rows[0].name`,
  },
  {
    name: 'choose another watch in the second row',
    app: 'Tabulator',
    page: '/tabulator',
    play: async (player, url) => {
      await player.open(url);
      await player.click('Dan 2 > middle', 'morning');
      await player.click('... morning', 'Dan 2');
    },
    isDone: `s.first[1].watch === 'morning' && s.first[0].watch === 'first' && s.first[2].watch === 'morning'`,
  },
  {
    name: 'see what is on in the next month',
    app: 'FullCalendar',
    page: '/calendar',
    play: async (player, url) => {
      await player.open(url, 'Pilot meeting');
      await player.click('button "Next month"', 'April 2027');
      await player.seek('Dredging');
      return found(player.last, /Dredging/);
    },
    isDone: `s.title === 'April 2027' && a === 'Dredging'`,
  },
  {
    name: 'drag an event to another day',
    app: 'FullCalendar',
    page: '/calendar',
    play: async (player, url) => {
      await player.open(url, 'Pilot meeting');
      await player.drag('Pilot meeting', 'March 25, 2027|"25"', 'Pilot meeting moved to 2027-03-25');
    },
    isDone: `s.events['Pilot meeting'] === '2027-03-25' && s.events['Crane inspection'] === '2027-03-09'`,
  },
  {
    name: 'open a marker and read its text',
    app: 'Leaflet',
    page: '/map',
    play: async (player, url) => {
      await player.open(url);
      await player.click('Lighthouse', 'Height');
      return found(player.last, /Height (\d+) metres/);
    },
    isDone: `s.popup.startsWith('Lighthouse') && a === '34'`,
  },
  {
    name: 'zoom in twice and show the depth lines',
    app: 'Leaflet',
    page: '/map',
    play: async (player, url) => {
      await player.open(url);
      await player.click('button "Zoom in"');
      await player.click('button "Zoom in"');
      await player.hover('Layers', 'Depth lines');
      await player.click('checkbox "Depth lines"|Depth lines');
    },
    isDone: `s.zoom === 11 && s.depth`,
  },
  {
    name: 'pan a map from one marker to another',
    app: 'Leaflet',
    page: '/map',
    play: async (player, url) => {
      await player.open(url);
      await player.drag('Lighthouse', 'Ferry pier', ALL);
    },
    isDone: `s.centre.lat > 54.36 && s.centre.lat < 54.44 && s.zoom === 9 && s.popup === null`,
  },
];
