import type { ChannelType } from "../../../src/alerts/channels/registry.ts";

/** Those that are sent one HTTP request. */
export type HttpType = Exclude<ChannelType, "email">;

/** How a kind is set up and what is expected of it. */
export interface KindCase {
  config(url: string): object;
  /** How the provider answers what it takes. */
  takes?: { status?: number; body?: string };
  /** How it refuses for good, where not by 404. */
  ends?: { status: number; body: string };
  /** What stands in the request that reports an outage, and where it goes. */
  down: { method?: string; path: string; body: object | string };
  /** The same of the one that reports its end, where it is not just another message. */
  up?: { method?: string; path?: string; body?: object };
}

const embed = (title: string) => ({ embeds: [{ title }], allowed_mentions: { parse: [] } });

/** As the providers' published interfaces say. */
export const CASES: Record<HttpType, KindCase> = {
  webhook: { config: (url) => ({ url }), down: { path: "/", body: { type: "monitor.down" } } },
  slack: {
    config: (url) => ({ url: `${url}services/T0/B0/token` }),
    takes: { body: "ok" },
    ends: { status: 404, body: "no_service" },
    down: {
      path: "/services/T0/B0/token",
      body: { text: "Shop is down", attachments: [{ color: "#d92d20" }] },
    },
  },
  teams: {
    config: (url) => ({ url: `${url}workflows/1?sig=token` }),
    takes: { status: 202, body: "" },
    down: {
      path: "/workflows/1?sig=token",
      body: { type: "message", attachments: [{ content: { type: "AdaptiveCard", version: "1.4" } }] },
    },
  },
  discord: {
    config: (url) => ({ url: `${url}api/webhooks/1/token` }),
    takes: { body: '{"id": "815"}' },
    ends: { status: 404, body: '{"message": "Unknown Webhook", "code": 10015}' },
    down: { path: "/api/webhooks/1/token?wait=true", body: embed("Shop is down") },
    up: { method: "PATCH", path: "/api/webhooks/1/token/messages/815", body: embed("Shop is up again") },
  },
  telegram: {
    config: (url) => ({ token: "12:token", chat: "-100", server: url }),
    takes: { body: '{"ok": true, "result": {"message_id": 42}}' },
    ends: { status: 400, body: '{"ok": false, "description": "Bad Request: chat not found"}' },
    down: { path: "/bot12:token/sendMessage", body: { chat_id: "-100" } },
    up: { body: { reply_parameters: { message_id: 42, allow_sending_without_reply: true } } },
  },
  mattermost: {
    config: (url) => ({ url: `${url}hooks/token` }),
    takes: { body: "ok" },
    down: { path: "/hooks/token", body: { attachments: [{ title: "Shop is down", color: "#d92d20" }] } },
  },
  ntfy: {
    config: (url) => ({ topic: "oncall", token: "tk_token", server: url }),
    takes: { body: '{"id": "x"}' },
    ends: { status: 403, body: '{"code": 40301, "error": "forbidden"}' },
    down: { path: "/", body: { topic: "oncall", title: "Shop is down", priority: 5 } },
  },
  gotify: {
    config: (url) => ({ token: "app-token", server: url }),
    takes: { body: '{"id": 1}' },
    ends: { status: 401, body: '{"error": "Unauthorized"}' },
    down: { path: "/message", body: { title: "Shop is down", priority: 8 } },
  },
  pushover: {
    config: (url) => ({ token: "app-token", user: "user-token", server: url }),
    takes: { body: '{"status": 1}' },
    ends: { status: 400, body: '{"token": "invalid", "status": 0}' },
    down: { path: "/1/messages.json", body: "token=app-token&user=user-token&title=Shop+is+down" },
  },
  pagerduty: {
    config: (url) => ({ key: "routing-token", server: url }),
    takes: { status: 202, body: '{"status": "success"}' },
    ends: { status: 400, body: '{"status": "invalid event", "errors": ["Invalid routing key"]}' },
    down: { path: "/v2/enqueue", body: { event_action: "trigger", payload: { severity: "error" } } },
    up: { body: { event_action: "resolve" } },
  },
  matrix: {
    config: (url) => ({ server: url, room: "!ops:example.com", token: "syt_token" }),
    takes: { body: '{"event_id": "$first:example.com"}' },
    ends: { status: 401, body: '{"errcode": "M_UNKNOWN_TOKEN", "error": "Unrecognised access token"}' },
    down: {
      method: "PUT",
      path: "/_matrix/client/v3/rooms/!ops%3Aexample.com/send/m.room.message/ID",
      body: { msgtype: "m.text", "m.mentions": {} },
    },
    up: {
      body: {
        "m.new_content": { msgtype: "m.text" },
        "m.relates_to": { rel_type: "m.replace", event_id: "$first:example.com" },
      },
    },
  },
  opsgenie: {
    config: (url) => ({ key: "genie-token", server: url }),
    takes: { status: 202, body: '{"result": "Request will be processed", "requestId": "1"}' },
    ends: { status: 403, body: '{"message": "You are not authorized"}' },
    down: { path: "/v2/alerts", body: { message: "Shop is down", priority: "P2", source: "Vedette" } },
    up: { path: "/v2/alerts/ALIAS/close?identifierType=alias", body: { source: "Vedette" } },
  },
  twilio: {
    config: (url) => ({
      account: `AC${"0".repeat(32)}`,
      token: "auth-token",
      sender: "+15005550006",
      phone: "+4915112345678",
      server: url,
    }),
    takes: { status: 201, body: '{"sid": "SM1", "status": "queued"}' },
    ends: { status: 400, body: '{"code": 21211, "message": "Invalid \'To\' Phone Number", "status": 400}' },
    down: {
      path: `/2010-04-01/Accounts/AC${"0".repeat(32)}/Messages.json`,
      body: "To=%2B4915112345678&From=%2B15005550006&Body=Shop+is+down",
    },
  },
  apprise: {
    config: (url) => ({ server: url, key: "config-token", tag: "oncall" }),
    takes: { body: '{"error": null, "details": []}' },
    ends: { status: 204, body: "" },
    down: {
      path: "/notify/config-token",
      body: { title: "Shop is down", type: "failure", format: "text", tag: "oncall" },
    },
  },
};
