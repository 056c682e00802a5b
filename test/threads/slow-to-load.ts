import { setTimeout as delay } from 'node:timers/promises';

await delay(600);

/** A task and a session whose code takes long to load, as on a busy machine. */
export const halve = (value: number) => value / 2;

export const openHalves = () => halve;
