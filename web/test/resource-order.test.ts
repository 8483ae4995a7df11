import { expect, it } from "vitest";
import type { Resource } from "../src/api/integrations.ts";
import { foundResources } from "../src/settings/integrations/ResourcesSection.tsx";

const resource = (name: string, more: Partial<Resource> = {}): Resource => ({
  ...{ id: 1, uuid: "u", externalId: name, name, type: "application", place: null, state: null },
  ...{ address: null, canBeMonitored: true, monitor: null, foundAt: "2026-01-01T00:00:00.000Z" },
  ...{ removedAt: null, ...more },
});
const monitor = { id: 1, uuid: "u", kind: "domain", name: "m" } as const;
const namesOf = (all: Resource[], search = "") => foundResources(all, search).map(({ name }) => name);

it("begins with what is monitored and was removed, then what is monitored, then what can be", () => {
  const all = [
    resource("network", { canBeMonitored: false }),
    resource("api"),
    resource("wiki", { monitor }),
    resource("shop", { monitor, canBeMonitored: false, removedAt: "2026-01-02T00:00:00.000Z" }),
    resource("cart"),
  ];
  expect(namesOf(all)).toEqual(["shop", "wiki", "api", "cart", "network"]);
});

it("finds by name, kind, place and address, names first", () => {
  const all = [
    resource("api", { address: "https://api.shop.example", monitor }),
    resource("Shop", { canBeMonitored: false }),
    resource("db", { type: "database" }),
  ];
  expect(namesOf(all, " shop ")).toEqual(["Shop", "api"]);
  expect(namesOf(all, "DATABASE")).toEqual(["db"]);
  expect(namesOf(all, "none")).toEqual([]);
});
