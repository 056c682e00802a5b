import { call } from '../../../harness/script-steps.ts';
import type { Fault } from '../../../local/model/script.ts';
import type { RunKind } from './kind.ts';

/** A first run whose model or model server fails, and the code that the run must end with. */
export interface FaultyKind extends RunKind {
  code: string;
  /** The promise that this failure tests. */
  promise: 9 | 22;
}

/** The server fails on the first request and answers the second; of a truncated stream, whole calls are used. */
const passing: Record<string, Fault> = {
  'status 500': { kind: 'status', status: 500 },
  'status 409': { kind: 'status', status: 409 },
  'status 408': { kind: 'status', status: 408 },
  'status 429': { kind: 'status', status: 429, headers: { 'retry-after': '1' } },
  'hang up': { kind: 'hang_up' },
  reset: { kind: 'reset' },
  'truncated json': { kind: 'truncated_json' },
  'truncated stream': { kind: 'truncated_stream' },
  'html page': { kind: 'html' },
  'empty answer': { kind: 'empty' },
};

/** Failures that a retry does not help. */
const final: Record<string, { fault: Fault; code: string }> = {
  'status 401': { fault: { kind: 'status', status: 401, code: 'invalid_api_key' }, code: 'model_auth' },
  'status 403': { fault: { kind: 'status', status: 403 }, code: 'model_auth' },
  'no such model': { fault: { kind: 'status', status: 404, code: 'model_not_found' }, code: 'model_invalid' },
  'no quota': { fault: { kind: 'status', status: 429, code: 'insufficient_quota' }, code: 'model_quota' },
  'context too long': {
    fault: { kind: 'status', status: 400, code: 'context_length_exceeded' },
    code: 'model_context',
  },
  'content filter': { fault: { kind: 'content_filter' }, code: 'model_refused' },
};

const kind = (name: string, more: Pick<FaultyKind, 'code' | 'promise' | 'play'>): FaultyKind => ({
  name,
  project: 'plain',
  leaves: '',
  ...more,
});

const write = () => call('write_file', { path: 'faulty.md', content: '# Page\n' });
const finish = () => call('finish', { summary: 'It is written.', title: 'Write it' });

export const faultyKinds: FaultyKind[] = [
  ...Object.entries(passing).map(([name, fault]) =>
    kind(name, {
      code: 'published',
      promise: 22,
      play: ({ turn, attempt }) => {
        const step = turn === 0 ? write() : finish();
        return attempt === 1 ? { ...step, fault } : step;
      },
    }),
  ),
  ...Object.entries(final).map(([name, { fault, code }]) =>
    kind(name, { code, promise: 22, play: () => ({ ...write(), fault }) }),
  ),
  kind('one call for ever', {
    code: 'stuck',
    promise: 9,
    play: () => call('read_file', { path: 'index.md' }),
  }),
  kind('two calls in turn', {
    code: 'stuck',
    promise: 9,
    play: ({ turn }) => call('read_file', { path: turn % 2 === 0 ? 'index.md' : 'guide/start.md' }),
  }),
  kind('no end', {
    code: 'limit_turns',
    promise: 9,
    play: ({ turn }) => call('search', { pattern: `nothing ${turn}` }),
  }),
  kind('always other files', {
    // The tools refuse the 101st file, and the model tries again.
    code: 'limit_turns',
    promise: 9,
    play: ({ turn }) => ({
      calls: Array.from({ length: 30 }, (_, index) => ({
        name: 'write_file',
        arguments: { path: `page-${turn}-${index}.md`, content: '# Page\n' },
      })),
    }),
  }),
];
