/** For the model, where the documentation could not be read in time; the log has the reason. `other` is a tool that works. */
export const describeUnread = (other: string): string =>
  `the documentation sites of this repository could not be read; use ${other} instead`;
