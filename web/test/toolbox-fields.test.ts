import { expect, it } from "vitest";
import { TOOL_FORMS } from "../../server/src/toolbox/tool-forms.ts";
import { fieldNames, toolSearch } from "../src/pages/toolbox/tool-search.ts";
import { bodyOf, fieldsOf, toolNames } from "../src/pages/toolbox/tools.ts";

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

it("reads what an address says, and leaves out what is no field", () => {
  expect(
    toolSearch({ tool: "ping", target: "a", count: 3, other: "x", host: { a: 1 }, url: "u".repeat(3000) }),
  ).toEqual({
    ...{ tool: "ping", target: "a", count: "3" },
  });
});
