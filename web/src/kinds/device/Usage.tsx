import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Device, DeviceSparkline } from "../../api/devices.ts";
import { sparklineQuery } from "../../api/sparklines.ts";
import { formatShare } from "../../format-amounts.ts";
import { linePoints } from "../../pages/monitor/list/line-points.ts";
import { monitorKinds } from "../kinds.ts";

/** How much of something is in use, as a bar with its percent. */
export function UsageBar({ percent }: { percent: number | null }) {
  const { i18n } = useTranslation("kinds/device");
  if (percent === null) return <span className="text-ink-faint">–</span>;
  return (
    <span className="flex items-center justify-end gap-2">
      <span aria-hidden className="h-1.5 w-8 shrink-0 overflow-hidden rounded-full bg-line">
        <span
          className="block h-full rounded-full bg-series"
          style={{ width: `${Math.min(100, Math.max(0, percent))}%` }}
        />
      </span>
      <span className="w-9 text-right text-ink-muted tabular-nums">
        {formatShare(percent, i18n.language)}
      </span>
    </span>
  );
}

const size = { width: 88, height: 18 };
const full = 100;

/** Processor and memory over the last hour; the figures are in the columns beside it. */
export function HourLine({ device: { id } }: { device: Device }) {
  const { data } = useQuery(sparklineQuery(monitorKinds.device, id));
  const points = (data as unknown as DeviceSparkline | null | undefined)?.points ?? [];
  const draw = (values: (number | null)[], look: string) =>
    // Both on one scale, from nothing to all of it.
    linePoints(values, size, full).map((line) => (
      <polyline
        key={line}
        points={line}
        className={`fill-none ${look}`}
        strokeWidth={1.25}
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    ));
  return (
    <svg aria-hidden viewBox={`0 0 ${size.width} ${size.height}`} className="block h-4.5 w-22">
      {draw(
        points.map(({ memoryUsage }) => memoryUsage),
        "stroke-phase-connect",
      )}
      {draw(
        points.map(({ cpuUsage }) => cpuUsage),
        "stroke-series",
      )}
    </svg>
  );
}
