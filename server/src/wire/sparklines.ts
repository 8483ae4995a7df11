import { type Static, Type } from "typebox";
import type { MonitorSparkline } from "../monitor/list-sparklines.ts";
import { STATUSES } from "../status/state.ts";
import {
  milliseconds,
  ms,
  nullable,
  oneOf,
  percent,
  percentage,
  Timestamp,
  timestamp,
  Uuid,
} from "./field.ts";

/** GET /api/domains/sparklines: as many as the largest page of v2 has. */
export const SparklinesQuery = Type.Object({
  ids: Type.Optional(
    Type.String({
      pattern: "^[0-9a-fA-F-]{1,36}(?:,[0-9a-fA-F-]{1,36}){0,99}$",
      description:
        "Integer ids or uuids, up to 100 of them, with commas in between; without it the list is empty.",
      examples: ["42,43,44"],
    }),
  ),
});

const Hour = Type.Object({
  timestamp: Timestamp,
  status: oneOf(STATUSES, {
    description:
      "The worst confirmed one in that hour, outside maintenance; `unknown` where nothing was known.",
  }),
  uptimePercentage: percent("Time-weighted over the hour."),
  responseTime: ms("Mean of the passed checks."),
});

export const Sparkline = Type.Object(
  {
    id: Type.Integer({ examples: [42] }),
    uuid: Uuid,
    iconUrl: nullable(
      Type.String(),
      "Path on this server of the icon of a site; null until one was looked for, and where there is none.",
    ),
    iconDue: Type.Boolean({
      description:
        "True: it is worth looking for with `GET /api/domains/{id}/icon`, because nobody has done so yet, or not for long.",
    }),
    hours: Type.Array(Hour, {
      description: "The last 24 hours in UTC, oldest first; the last one ends now.",
    }),
  },
  { title: "Sparkline" },
);

/** What the row of a list draws of a monitor. */
export const projectSparkline = (sparkline: MonitorSparkline): Static<typeof Sparkline> => ({
  id: sparkline.id,
  uuid: sparkline.uuid,
  // The time in the address makes browsers ask again once a new icon was found.
  iconUrl: sparkline.icon?.found ? `/icons/${sparkline.icon.token}?v=${sparkline.icon.fetchedAt}` : null,
  iconDue: sparkline.iconDue,
  hours: sparkline.hours.map(({ at, status, uptime, averageUs }) => ({
    timestamp: timestamp(at),
    status,
    uptimePercentage: percentage(uptime),
    responseTime: milliseconds(averageUs),
  })),
});
