import { and, edit, instead, publish, type TaskScript, write } from './script.ts';

const docs = 'src/content/docs';
const german = `---
title: Erste Route
description: Eine Route abfragen und zeichnen.
---

Eine Route führt von einem Ort zu einem anderen.

\`\`\`js
const route = await compass.route({ from: [52.52, 13.4], to: [48.14, 11.58] });
map.draw(route);
\`\`\`

## Das Verkehrsmittel wählen

Übergeben Sie \`by: 'car'\`, \`'bike'\` oder \`'foot'\`. Der Standard ist \`'car'\`.

## Fehler

Gibt es keine Straße zwischen den Orten, schlägt der Aufruf mit [\`E201\`](/de/reference/errors/#e201) fehl.

:::note
Eine Route kann bis zu 25 Stationen haben. Siehe die Referenz von [Route](/de/reference/route/).
:::
`;
const translate = [write(`${docs}/de/guides/first-route.md`, german), publish('Translate the first route into German')];

const traffic = `---
title: Traffic
description: Take traffic into account.
---

Pass \`traffic: true\` to \`compass.route()\` to take traffic into account. \`duration\` then includes delays: see the [fields](/reference/route/#fields) of a route.

Traffic is known in 40 countries.
`;
const addPage = [
  write(`${docs}/guides/traffic.md`, traffic),
  edit(
    'astro.config.mjs',
    "            'guides/first-route',\n",
    "            'guides/first-route',\n            { label: 'Traffic', slug: 'guides/traffic', translations: { de: 'Verkehr' } },\n",
  ),
  publish('Add a guide about traffic'),
];

const describe = [
  edit(`${docs}/reference/route.md`, 'title: Route\n', 'title: Route\ndescription: What compass.route() returns.\n'),
  edit(
    `${docs}/reference/marker.md`,
    'title: Marker\n',
    'title: Marker\ndescription: A point on the map and its label.\n',
  ),
  edit(
    `${docs}/reference/errors.md`,
    'title: Errors\n',
    'title: Errors\ndescription: Every error code and its cause.\n',
  ),
  publish('Describe the pages of the reference'),
];

export const starlightScripts: Record<string, TaskScript> = {
  'starlight/translate': {
    right: [translate],
    wrong: [
      {
        reason: /changed the code/,
        runs: [
          instead(
            translate,
            0,
            write(`${docs}/de/guides/first-route.md`, german.replace('map.draw(route)', 'karte.zeichne(route)')),
          ),
        ],
      },
      {
        reason: /\(\?!de/,
        runs: [
          instead(
            translate,
            0,
            write(`${docs}/de/guides/first-route.md`, german.replace('/de/reference/route/', '/reference/route/')),
          ),
        ],
      },
    ],
  },
  'starlight/add-page': { right: [addPage] },
  'starlight/front-matter': {
    right: [describe],
    wrong: [
      {
        reason: /below its front matter/,
        runs: [and(describe, edit(`${docs}/reference/errors.md`, 'Every error has a code.', 'Errors have codes.'))],
      },
    ],
  },
};
