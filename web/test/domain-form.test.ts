import { describe, expect, test } from "vitest";
import type { DomainDetail } from "../src/api/monitor.ts";
import type { MonitorLimits } from "../src/api/monitor-settings.ts";
import { draftsOf } from "../src/forms/drafts.ts";
import { choicesOf, kindOf } from "../src/forms/schema.ts";
import { restSection, sectionsOf } from "../src/forms/sections.ts";
import { languageCodes } from "../src/i18n/languages.ts";
import { credentialFields, dangerOf, domainForm } from "../src/monitors/domain/DomainForms.tsx";
import { adjustDomain, domainLayout, hostOf } from "../src/monitors/domain/form/domain-layout.ts";
import { withLimits } from "../src/monitors/form/MonitorForm.tsx";
import { fieldsOf } from "./schema-fields.ts";
import { flatten, textsOf } from "./texts.ts";

const limits: MonitorLimits = {
  plan: "expert",
  monitors: null,
  monitorsUsed: 0,
  minCheckInterval: 10,
  locationsPerMonitor: null,
  locations: [
    { code: "local", name: "Local" },
    { code: "tokyo", name: "Tokyo" },
  ],
};

const fields = fieldsOf(withLimits(domainForm.schema("create", ""), limits));
test("every field of the schema has an input of its own kind", () => {
  expect(fields.map(([key]) => key)).toEqual(
    expect.arrayContaining(["url", "authConfig.token", "assertions.json.value"]),
  );
  expect(fields.filter(([, schema]) => kindOf(schema) === null).map(([key]) => key)).toEqual([]);
});

test("every field of the schema has its place in a section, when adding as when changing", () => {
  for (const action of ["create", "update"] as const) {
    const sections = sectionsOf(withLimits(domainForm.schema(action, ""), limits), domainLayout);
    expect(sections.find(({ id }) => id === restSection)?.fields ?? []).toEqual([]);
    expect(sections.map(({ id }) => id)).toEqual(domainLayout.map(({ id }) => id));
  }
});

describe.each(languageCodes)("the texts in %s", (language) => {
  const places = ["monitors/form", "monitors/domain/form"];
  const texts = new Map(places.flatMap((place) => [...flatten(textsOf(place, language))]));

  test("name every field and every choice of the schema", () => {
    const missing = fields.flatMap(([key, schema]) => {
      const choices = key === "method" ? [] : (choicesOf(schema) ?? []);
      const wanted = ["label", ...choices.map((choice) => `choice.${choice}`)].map(
        (one) => `field.${key}.${one}`,
      );
      return wanted.filter((one) => !texts.has(one));
    });
    expect(missing).toEqual([]);
  });

  test("are about nothing that the schema does not have", () => {
    const known = new Set(fields.map(([key]) => key));
    const about = [...texts.keys()]
      .filter((key) => key.startsWith("field."))
      .map((key) =>
        key.slice("field.".length).replace(/\.(?:label|help|unit|placeholder|add|choice\..+)$/, ""),
      );
    expect(about.filter((key) => !known.has(key))).toEqual([]);
  });

  test("name every section", () => {
    const ids = [...domainLayout.slice(1).map(({ id }) => id), restSection];
    expect(ids.filter((id) => !texts.has(`section.${id}.title`))).toEqual([]);
  });
});

describe("a new domain's form", () => {
  test("starts with what the API would take by itself", () => {
    expect(draftsOf(withLimits(domainForm.schema("create", ""), limits), {})).toMatchObject({
      url: "",
      name: "",
      checkInterval: "60",
      timeout: "10",
      enabled: true,
      method: "GET",
      authType: "none",
      isApi: false,
      followRedirects: true,
      ignoreCertificate: false,
      bodyBytes: "65536",
      certificateExpiryDays: "14",
      confirmations: "2",
      recoveries: "2",
      recheckDelay: "2",
      severity: "high",
      headers: [],
      body: "",
      assertions: [],
      locations: [],
      tags: [],
    });
  });

  test("keeps to the plan: its smallest interval, and as many locations as it allows", () => {
    const free = withLimits(domainForm.schema("create", ""), {
      ...limits,
      minCheckInterval: 300,
      locationsPerMonitor: 1,
    });
    expect(free.properties?.["checkInterval"]).toMatchObject({ minimum: 300, "x-usual": 300 });
    expect(free.properties?.["locations"]).toMatchObject({ minItems: 1, maxItems: 1, "x-usual": ["local"] });
    expect(draftsOf(free, {})).toMatchObject({ checkInterval: "300", locations: ["local"] });
  });

  test("follows redirects unless it becomes an API, and says so at once", () => {
    const drafts = draftsOf(withLimits(domainForm.schema("create", ""), limits), {});
    expect(adjustDomain({ ...drafts, isApi: true }, "isApi")).toMatchObject({ followRedirects: false });
    expect(adjustDomain({ ...drafts, isApi: true }, "timeout")).toMatchObject({ followRedirects: true });
  });

  test("is named after its host until it is given a name", () => {
    expect(hostOf(" https://shop.test:8443/cart?x#y ")).toBe("shop.test:8443");
    expect(hostOf("shop.test")).toBe("shop.test");
    expect(hostOf("")).toBeUndefined();
  });
});

describe("stored credentials", () => {
  const detail = {
    url: "https://shop.test",
    authType: "bearer",
    headers: {},
    ignoreCertificate: false,
  } as unknown as DomainDetail;
  const dangerAt = (url: string, ignoreCertificate = false) => dangerOf(detail, { url, ignoreCertificate });

  test.each([
    ["shop.test", null],
    ["//SHOP.test:443/basket", null],
    ["https://shop.test.", null],
    ["http://shop.test", "address"],
    ["shop.test:8443", "address"],
    ["::1", "address"],
    ["ftp://shop.test", null],
    ["not an address", null],
  ])("where %s is typed: %s", (url, danger) => {
    expect(dangerAt(url)).toBe(danger);
  });

  test("are in danger without a check of the certificate, and where there are none nothing is", () => {
    expect(dangerAt("shop.test", true)).toBe("certificate");
    expect(
      dangerOf({ ...detail, ignoreCertificate: true }, { url: "shop.test", ignoreCertificate: true }),
    ).toBe(null);
    expect(dangerOf({ ...detail, authType: "none" }, { url: "other.test", ignoreCertificate: true })).toBe(
      null,
    );
  });

  test("are read for each field that the schema has", () => {
    const fields = Object.keys(
      withLimits(domainForm.schema("update", ""), limits).properties?.["authConfig"]?.properties ?? {},
    );
    expect(credentialFields).toEqual(["headers", ...fields.map((field) => `authConfig.${field}`)]);
    expect(fields).toContain("token");
  });
});
