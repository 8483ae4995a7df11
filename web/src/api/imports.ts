import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { type ImportPart, importInParts } from "../../../server/src/monitors/schemas/import-client.ts";
import type { projectImport } from "../../../server/src/monitors/schemas/imports.ts";
import { monitorKinds } from "../kinds.ts";
import { apiPaths } from "../paths.ts";
import { ApiError, call } from "./client.ts";
import { listKeys } from "./monitor-keys.ts";

export type ImportResult = ReturnType<typeof projectImport>;
export type ImportEntry = ImportResult["entries"][number];
export type FormatName = ImportResult["format"];

/** A file, as far as it is known how to read it. */
export interface ImportFile {
  content: string;
  format?: FormatName | undefined;
  variables: Readonly<Record<string, string>>;
  /** Of a database, whose content is no text to be shown. */
  database?: { name: string; bytes: number } | undefined;
}

/** What of it the API takes. */
const sentOf = ({ content, format, variables }: ImportFile) => ({ content, format, variables });

const limitedPauseMs = 5_000;

export const previewImport = async (file: ImportFile): Promise<ImportResult> =>
  (await call<ImportResult>("POST", apiPaths.imports, { body: sentOf(file) })).data;

interface Progress {
  signal: AbortSignal;
  /** Called with what has become of the file so far. */
  onPart: (result: ImportResult) => void;
}

/** Creates the monitors of a file, some a request, until nothing is left or `signal` is aborted. */
async function runImport(file: ImportFile, preview: ImportResult, { signal, onPart }: Progress) {
  const entries = [...preview.entries];
  for await (const part of importInParts((which) => sendPart(file, which, signal))) {
    for (const entry of part.entries) entries[entry.index] = entry;
    onPart({ ...preview, entries: [...entries], next: part.next });
    if (signal.aborted) return;
  }
}

/** Waits where the API limits requests. */
async function sendPart(file: ImportFile, part: ImportPart, signal: AbortSignal): Promise<ImportResult> {
  const body = { ...sentOf(file), ...part };
  try {
    return (await call<ImportResult>("POST", apiPaths.imports, { body })).data;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 429 || signal.aborted) throw error;
    await new Promise((resolve) => setTimeout(resolve, limitedPauseMs));
    return sendPart(file, part, signal);
  }
}

export function useRunImport(onPart: (result: ImportResult) => void) {
  const client = useQueryClient();
  const [running, setRunning] = useState(false);
  const [failure, setFailure] = useState<Error | null>(null);
  const stopper = useRef(new AbortController());
  useEffect(() => () => stopper.current.abort(), []);
  const run = async (file: ImportFile, preview: ImportResult): Promise<void> => {
    stopper.current = new AbortController();
    setRunning(true);
    setFailure(null);
    try {
      await runImport(file, preview, { signal: stopper.current.signal, onPart });
    } catch (error) {
      setFailure(error instanceof Error ? error : new Error(String(error)));
    }
    setRunning(false);
    await Promise.all(
      Object.values(monitorKinds).map(({ id }) => client.invalidateQueries({ queryKey: listKeys.every(id) })),
    );
  };
  const stop = useCallback(() => stopper.current.abort(), []);
  return { run, stop, running, failure };
}
