const number = (name: string, fallback: number) => Number(process.env[name] ?? fallback);

export const config = {
  port: number('COURIER_PORT', 8080),
  timeoutSeconds: number('COURIER_TIMEOUT_SECONDS', 10),
  tries: number('COURIER_TRIES', 5),
  ratePerMinute: number('COURIER_RATE_PER_MINUTE', 100),
};
