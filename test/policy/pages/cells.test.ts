import { expect, test } from 'vitest';
import type { Files } from '../../../harness/memory-files.ts';
import { tryChange } from '../try-change.ts';

const page = `---
title: Flights
format: html
execute:
  echo: false
---

Text with \`r nrow(flights)\` flights.

\`\`\`{r}
#| label: fig-a
#| fig-cap: A plot of flights
#| fig-alt: |
#|   Many points,
#|   and a line.
if (FALSE) {
  plot(flights)
}
\`\`\`

\`\`\`{mermaid}
a --> b
\`\`\`

{{< include _part.qmd >}} {{< meta title >}}

\`\`\`{=html}
<p>x</p>
\`\`\`
`;
const quarto = {
  '_quarto.yml': 'project:\n  type: website\n',
  '.env': 'KEY=1',
  'a.qmd': page,
  '_part.qmd': 'x\n',
  'b.md': 'x\n',
} satisfies Files;
const myst = {
  'docs/conf.py': 'extensions = ["myst_nb"]',
  'docs/a.md': '```{code-cell} python\n:tags: [x]\nprint(1)\n```\n',
} satisfies Files;
const observable = { 'observablehq.config.js': '', 'docs/a.md': '```js\nplot(1)\n```\n\n${now}\n' } satisfies Files;

const withCaption = (caption: string) => page.replace('#| fig-cap', `${caption}#| fig-cap`);

