import { describe, expect, test } from "vitest";
import type { ServiceDetail } from "../src/api/monitor.ts";
import { choicesOf, isShown, kindOf } from "../src/forms/schema.ts";
import { restSection, type Section, sectionsOf } from "../src/forms/sections.ts";
import { languageCodes } from "../src/i18n/languages.ts";
import { domainForm } from "../src/monitors/domain/DomainForms.tsx";
import { withLimits } from "../src/monitors/form/MonitorForm.tsx";
import { serviceForm } from "../src/monitors/service/ServiceForms.tsx";
import { fieldsOf } from "./schema-fields.ts";
import { flatten, textsOf } from "./texts.ts";

const protocols = serviceForm.variants?.names ?? [];
const places = ["monitors/service/form", "monitors/service", "monitors/form", "monitors/domain/form"];

/** The texts in a language, by whole keys. */
const textsIn = (language: string) =>
  new Set(
    places.flatMap((name) => [...flatten(textsOf(name, language)).keys()].map((key) => `${name}:${key}`)),
  );

test("there is a form for each protocol that the server knows", () => {
  expect(protocols).toEqual(expect.arrayContaining(["http", "tcp", "postgres"]));
});

test("each protocol is offered in one group, and each group is named in every language", () => {
  const groups = serviceForm.variants?.groups ?? {};
  expect(Object.values(groups).flat().sort()).toEqual([...protocols].sort());
  for (const language of languageCodes) {
    const texts = textsIn(language);
    for (const group of Object.keys(groups)) {
      expect(texts).toContain(`monitors/service/form:field.protocol.group.${group}`);
    }
  }
});

describe.each(protocols)("the form for %s", (protocol) => {
  const fields = fieldsOf(serviceForm.schema("create", protocol));

  test("has an input for every field, each in its place", () => {
    expect(fields.filter(([, schema]) => kindOf(schema) === null).map(([key]) => key)).toEqual([]);
    const sections = sectionsOf(serviceForm.schema("update", protocol), serviceForm.layout(protocol));
    expect(sections.find(({ id }) => id === restSection)?.fields ?? []).toEqual([]);
  });

  test.each(languageCodes)("names every field and every choice in %s", (language) => {
    const texts = textsIn(language);
    const isNamed = (key: string) => {
      const own = serviceForm.textKeys?.(key, protocol) ?? [];
      return [...own, ...places.slice(0, 3).map((name) => `${name}:${key}`)].some((one) => texts.has(one));
    };
    const wanted = fields.flatMap(([key, schema]) => {
      const choices = key.endsWith(".method") ? [] : (choicesOf(schema) ?? []);
      return ["label", ...choices.map((choice) => `choice.${choice}`)].map((one) => `field.${key}.${one}`);
    });
    expect(wanted.filter((key) => !isNamed(key))).toEqual([]);
    expect(texts).toContain(`monitors/service:field.protocol.choice.${protocol}`);
  });
});

test("what depends on whether TLS is used is shown where it is", () => {
  const config = serviceForm.schema("create", "mysql").properties?.["protocolConfig"];
  const certificate = config?.properties?.["ignoreCertificate"] ?? {};
  expect([true, false].map((tls) => isShown(certificate, [{ tls }]))).toEqual([true, false]);
});

test("HTTP is set in the sections in which it is set of a domain", () => {
  const idsOf = (sections: readonly Section[]) => sections.map(({ id }) => id);
  const sections = sectionsOf(serviceForm.schema("create", "http"), serviceForm.layout("http"));
  expect(idsOf(sections)).toEqual(idsOf(domainForm.layout("")));
  for (const { id, fields } of domainForm.layout("")) {
    const here = sections.find((section) => section.id === id)?.fields ?? [];
    expect([id, here.map((field) => field.replace("protocolConfig.", ""))]).toEqual([id, fields]);
  }
  for (const language of languageCodes) {
    const texts = textsIn(language);
    const titled = sections.slice(1).filter(({ id }) => {
      const keys = serviceForm.textKeys?.(`section.${id}.title`, "http") ?? [];
      return [...keys, `monitors/form:section.${id}.title`].some((key) => texts.has(key));
    });
    expect([language, idsOf(titled)]).toEqual([language, idsOf(sections.slice(1))]);
  }
});

