import type { Script, ScriptRequest, ScriptStep } from '../local/model/script.ts';

/** An answer of the scripted model: one call of one tool. */
export const call = (name: string, args: object): ScriptStep => ({ calls: [{ name, arguments: args }] });
export const edit = (path: string, oldText: string, newText: string) =>
  call('edit_file', { path, old_text: oldText, new_text: newText });
export const write = (path: string, content: string) => call('write_file', { path, content });
export const finish = (summary: string, more: object = {}) => call('finish', { summary, ...more });

/** Plays one script per run of a job. */
export function perRun(scripts: readonly Script[]): Script {
  return (request) => {
    const earlier = request.messages[0]?.text.match(/<earlier-run /g)?.length ?? 0;
    return scripts[earlier]?.(request) ?? { fault: { kind: 'status', status: 400, code: 'script_over' } };
  };
}

/** A step whose answer waits until `release`. */
export function hold(step: ScriptStep) {
  const asked = Promise.withResolvers<ScriptRequest>();
  const open = Promise.withResolvers<void>();
  return {
    /** Resolves with the model's request for this step. */
    asked: asked.promise,
    release: () => open.resolve(),
    step: async (request: ScriptRequest) => {
      asked.resolve(request);
      await open.promise;
      return step;
    },
  };
}
