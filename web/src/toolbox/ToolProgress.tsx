import { useTranslation } from "react-i18next";
import { formatShare } from "../i18n/format-amounts.ts";
import type { ToolRun } from "./use-tool.ts";

/** How far a tool is; where it does not say, that it is at work. Those who only hear the page hear when the result is there. */
export function ToolProgress({ run: { isRunning, progress, result } }: { run: ToolRun }) {
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
