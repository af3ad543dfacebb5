/** Tasks that no script decides from what the tools say, and why. */
export const UNDECIDED: Readonly<Record<string, string>> = {
  'button-delay':
    'graded by the time between two clicks to 15 % of a second; a call takes as long as the machine is busy',
  'chase-circle': 'the pointer has to follow a moving circle; a call moves it once',
  'click-checkboxes-soft': 'asks which words mean the same',
  'copy-paste': 'the text ends in a space, which no tool shows, and the clipboard cannot be used',
  'copy-paste-2': 'as copy-paste',
  'count-sides': 'a polygon on a canvas, which only a picture shows',
  'draw-circle': 'a drag goes along a straight line',
  'hover-shape': 'never ends, and so is worth nothing',
  'moving-items': 'moving circles have to be clicked, as many as possible in ten seconds',
  'number-checkboxes': 'the example to copy is a picture',
  'simon-says': 'buttons light up for a quarter of a second each, in an order to be seen',
  'stock-market': 'the price changes ten times a second, and the click is graded by the price of its moment',
};
