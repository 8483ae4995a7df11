import { describe, expect, it } from "vitest";
import { describeChange } from "../../src/reports/describe-activity.ts";

describe("the sentence about a change", () => {
  it.each([
    ["delete domains", "Ada", "Shop", "Ada deleted the domain Shop."],
    ["pause domains", "Ada", "Shop", "Ada paused the domain Shop."],
    ["delete domains", "Ada", null, "Ada deleted a domain."],
    ["update organization", null, "Acme", "An unknown user changed the organization Acme."],
    ["update profile", "Ada", "Ada", "Ada changed their profile."],
    ["change role", "Ada", null, "Ada changed the role of a member."],
    ["remove member", "Ada", "Grace", "Ada removed Grace."],
    ["create domains", "{subject}", "$& {who}", "{subject} created the domain $& {who}."],
    ["polish domains", "Ada", "Shop", "Ada changed Shop."],
    ["polish domains", "Ada", null, "Ada changed something."],
  ])("%s by %s of %s reads %s", (action, userName, subject, sentence) => {
    expect(describeChange({ action, userName, subject, before: null, after: null })).toBe(sentence);
  });

  it.each([
    ["change role", "viewer", "admin", "Ada changed the role of Grace from viewer to admin."],
    ["add member", null, "member", "Ada added Grace as member."],
    ["invite member", null, "owner", "Ada invited Grace as owner."],
    ["remove member", "admin", null, "Ada removed Grace, who was admin."],
    [
      "transfer organization",
      "member",
      "owner",
      "Ada handed the organization over to Grace, who was member.",
    ],
    ["change role", null, "admin", "Ada changed the role of Grace."],
  ])("%s from %s to %s reads %s", (action, before, after, sentence) => {
    expect(describeChange({ action, userName: "Ada", subject: "Grace", before, after })).toBe(sentence);
  });
});