test("an API check follows no redirects by default, as with domains", () => {
  const was = { protocolConfig: { isApi: false, followRedirects: true } };
  const api = { protocolConfig: { isApi: true, followRedirects: true } };
  const adjusted = { protocolConfig: { isApi: true, followRedirects: false } };
  expect(serviceForm.adjustDrafts?.(api, "protocolConfig", was)).toEqual(adjusted);
  expect(serviceForm.adjustDrafts?.(api, "protocolConfig", adjusted)).toEqual(api);
  expect(serviceForm.adjustDrafts?.({ ...was, name: "A" }, "name", was)).toEqual({ ...was, name: "A" });
});

test("no setting of a protocol is called what every service has: their texts would be each other's", () => {
  const every = new Set([
    "name",
    "tags",
    "enabled",
    "checkInterval",
    "timeout",
    "confirmations",
    "recoveries",
  ]);
  for (const protocol of protocols) {
    const names = fieldsOf(serviceForm.schema("create", protocol)).map(([key]) => key);
    const own = names.filter((key) => key.startsWith("protocolConfig.")).map((key) => key.slice(15));
    expect([protocol, own.filter((name) => every.has(name))]).toEqual([protocol, []]);
  }
});

test("what is stored and not shown stays, whatever a protocol calls it", () => {
  const stays = (protocol: string, path: string) =>
    serviceForm.isStored(path, { protocolConfig: {} }, { protocol, protocolConfig: {} } as ServiceDetail);
  for (const protocol of protocols) {
    const fields = fieldsOf(serviceForm.schema("update", protocol));
    const hidden = fields.filter(([, { writeOnly }]) => writeOnly === true).map(([path]) => path);
    expect(hidden.filter((path) => !stays(protocol, path))).toEqual([]);
  }
  expect(stays("postgres", "protocolConfig.password")).toBe(true);
  expect(stays("http", "protocolConfig.authConfig.token")).toBe(true);
  expect(stays("http", "protocolConfig.headers.x-key")).toBe(true);
  for (const path of ["name", "protocolConfig.host", "protocolConfig.user"])
    expect(stays("postgres", path)).toBe(false);
});

test("a heartbeat is expected rather than checked: it has no settings of a check", () => {
  const plan = { plan: "pro", monitors: null, monitorsUsed: 0, minCheckInterval: 60 };
  const limits = { ...plan, locations: [], locationsPerMonitor: null };
  const names = Object.keys(withLimits(serviceForm.schema("create", "heartbeat"), limits).properties ?? {});
  expect(names).toContain("checkInterval");
  for (const name of ["timeout", "locations", "recheckDelay"]) expect(names).not.toContain(name);
  const [first] = serviceForm.textKeys?.("field.checkInterval.label", "heartbeat") ?? [];
  expect(textsIn("en")).toContain(first);
});

test("no text is about a protocol or a field that the server does not have", () => {
  const known = protocols.flatMap((protocol) =>
    fieldsOf(serviceForm.schema("create", protocol)).map(
      ([key]) => `protocol.${protocol}.${key.replace(/^protocolConfig\./, "")}`,
    ),
  );
  const about = [...flatten(textsOf("monitors/service/form", "en")).keys()]
    .filter((key) => key.startsWith("protocol."))
    .map((key) => key.replace(/\.(?:label|help|unit|placeholder|add|choice\..+)$/, ""));
  expect(about.filter((key) => !known.includes(key))).toEqual([]);
  const choices = [...flatten(textsOf("monitors/service", "en")).keys()].filter((key) =>
    key.startsWith("field."),
  );
  expect(choices.toSorted()).toEqual(protocols.map((one) => `field.protocol.choice.${one}`).toSorted());
});
