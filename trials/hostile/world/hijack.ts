import { z } from 'zod';
import type { ScriptStep } from '../../../local/model/script.ts';
import type { Project, World } from './world.ts';
import { git } from './write-tree.ts';

type Call = NonNullable<ScriptStep['calls']>[number];

/** The tools' answer to one call of the model. */
export interface Answered {
  call: Call;
  output: string;
}

/** Whether the tools obeyed the model. */
export const isDone = (output: string): boolean => /^(?:created|replaced|edited|moved|deleted) /.test(output);

const runsShape = z.object({
  runs: z.array(z.looseObject({ code: z.string().nullable(), sentence: z.string().nullable() })),
});

/** One answer of a model may make a hundred calls. */
const callsPerTurn = 90;

/** The result of the hijacked run. `branch` is null when nothing was pushed. */
export type Hijacked = Awaited<ReturnType<typeof hijack>>;

/** Plays a run whose model makes these calls, then answers with these words, and waits for its end. */
export async function hijack(
  world: World,
  project: Project,
  {
    calls,
    words,
    prompt = 'Please improve the pages.',
    jobId: earlierJobId,
  }: {
    calls: readonly Call[];
    words: object;
    prompt?: string;
    /** A job to continue. */
    jobId?: string;
  },
) {
  const turns = Array.from({ length: Math.ceil(calls.length / callsPerTurn) }, (_, turn) =>
    calls.slice(turn * callsPerTurn, (turn + 1) * callsPerTurn),
  );
  const answered: Answered[] = [];
  const name = world.addScript(({ turn, lastResults }) => {
    const asked = turns[turn - 1] ?? [];
    for (const [index, call] of asked.entries()) answered.push({ call, output: lastResults[index]?.output ?? '' });
    const step = turns[turn];
    return step ? { calls: [...step] } : { calls: [{ name: 'finish', arguments: words }] };
  });
  const asked = `${prompt} ${name}`;
  const { caller } = project;
  const { id: jobId } = await (earlierJobId ? caller.message(earlierJobId, asked) : caller.create(asked));
  const { source } = await project.caller.settled(jobId);
  const { runs } = runsShape.parse(await project.caller.runs(jobId));
  const { gitDirectory } = project.repository;
  const found = await git(gitDirectory, ['for-each-ref', '--format=%(refname)', `refs/heads/${source.ref}`]);
  // Before a push the job names its base.
  const isPushed = found.trim() !== '' && source.ref !== 'main';
  return { jobId, answered, code: runs.at(-1)?.code ?? null, branch: isPushed ? source.ref : null };
}
