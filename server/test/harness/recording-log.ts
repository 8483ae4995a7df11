import type { Logger } from "../../src/platform/context.ts";

/** A log that keeps its lines as `level: message`. */
export function recordingLog(): Logger & { lines: string[] } {
  const lines: string[] = [];
  const at =
    (level: string) =>
    (_fields: object, message = "") =>
      void lines.push(`${level}: ${message}`);
  return { lines, debug: () => {}, info: at("info"), warn: at("warn"), error: at("error") };
}
