import { type Static, Type } from "typebox";
import { nullable } from "./field.ts";

/* What events of the live stream carry that only say what has to be read again. */

export const MaintenanceChange = Type.Object({
  windowId: nullable(
    Type.Integer({ examples: [3] }),
    "The window that was planned, changed or deleted; null: monitors entered or left one.",
  ),
});

export const IntegrationChange = Type.Object({
  integrationId: Type.Integer({ description: "The linked account.", examples: [3] }),
});

export const DeploymentChange = Type.Object({
  deploymentId: nullable(
    Type.Integer({ examples: [12] }),
    "Null: a webhook was made, changed or deleted, or something came in by one.",
  ),
  monitorIds: Type.Array(Type.Integer(), { description: "The monitors that it touches." }),
});

export type MaintenanceEventData = Static<typeof MaintenanceChange>;
export type IntegrationEventData = Static<typeof IntegrationChange>;
export type DeploymentEventData = Static<typeof DeploymentChange>;
