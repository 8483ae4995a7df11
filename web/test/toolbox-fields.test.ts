import { expect, it } from "vitest";
import { TOOL_FORMS } from "../../server/src/checks/toolbox/schemas/forms.ts";
import { withoutControls } from "../src/toolbox/ToolResult.tsx";
import { asSearch, fieldNames, hostIn, toolSearch, valuesIn, withHost } from "../src/toolbox/tool-search.ts";
import { bodyOf, fieldsOf, searchFor, toolNames } from "../src/toolbox/tools.ts";

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

it("sends numbers as numbers, and nothing that is empty or does not apply given the others", () => {
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

it("writes into an address a form's values, and reads it back; what is no field is left out", () => {
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

it("shows the ports of one's own right after the choice of ports", () => {
  const names = fieldsOf("port-scanner").map(({ name }) => name);
  expect(names).toEqual(["target", "scanType", "ports", "protocol", "timeout"]);
});

it.each([
  ["https://shop.example/cart?a=1", "shop.example"],
  ["http://user@shop.example:8080", "shop.example"],
  ["https://[2001:db8::1]/", "2001:db8::1"],
  ["shop.example", "shop.example"],
  ["2001:db8::1", "2001:db8::1"],
  ["https://", "https://"],
])("takes the host of an address that was pasted: %s", (text, host) => {
  expect(hostIn(text)).toBe(host);
  expect(withHost({ target: text }, "target")).toEqual({ target: host });
  expect(withHost({ url: text }, "url")).toEqual({ url: text });
});

it("takes the host along to another tool, and an address alone to the one that locates addresses", () => {
  const given = { url: "https://shop.example/cart" };
  expect(searchFor("ping", "http-inspection", given)).toEqual({ tool: "ping", target: "shop.example" });
  expect(searchFor("ip-scanner", "http-inspection", given)).toEqual({ tool: "ip-scanner" });
  expect(searchFor("ip-scanner", "ping", { target: "192.0.2.1" })).toEqual({
    tool: "ip-scanner",
    ip: "192.0.2.1",
  });
  expect(searchFor("ping", "rdap", { query: "AS15169" })).toEqual({ tool: "ping" });
  expect(searchFor("ping", "ping", { target: "a", count: "3" })).toEqual({
    tool: "ping",
    target: "a",
    count: 3,
  });
});
