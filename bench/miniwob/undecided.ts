/** Tasks that a script cannot solve from the tools' answers, with the reasons. */
export const UNDECIDED: Readonly<Record<string, string>> = {
  'button-delay':
    'graded by the time between two clicks to 15 % of a second; a call takes as long as the machine is busy',
  'chase-circle': 'the pointer has to follow a moving circle; a call moves it once',
  'click-checkboxes-soft': 'asks which words mean the same',
  'count-sides': 'a polygon on a canvas, which only a picture shows',
  'daily-calendar':
    'laid out for a font that has to be installed: with another one, what is drawn lies beside the pointer',
  'draw-circle': 'a drag goes along a straight line',
  'hover-shape': 'never ends, and so is worth nothing',
  'moving-items': 'moving circles have to be clicked, as many as possible in ten seconds',
  'number-checkboxes': 'the example to copy is a picture',
  'simon-says': 'buttons light up for a quarter of a second each, in an order to be seen',
  'stock-market': 'the price changes ten times a second, and the click is graded by the price of its moment',
};
