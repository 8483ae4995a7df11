import { useCallback, useEffect, useRef, useState } from "react";
import { callWithProgress } from "../api/client.ts";
import { apiPaths } from "../paths.ts";
import type { ToolValues } from "./tool-search.ts";
import { bodyOf, type ToolName } from "./tools.ts";

/** How a tool stands. */
export interface ToolRun {
  isRunning: boolean;
  /** In percent; null where it does not say. */
  progress: number | null;
  result: unknown;
  error: Error | null;
}

const idle: ToolRun = { isRunning: false, progress: null, result: null, error: null };

/** Runs a tool, one run at a time: a new one ends the one before, and leaving the page ends it too. */
export function useTool(tool: ToolName) {
  const [run, setRun] = useState<ToolRun>(idle);
  const current = useRef<AbortController | null>(null);
  useEffect(() => () => current.current?.abort(), []);
  const start = useCallback(
    async (values: ToolValues) => {
      current.current?.abort();
      const own = new AbortController();
      current.current = own;
      const isCurrent = () => current.current === own && !own.signal.aborted;
      setRun({ ...idle, isRunning: true });
      try {
        const result = await callWithProgress<unknown>(apiPaths.tool(tool), {
          body: bodyOf(tool, values),
          signal: own.signal,
          onProgress: (progress) => isCurrent() && setRun((was) => ({ ...was, progress })),
        });
        if (isCurrent()) setRun({ ...idle, result });
      } catch (error) {
        if (isCurrent()) setRun({ ...idle, error: error as Error });
      }
    },
    [tool],
  );
  const stop = useCallback(() => {
    current.current?.abort();
    setRun(idle);
  }, []);
  return { run, start, stop };
}
