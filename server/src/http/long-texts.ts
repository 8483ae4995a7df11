/**
 * For routes whose body holds a long text. It is read whole up to this size, so that whoever pasted a log is told which
 * field is too long, instead of that something was.
 */
export const LONG_TEXTS = { bodyLimitBytes: 2 * 1024 * 1024 };
