import { DeviceUpdate } from "../../../../server/src/monitors/schemas/devices.ts?schemas";
import type { DeviceDetail } from "../../api/devices.ts";
import type { MonitorDetail } from "../../api/monitor.ts";
import type { FieldSchema } from "../../forms/schema.ts";
import { monitorKinds } from "../../kinds.ts";
import type { FormOfKind } from "../descriptor.ts";
import { EditMonitorPage } from "../form/FormPages.tsx";
import type english from "./form/en.json";

export const EditDevicePage = () => <EditMonitorPage form={deviceForm} />;

declare module "../../i18n/texts.ts" {
  interface PageTexts {
    "monitors/device/form": typeof english;
  }
}

const shape: FieldSchema = DeviceUpdate;

/** What holds where nothing is set, as the schema says it. */
const usualThresholds: Readonly<Record<string, object>> = Object.fromEntries(
  Object.entries(shape.properties?.["thresholds"]?.properties ?? {}).map(([measure, { properties = {} }]) => [
    measure,
    Object.fromEntries(Object.entries(properties).map(([level, one]) => [level, one["x-usual"]])),
  ]),
);

const withUsual = (thresholds: DeviceDetail["thresholds"]): object =>
  Object.fromEntries(
    Object.entries(usualThresholds).map(([measure, usual]) => [
      measure,
      { ...usual, ...thresholds[measure as keyof typeof thresholds] },
    ]),
  );

/** A device's settings; one is made by its dialog, with nothing but a name. */
const deviceForm: FormOfKind = {
  kind: monitorKinds.device,
  schema: () => shape,
  isUnlimited: true,
  layout: () => [
    { id: "basics", fields: ["name", "checkInterval", "enabled"] },
    { id: "thresholds", fields: ["thresholds"] },
    { id: "links", fields: ["linkedMonitors"] },
    { id: "alerting", fields: ["severity", "parents"] },
    { id: "tags", fields: ["tags", "description"] },
  ],
  valuesOf: (detail: MonitorDetail) => {
    const { thresholds, linkedMonitors, ...rest } = detail as unknown as DeviceDetail;
    return {
      ...rest,
      thresholds: withUsual(thresholds),
      linkedMonitors: linkedMonitors.map(({ uuid }) => uuid),
    };
  },
  isStored: () => false,
  danger: () => null,
  phases: () => [],
  usualName: () => undefined,
};
