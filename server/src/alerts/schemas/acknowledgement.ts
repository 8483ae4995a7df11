import { type Static, Type } from "typebox";
import { LANGUAGES } from "../../platform/i18n/render.ts";
import { nullable, oneOf, Timestamp } from "../../platform/operations/field.ts";

/** The token of a message's link. */
export const AcknowledgementToken = Type.Object(
  {
    token: Type.String({
      minLength: 1,
      maxLength: 200,
      description: "The part of the link after the #.",
      examples: ["0190b6f2-7c1e-7a4d-9b3e-2f1c5d8a6e40.q3xY…"],
    }),
    language: Type.Optional(
      oneOf(LANGUAGES, {
        description: "The language of the answer. Default: that of the message.",
        examples: ["de"],
      }),
    ),
    timeZone: Type.Optional(
      Type.String({
        format: "time-zone",
        maxLength: 64,
        description: "The time zone of the times in the answer, an IANA name. Default: that of the message.",
        examples: ["Europe/Berlin"],
      }),
    ),
  },
  { title: "AcknowledgementToken" },
);

const ToldMonitor = Type.Object(
  {
    name: Type.String({ examples: ["Shop"] }),
    incidentId: Type.Integer({ examples: [7], description: "The incident that it belongs to now." }),
    state: oneOf(["open", "acknowledged", "resolved", "again"], {
      description:
        "`resolved`: it is up again. `again`: it was, and is down once more, in an incident that this link does not acknowledge.",
    }),
    acknowledgedByName: nullable(
      Type.String({ examples: ["Ada Lovelace"] }),
      "Null: not acknowledged, or only after the rest of the incident: the incident's log says by whom.",
    ),
  },
  { title: "ToldMonitor" },
);

/** What the holder of a message sees of it: what it said, and whether it is acknowledged by now. */
export const Acknowledgement = Type.Object(
  {
    asks: oneOf(["acknowledge", "confirm"], {
      description: "`confirm`: whether the address may be written to from now on.",
    }),
    title: Type.String({ examples: ["Shop is down"] }),
    text: Type.String({
      examples: ["Shop has been down since November 21, 2026 at 09:30 AM UTC. The connection was refused."],
    }),
    state: oneOf(["open", "acknowledged", "resolved"], {
      description:
        "`open`: not everything that the message is about has been acknowledged. `resolved`: it is over. For `confirm`: not confirmed yet, confirmed, or no longer requested.",
    }),
    incidentId: nullable(
      Type.Integer({ examples: [7] }),
      "The incident to look at: the one that the message is about, or its `successor`. Null: `confirm`, or several incidents.",
    ),
    successor: nullable(
      oneOf(["merged", "again"]),
      "Why `incidentId` is not the incident of the message. `merged`: that was merged into this one. `again`: that is over, and the same monitors are down again, in several incidents if `incidentId` is null. Null: it is the same.",
    ),
    acknowledgedAt: nullable(Timestamp, "Null: it is not acknowledged, or it is over."),
    acknowledgedByName: nullable(
      Type.String({ examples: ["Ada Lovelace"] }),
      "Who acknowledged it; null: no one, or several people acknowledged parts of it.",
    ),
    monitors: Type.Array(ToldMonitor, {
      description:
        "Each monitor that the link acknowledges, and what became of it, at most 20: those that the message named or, if it is about an incident, those that were down in it by then. What has joined the incident since is not among them, and not acknowledged.",
    }),
    moreMonitors: Type.Integer({ description: "How many more there are.", examples: [0] }),
    resolvedAt: nullable(Timestamp, "When it was over, all of it; null while it goes on."),
  },
  { title: "Acknowledgement" },
);

export type AcknowledgementShown = Static<typeof Acknowledgement>;
