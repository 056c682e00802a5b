import { runInline } from '../../src/threads/threads.ts';
import { createTools } from '../../src/tools/create-tools.ts';
import { defaultToolLimits, type ToolLimits } from '../../src/tools/output/limits.ts';
import { createWorld, type Entry } from '../workspace/world.ts';
import { createInlineDocs } from './inline-docs.ts';

/** The tools on a real workspace with these files. `call` calls a tool as the model does. */
export async function createToolbox(entries: Record<string, Entry>, limits: Partial<ToolLimits> = {}) {
  const world = await createWorld();
  const workspace = await world.open(entries);
  const docs = createInlineDocs(entries);
  const tools = createTools({ workspace, runTask: runInline, docs, limits: { ...defaultToolLimits, ...limits } });
  async function call(name: string, args: unknown) {
    const tool = tools.find((candidate) => candidate.name === name);
    if (tool === undefined) throw new Error(`there is no tool ${name}`);
    return tool.call(typeof args === 'string' ? args : JSON.stringify(args), world.signal);
  }
  const output = async (name: string, args: unknown) => (await call(name, args)).output;
  return {
    world,
    workspace,
    tools,
    call,
    output,
    lines: async (name: string, args: unknown) => (await output(name, args)).split('\n'),
    references: (pattern: string) => output('search', { output: 'references', pattern }),
    read: async (path: string) => {
      const file = await workspace.readFile(path);
      return file.kind === 'text' ? file.text : file.kind;
    },
    async [Symbol.asyncDispose]() {
      await workspace[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}
