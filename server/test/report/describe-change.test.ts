import { Type } from "typebox";
import { describe, expect, it, onTestFinished } from "vitest";
import { defineRoute } from "../../src/http/define-route.ts";
import { describeChange } from "../../src/report/describe-change.ts";
import { startTestServer } from "../harness/server.ts";

describe("the sentence about a change", () => {
  it.each([
    ["delete domains", "Ada", "Shop", "Ada deleted the domain Shop."],
    ["pause domains", "Ada", "Shop", "Ada paused the domain Shop."],
    ["delete domains", "Ada", null, "Ada deleted a domain."],
    ["update organization", null, "Acme", "Somebody changed the organization Acme."],
    ["update profile", "Ada", "Ada", "Ada changed their profile."],
    ["change role", "Ada", null, "Ada changed the role of a member."],
    ["remove member", "Ada", "Grace", "Ada removed Grace."],
    ["create domains", "{subject}", "$& {who}", "{subject} created the domain $& {who}."],
    ["polish domains", "Ada", "Shop", "Ada changed Shop."],
    ["polish domains", "Ada", null, "Ada changed something."],
  ])("%s by %s of %s reads %s", (action, userName, subject, sentence) => {
    expect(describeChange({ action, userName, subject })).toBe(sentence);
  });

  it("is known for each route that writes: a server with another one does not start", async () => {
    const facts = {
      method: "POST",
      url: "/api/test/polish",
      family: "legacy",
      summary: "For a test",
    } as const;
    const started = startTestServer({
      engine: "sqlite",
      routes: (app, ctx) =>
        defineRoute(app, ctx, {
          ...facts,
          resource: "reports",
          response: Type.Object({}),
          handler: async () => ({ data: {} }),
        }),
    });
    started.then((server) => onTestFinished(server.close)).catch(() => {});
    await expect(started).rejects.toThrow('"create reports" is not among the AUDIT_ACTIONS');
  });
});
