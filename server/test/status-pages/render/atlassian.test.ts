import { describe, expect, test } from "vitest";
import type { Overall, PublicPage } from "../../../src/status-pages/document/public-page.ts";
import { MACHINE_RENDERINGS } from "../../../src/status-pages/render/machine-renderings.ts";
import { hostilePage, textAt } from "./machine-renderings.ts";
import { component, group, incident, NOW, publicPage, SCENES } from "./public-pages.ts";

/** The keys of each record of Atlassian's public API, and what each of them may be. */
const time = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const isTime = (value: unknown) => time.test(String(value));
const isTimeOrNull = (value: unknown) => value === null || isTime(value);
const isText = (value: unknown) => typeof value === "string" && value !== "";
const isTextOrNull = (value: unknown) => value === null || isText(value);
const isFlag = (value: unknown) => typeof value === "boolean";
const isList = Array.isArray;
const isNull = (value: unknown) => value === null;
const oneOf =
  (...values: string[]) =>
  (value: unknown) =>
    values.includes(value as string);

type Shape = Record<string, (value: unknown) => boolean>;

const PAGE: Shape = { id: isText, name: isText, url: isText, time_zone: isText, updated_at: isTime };
const STATUS: Shape = {
  indicator: oneOf("none", "minor", "major", "critical", "maintenance"),
  description: isText,
};
const COMPONENT: Shape = {
  id: isText,
  name: isText,
  status: oneOf("operational", "degraded_performance", "partial_outage", "major_outage", "under_maintenance"),
  created_at: isTime,
  updated_at: isTime,
  position: Number.isInteger,
  description: isTextOrNull,
  showcase: isFlag,
  start_date: (value) => value === null || /^\d{4}-\d{2}-\d{2}$/.test(value as string),
  group_id: isTextOrNull,
  page_id: isText,
  group: isFlag,
  only_show_if_degraded: isFlag,
};
const INCIDENT: Shape = {
  id: isText,
  name: isText,
  status: oneOf("investigating", "identified", "monitoring", "resolved"),
  created_at: isTime,
  updated_at: isTime,
  monitoring_at: isTimeOrNull,
  resolved_at: isTimeOrNull,
  impact: oneOf("none", "minor", "major", "critical"),
  shortlink: isText,
  started_at: isTime,
  page_id: isText,
  incident_updates: isList,
  components: isList,
};
const MAINTENANCE: Shape = {
  ...INCIDENT,
  status: oneOf("scheduled", "in_progress"),
  impact: oneOf("maintenance"),
  scheduled_for: isTime,
  scheduled_until: isTime,
};
const UPDATE: Shape = {
  id: isText,
  status: oneOf("investigating", "identified", "monitoring", "resolved", "scheduled", "in_progress"),
  body: (value) => typeof value === "string",
  incident_id: isText,
  created_at: isTime,
  updated_at: isTime,
  display_at: isTime,
  affected_components: isNull,
  deliver_notifications: isFlag,
  custom_tweet: isNull,
  tweet_id: isNull,
};

type Json = Record<string, unknown>;

function checkShape(value: unknown, shape: Shape): void {
  const record = value as Json;
  expect(Object.keys(record).toSorted()).toEqual(Object.keys(shape).toSorted());
  for (const [key, isRight] of Object.entries(shape))
    expect([key, record[key], isRight(record[key])]).toEqual([key, record[key], true]);
}

function checkComponent(value: unknown): void {
  const { components, ...rest } = value as Json;
  checkShape(rest, COMPONENT);
  expect(components === undefined).toBe(!rest.group);
}

function checkEvent(value: unknown, shape: Shape): void {
  checkShape(value, shape);
  const { incident_updates: updates, components } = value as {
    incident_updates: unknown[];
    components: unknown[];
  };
  for (const update of updates) checkShape(update, UPDATE);
  for (const one of components) checkComponent(one);
}

/** What each file has beside `page`. */
const FILES: Record<string, string[]> = {
  summary: ["components", "incidents", "scheduled_maintenances", "status"],
  status: ["status"],
  components: ["components"],
  incidents: ["incidents"],
  "incidents/unresolved": ["incidents"],
  "scheduled-maintenances": ["scheduled_maintenances"],
  "scheduled-maintenances/active": ["scheduled_maintenances"],
  "scheduled-maintenances/upcoming": ["scheduled_maintenances"],
};

const file = (page: PublicPage, name: string) => JSON.parse(textAt(page, `/api/v2/${name}.json`));
// biome-ignore lint/suspicious/noExplicitAny: of any shape
type Any = any;

