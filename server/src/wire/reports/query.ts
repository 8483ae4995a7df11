import { type Static, Type } from "typebox";
import { REPORT_RANGES, type WindowInput } from "../../report/report-window.ts";
import { oneOf, Timestamp } from "../field.ts";

const moment = (description: string) => Type.Optional(Type.String({ format: "date-time", description }));

/** GET /api/reports/domains; the other reports likewise. */
export const ReportQuery = Type.Object({
  range: Type.Optional(
    oneOf(REPORT_RANGES, { description: "How far back from `to`. Default: 30d. Not together with `from`." }),
  ),
  from: moment("Where the report begins, at most 366 days before its end. Not together with `range`."),
  to: moment("Where it ends. Default, and at the latest: now."),
});

/** What the query means in milliseconds. */
export const windowInputOf = ({ range, from, to }: Static<typeof ReportQuery>): WindowInput => ({
  range,
  from: from === undefined ? undefined : Date.parse(from),
  to: to === undefined ? undefined : Date.parse(to),
});

/** The time that a report is about. */
const ReportPeriod = Type.Object(
  {
    from: { ...Timestamp, description: "Where it begins." },
    to: { ...Timestamp, description: "Where it ends." },
    previousFrom: {
      ...Timestamp,
      description: "Where the time begins that it is compared with: as long, and right before.",
    },
    stepSeconds: Type.Integer({
      description: "The length of a point: an hour up to eight days, else a day (UTC). Seconds.",
      examples: [86_400],
    }),
  },
  { title: "ReportPeriod" },
);

/** Whose report it is, and of when. */
export const reportHead = {
  organization: Type.Object({
    id: Type.Integer(),
    name: Type.String({ examples: ["Northwind"] }),
  }),
  generatedAt: { ...Timestamp, description: "When it was made." },
  period: ReportPeriod,
};
