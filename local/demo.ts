import { parseArgs } from 'node:util';
import { DemoFailure } from './demo/demo-failure.ts';
import { findRealModel } from './demo/find-real-model.ts';
import { print } from './demo/print.ts';
import { runDemo } from './demo/run-demo.ts';

const usage = `npm run demo [-- [--stay] ["an instruction for a real model"]]

  --stay   keep everything running afterwards, to click through; press Ctrl-C to stop

Set OPENAI_API_KEY (and OPENAI_MODEL, OPENAI_BASE_URL) to use a real model, with an instruction of your own.
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
// The exit codes that shells report: 128 plus the signal's number.
for (const [name, exitCode] of [['SIGINT', 130] as const, ['SIGTERM', 143] as const]) {
  // Not `once`: npm forwards Ctrl-C, so it arrives twice, and the second would interrupt the cleanup.
  process.on(name, () => {
    if (interrupted.signal.aborted) return;
    process.exitCode = exitCode;
    interrupted.abort(new Error(`ended by ${name}`));
  });
}
try {
  await runDemo({
    realModel: findRealModel(process.env),
    ownInstruction: positionals[0],
    staysUp: values.stay,
    signal: interrupted.signal,
  });
} catch (error) {
  // A suppressed error means that the cleanup failed: something may be left.
  if (interrupted.signal.aborted && !(error instanceof SuppressedError)) {
    print.line('\nstopped');
  } else if (error instanceof DemoFailure) {
    console.error(error.message);
    process.exitCode = 1;
  } else {
    throw error;
  }
}
