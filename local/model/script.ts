/** A request as a script sees it, the same for both protocols. */
export interface ScriptRequest {
  model: string;
  instructions: string;
  /** How many answers the conversation has: scripts follow it, so that several run at once. */
  turn: number;
  /** 1 when exactly this request arrives first, then 2, 3, … */
  attempt: number;
  messages: { role: 'user' | 'assistant'; text: string }[];
  /** The tool results since the last answer. */
  lastResults: { name: string; output: string }[];
  tools: string[];
}

/** One answer. `arguments` as an object is sent as its JSON; a string is sent unchanged, even if it is invalid. */
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

/** A script with one step per turn. A request beyond its end gets 400: the test is wrong. */
export function steps(list: readonly (ScriptStep | Script)[]): Script {
  return (request) => {
    const step = list[request.turn];
    if (step === undefined) {
      return { fault: { kind: 'status', status: 400, code: 'script_over' } };
    }
    return typeof step === 'function' ? step(request) : step;
  };
}

/** A step that fails the first `times` attempts of a request and then succeeds. */
export function failing({ times, fault, step }: { times: number; fault: Fault; step: ScriptStep }): Script {
  return ({ attempt }) => (attempt <= times ? { ...step, fault } : step);
}

/** Plays the first script whose `when` occurs in a user message, so that one server plays several jobs. */
export function chosen(choices: readonly { when: string; script: Script }[]): Script {
  return (request) => {
    const choice = choices.find(({ when }) =>
      request.messages.some(({ role, text }) => role === 'user' && text.includes(when)),
    );
    return choice?.script(request) ?? { fault: { kind: 'status', status: 400, code: 'no_script' } };
  };
}