describe("the API of Atlassian's status pages", () => {
  test.each([...Object.entries(SCENES), ["hostile", hostilePage] as const])(
    "has exactly their fields in every file: %s",
    (_name, make) => {
      const page = make();
      for (const [name, parts] of Object.entries(FILES)) {
        const answer = file(page, name);
        expect(Object.keys(answer).toSorted(), name).toEqual(["page", ...parts].toSorted());
        checkShape(answer.page, PAGE);
        if (answer.status) checkShape(answer.status, STATUS);
        for (const one of answer.components ?? []) checkComponent(one);
        for (const one of answer.incidents ?? []) checkEvent(one, INCIDENT);
        for (const one of answer.scheduled_maintenances ?? []) checkEvent(one, MAINTENANCE);
      }
    },
  );

  test("has no other files", () => {
    const paths = MACHINE_RENDERINGS.map(({ path }) => path).filter((path) => path.startsWith("/api/v2/"));
    expect(paths.toSorted()).toEqual(
      Object.keys(FILES)
        .map((name) => `/api/v2/${name}.json`)
        .toSorted(),
    );
  });

  test("says the status of the whole page in words that their clients know, in every language", () => {
    const expected: Record<Overall, object> = {
      operational: { indicator: "none", description: "All Systems Operational" },
      maintenance: { indicator: "maintenance", description: "Service Under Maintenance" },
      degraded: { indicator: "minor", description: "Partially Degraded Service" },
      partial_outage: { indicator: "major", description: "Partial System Outage" },
      major_outage: { indicator: "critical", description: "Major Service Outage" },
      unknown: { indicator: "none", description: "Status Unknown" },
    };
    for (const [overall, status] of Object.entries(expected)) {
      expect(file(publicPage({ overall: overall as Overall }), "status").status).toEqual(status);
    }
    expect(textAt(publicPage(), "/api/v2/status.json", { language: "de" })).toBe(
      textAt(publicPage(), "/api/v2/status.json"),
    );
  });

  test("makes groups components, which name theirs, and components name their group", () => {
    const page = publicPage({
      groups: [
        group(null, [component("Docs", { status: "maintenance" })]),
        group("Shop", [component("Website"), component("Checkout", { status: "outage" })]),
        group("Down", [component("API", { status: "outage" })]),
      ],
    });
    const { components } = file(page, "components");
    const [shop, down] = [page.groups[1]!, page.groups[2]!];
    expect(
      components.map((one: Any) => [one.name, one.status, one.group, one.group_id, one.position]),
    ).toEqual([
      ["Docs", "under_maintenance", false, null, 1],
      ["Shop", "partial_outage", true, null, 2],
      ["Website", "operational", false, shop.uuid, 1],
      ["Checkout", "major_outage", false, shop.uuid, 2],
      ["Down", "major_outage", true, null, 3],
      ["API", "major_outage", false, down.uuid, 1],
    ]);
    expect(components[1].components).toEqual(shop.components.map(({ uuid }) => uuid));
  });

  test("lists open incidents in the summary and resolved ones in the list, with their updates and components", () => {
    const page = SCENES.outage();
    const [open] = page.incidents;
    const { incidents } = file(page, "summary");
    expect(incidents.map(({ id }: Any) => id)).toEqual([open!.uuid]);
    expect(incidents[0]).toMatchObject({
      name: "Payments fail",
      status: "identified",
      impact: "major",
      shortlink: `https://status.northwind.test/incidents/${open!.uuid}`,
      started_at: new Date(open!.startedAt).toISOString(),
    });
    expect(incidents[0].incident_updates.map(({ status }: Any) => status)).toEqual([
      "identified",
      "investigating",
    ]);
    expect(incidents[0].components.map(({ name, status }: Any) => [name, status])).toEqual([
      ["Checkout", "major_outage"],
    ]);
    const all = file(page, "incidents").incidents;
    expect(all.map(({ id }: Any) => id)).toEqual(
      [...page.incidents, ...page.history].map(({ uuid }) => uuid),
    );
    expect(all[1].resolved_at).toBe(new Date(page.history[0]!.resolvedAt!).toISOString());
  });

  test("calls a new incident one that is looked into, and says since when one is watched", () => {
    const update = (status: "open" | "monitoring" | "resolved", at: number) => ({
      uuid: crypto.randomUUID(),
      at,
      status,
      text: "",
    });
    const updates = [
      update("resolved", NOW),
      update("monitoring", NOW - 60_000),
      update("open", NOW - 90_000),
    ];
    const page = publicPage({ incidents: [incident("One", { status: "open", updates })] });
    const [one] = file(page, "incidents").incidents;
    expect(one.status).toBe("investigating");
    expect(one.monitoring_at).toBe(new Date(NOW - 60_000).toISOString());
    expect(one.incident_updates.map(({ status }: Any) => status)).toEqual([
      "resolved",
      "monitoring",
      "investigating",
    ]);
  });

  test("keeps what is under way and what is planned apart", () => {
    const page = SCENES.maintenance();
    const names = (name: string) =>
      file(page, name).scheduled_maintenances.map((one: Any) => [one.name, one.status, one.scheduled_for]);
    const [running, planned] = page.maintenance.map(({ title, startsAt, isRunning }) => [
      title,
      isRunning ? "in_progress" : "scheduled",
      new Date(startsAt).toISOString(),
    ]);
    expect(names("scheduled-maintenances/active")).toEqual([running]);
    expect(names("scheduled-maintenances/upcoming")).toEqual([planned]);
    expect(names("scheduled-maintenances")).toEqual([running, planned]);
    expect(names("summary")).toEqual([running, planned]);
  });
});
