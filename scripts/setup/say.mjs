/** What stops set-up and is reported in one line, without a stack. */
export class SetupError extends Error {}

/** Reports what is going on; standard output belongs to the command being set up for. */
export const say = (line) => process.stderr.write(`vedette: ${line}\n`);
