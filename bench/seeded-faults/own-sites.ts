import { javascriptShapes } from './javascript-shapes.ts';
import { otherShapes } from './other-shapes.ts';
import { type Files, pages, type Shape, titles, toRelative } from './shape.ts';

/** One site for each framework. The bytes of its image are not text. */
export const ownSites: { name: string; files: Files; binaries: string[] }[] = [...javascriptShapes, ...otherShapes].map(
  (shape) => ({
    name: shape.name,
    files: {
      ...Object.fromEntries(pages.map((page) => [shape.path(page), shape.write?.(page) ?? writePage(shape, page)])),
      ...shape.files(pages),
    },
    binaries: [shape.imagePath],
  }),
);

function writePage({ name, path, imagePath, note, ...shape }: Shape, page: string): string {
  const link = (to: string, anchor = '') =>
    shape.link?.(to, anchor) ?? toRelative(path(page), path(to)) + (anchor && `#${anchor}`);
  const index = pages.indexOf(page);
  const next = pages[(index + 1) % pages.length] ?? 'index';
  const after = pages[(index + 2) % pages.length] ?? 'index';
  const front =
    name === 'Markdown' || name === 'mdBook' ? '' : `---\ntitle: ${titles.get(page)}\ndescription: About it\n---\n\n`;
  return `${front}${front ? '' : `# ${titles.get(page)}\n\n`}This page is about ${page}.

## Before you begin

Read [${titles.get(next)}](${link(next)}) first, then [its steps](${link(after, 'first-steps')}).

${note('Mind the order of the steps.', page)}

## First steps

1. Run this:

   \`\`\`sh
   acme ${page} --help
   \`\`\`

2. Look at the result.

\`\`\`js
const limit = { size: 5 };
\`\`\`

\`\`\`js
const other = [limit];
\`\`\`

![The result](${shape.image ?? toRelative(path(page), imagePath)})

## See also

[Steps above](#first-steps) and [home](${link('index')}).
`;
}
