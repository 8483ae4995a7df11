import { useNavigate } from "@tanstack/react-router";
import { useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { callWithProgress } from "../api/client.ts";
import { FailureCallout } from "../components/Callout.tsx";
import { Card } from "../components/Card.tsx";
import { useFormErrors } from "../components/use-form-errors.ts";
import { formatShare } from "../i18n/format-amounts.ts";
import { apiPaths } from "../paths.ts";
import { ToolForm } from "./ToolForm.tsx";
import { ToolResult } from "./ToolResult.tsx";
import { asSearch, type ToolValues } from "./tool-search.ts";
import { bodyOf, fieldsOf, type ToolName } from "./tools.ts";

/**
 * Its address holds the input, to be passed on; opening it does not start the tool: a link must not make this
 * server contact hosts that its author chose.
 */
export function ToolPanel({ tool, given }: { tool: ToolName; given: ToolValues }) {
  const { t } = useTranslation("toolbox");
  const navigate = useNavigate();
  const { run, start, stop } = useTool(tool);
  const names = fieldsOf(tool).map(({ name }) => name);
  const { form, fields, failure } = useFormErrors(run.error, names);
  const submit = (values: ToolValues) => {
    void navigate({ to: "/toolbox", search: asSearch(tool, values), replace: true, resetScroll: false });
    void start(values);
  };
  return (
    <>
      <Card>
        <form
          ref={form}
          noValidate
          aria-label={t(`tool.${tool}.name`)}
          onSubmit={(event) => event.preventDefault()}
        >
          <ToolForm
            tool={tool}
            given={given}
            errors={fields}
            isRunning={run.isRunning}
            onSubmit={submit}
            onStop={stop}
          />
        </form>
      </Card>
      <ToolProgress run={run} />
      <FailureCallout of={failure} />
      {run.result !== null && <ToolResult tool={tool} result={run.result} />}
    </>
  );
}

/** A tool's progress; without one, that it is at work. Screen readers announce when the result is there. */
function ToolProgress({ run: { isRunning, progress, result } }: { run: ToolRun }) {
  const { t, i18n } = useTranslation("toolbox");
  return (
    <>
      <p role="status" className="sr-only">
        {isRunning ? t("running") : result !== null && t("done")}
      </p>
      {isRunning && (
        <div className="grid gap-2 text-sm text-ink-muted tabular-nums">
          {progress === null ? (
            <p aria-hidden>{t("running")}</p>
          ) : (
            <>
              <p>{t("progress", { percent: formatShare(progress, i18n.language) })}</p>
              <progress
                aria-label={t("progressLabel")}
                max={100}
                value={progress}
                className="h-1.5 w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-series [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-series"
              />
            </>
          )}
        </div>
      )}
    </>
  );
}

interface ToolRun {
  isRunning: boolean;
  /** In percent; null where it does not say. */
  progress: number | null;
  result: unknown;
  error: Error | null;
}

const idle: ToolRun = { isRunning: false, progress: null, result: null, error: null };

/** Runs a tool, one run at a time: a new one ends the one before, and leaving the page ends it too. */
function useTool(tool: ToolName) {
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
