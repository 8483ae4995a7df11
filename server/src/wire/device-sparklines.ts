import { type Static, Type } from "typebox";
import type { UsagePoint } from "../device/metrics/recent-usage.ts";
import type { Ref } from "../store/queries/ref.ts";
import { nullable, percentage, Timestamp, timestamp } from "./field.ts";
import { readId } from "./id.ts";
import { SparklinesQuery } from "./sparklines.ts";

/** GET /api/devices/sparklines. */
export const DeviceSparklinesQuery = SparklinesQuery;

/** The devices that it names. */
export const readRefs = (ids = ""): Ref[] => ids.split(",").flatMap((id) => readId(id) ?? []);

const percent = nullable(Type.Number({ minimum: 0 }), "Percent; null where nothing was reported.");

export const DeviceSparkline = Type.Object(
  {
    id: Type.Integer({ examples: [42] }),
    points: Type.Array(Type.Object({ timestamp: Timestamp, cpuUsage: percent, memoryUsage: percent }), {
      description: "The last hour in steps of two minutes, oldest first.",
    }),
  },
  { title: "DeviceSparkline" },
);

/** What the row of a list draws of a device. */
export const projectDeviceSparkline = (
  id: number,
  points: readonly UsagePoint[],
): Static<typeof DeviceSparkline> => ({
  id,
  points: points.map(({ at, cpu, memory }) => ({
    timestamp: timestamp(at),
    cpuUsage: percentage(cpu),
    memoryUsage: percentage(memory),
  })),
});
