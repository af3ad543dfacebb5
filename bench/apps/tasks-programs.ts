import { found } from './reading.ts';
import type { Player } from './player.ts';
import type { Task } from './task.ts';

async function signIn(player: Player, url: string): Promise<void> {
  await player.open(url, 'Username');
  await player.fillIn([
    { label: 'textbox "Username', kind: 'textbox', value: 'ada' },
    { label: 'textbox "Password', kind: 'textbox', value: 'kelp-and-tar' },
  ]);
  await player.click('button "Login"');
  await player.wait('every hour', 'every hour');
}

/** Whole programs. */
export const PROGRAM_TASKS: readonly Task[] = [
  {
    name: 'sign in, rename a node and deploy',
    app: 'Node-RED',
    page: 'node-red',
    play: async (player, url) => {
      await signIn(player, url);
      const node = 'shape (beside "every hour")|css=#n1 .red-ui-flow-node|every hour';
      await player.click(node, 'Edit inject node', { isDouble: true });
      // An icon is part of the name.
      const name = 'textbox "Name|Name" value="every hour';
      await player.fillIn([{ label: name, kind: 'textbox', value: 'every tide' }]);
      await player.click('button "Done"', 'every tide');
      await player.click('Deploy', 'Successfully deployed');
    },
    isDone: `s.some(({ id, name }) => id === 'n1' && name === 'every tide')`,
  },
  {
    name: 'sign in, connect two nodes and deploy',
    app: 'Node-RED',
    page: 'node-red',
    play: async (player, url) => {
      await signIn(player, url);
      // Users of the program know the class name of its ports, which no view shows.
      await player.drag('css=#n1 .red-ui-flow-port-output', 'css=#n2 .red-ui-flow-port-input');
      await player.click('Deploy', 'Successfully deployed');
    },
    isDone: `s.some(({ id, wires }) => id === 'n1' && wires[0][0] === 'n2')`,
  },
  {
    name: 'write an article with a title and a tag',
    app: 'TiddlyWiki',
    page: 'wiki',
    play: async (player, url) => {
      await player.open(url, 'new tiddler');
      await player.click('button "new tiddler"', 'New Tiddler');
      await player.press('Control+a');
      await player.type(null, 'Slipway');
      await player.type('tag name', 'places');
      await player.press('Enter');
      await player.click('Type the text for the tiddler|Type the text');
      await player.type(null, 'Closed in June.');
      await player.click('button "ok"|button "confirm|button "Confirm', 'Closed in June.');
    },
    isDone: `s.some(({ title, text, tags }) => title === 'Slipway' && text === 'Closed in June.' && tags.includes('places'))`,
  },
  {
    name: 'search for a word and read the article',
    app: 'TiddlyWiki',
    page: 'wiki',
    play: async (player, url) => {
      await player.open(url, 'searchbox');
      await player.type('searchbox', 'diesel', 'Fuel stops');
      await player.click('link "Fuel stops"', 'card only');
      return found(player.last, /pier (\d+)/);
    },
    isDone: `a === '4'`,
  },
];
