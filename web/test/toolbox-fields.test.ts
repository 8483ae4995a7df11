import { expect, it } from "vitest";
import { TOOL_FORMS } from "../../server/src/wire/toolbox/forms.ts";
import { asSearch, fieldNames, toolSearch, valuesIn } from "../src/pages/toolbox/tool-search.ts";
import { bodyOf, fieldsOf, toolNames } from "../src/pages/toolbox/tools.ts";
import { withoutControls } from "../src/pages/toolbox/without-controls.ts";

it("shows every tool of the server with each of its fields, the one that it is about first", () => {
  expect([...toolNames].toSorted()).toEqual(TOOL_FORMS.map(({ name }) => name).toSorted());
  for (const { name, subject, input } of TOOL_FORMS) {
    const fields = fieldsOf(name as (typeof toolNames)[number]).map((field) => field.name);
    const { properties } = input as unknown as { properties: object };
    expect([fields[0], fields.toSorted()]).toEqual([subject, Object.keys(properties).toSorted()]);
  }
  const used = toolNames.flatMap((name) => fieldsOf(name).map((field) => field.name));
  expect(fieldNames.filter((name) => !used.includes(name))).toEqual([]);
});

it("sends numbers as numbers, and nothing that is empty or means nothing as the others stand", () => {
  expect(bodyOf("port-scanner", { target: " shop.example ", timeout: "500", ports: "22" })).toEqual({
    target: "shop.example",
    timeout: 500,
  });
  expect(bodyOf("port-scanner", { target: "", scanType: "custom", ports: "22" })).toEqual({
    target: "",
    scanType: "custom",
    ports: "22",
  });
});

it("writes into an address what stands in a form, and reads it back; what is no field is left out", () => {
  const values = { target: "shop.example", ports: "22", timeout: "500" };
  const search = asSearch("port-scanner", values);
  expect(search).toEqual({ tool: "port-scanner", target: "shop.example", ports: 22, timeout: 500 });
  const foreign = { other: "x", host: { a: 1 }, url: "u".repeat(3000) };
  expect(valuesIn(toolSearch({ ...search, ...foreign }))).toEqual(values);
});

it("shows what others wrote without characters that turn or hide text, at any depth", () => {
  const found = {
    records: [{ value: "a\u202eb\u2066c\u009bd\u200be", ttl: 300, none: null }],
    family: "👩\u200d💻",
  };
  expect(withoutControls(found)).toEqual({
    records: [{ value: "a\ufffdb\ufffdc\ufffdd\ufffde", ttl: 300, none: null }],
    family: "👩\u200d💻",
  });
});
