/** What a script decides from: one request, in words that both protocols share. */
export interface ScriptRequest {
  model: string;
  instructions: string;
  /** How many answers the conversation holds already, so that scripts follow the conversation and several may run at once. */
  turn: number;
  /** 1 for the first time that exactly this request arrives, then 2, 3, … */
  attempt: number;
  messages: { role: 'user' | 'assistant'; text: string }[];
  /** What the tools answered since the last answer. */
  lastResults: { name: string; output: string }[];
  /** The names of the tools on offer. */
  tools: string[];
}

/** One answer. `arguments` as an object is sent as its JSON; a string goes out as it is, broken or not. A `fault` spoils the answer. */
export interface ScriptStep {
  text?: string;
  calls?: { name: string; arguments: object | string }[];
  usage?: { tokensIn?: number; tokensOut?: number; tokensCached?: number };
  fault?: Fault;
}

export type Script = (request: ScriptRequest) => ScriptStep | Promise<ScriptStep>;

/**
 * How an answer goes wrong:
 * `status` an error answer · `hang` no answer at all · `hang_up` the connection closes unanswered · `stall` silence after the first
 * event · `heartbeats` comments after the first event, for ever · `reset` the connection breaks after the first event · `slow_drip` a
 * letter at a time, for ever · `flood` text without end · `truncated_json` an event cut in the middle · `truncated_stream` the last
 * events missing · `html` a page with 200 · `empty` no choices, no output · `cut_arguments` the last call's arguments cut by the output
 * limit · `refusal` the model says no · `content_filter` the server does.
 */
export type Fault =
  | { kind: 'status'; status: number; code?: string; param?: string; headers?: Record<string, string> }
  | { kind: 'slow_drip'; everyMs: number }
  | { kind: Exclude<FaultKind, 'status' | 'slow_drip'> };

type FaultKind =
  | 'status'
  | 'hang'
  | 'hang_up'
  | 'stall'
  | 'heartbeats'
  | 'reset'
  | 'slow_drip'
  | 'flood'
  | 'truncated_json'
  | 'truncated_stream'
  | 'html'
  | 'empty'
  | 'cut_arguments'
  | 'refusal'
  | 'content_filter';

/** A script that plays one step per turn of a conversation; asking beyond its end is a mistake of the test and gets 400. */
export function steps(list: readonly (ScriptStep | Script)[]): Script {
  return (request) => {
    const step = list[request.turn];
    if (step === undefined) {
      return { fault: { kind: 'status', status: 400, code: 'script_over' } };
    }
    return typeof step === 'function' ? step(request) : step;
  };
}

/** A step that fails the first `times` tries of a request and then goes well. */
export function failing({ times, fault, step }: { times: number; fault: Fault; step: ScriptStep }): Script {
  return ({ attempt }) => (attempt <= times ? { ...step, fault } : step);
}

/** Plays the first script whose `when` occurs in a message of the user, so that one server plays several jobs. */
export function chosen(choices: readonly { when: string; script: Script }[]): Script {
  return (request) => {
    const choice = choices.find(({ when }) =>
      request.messages.some(({ role, text }) => role === 'user' && text.includes(when)),
    );
    return choice?.script(request) ?? { fault: { kind: 'status', status: 400, code: 'no_script' } };
  };
}
