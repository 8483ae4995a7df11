import { type Static, Type } from "typebox";
import { DeviceApplicationChange, DeviceConnection, DeviceProcess } from "./device-lists.ts";
import { nullable, Timestamp, Uuid } from "./field.ts";

const figure = (description: string) => Type.Unsafe<number | null>({ type: ["number", "null"], description });

/** GET /api/incidents/{id}/devices: what a device was doing when the incident began. */
export const IncidentDevice = Type.Object(
  {
    device: Type.Object({ id: Type.Integer(), uuid: Uuid, name: Type.String() }),
    at: nullable(
      Timestamp,
      "When that was seen, at most five minutes before; null: nothing was reported then.",
    ),
    figures: Type.Object({
      cpuUsage: figure("Percent."),
      load: figure("Processes that ran or waited, the mean of a minute."),
      memoryUsage: figure("Percent."),
      swapUsage: figure("Percent."),
      diskUsage: figure("Percent, of the fullest disk."),
    }),
    processes: Type.Array(DeviceProcess, { description: "The busiest and the largest ones." }),
    newConnections: nullable(
      Type.Array(DeviceConnection),
      "What had not been there a minute before, at most 50; null: nobody looked.",
    ),
    changes: Type.Array(DeviceApplicationChange, {
      description:
        "Applications that came, went or were updated in the hour before, as far as was noticed within a minute after.",
    }),
  },
  { title: "IncidentDevice" },
);

export type ShownIncidentDevice = Static<typeof IncidentDevice>;
