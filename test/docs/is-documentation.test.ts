import { expect, test } from 'vitest';
import { isDocumentation } from '../../src/docs/is-documentation.ts';
import { list } from '../support/values/list.ts';

test.each(
  list(`
    README.md docs/guide.rst site/content/a.mdx docs/images/shot.PNG docs.json
    packages/site/docusaurus.config.ts docs/.vitepress/config.mts manual/mkdocs.yml docs/SUMMARY.md`),
)('%s may change what readers of the documentation see', (path) => {
  expect(isDocumentation(path)).toBe(true);
});

test.each(
  list(`
    src/index.ts package.json Makefile .github/workflows/ci.yml src/data.json go.sum requirements.txt`),
)('%s is code', (path) => {
  expect(isDocumentation(path)).toBe(false);
});
