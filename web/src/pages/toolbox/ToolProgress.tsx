import { useTranslation } from "react-i18next";
import { formatPercentage } from "../../format.ts";

/** How far a tool is; where it does not say, that it is at work. */
export function ToolProgress({ percent }: { percent: number | null }) {
  const { t, i18n } = useTranslation("toolbox");
  return (
    <div className="grid gap-2">
      <p role="status" className="text-sm text-ink-muted tabular-nums">
        {percent === null
          ? t("running")
          : t("progress", { percent: formatPercentage(percent, i18n.language) })}
      </p>
      {percent !== null && (
        <progress
          aria-label={t("progressLabel")}
          max={100}
          value={percent}
          className="h-1.5 w-full accent-action"
        />
      )}
    </div>
  );
}
