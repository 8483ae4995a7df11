/** What stops set-up and is told in one line, without a stack. */
export class SetupError extends Error {}

/** Tells people what is going on; standard output belongs to the command being set up for. */
export const say = (line) => process.stderr.write(`vedette: ${line}\n`);
