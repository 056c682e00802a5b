import { expect, test } from 'vitest';
import { findProtection } from '../../src/workspace/protected-paths.ts';

test.each([
  '.github/workflows/ci.yml',
  '.GitHub/workflows/ci.yml',
  '.github/pagewright.yml',
  '.gitattributes',
  'docs/.gitattributes',
  '.gitmodules',
  'docs/.gitmodules',
  '.husky/pre-commit',
  '.npmrc',
  'website/.npmrc',
  '.vitepress/config.ts',
  'docs/.vitepress/config.ts',
  '.claude/settings.json',
  '.vscode/tasks.json',
  '.editorconfig',
  'docs/.env',
  'docs/.env.local',
  'package.json',
  'website/package.json',
  'package-lock.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lockb',
  'docs/requirements.txt',
  'docs/requirements-dev.txt',
  'pyproject.toml',
  'Gemfile',
  'Gemfile.lock',
  'go.mod',
  'Cargo.toml',
  'CODEOWNERS',
  'docs/CODEOWNERS',
  'AGENTS.md',
  'docs/agents.md',
  'CLAUDE.md',
  'scripts/build.sh',
  'docs/conf.py',
  'Makefile',
  'docs/makefile',
  'docs/make.bat',
  'Dockerfile',
  'Dockerfile.dev',
  'docs/dockerfile',
  'docusaurus.config.js',
  'vite.config.mts',
  'website/astro.config.mjs',
  'action.yml',
  'netlify.toml',
  'docs/hooks.py',
  'hooks/on_build.py',
  'hooks/pre-receive',
])('promise 5: %s may not be written', (path) => {
  expect(findProtection(path)).toContain('protected');
});

test.each([
  'README.md',
  'docs/index.md',
  'docs/hooks/use-state.md',
  'docs/agents/index.md',
  'docs/package.md',
  'docs/makefiles.md',
  'docs/.pages',
  'docs/.nav.yml',
  'docs/img/logo.png',
  'mkdocs.yml',
  'docs.json',
  'sidebars.js',
  'docs/configuration.md',
  'examples/hello.ts',
  'docs/dockerfile.md',
])('%s may be written', (path) => {
  expect(findProtection(path)).toBeUndefined();
});

test.each([
  ['what matches', 'docs/a.md', ['docs/**'], true],
  ['one of several', 'README.md', ['docs/**', '*.md'], true],
  ['nothing else', 'src/a.md', ['docs/**', '*.md'], false],
  ['nothing at all when the list is empty', 'docs/a.md', [], false],
  ['nothing by a glob that cannot be understood', 'docs/a.md', ['{docs/**'], false],
  ['no protected path', 'docs/conf.py', ['docs/**'], false],
])('promise 5: the settings let %s be written', (_, path, allow, isAllowed) => {
  expect(findProtection(path, allow) === undefined).toBe(isAllowed);
});
