type Level = "info" | "warn" | "error";

/** Says it in one line on stderr, where systemd's journal and containers' logs find it; those add the time. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** `write`: where lines go. */
export function createLog(write: (line: string) => void = (line) => process.stderr.write(line)): Log {
  const say = (level: Level) => (fields: object, message: string) => {
    const details = Object.entries(fields).map(([name, value]) => ` ${name}=${shown(value)}`);
    write(`${level}: ${message}${details.join("")}\n`);
  };
  return { info: say("info"), warn: say("warn"), error: say("error") };
}

const shown = (value: unknown): string =>
  value instanceof Error ? JSON.stringify(value.message) : JSON.stringify(value);
