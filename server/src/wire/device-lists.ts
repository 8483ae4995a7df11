import { type Static, type TObject, type TProperties, type TSchema, Type } from "typebox";
import { APPLICATION_CHANGES } from "../device/health.ts";
import type { DeviceSystem } from "../device/snapshots.ts";
import type { StoredChange } from "../store/queries/device-snapshots.ts";
import { Application, Connection, Container, Process } from "./agent/report.ts";
import { fromOutside, nullable, oneOf, Timestamp, timestamp } from "./field.ts";
import { PageQuery } from "./page.ts";

/** What is shown of what agents send: the same fields, whatever their limits are. */
const shownAs = <Fields extends TProperties>({ properties }: TObject<Fields>, title: string) =>
  fromOutside(Type.Object(properties, { title }));

export const DeviceProcess = shownAs(Process, "DeviceProcess");
export type DeviceProcess = Static<typeof DeviceProcess>;
export const DeviceConnection = shownAs(Connection, "DeviceConnection");
export type DeviceConnection = Static<typeof DeviceConnection>;
export const DeviceApplication = shownAs(Application, "DeviceApplication");
export type DeviceApplication = Static<typeof DeviceApplication>;
export const DeviceContainer = shownAs(Container, "DeviceContainer");
export type DeviceContainer = Static<typeof DeviceContainer>;

/** What stands beside a list that an agent reported. */
export const ReportedDetails = {
  at: nullable(Timestamp, "When it was reported; null: it never was."),
  found: Type.Integer({
    description: "How many the agent found; if there are too many, it sends the most important ones.",
  }),
};

/** GET /api/devices/{id}/processes, and the other lists. */
export const DeviceListsQuery = Type.Object(PageQuery);

/** That an application came, went or was updated. */
export const DeviceApplicationChange = Type.Object(
  {
    id: Type.Integer({ description: "Unique within the device." }),
    timestamp: Type.String({ ...Timestamp, description: "When the agent saw it." }),
    change: oneOf(APPLICATION_CHANGES),
    name: fromOutside(Type.String()),
    version: fromOutside(nullable(Type.String(), "Null: it was removed.")),
    formerVersion: fromOutside(nullable(Type.String(), "Null: it is new.")),
  },
  { title: "DeviceApplicationChange" },
);

/** GET /api/devices/{id}/applications/changes. */
export const DeviceChangesQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: "How many, newest first." }),
  ),
  before: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        "Only what stands after the change with this `id`: for the next page, send the last one's. One report may hold many changes of the same `timestamp`.",
    }),
  ),
});

export const projectChange = ({
  id,
  at,
  change,
  name,
  version,
  formerVersion,
}: StoredChange): Static<typeof DeviceApplicationChange> => ({
  ...{ id, timestamp: timestamp(at), change, name, version, formerVersion },
});

/** As the agent says it. */
const text = (description?: string) => fromOutside(nullable(Type.String(), description));
const bytes = (description: string) =>
  Type.Unsafe<number | null>({ type: ["number", "null"], description: `${description} Bytes.` });

/** Some of what the agent says of the machine, by the names that it gives them. */
type MachineFields = Partial<Record<keyof DeviceSystem, TSchema>>;

/** What lists show of the machine. */
export const listedMachine = {
  hostname: text("The machine's own name; null until its agent has reported."),
  platform: text("`linux`, `darwin`, `win32` …"),
  os: text("For people, e.g. `Debian GNU/Linux 13 (trixie)`."),
} satisfies MachineFields;

/** What else the page of a device shows of it. */
export const describedMachine = {
  architecture: text(),
  cpu: text("The processor's model."),
  cpuCores: nullable(Type.Integer(), "How many the system has."),
  totalMemory: bytes("Of the machine."),
  totalSwap: bytes("Of the machine."),
  totalDisk: bytes("Of all real file systems together."),
  kernel: text(),
} satisfies MachineFields;

/** These fields of the machine; null before its agent has reported. */
export const machineOf = <Fields extends MachineFields>(fields: Fields, system: DeviceSystem | null) =>
  Object.fromEntries(
    (Object.keys(fields) as (keyof DeviceSystem)[]).map((name) => [name, system?.[name] ?? null]),
  ) as { [Name in keyof Fields & keyof DeviceSystem]: DeviceSystem[Name] | null };
