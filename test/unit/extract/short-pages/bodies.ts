/** The main parts of short pages, each with one table, list of terms, list of questions or similar part. */
const row = (cells: readonly string[], tag = 'td') =>
  `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
const table = (head: readonly string[], rows: readonly (readonly string[])[], before = '') =>
  `<table>${before}<thead>${row(head, 'th')}</thead><tbody>${rows.map((cells) => row(cells)).join('')}</tbody></table>`;
const sideTable = (rows: readonly (readonly [string, string])[], open = '<table>') =>
  `${open}<tbody>${rows.map(([name, value]) => `<tr><th>${name}</th><td>${value}</td></tr>`).join('')}</tbody></table>`;
const terms = (rows: readonly (readonly [string, string])[], open = '<dl>') =>
  `${open}${rows.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join('')}</dl>`;

const QUESTIONS: readonly (readonly [string, string])[] = [
  ['How long does delivery take?', 'Two to four working days. Islands take a day longer.'],
  ['Can I cancel an order?', 'Yes, until it has left our store.'],
  ['Do you ship abroad?', 'To all countries of the EU, Norway and Iceland.'],
  ['What if a cup arrives broken?', 'Send us a photo. You get a new one at no cost.'],
];

export const BODIES: Readonly<Record<string, string>> = {
  'product with a table of specifications': `<h1>Heron 300 kettle</h1><p>A quiet kettle of brushed steel for up to seven cups.</p>
    <p class="price">€59.90</p><button>Add to basket</button><h2>Specifications</h2>${sideTable([
      ['Capacity', '1.7 l'],
      ['Power', '2,200 W'],
      ['Weight', '1.1 kg'],
      ['Cable', '75 cm'],
      ['Colours', 'Steel, black'],
      ['Guarantee', '2 years'],
    ])}`,
  'product with specifications as terms': `<div class="product"><h1>Osier desk lamp</h1><p>Warm light that reaches the whole desk.</p>${terms(
    [
      ['Height', '46 cm'],
      ['Lamp', 'LED, 7 W'],
      ['Light', '600 lm, 2,700 K'],
      ['Material', 'Oak and aluminium'],
    ],
    '<dl class="specs">',
  )}</div>`,
  'prices of three plans in a table': `<h1>Pricing</h1><p>All plans include hosting and backups.</p>${table(
    ['', 'Basic', 'Team', 'Company'],
    [
      ['Price a month', '$5', '$19', '$79'],
      ['Users', '1', '10', 'No limit'],
      ['Storage', '5 GB', '100 GB', '1 TB'],
      ['Support', 'Mail', 'Mail, chat', 'Phone'],
    ],
  )}`,
  'prices of three plans as cards': `<h1>Plans</h1><p>Start free, pay when you grow.</p><div class="plans">
    <div class="plan"><h3>Basic</h3><div class="amount">$5</div><ul><li>1 user</li><li>5 GB of storage</li></ul></div>
    <div class="plan"><h3>Team</h3><div class="amount">$19</div><ul><li>10 users</li><li>100 GB of storage</li></ul></div>
    <div class="plan"><h3>Company</h3><div class="amount">$79</div><ul><li>Any number of users</li><li>1 TB of storage</li></ul></div></div>`,
  'opening hours': `<h1>Opening hours</h1><p>The library is open on six days of the week.</p>${table(
    ['Day', 'Opens', 'Closes'],
    [
      ['Monday', '10:00', '18:00'],
      ['Tuesday', '10:00', '18:00'],
      ['Wednesday', '12:00', '20:00'],
      ['Thursday', '10:00', '18:00'],
      ['Friday', '10:00', '16:00'],
      ['Saturday', '9:00', '13:00'],
    ],
  )}<p>We are closed on public holidays.</p>`,
  'opening hours as terms after an address': `<h1>Visit us</h1><address>Heron Museum<br>12 Quay Street<br>Port Alder AB1 2CD</address><h2>Hours</h2>${terms(
    [
      ['Tuesday to Friday', '10:00–17:00'],
      ['Saturday', '11:00–18:00'],
      ['Sunday', '11:00–16:00'],
    ],
  )}<h2>Tickets</h2>${terms([
    ['Adults', '£9'],
    ['Children under 12', 'free'],
  ])}`,
  'questions in details': `<h1>Questions and answers</h1>${QUESTIONS.map(([q, a]) => `<details><summary>${q}</summary><p>${a}</p></details>`).join('')}`,
  'questions in details after a text': `<h1>Delivery</h1><p>We pack your order on the day it reaches us and hand it to the carrier in the evening.</p><h2>Frequently asked questions</h2>${QUESTIONS.map(([q, a]) => `<details class="faq-item"><summary>${q}</summary><div>${a}</div></details>`).join('')}`,
  'questions as headings and paragraphs': `<h1>Help with orders</h1>${QUESTIONS.map(([q, a]) => `<h3>${q}</h3><p>${a}</p>`).join('')}`,
  'questions as terms': `<h1>FAQ</h1><dl>${QUESTIONS.map(([q, a]) => `<dt>${q}</dt><dd>${a}</dd>`).join('')}</dl>`,
  'questions with buttons': `<h1>FAQ</h1><div class="accordion">${QUESTIONS.map(([q, a]) => `<div class="accordion-item"><h2><button type="button" aria-expanded="false">${q}</button></h2><div class="accordion-panel"><p>${a}</p></div></div>`).join('')}</div>`,
  'questions with bare buttons': `<h1>Shipping FAQ</h1><p>Short answers to what people ask us most.</p>${QUESTIONS.map(([q, a]) => `<div class="faq"><button class="faq-question">${q}</button><div class="faq-answer">${a}</div></div>`).join('')}`,
  'settings as terms': `<h1>Settings</h1><p>All settings are read from <code>heron.toml</code>.</p>${terms([
    ['<code>port</code>', 'The port to listen on. Default: 8080.'],
    ['<code>cache_mb</code>', 'Memory for the cache in megabytes. Default: 64.'],
    ['<code>log</code>', 'One of <code>quiet</code>, <code>normal</code> and <code>debug</code>.'],
    ['<code>tls_cert</code>', 'Path of the certificate.'],
  ])}`,
  glossary: `<h1>Glossary</h1>${terms([
    ['Bollard', 'A short post to which ships are made fast.'],
    ['Draught', 'How deep a ship lies in the water.'],
    ['Lee', 'The side away from the wind.'],
    ['Neap tide', 'The tide with the smallest range.'],
    ['Quay', 'A wall beside which ships load.'],
    ['Spring tide', 'The tide with the largest range.'],
  ])}`,
  'changes as terms': `<h1>Changelog</h1>${terms([
    ['2.1.0 (3 May 2026)', '<ul><li>Adds a dark theme.</li><li>Fixes the order of dates.</li></ul>'],
    ['2.0.1 (11 April 2026)', '<ul><li>Fixes a crash at start.</li></ul>'],
    ['2.0.0 (2 April 2026)', '<ul><li>Needs Node 22.</li><li>Removes the old format.</li></ul>'],
  ])}`,
  'schedule of a day': `<h1>Programme</h1><p>Saturday 12 September, main hall.</p>${table(
    ['Time', 'Talk', 'Speaker'],
    [
      ['9:00', 'Welcome', 'Ines Okafor'],
      ['9:30', 'Tides and tables', 'Bo Lindgren'],
      ['10:30', 'Break', ''],
      ['11:00', 'Reading old charts', 'Aya Haddad'],
      ['12:00', 'Lunch', ''],
    ],
  )}`,
  'departures of a ferry': `<h1>Ferry to Alder Island</h1>${table(
    ['From', 'Mon–Fri', 'Sat', 'Sun'],
    [
      ['Port Alder', '7:10, 9:40, 16:20', '9:40, 16:20', '9:40'],
      ['Alder Island', '8:20, 10:50, 17:30', '10:50, 17:30', '17:30'],
    ],
    '<caption>Winter timetable, 1 October to 31 March</caption>',
  )}`,
  recipe: `<article class="recipe"><h1>Leek soup</h1><p>Serves 4, ready in 40 minutes.</p><h2>Ingredients</h2><ul class="ingredients"><li>3 leeks</li><li>2 potatoes</li><li>1 l of stock</li><li>100 ml of cream</li><li>Salt, pepper</li></ul><h2>Method</h2><ol><li>Cut the leeks and the potatoes.</li><li>Boil both in the stock for 25 minutes.</li><li>Blend, add the cream and season.</li></ol><h2>Nutrition for each serving</h2>${table(['Energy', 'Fat', 'Protein'], [['210 kcal', '9 g', '5 g']])}</article>`,
  'price list in divs': `<h1>Price list</h1><div class="price-list">${[
    ['Cut, short hair', '€28'],
    ['Cut, long hair', '€39'],
    ['Colour', 'from €55'],
    ['Beard', '€15'],
    ['Children up to 10', '€18'],
  ]
    .map(
      ([name, price]) =>
        `<div class="price-row"><span class="name">${name}</span><span class="price">${price}</span></div>`,
    )
    .join('')}</div>`,
  'menu of a café': `<h1>Our menu</h1><h2>Soups</h2>${table(
    ['Dish', 'Price'],
    [
      ['Leek soup', '5.20'],
      ['Pea soup', '4.90'],
    ],
  )}<h2>Cakes</h2>${table(
    ['Dish', 'Price'],
    [
      ['Apple cake', '3.80'],
      ['Plum cake', '3.60'],
      ['Carrot cake', '4.10'],
    ],
  )}`,
  'comparison of two models': `<h1>Heron 300 or Heron 500?</h1><p>The larger one is faster, the smaller one is quieter.</p><h2>Side by side</h2>${table(
    ['', 'Heron 300', 'Heron 500'],
    [
      ['Capacity', '1.2 l', '1.7 l'],
      ['Power', '1,800 W', '2,400 W'],
      ['Noise', '61 dB', '68 dB'],
      ['Keeps warm', 'No', 'Yes'],
      ['Price', '€59', '€89'],
    ],
  )}`,
  'contact with an address': `<h1>Contact</h1><p>Call or write to us, or come to our office.</p><address>Heron Instruments Ltd<br>4 Mill Lane<br>Port Alder AB2 7QX</address>${terms(
    [
      ['Telephone', '+44 1632 960 001'],
      ['Mail', '<a href="mailto:desk@heron.example">desk@heron.example</a>'],
      ['VAT number', 'GB 123 4567 89'],
    ],
  )}`,
  'staff in a table': `<h1>People</h1><p>Who does what at the harbour office.</p>${table(
    ['Name', 'Role', 'Telephone'],
    [
      ['Ines Okafor', 'Harbour master', '960 011'],
      ['Bo Lindgren', 'Pilots', '960 012'],
      ['Aya Haddad', 'Berths', '960 014'],
      ['Kit Byrne', 'Accounts', '960 019'],
    ],
  )}`,
  'parameters of an API': `<h1>GET /v1/tides</h1><p>Returns the tides of one harbour.</p><h2>Parameters</h2>${table(
    ['Name', 'Type', 'Description'],
    [
      ['<code>harbour</code>', 'string', 'Code of the harbour. Required.'],
      ['<code>days</code>', 'integer', 'Number of days, 1 to 30. Default 7.'],
      ['<code>unit</code>', 'string', '<code>m</code> or <code>ft</code>.'],
    ],
  )}<h2>Errors</h2>${table(
    ['Code', 'Meaning'],
    [
      ['404', 'No such harbour.'],
      ['429', 'Too many requests.'],
    ],
  )}`,
  'two tables with captions': `<h1>Tide gauges</h1><p>Readings of this week.</p>${table(
    ['Day', 'High', 'Low'],
    [
      ['Mon', '4.1 m', '0.6 m'],
      ['Tue', '4.3 m', '0.5 m'],
    ],
    '<caption>Table 1. Port Alder</caption>',
  )}${table(
    ['Day', 'High', 'Low'],
    [
      ['Mon', '3.7 m', '0.9 m'],
      ['Tue', '3.9 m', '0.8 m'],
    ],
    '<caption>Table 2. Alder Island</caption>',
  )}`,
  'table with footnotes': `<h1>Berth fees 2026</h1>${table(
    ['Length', 'A night', 'A month'],
    [
      ['up to 8 m', '£18', '£240<sup>a</sup>'],
      ['8 to 12 m', '£26', '£340<sup>a</sup>'],
      ['over 12 m', '£39<sup>b</sup>', '–'],
    ],
  )}<p><sup>a</sup> From October to March, half of it.</p><p><sup>b</sup> By arrangement.</p>`,
  'a page that is only a table': table(
    ['Code', 'Harbour', 'Country'],
    [
      ['ALD', 'Port Alder', 'Norland'],
      ['BRK', 'Brickhaven', 'Norland'],
      ['CRN', 'Cairn Sound', 'Suderia'],
      ['DUN', 'Dunmouth', 'Suderia'],
      ['EEL', 'Eel Reach', 'Norland'],
    ],
  ),
  'results in a table after a heading': `<h2>Results of the regatta, 14 June</h2>${table(
    ['Place', 'Boat', 'Time'],
    [
      ['1', 'Kittiwake', '1:42:10'],
      ['2', 'Petrel', '1:43:55'],
      ['3', 'Fulmar', '1:47:02'],
    ],
  )}`,
  'facts about a town': `<article><h1>Port Alder</h1>${sideTable(
    [
      ['Population', '48,200'],
      ['Area', '61 km²'],
      ['Mayor', 'Sara Holm'],
      ['Founded', '1284'],
    ],
    '<table class="infobox">',
  )}<p>Port Alder is a town on the west coast of Norland. It has the largest fishing harbour of the country.</p></article>`,
  'key figures in divs': `<h1>Our year in figures</h1><p>What the harbour handled in 2025.</p><div class="stats">${[
    ['1.2 m', 'tonnes of goods'],
    ['3,410', 'ships'],
    ['212', 'people employed'],
    ['€38 m', 'turnover'],
  ]
    .map(([n, l]) => `<div class="stat"><div class="stat-number">${n}</div><div class="stat-label">${l}</div></div>`)
    .join('')}</div>`,
  'status of services': `<h1>System status</h1><p>All systems are working.</p><ul class="services">${[
    ['Website', 'Operational'],
    ['API', 'Operational'],
    ['Mail', 'Delayed'],
    ['Payments', 'Operational'],
  ]
    .map(
      ([n, s]) =>
        `<li class="service"><span class="service-name">${n}</span> <span class="service-state">${s}</span></li>`,
    )
    .join('')}</ul>`,
  'dates of terms': `<h1>Term dates</h1><h2>Autumn 2026</h2>${terms([
    ['Starts', '2 September'],
    ['Half term', '26 to 30 October'],
    ['Ends', '18 December'],
  ])}<h2>Spring 2027</h2>${terms([
    ['Starts', '5 January'],
    ['Half term', '15 to 19 February'],
    ['Ends', '26 March'],
  ])}`,
  'shortcuts of keys': `<h1>Keyboard shortcuts</h1>${table(
    ['Keys', 'Action'],
    [
      ['<kbd>Ctrl</kbd>+<kbd>K</kbd>', 'Search'],
      ['<kbd>G</kbd> <kbd>H</kbd>', 'Go to the start page'],
      ['<kbd>?</kbd>', 'Show this list'],
      ['<kbd>Esc</kbd>', 'Close'],
    ],
  )}`,
  'vacancy with facts': `<h1>Harbour pilot (full time)</h1>${terms(
    [
      ['Place', 'Port Alder'],
      ['Salary', '€4,100 to €5,300'],
      ['Start', '1 March 2027'],
      ['Apply by', '15 January 2027'],
    ],
    '<dl class="job-facts">',
  )}<p>You bring ships of up to 200 m safely to their berth, by day and by night.</p>`,
  'sizes of shirts': `<h1>Size guide</h1><p>Measure around the widest part of the chest.</p>${table(
    ['Size', 'Chest', 'Length'],
    [
      ['S', '88–94 cm', '68 cm'],
      ['M', '95–101 cm', '70 cm'],
      ['L', '102–108 cm', '72 cm'],
      ['XL', '109–115 cm', '74 cm'],
    ],
  )}`,
  'accordion of sections': `<h1>Heron 300 kettle</h1><p>A quiet kettle of brushed steel.</p><details open><summary>Description</summary><p>The kettle boils a litre in three minutes and switches itself off.</p></details><details><summary>Technical data</summary>${sideTable(
    [
      ['Power', '2,200 W'],
      ['Weight', '1.1 kg'],
    ],
  )}</details><details><summary>Delivery and returns</summary><p>Delivered in three days. Returns within 30 days.</p></details>`,
  'cards with a footer': `<h1>Overview</h1><p>The state of your berths today.</p><div class="overview">${[
    ['Free berths', '14', 'of 60'],
    ['Arrivals', '5', 'until noon'],
    ['Overdue fees', '£312', 'from 3 owners'],
  ]
    .map(
      ([a, b, c]) =>
        `<div class="overview-card"><div class="overview-card-title">${a}</div><div class="overview-card-value">${b}</div><div class="overview-card-footer">${c}</div></div>`,
    )
    .join('')}</div>`,
};
