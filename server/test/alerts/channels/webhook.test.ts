import { expect, test } from "vitest";
import { channelKinds } from "../../../src/alerts/channels/registry.ts";
import { filledIn, templateProblem } from "../../../src/alerts/channels/webhook.ts";
import { outgoingOf } from "./outgoing.ts";

const url = "https://hooks.example/";

test("a webhook is signed as the example of Standard Webhooks is", () => {
  const config = {
    url,
    secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    template: '{"test": 2432232314}',
  };
  const outgoing = { ...outgoingOf(), id: "msg_p5jXN8AQM9LWM0D4loKWxJek", now: 1_614_265_330_000 };
  const { headers, body } = channelKinds.webhook.request(config, outgoing);
  expect(headers).toEqual({
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  });
  expect(body).toEqual({ text: '{"test": 2432232314}', type: "application/json" });
});

test("each try has its own time and signature, and the same id", () => {
  const config = { url, secret: `whsec_${"A".repeat(44)}` };
  const outgoing = outgoingOf();
  const [first, second] = [0, 30_000].map(
    (ms) => channelKinds.webhook.request(config, { ...outgoing, now: outgoing.now + ms }).headers ?? {},
  );
  expect(second?.["webhook-id"]).toBe(first?.["webhook-id"]);
  expect(second?.["webhook-signature"]).not.toBe(first?.["webhook-signature"]);
});

test.each([
  ["{{title}}", { title: "{{text}}", text: "x" }, "{{text}}"],
  ["{{ title }} {{a.b}}", { title: 1, a: { b: [1] } }, "1 [1]"],
  ['{"a": "{{title}}"}', { title: '"\n\\' }, '{"a": "\\"\\n\\\\"}'],
  ["{{title", { title: "x" }, "{{title"],
  ["{{{title}}}", { title: "x" }, "{x}"],
  ["{{title}} of {{monitor.name}}", { title: "x", monitor: null }, "x of "],
  ['{"a": "{{monitor.name}}"}', { monitor: null }, '{"a": ""}'],
])("a template is filled in once: %s with %o is %s", (template, values, expected) => {
  expect(filledIn(template, values)).toBe(expected);
});

test.each(["{{constructor}}", "{{title.length}}", "{{__proto__.x}}", "{{nothing}}", "{{}}"])(
  "%s names nothing that a message has",
  (template) => {
    expect(templateProblem(template, { title: "x" })).toMatchObject({ code: "channel.template_name" });
  },
);

test.each([
  "{{#each monitors}}{{title}}{{/each}}",
  "{{ #if title }}x{{ /if }}",
  "{{^title}}none{{/title}}",
  "{{> itself}}",
  "{% for m in monitors %}{{title}}{% endfor %}",
  "{{range .monitors}}{{title}}{{end}}",
  '{"a": "{{#title}}"}',
])("%s would repeat or decide, which a template cannot", (template) => {
  expect(templateProblem(template, { title: "x" })).toMatchObject({ code: "channel.template_block" });
});

test.each([
  ...['{"a":{"b":{"c":"{{title}}"}}}', "100 {%} {{title}}", "x {{title", "#{{title}} > /x", '["{{title}}"]'],
  ...["{{title}} and {{text}}", " {{ title }}", "{{{title}}}", "[Vedette] {{title}}", "[{{title}}] {{text}}"],
])("%s only fills in", (template) => {
  expect(templateProblem(template, { title: "x", text: "y" })).toBe(null);
});

test.each(['{"a": {{title}}', '["{{title}}"', '[{"a": "{{title}}"}', "{title}"])(
  "%s is broken JSON",
  (template) => {
    expect(templateProblem(template, { title: "x" })).not.toBe(null);
  },
);

test("a template that names long values thousands of times stays bounded, and JSON stays JSON", () => {
  const values = { text: 'a "quoted" 😀 word '.repeat(500) };
  const slots = Array.from({ length: 800 }, () => '"{{text}}"').join(",");
  const json = filledIn(`[${slots}]`, values);
  expect(json.length).toBeLessThanOrEqual(65_536);
  expect(JSON.parse(json)).toHaveLength(800);
  expect(json.isWellFormed()).toBe(true);
  expect(filledIn("{{text}} ".repeat(1_000), values).length).toBeLessThanOrEqual(65_536);
  expect(filledIn('{"a": "{{text}}"}', values)).toContain(values.text.slice(0, 20).replaceAll('"', '\\"'));
});
