import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { validate } from '@actions/languageservice';
import { expect, test } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';

const workflows = [...globSync('.github/workflows/*.yml'), 'examples/github-actions.yml'];
const ofWorkflow = '.github/workflows/workflow.yml';

/** The problems that GitHub's own editor shows, each with its line. */
async function findProblems(text: string, path = ofWorkflow): Promise<string[]> {
  // The library keeps what it read by its address.
  const address = `file:///${randomUUID()}/${path}`;
  const problems = await validate(TextDocument.create(address, 'yaml', 1, text));
  return problems.map(({ range, message }) => `${range.start.line + 1}: ${message}`);
}

test.each(workflows)('GitHub accepts %s', async (path) => {
  expect(await findProblems(readFileSync(path, 'utf8'))).toEqual([]);
});

test('GitHub accepts the action, whose inputs are in no script', async () => {
  const text = readFileSync('action.yml', 'utf8');
  expect(await findProblems(text, 'action.yml')).toEqual([]);
  expect(await findProblems(text.replace('runs:', 'run:'), 'action.yml')).not.toEqual([]);
  expect(text.match(/run:.*\$\{\{/)).toBeNull();
  // An action is outside of the workspace, where hashFiles finds nothing: one key for all versions.
  expect(text).not.toContain('hashFiles(');
});

test.each([
  ['needs: test', 'needs: tests'],
  ['needs: [package, image]', 'needs: [package, images]'],
  ['runs-on:', 'runs-onn:'],
  ['github.ref_name', 'github.ref_nam'],
  ['steps.build.outputs', 'steps.biuld.outputs'],
  ['packages: write', 'package: write'],
])('a mistake is found: %s as %s', async (right, wrong) => {
  const text = readFileSync('.github/workflows/release.yml', 'utf8');
  expect(text).toContain(right);
  expect(await findProblems(text.replaceAll(right, wrong))).not.toEqual([]);
});

test('the notes of a release are its section of the changelog', () => {
  const notes = execFileSync(process.execPath, ['.github/release-notes.mjs', 'v1.0.0-rc.1'], { encoding: 'utf8' });
  expect(notes).toMatch(/^### /m);
  expect(notes).not.toMatch(/^## /m);
  const unknown = spawnSync(process.execPath, ['.github/release-notes.mjs', 'v0.0.0'], { encoding: 'utf8' });
  expect(unknown).toMatchObject({ status: 1, stdout: '' });
  expect(unknown.stderr).toContain('CHANGELOG.md has no notes for 0.0.0');
});
