import { expect, test } from 'vitest';
import { writeContextOverview } from '../../../src/runs/work/write-context-overview.ts';

test('the overview of a repository says which of its files the settings hide', () => {
  const files = ['openapi.yaml', 'src/limits.ts'];
  expect(writeContextOverview(files, { only: null })).not.toContain('You see only');
  expect(writeContextOverview(files, { only: ['src/**', 'openapi.yaml'] })).toContain(
    'You see only its files of src/**, openapi.yaml. It has others',
  );
});
