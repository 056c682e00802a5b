import { join } from 'node:path';
import type { Builder } from '../builder.ts';
import { html, markdown, markdownWrappers, readFrom } from '../grammars/nested-pages.ts';

const cell = (caption: string) => `\`\`\`{r}\n${caption}\nfig <- 1; cap <- 2\n\`\`\``;

/** Texts of a cell that the base has. */
const captions: readonly string[] = [
  '#| fig-cap: canary()',
  '#| fig-cap: <script>canary()</script>',
  '#| fig-cap: a `r canary()` b',
  '#| fig-cap: !expr canary()',
  '#| fig-cap: "!expr canary()"',
  '#| fig-alt:\n#|   - a\n#|   - !expr canary()',
  '#| fig-alt:\n#|   !expr canary()',
  '#| fig-alt: |\n#|     x\n#|   y: !expr canary()',
  '#| fig-alt: |\n#|   `r canary()`',
  '#| fig-alt: >-\n#|   a\n#|  b: !expr canary()',
  "#| fig.cap: 'x', eval=canary()",
  '#| fig-cap=canary()',
  '#| tbl-cap: x\n#| eval: !expr canary()',
  '#| fig-subcap: [!expr canary()]',
];

/** What Quarto and R Markdown read a page with, where it has cells of R. */
export const knitr: Builder = {
  name: 'knitr',
  install: 'apt-get install pandoc r-cran-knitr',
  probe: ['Rscript', '-e', 'library(knitr); stopifnot(nzchar(Sys.which("pandoc")))'],
  files: { '_quarto.yml': 'project: { type: website }\n', 'docs/index.qmd': `# Index\n\n${cell('#| fig-cap: x')}\n` },
  extension: 'qmd',
  grammar: (outside) => ({
    live: [
      ...html,
      ...markdown.live,
      '`r canary()`',
      '`r#\ncanary()`',
      '`` `r canary()` ``',
      '```{r}\ncanary()\n```',
      '```{r, echo=FALSE}\ncanary()\n```',
      '```{R}\ncanary()\n```',
      '```{r}\n#| fig-cap: x\ncanary()\n```',
      ...captions.map(cell),
      '```{cat}\n<script>canary()</script>\n```',
      '```{asis}\n<script>canary()</script>\n```',
      '`<script>canary()</script>`{=html}',
      '```{=html}\n<script>canary()</script>\n```',
      '``` {=html}\n<script>canary()</script>\n```',
      '[x]{onclick="canary()"}',
      '::: {onclick="canary()"}\nx\n:::',
      '```{.js onclick="canary()"}\nx\n```',
      ...readFrom(outside).flatMap((file) => [
        `\`\`\`{r, child="${file}"}\n\`\`\``,
        `\`\`\`{r}\nreadLines("${file}")\n\`\`\``,
      ]),
    ],
    wrappers: [
      ...markdownWrappers,
      (text) => `::: {.callout-note}\n${text}\n:::`,
      (text, mark) => `${mark}{.r}\n${text}\n${mark}`,
      (text, mark) => `${mark}{{r}}\n${text}\n${mark}`,
      (text, mark) => `${mark}{.r filename="x"}\n\n${text}\n\n${mark}`,
      (text, mark) => `${mark}{mermaid}\n${text}\n${mark}`,
      (text) => `\\begin{x}\n${text}\n\\end{x}`,
      (text) => `(@) ${text}`,
      (text) => `| ${text.replaceAll('\n', '\n| ')}`,
      (text) => `^[${text}]`,
      (text) => `+---+\n| ${text} |\n+---+`,
    ],
    heads: ['', '', '---\ntitle: x\n---\n\n', '---\ntitle: "`r canary()`"\n---\n\n'],
  }),
  build: (folder) => ['Rscript', join(import.meta.dirname, 'batch.R'), folder],
  output: (page) => `docs/${page}.html`,
};
