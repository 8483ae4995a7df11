import { type FileEntry, FileProblem, type FormatName } from "../../../src/monitors/import/file-entry.ts";
import { KNOWN_KINDS } from "../../../src/monitors/import/file-reader.ts";
import { withinBounds } from "../../../src/monitors/import/import-monitors.ts";
import { readFile } from "../../../src/monitors/import/read-file.ts";
import type { MessageDescriptor } from "../../../src/platform/i18n/message.ts";
import { MIN_INTERVAL_SECONDS } from "../../../src/platform/monitor-defaults.ts";

const codes = (messages: readonly MessageDescriptor[]) => messages.map(({ code }) => code);

/** As for a plan that allows all that there is. */
export const bounded = (entry: FileEntry) => withinBounds(entry, MIN_INTERVAL_SECONDS);

/** A file as it is read, as short as a test can say it; `variables` as they are given. */
export function read(content: string, variables: Record<string, string> = {}, format?: FormatName) {
  const file = readFile({ content, variables, format, kinds: KNOWN_KINDS });
  return {
    ...file,
    notes: file.notes.map(({ code, params }) => params?.["setting"] ?? code),
    entries: file.entries.map(bounded).map(({ line, kind, body, problem, notes }) => ({
      line,
      kind,
      ...body,
      ...(problem && { problem: problem.code }),
      ...(notes.length > 0 && { notes: codes(notes) }),
    })) as Record<string, unknown>[],
  };
}

/** Why it cannot be read: the code of the first problem. */
export function problemOf(
  content: string,
  format?: FormatName,
  variables: Record<string, string> = {},
): string | undefined {
  try {
    readFile({ content, variables, format, kinds: KNOWN_KINDS });
    return undefined;
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    return Object.values(error.fields)[0]?.[0]?.code;
  }
}
