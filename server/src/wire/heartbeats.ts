import { Type } from "typebox";
import { IdText } from "./id.ts";

/** Which run of a job it is about, so that several may be under way. */
const RunName = Type.String({
  pattern: "^[A-Za-z0-9._-]{1,64}$",
  description:
    "What the job calls this run, where several may be under way at the same time: the same at its start and its end, 1 to 64 letters, digits, dots, - or _. A UUID will do.",
});

/** What a job may say. */
export const HeartbeatInput = Type.Object({
  id: IdText,
  token: Type.String({
    description: "The service's `protocolConfig.token`; whoever has it can send heartbeats.",
  }),
  signal: Type.Optional(
    Type.String({
      description:
        "`start`, `fail`, `log`, or the exit code of the job: 0 is success, 1 to 255 are failures.",
      examples: ["start"],
    }),
  ),
  rid: Type.Optional(RunName),
  message: Type.Optional(Type.String()),
  cut: Type.Optional(Type.Boolean()),
});
