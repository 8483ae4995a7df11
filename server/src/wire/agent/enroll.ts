import { Type } from "typebox";
import { nullable, Uuid } from "../field.ts";
import { plainText } from "./report.ts";

const text = (maxLength: number) => Type.String({ maxLength });

/** POST /api/agent/enroll: a machine that is to become a device. */
export const AgentEnrollment = Type.Object(
  {
    instance: Type.String({ ...Uuid, description: "Of this installation of the agent, made when it was." }),
    machineId: nullable(text(64)),
    hostname: {
      ...plainText(255),
      // Not spaces alone: it is to be a name.
      pattern: "^[^\\S\\u0000-\\u001f]*[^\\s\\u0000-\\u001f\\u007f][^\\u0000-\\u001f\\u007f]*$",
      description: "What the device is to be called.",
    },
    platform: text(40),
    architecture: text(40),
  },
  { additionalProperties: false, title: "AgentEnrollment" },
);

/** What it is answered. */
export const AgentEnrolled = Type.Object(
  {
    deviceId: Uuid,
    token: Type.String({ description: "What it reports with from now on; shown only this once." }),
  },
  { title: "AgentEnrolled" },
);
