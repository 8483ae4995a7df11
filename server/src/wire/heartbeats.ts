import { type Static, Type } from "typebox";
import { HEARTBEAT_SIGNALS } from "../check/signalled-types.ts";
import type { HeartbeatItem } from "../monitor/heartbeat-log.ts";
import type { HeartbeatState } from "../monitor/miss-heartbeats.ts";
import { MessageSchema, sentenceOf } from "./fact.ts";
import { fromOutside, IdText, ms, nullable, oneOf, Timestamp, timestamp, timestampOrNull } from "./field.ts";

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

/** GET /api/services/{id}/heartbeats. */
export const HeartbeatsQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      default: 100,
      description: "This many of the newest, and what came at the same moment as the last one.",
    }),
  ),
  before: Type.Optional(
    Type.String({
      format: "date-time",
      description: "Only what is older: send the last one's `timestamp` for the next page.",
    }),
  ),
});

const exitCode = nullable(
  Type.Integer({ minimum: 0, maximum: 255 }),
  "As the job told it; null: it did not.",
);
const run = nullable(Type.String(), "What the job calls its run.");

/** What a job told, or that it did not. */
export const HeartbeatEvent = Type.Array(
  Type.Object(
    {
      timestamp: Timestamp,
      signal: oneOf([...HEARTBEAT_SIGNALS, "missed"], {
        description: "What was told; `missed`: nothing was, in time, or a run has not ended.",
      }),
      exitCode,
      run,
      runtime: ms("From the run's start to its end."),
      reason: fromOutside(nullable(Type.String(), "What is wrong, as a sentence.")),
      reasonFact: MessageSchema,
      message: fromOutside(
        nullable(
          Type.String(),
          "What the job sent along, for those who may change the service; null for all others.",
        ),
      ),
      messageCut: Type.Boolean({
        description: "True: it was longer than 10 kB, and only the beginning was kept.",
      }),
    },
    { title: "HeartbeatEvent" },
  ),
);

/** One of them. */
export const projectHeartbeat = (item: HeartbeatItem): Static<typeof HeartbeatEvent>[number] => ({
  timestamp: timestamp(item.at),
  signal: item.signal,
  exitCode: item.exitCode,
  run: item.run === "" ? null : item.run,
  runtime: item.runtimeMs,
  reason: sentenceOf(item.reason),
  reasonFact: item.reason,
  message: item.message,
  messageCut: item.isCut,
});

/** How a job stands that tells. */
export const HeartbeatDetail = Type.Object(
  {
    lastAt: nullable(Timestamp, "When it was told last; null: never since it was made or resumed."),
    expectedAt: nullable(Timestamp, "When it is to be told next; it is late when the grace has passed, too."),
    runs: Type.Array(
      Type.Object({
        run,
        startedAt: Timestamp,
        lateAt: nullable(Timestamp, "When it has taken too long; null: that has been told."),
      }),
      { description: "The runs that have started and not ended, the newest first." },
    ),
  },
  { title: "HeartbeatDetail" },
);

export const projectHeartbeatState = (state: HeartbeatState): Static<typeof HeartbeatDetail> => ({
  lastAt: state.lastAt,
  expectedAt: timestampOrNull(state.expectedAt),
  runs: state.runs.map((open) => ({
    run: open.run === "" ? null : open.run,
    startedAt: timestamp(open.startedAt),
    lateAt: timestampOrNull(open.lateAt),
  })),
});
