/** Tasks of threads.test.ts: a thread imports this file. */
export const double = (value: number) => value * 2;

export const fail = (message: string) => {
  throw new TypeError(message);
};

export function never(_input: null): number {
  for (;;);
}

export function fillMemory(_input: null): number {
  const kept: number[][] = [];
  for (;;) kept.push(Array.from({ length: 10_000 }, (_, index) => index + 0.5));
}

export const readEnvironment = (_input: null) => Object.keys(process.env);

export function wait(ms: number): number {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  return ms;
}
