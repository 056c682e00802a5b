/** `2026-11-20 20:06`, in UTC. */
export const writeMinute = (moment: Date): string => moment.toISOString().slice(0, 16).replace('T', ' ');
