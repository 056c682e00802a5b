import { expect, test } from 'vitest';
import { isOfPreview } from '../../../src/deliveries/handlers/checks.ts';

test.each([
  ['a preview of Netlify', 'netlify/acme/deploy-preview', 'https://deploy-preview-7--acme.netlify.app', true],
  ['Read the Docs', 'docs/readthedocs.org:acme', 'https://acme--7.org.readthedocs.build/en/7/', true],
  [
    'a job of CircleCI that deploys',
    'ci/circleci: deploy-docs',
    'https://app.circleci.com/pipelines/github/acme/1',
    false,
  ],
  ['the log of a deployment', 'netlify/acme/deploy-preview', 'https://app.netlify.com/sites/acme/deploys/1', false],
  ['a workflow', 'deploy', 'https://github.com/acme/docs/actions/runs/1', false],
  ['pages of GitHub', 'deploy', 'https://acme.github.io/docs/pr-7/', true],
  ['a linter', 'ci/vale', 'https://vale.example.com', false],
])('%s: whether a status shows a preview', (_name, context, url, expected) => {
  expect(isOfPreview({ context, url })).toBe(expected);
});
