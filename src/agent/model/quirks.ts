/**
 * What the end of a Chat Completions answer means, by its `finish_reason` in lower case. Any other reason counts as none: then the answer is
 * complete if its parts are. Sources: the APIs of OpenAI, Mistral, Anthropic and Gemini; Together, TGI, mlx-lm, vLLM, SGLang, DeepSeek.
 */
export const endOfReason: ReadonlyMap<string, 'whole' | 'cut' | 'filtered' | 'interrupted'> = new Map([
  ...list('whole', 'stop tool_calls function_call eos eos_token stop_sequence tool_call end_turn tool_use'),
  ...list('cut', 'length model_length max_tokens max_output_tokens'),
  ...list('filtered', 'content_filter safety recitation blocklist prohibited_content spii refusal'),
  ...list('interrupted', 'abort error insufficient_system_resource malformed_function_call cancelled timeout'),
]);

/** The status that an error means that arrives without one, by its code or type in lower case. */
export const statusOfWord: ReadonlyMap<string, number> = new Map([
  ...list(400, 'invalid_request_error badrequesterror invalid_argument failed_precondition'),
  ...list(401, 'authentication_error authenticationerror unauthenticated invalid_authentication'),
  ...list(403, 'permission_error permission_denied permissiondeniederror'),
  ...list(404, 'not_found_error notfounderror not_found'),
  ...list(429, 'rate_limit_error rate_limit_exceeded ratelimiterror resource_exhausted'),
  ...list(500, 'server_error api_error internal_server_error internalservererror internal'),
  ...list(503, 'overloaded_error unavailable service_unavailable'),
]);

/**
 * MiniMax answers 200 and puts its own number beside an empty answer.
 * https://platform.minimax.io/docs/api-reference/errorcode
 */
export const statusOfMiniMax: ReadonlyMap<number, number> = new Map([
  [1002, 429],
  [1004, 401],
  [1008, 402],
  [2013, 400],
  [2049, 401],
]);

/**
 * Servers that answer 500 to what no retry cures: llama.cpp without `--jinja` and tools.
 * https://github.com/ggml-org/llama.cpp/blob/master/docs/function-calling.md
 */
export const stayingWords: readonly string[] = ['requires --jinja'];

/** Without these a request makes no sense, so they are never left out. */
export const neededFields: ReadonlySet<string> = new Set(['model', 'messages', 'input', 'instructions', 'tools']);

/** All that a message of the assistant, an item of a response and a call consist of. Other fields came from the server. */
export const knownItemFields: ReadonlySet<string> = new Set(
  'role content tool_calls type id call_id name arguments encrypted_content summary function'.split(' '),
);

/** What models put around thoughts that their server does not part from the answer: most of them, Kimi, Mistral, Seed. */
export const thoughtTag =
  /(?<opening><think>|<thinking>|<thought>|◁think▷|\[THINK\]|<seed:think>)|<\/think>|<\/thinking>|<\/thought>|◁\/think▷|\[\/THINK\]|<\/seed:think>/g;

/**
 * How a call begins that a model writes into its text: Hermes and Qwen, Qwen Coder and Llama, Mistral, Llama's ipython, DeepSeek, Kimi,
 * Anthropic's XML, Phi, gpt-oss.
 */
export const writtenCallMarks: readonly string[] = [
  ...['<tool_call>', '<function=', '<function_call', '[TOOL_CALLS]', '<|python_tag|>', '<|tool_call', '<tool_use>'],
  ...['<｜tool▁call', '<|tool▁call', '<invoke name=', 'functools[', 'to=functions.'],
];

function list<const Value>(value: Value, words: string): [string, Value][] {
  return words.split(' ').map((word) => [word, value]);
}
