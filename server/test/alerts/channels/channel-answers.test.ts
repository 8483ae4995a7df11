import { expect, test } from "vitest";
import { evaluateAnswer, textOfAnswer } from "../../../src/alerts/channels/post.ts";
import { channelKinds } from "../../../src/alerts/channels/registry.ts";
import type { HttpType } from "./channel-cases.ts";

const NOW = Date.UTC(2026, 10, 22, 12);

interface Answered {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

function outcomeOf(type: HttpType, { status, headers = {}, body = "" }: Answered) {
  const answer = { status, body, header: (name: string) => headers[name] };
  const outcome = evaluateAnswer(channelKinds[type], answer, { where: "there", secrets: [], now: NOW });
  if (outcome === "unknown") return "unknown";
  if (outcome.is === "refused") return outcome.ended ? "ended" : "refused";
  if (outcome.is === "postponed" && outcome.isRefusal) return "postponed as a refusal";
  const after = outcome.afterMs === undefined ? "" : ` after ${outcome.afterMs} ms`;
  return `${outcome.is}${after}`;
}

const mattermost = (id: string) => JSON.stringify({ id, message: "x", status_code: 400 });
const discord = (code: number) => JSON.stringify({ message: "x", code });
const telegram = (description: string) => JSON.stringify({ ok: false, error_code: 400, description });
const matrix = (errcode: string, rest: object = {}) => JSON.stringify({ errcode, error: "x", ...rest });
const twilio = (code: number) => JSON.stringify({ code, message: "x", status: 400 });

/** What providers answer, by their documentation, and what is made of it. */
const ANSWERS: [HttpType, Answered, string][] = [
  ["slack", { status: 200, body: "ok" }, "sent"],
  ["slack", { status: 400, body: "invalid_payload" }, "refused"],
  ["slack", { status: 403, body: "action_prohibited" }, "ended"],
  ["slack", { status: 404, body: "channel_not_found" }, "ended"],
  ["slack", { status: 410, body: "channel_is_archived" }, "ended"],
  ["slack", { status: 429, headers: { "retry-after": "30" } }, "postponed after 30000 ms"],
  ["slack", { status: 500, body: "rollup_error" }, "postponed"],
  ["discord", { status: 204 }, "sent"],
  [
    "discord",
    { status: 200, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset-after": "1.5" } },
    "sent after 1500 ms",
  ],
  [
    "discord",
    { status: 200, headers: { "x-ratelimit-remaining": "4", "x-ratelimit-reset-after": "1.5" } },
    "sent",
  ],
  [
    "discord",
    { status: 200, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset-after": "0.43456" } },
    "sent after 435 ms",
  ],
  ["discord", { status: 429, headers: { "retry-after": "0.65" } }, "postponed after 650 ms"],
  ["discord", { status: 404, body: discord(10_015) }, "ended"],
  ["discord", { status: 404, body: discord(10_008) }, "unknown"],
  ["discord", { status: 403, body: discord(50_005) }, "unknown"],
  ["discord", { status: 401, body: discord(50_027) }, "ended"],
  ["discord", { status: 400, body: discord(50_035) }, "refused"],
  ["teams", { status: 202 }, "sent"],
  ["teams", { status: 400, body: '{"error": {"code": "WorkflowTriggerIsNotEnabled"}}' }, "ended"],
  ["teams", { status: 400, body: '{"error": {"code": "InvalidRequestContent"}}' }, "refused"],
  ["telegram", { status: 429, body: '{"parameters": {"retry_after": 7}}' }, "postponed after 7000 ms"],
  ["telegram", { status: 400, body: telegram("Bad Request: chat not found") }, "ended"],
  [
    "telegram",
    { status: 400, body: telegram("Bad Request: group chat was upgraded to a supergroup chat") },
    "ended",
  ],
  [
    "telegram",
    { status: 400, body: telegram("Bad Request: not enough rights to send text messages to the chat") },
    "ended",
  ],
  ["telegram", { status: 400, body: telegram("Bad Request: message is too long") }, "refused"],
  ["telegram", { status: 403, body: telegram("Forbidden: bot was kicked from the group chat") }, "ended"],
  ["mattermost", { status: 400, body: mattermost("web.incoming_webhook.invalid.app_error") }, "ended"],
  ["mattermost", { status: 501, body: mattermost("web.incoming_webhook.disabled.app_error") }, "ended"],
  ["mattermost", { status: 400, body: mattermost("web.incoming_webhook.text.app_error") }, "refused"],
  ["mattermost", { status: 500, body: mattermost("api.internal") }, "postponed"],
  ["matrix", { status: 401, body: matrix("M_UNKNOWN_TOKEN") }, "ended"],
  ["matrix", { status: 403, body: matrix("M_FORBIDDEN") }, "ended"],
  ["matrix", { status: 403, body: matrix("M_RESOURCE_LIMIT_EXCEEDED") }, "postponed after 600000 ms"],
  [
    "matrix",
    { status: 429, body: matrix("M_LIMIT_EXCEEDED", { retry_after_ms: 2_000 }) },
    "postponed after 2000 ms",
  ],
  [
    "matrix",
    {
      status: 429,
      headers: { "retry-after": "3" },
      body: matrix("M_LIMIT_EXCEEDED", { retry_after_ms: 2_000 }),
    },
    "postponed after 3000 ms",
  ],
  [
    "matrix",
    { status: 400, body: matrix("M_UNKNOWN", { error: "Can't send relation to unknown event" }) },
    "unknown",
  ],
  ["matrix", { status: 413, body: matrix("M_TOO_LARGE") }, "refused"],
  ["ntfy", { status: 403, body: '{"code": 40301}' }, "postponed as a refusal"],
  ["ntfy", { status: 413, body: '{"code": 41303}' }, "refused"],
  ["ntfy", { status: 429, body: '{"code": 42908}' }, "postponed after 30000 ms"],
  ["gotify", { status: 401, body: '{"error": "Unauthorized"}' }, "postponed as a refusal"],
  ["webhook", { status: 410 }, "postponed as a refusal"],
  ["mattermost", { status: 404 }, "postponed as a refusal"],
  ["matrix", { status: 403 }, "postponed as a refusal"],
  ["apprise", { status: 401 }, "postponed as a refusal"],
  ["pushover", { status: 400, body: '{"user": "invalid", "status": 0}' }, "ended"],
  ["pushover", { status: 400, body: '{"message": "cannot be blank", "status": 0}' }, "refused"],
  [
    "pushover",
    { status: 429, headers: { "x-limit-app-reset": String(NOW / 1000 + 3_600) } },
    "postponed after 3600000 ms",
  ],
  ["pagerduty", { status: 202 }, "sent"],
  ["pagerduty", { status: 429 }, "postponed after 180000 ms"],
  ["pagerduty", { status: 429, headers: { "retry-after": "9" } }, "postponed after 9000 ms"],
  ["pagerduty", { status: 400, body: '{"errors": ["Invalid routing key"]}' }, "ended"],
  ["pagerduty", { status: 400, body: '{"errors": ["Length of \'summary\' is too long"]}' }, "refused"],
  ["opsgenie", { status: 202 }, "sent"],
  ["opsgenie", { status: 422, body: '{"message": "Request body is not processable."}' }, "refused"],
  ["opsgenie", { status: 403, body: '{"message": "Api key is not authorized"}' }, "ended"],
  ["opsgenie", { status: 429, headers: { "retry-after": "60" } }, "postponed after 60000 ms"],
  ["opsgenie", { status: 503 }, "postponed"],
  ["twilio", { status: 201 }, "sent"],
  ["twilio", { status: 400, body: twilio(21_211) }, "ended"],
  ["twilio", { status: 400, body: twilio(21_610) }, "ended"],
  ["twilio", { status: 400, body: twilio(21_617) }, "refused"],
  ["twilio", { status: 401, body: twilio(20_003) }, "ended"],
  ["twilio", { status: 429, body: twilio(20_429) }, "postponed after 30000 ms"],
  ["apprise", { status: 200 }, "sent"],
  ["apprise", { status: 204 }, "ended"],
  ["apprise", { status: 400 }, "refused"],
  ["apprise", { status: 424 }, "postponed after 600000 ms"],
];

test.each(ANSWERS)("%s answering %o: %s", (type, answer, expected) => {
  expect(outcomeOf(type, answer)).toBe(expected);
});

test.each(["a\0b", "a\nb", "\ud800", "x".repeat(254) + "😀"])("takes %j for no name of a message", (name) => {
  const answer = { status: 200, body: JSON.stringify({ id: name }), header: () => undefined };
  const outcome = evaluateAnswer(channelKinds.discord, answer, { where: "there", secrets: [], now: NOW });
  expect(outcome).toMatchObject({ is: "sent", reference: null });
});

test.each([
  [
    "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body><center>nginx</center></body>",
    "502 Bad Gateway",
  ],
  ["<!DOCTYPE html><html><style>p { color: red }</style><p>Sorry &amp; <b>goodbye</b>.", "Sorry & goodbye ."],
  ["<html><p>&constructor; &__proto__;", "&constructor; &__proto__;"],
  ["<html><body><script>alert(1)", ""],
  ['{"error": "<html> is not JSON"}', '{"error": "<html> is not JSON"}'],
])("of a web page its words are given, of anything else all of it: %s", (body, said) => {
  expect(textOfAnswer({ status: 500, body, header: () => undefined })).toBe(said);
});

test("a status that the page begins with is said once", () => {
  const body = "<html><head><title>503 Service Unavailable</title></head><body><h1>Sorry</h1></body></html>";
  const outcome = evaluateAnswer(
    channelKinds.webhook,
    { status: 503, body, header: () => undefined },
    { where: "there", secrets: [], now: NOW },
  );
  expect(outcome).toMatchObject({ why: { params: { status: 503, said: "Service Unavailable" } } });
});

test("a web page is read by its type, too, with its secrets masked and in little time", () => {
  const body = `<p>No hook to<b>ken</b>-123456${"<script>".repeat(50_000)}`;
  const answer = { status: 400, body, header: () => "text/html; charset=utf-8" };
  const outcome = evaluateAnswer(channelKinds.slack, answer, {
    where: "there",
    secrets: ["ken -123456"],
    now: NOW,
  });
  expect(outcome).toMatchObject({ why: { params: { said: "No hook to ********" } } });
});
