import { useState } from "react";
import { Button } from "../components/Button.tsx";
import { Card, DetailList, Section } from "../components/Card.tsx";
import type { TimeSpan } from "../components/chart-data.ts";
import { DayBars } from "../components/DayBars.tsx";
import { StatusDot } from "../components/StatusDot.tsx";
import { type Column, Table } from "../components/Table.tsx";
import { Time } from "../components/Time.tsx";
import { ResponseChart } from "../monitors/detail/ResponseChart.tsx";
import { ResponseTable } from "../monitors/detail/ResponseTable.tsx";
import { Exhibit, Part } from "./Exhibit.tsx";
import { checks, days, deployments, periods, response, untilMs } from "./specimens.ts";

type Check = (typeof checks)[number];

const columns: Column<Check>[] = [
  { id: "at", head: "Time", cell: ({ at }) => at, names: true, className: "text-ink-muted tabular-nums" },
  {
    id: "status",
    head: "Result",
    cell: ({ status }) => (
      <span className="flex items-center gap-2">
        <StatusDot status={status} plain />
        {status}
      </span>
    ),
  },
  { id: "reason", head: "Reason", cell: ({ reason }) => reason, wide: true, className: "text-ink-muted" },
  { id: "location", head: "Location", cell: ({ location }) => location, wide: true },
  { id: "ms", head: "Response", cell: ({ ms }) => ms, align: "end" },
];

export function DataDisplay() {
  const [asTable, setAsTable] = useState(false);
  const [zoom, zoomTo] = useState<TimeSpan | null>(null);
  return (
    <Part
      title="Data"
      text="Charts say what they show in a sentence, and each has the same values as a table."
    >
      <div className="grid gap-8">
        <Exhibit
          of={["TimeChart", "Section"]}
          text="Phases as fills under a line for the whole; outages red, no data hatched, deployments with a flag; dragging zooms in."
          bare
        >
          <Section
            title="Response time"
            trailing={
              <Button variant="quiet" onClick={() => setAsTable(!asTable)}>
                {asTable ? "As a chart" : "As a table"}
              </Button>
            }
          >
            <div className="h-72 px-4 pb-3 max-sm:h-78">
              {asTable ? (
                <ResponseTable
                  {...{ shown: response, deployments }}
                  rangeName="Last hour"
                  withPercentiles={false}
                />
              ) : (
                <ResponseChart
                  {...{ shown: response, periods, deployments, zoom, zoomTo }}
                  rangeName="Last hour"
                  span={{ fromMs: untilMs - 3_600_000, toMs: untilMs }}
                  now={untilMs}
                  withPercentiles={false}
                />
              )}
            </div>
          </Section>
        </Exhibit>
        <Exhibit of={["DayBars", "Card"]} text="A day that was not perfect is never green." bare>
          <Card>
            <DayBars days={days}>14 of 43,180 checks failed</DayBars>
          </Card>
        </Exhibit>
        <Exhibit
          of={["DetailList", "Time"]}
          text="A detail that is not known has no line; a time has all of it on hover."
        >
          <DetailList
            details={[
              ["Issuer", "Let's Encrypt R11"],
              ["Valid", "1 Nov 2026 to 30 Jan 2027"],
              ["Renewed", <Time key="renewed" at="2026-11-01T09:30:00Z" as="clock" />],
              ["Names", null],
            ]}
          />
        </Exhibit>
        <Exhibit
          of={["Table"]}
          text="Names at the left, numbers at the right; on phones the reason moves under its row."
          bare
        >
          <div className="grid gap-4 [&>*]:min-w-0 lg:grid-cols-[2fr_1fr]">
            <Section title="Last results">
              <Table columns={columns} rows={checks} keyOf={({ at }) => at} note={({ reason }) => reason} />
            </Section>
            <Section title="On its way">
              <Table columns={columns.filter(({ wide }) => !wide)} rows={undefined} keyOf={({ at }) => at} />
            </Section>
          </div>
        </Exhibit>
      </div>
    </Part>
  );
}
