export const defaultRetries = 3;
export const waitSeconds = 10;