test.each<[string, Files, string, string]>([
  ['text around cells', quarto, 'a.qmd', page.replace('Text with', 'A sentence with')],
  ['a cell in another place', quarto, 'c.qmd', page.slice(page.indexOf('```{r}'), page.indexOf('{{<'))],
  ['a caption', quarto, 'a.qmd', page.replace('A plot of flights', 'A new plot (of all flights)')],
  ['an alternative text', quarto, 'a.qmd', page.replace('Many points,', 'Few points: none,')],
  ['a new caption', quarto, 'a.qmd', page.replace('#| fig-cap: A', '#| fig-subcap: "A"\n#| fig-cap: A')],
  ['a caption with marks of code', quarto, 'a.qmd', page.replace('Many points,', 'Many `points`, `x` and ratio 1:2')],
  ['captions as a list', quarto, 'a.qmd', withCaption('#| fig-alt:\n#|   - "Points: many"\n#|   - A line\n')],
  ['a list without blanks', quarto, 'a.qmd', withCaption("#| fig-subcap:\n#| - 'One'\n#| - Two (2)\n")],
  ['a caption in the lines below', quarto, 'a.qmd', withCaption('#| fig.alt:\n#|   Points, and\n#|   a `line`.\n')],
  ['no caption', quarto, 'a.qmd', page.replace(/#\| fig[\s\S]*line\.\n/, '')],
  ['a drawing', quarto, 'c.qmd', '```{mermaid}\nx --> y\n```\n\n```{dot}\ndigraph { a -> b }\n```\n'],
  [
    'code that is shown',
    quarto,
    'c.qmd',
    '```r\nx()\n```\n\n```{.python filename="x.py"}\nx()\n```\n\n```{{r}}\nx()\n```\n',
  ],
  ['formulas and divs', quarto, 'c.qmd', '::: {.callout-note}\nLet $x_{i}$ be\n\n$$\n\\frac{a}{b}\n$$ {#eq-a}\n:::\n'],
  ['shortcodes', quarto, 'c.qmd', '{{< include _part.qmd >}} {{< meta title >}} {{{< env X >}}}\n'],
  ['switches', quarto, 'c.qmd', '---\ntitle: x\ntoc: true\nnumber-sections: true\n---\n\nText @fig-a\n'],
  ['a cell of MyST-NB', myst, 'docs/b.md', 'Text\n\n```{code-cell} python\n:tags: [x]\nprint(1)\n```\n'],
  ['inline code of another site', myst, 'docs/b.md', 'Write `r x` there\n'],
  ['a block of code that runs', observable, 'docs/b.md', '```js\nplot(1)\n```\n\n${now}\n'],
])('%s may be written', async (_what, files, path, after) => {
  expect(await tryChange(files, path, after)).toBeUndefined();
});

const inCell = (code: string) => page.replace('plot(flights)', code);

test.each<[string, Files, string, string]>([
  ['a changed cell', quarto, 'a.qmd', inCell('system("id")')],
  ['another indentation', quarto, 'a.qmd', page.replace('  plot(flights)\n}', '}\nplot(flights)')],
  ['a cell that evaluates', quarto, 'a.qmd', page.replace('#| label: fig-a', '#| label: fig-a\n#| eval: true')],
  ['a caption that is R', quarto, 'a.qmd', page.replace('A plot of flights', '!expr system("id")')],
  [
    'a caption among options in R',
    quarto,
    'a.qmd',
    page.replace('#| label: fig-a', '#| label="a"').replace('A plot of flights', 'system(1)'),
  ],
  ['a caption with inline code', quarto, 'a.qmd', page.replace('A plot of flights', 'A `r system(1)`')],
  ['a listed caption that is R', quarto, 'a.qmd', withCaption('#| fig-alt:\n#|   - !expr system("id")\n')],
  ['a caption below that is R', quarto, 'a.qmd', withCaption('#| fig-alt:\n#|   !expr system("id")\n')],
  [
    'an option behind a block of text',
    quarto,
    'a.qmd',
    withCaption('#| fig-alt: |\n#|     x\n#|   b: !expr system(1)\n'),
  ],
  ['an option within text below', quarto, 'a.qmd', withCaption('#| fig-alt:\n#|   x\n#|   b: !expr system(1)\n')],
  [
    'a caption that takes the value of an option',
    quarto,
    'a.qmd',
    page.replace('#| label: fig-a', '#| label:\n#| fig-cap: x\n#|   fig-a'),
  ],
  [
    'a caption before options in R',
    { ...quarto, 'a.qmd': '```{r}\n#| echo=FALSE\nplot(1)\n```\n' },
    'a.qmd',
    '```{r}\n#| fig-cap: system(1)\n#| echo=FALSE\nplot(1)\n```\n',
  ],
  ['options of a header', quarto, 'a.qmd', page.replace('{r}', '{r, child="../.env"}')],
  ['another engine', quarto, 'a.qmd', page.replace('{r}', '{bash}')],
  ['a cell in code', quarto, 'c.qmd', '````\n```{r}\nsystem("id")\n```\n````\n'],
  ['a cell in a list', quarto, 'c.qmd', '- x\n\n    ```{r}\n    system("id")\n    ```\n'],
  ['a cell in a quote', quarto, 'c.qmd', '> ```{r}\n> system("id")\n> ```\n'],
  ['a cell that goes on', quarto, 'c.qmd', '````{python}\nplot(flights)\n```\nimport os\n````\n'],
  ['a cell without an end', quarto, 'c.qmd', '```{r}\nsystem("id")\n'],
  ['a cell of a page of Markdown', quarto, 'b.md', '```{python}\nx()\n```\n'],
  ['a cell of R Markdown', { 'a.md': '' }, 'b.Rmd', '```{r}\nsystem("id")\n```\n'],
  ['inline code', quarto, 'c.qmd', 'x `r system("id")` y\n'],
  ['inline code in code', quarto, 'c.qmd', '```\n`r system("id")`\n```\n'],
  ['inline code of Python', quarto, 'c.qmd', 'x `{python} open("x").read()` y\n'],
  ['inline code in front matter', quarto, 'c.qmd', '---\ntitle: "`r system(1)`"\n---\n'],
  ['a value that is R', quarto, 'c.qmd', '---\ntitle: !r system("id")\n---\n'],
  ['a filter', quarto, 'c.qmd', '---\nfilters: [x.lua]\n---\n'],
  ['a listing with a template', quarto, 'c.qmd', '---\nlisting:\n  template: x.ejs\n---\n'],
  ['front matter below', quarto, 'c.qmd', 'x\n\n---\nfilters: [x.lua]\n---\n\ny\n'],
  ['a header of a format', quarto, 'c.qmd', '---\nformat:\n  html:\n    include-in-header: ../.env\n---\n'],
  ['raw HTML', quarto, 'c.qmd', '```{=html}\n<script>x()</script>\n```\n'],
  ['raw HTML in a line', quarto, 'c.qmd', 'x `<b onclick="x()">`{=html}\n'],
  ['a formula that ends in code', quarto, 'c.qmd', '$a`$ <b onclick="x()">q</b> `$\n'],
  ['a fence with two words', quarto, 'c.qmd', '``` html foo\n\n<b onclick="x()">x</b>\n\n```\n'],
  ['attributes', quarto, 'c.qmd', '[x]{onclick="x()"}\n'],
  ['a variable of the environment', quarto, 'c.qmd', '{{< env SECRET >}}\n'],
  ['an include of a secret', quarto, 'c.qmd', '{{< include .env >}}\n'],
  ['a shortcode in code', quarto, 'c.qmd', '```\n{{< include ../../x >}}\n```\n'],
  ['a drawing of a file', quarto, 'c.qmd', '```{mermaid}\n%%| file: .env\n```\n'],
  ['a frame', quarto, 'c.qmd', '{{< video https://evil.example/x >}}\n'],
  ['a file that TeX reads', quarto, 'c.qmd', 'x \\input{/etc/passwd}\n'],
  ['a link that embeds', quarto, 'c.qmd', '![x](../.env)\n'],
  ['a cell of MyST-NB', myst, 'docs/b.md', '```{code-cell} python\nimport os\n```\n'],
  ['a block of code that runs', observable, 'docs/b.md', '```js\nfetch("x")\n```\n'],
  ['an expression that runs', observable, 'docs/b.md', 'x ${steal()} y\n'],
])('promise 19: %s is refused', async (_what, files, path, after) => {
  expect(await tryChange(files, path, after)).toContain('pages may not add code');
});
