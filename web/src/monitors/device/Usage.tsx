import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Device, DeviceSparkline } from "../../api/devices.ts";
import { sparklineQuery } from "../../api/sparklines.ts";
import { linePoints } from "../../components/chart-data.ts";
import { Time } from "../../components/Time.tsx";
import { formatShare } from "../../i18n/format-amounts.ts";
import { monitorKinds } from "../../kinds.ts";

/** What is in use. */
export const measures = ["cpu", "memory", "disk"] as const;
export type Measure = (typeof measures)[number];

const fills = { usual: "bg-series", warning: "bg-warn", critical: "bg-down", old: "bg-line-strong" };

/** A bar's fill: the colour of the problem where its measure is what is wrong with the device; else grey. */
export function fillOf(
  { state, lastReasonFact }: Pick<Device, "state" | "lastReasonFact">,
  id: Measure,
): string {
  if (state === "down" || state === "unknown") return fills.old;
  if (state !== "degraded" || !lastReasonFact) return fills.usual;
  // The most severe comes first, also of several disks.
  const problem = [lastReasonFact, ...(lastReasonFact.also ?? [])].find(
    ({ code }) => code === `health.${id}`,
  );
  if (!problem) return fills.usual;
  return problem.params?.["level"] === "critical" ? fills.critical : fills.warning;
}

/** How much of something is in use, as a bar with its percent. */
export function UsageBar({ device, id }: { device: Device; id: Measure }) {
  const { i18n } = useTranslation("monitors/device");
  const percent = device.metrics[`${id}Usage`];
  const isOld = fillOf(device, id) === fills.old;
  if (percent === null) return <span className="text-ink-faint">–</span>;
  return (
    <span className="flex items-center justify-end gap-2">
      <span aria-hidden className="h-1.5 w-8 shrink-0 overflow-hidden rounded-full bg-line">
        <span
          className={`block h-full rounded-full ${fillOf(device, id)}`}
          style={{ width: `${Math.min(100, Math.max(0, percent))}%` }}
        />
      </span>
      <span className={`w-9 text-right tabular-nums ${isOld ? "text-ink-faint" : "text-ink-muted"}`}>
        {formatShare(percent, i18n.language)}
      </span>
    </span>
  );
}

/** How much of everything is in use, in a line with its names; nothing before that is known. */
export function UsageMetrics({ device: { metrics } }: { device: Device }) {
  const { t, i18n } = useTranslation("monitors/device");
  const known = measures.flatMap((id) => {
    const percent = metrics[`${id}Usage`];
    return percent === null ? [] : [{ id, percent }];
  });
  if (known.length === 0) return null;
  return (
    <dl className="mt-1 flex flex-wrap gap-x-4 text-xs tabular-nums">
      {known.map(({ id, percent }) => (
        <div key={id} className="flex gap-1.5">
          <dt className="text-ink-faint">{t(`column.${id}`)}</dt>
          <dd className="text-ink-muted">{formatShare(percent, i18n.language)}</dd>
        </div>
      ))}
    </dl>
  );
}

const size = { width: 88, height: 18 };
const full = 100;

/** Processor and memory over the last hour; the values are in the columns beside it. */
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

/** When its agent reported last; live events of reports bring it on. */
export function LastSeen({ device: { lastSeen: at } }: { device: Device }) {
  if (at === null) return <span className="text-ink-faint">–</span>;
  return <Time at={at} as="ago" className="relative text-ink-muted" />;
}
