import { parseArgs } from 'node:util';
import { DemoFailure } from './demo/demo-failure.ts';
import { findRealModel } from './demo/find-real-model.ts';
import { print } from './demo/print.ts';
import { runDemo } from './demo/run-demo.ts';

const usage = `npm run demo [-- [--stay] ["an instruction for a real model"]]

  --stay   keep everything up afterwards, to click through; Ctrl-C ends it
  With OPENAI_API_KEY (and OPENAI_MODEL, OPENAI_BASE_URL) set, that model does the work, on the instruction given here.
`;

const { values, positionals } = parseArgs({
  options: { stay: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h', default: false } },
  allowPositionals: true,
});
if (values.help) {
  print.line(usage);
  process.exit(0);
}

const interrupted = new AbortController();
// What a shell reports for a process that one of these ended: 128 and the signal's number.
for (const [name, exitCode] of [['SIGINT', 130] as const, ['SIGTERM', 143] as const]) {
  // Not `once`: npm passes Ctrl-C on to a process that has it already, and a second one would cut the cleaning up short.
  process.on(name, () => {
    if (interrupted.signal.aborted) return;
    process.exitCode = exitCode;
    interrupted.abort(new Error(`ended by ${name}`));
  });
}
try {
  await runDemo({
    realModel: findRealModel(process.env),
    wish: positionals[0],
    isStaying: values.stay,
    signal: interrupted.signal,
  });
} catch (error) {
  // A suppressed error is one of cleaning up: something may be left, which nobody should be told is well.
  if (interrupted.signal.aborted && !(error instanceof SuppressedError)) {
    print.line('\nstopped');
  } else if (error instanceof DemoFailure) {
    console.error(error.message);
    process.exitCode = 1;
  } else {
    throw error;
  }
}
