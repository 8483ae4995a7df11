import { expect, onTestFinished, test } from "vitest";
import { eachEngine } from "../../harness/stores.ts";
import { startHttpTarget } from "../../harness/targets.ts";
import { PAGES } from "../factories.ts";
import { MINUTE, startSubscribing, subscribed } from "./subscribing.ts";

const WRITTEN =
  "**We** found it: [a report](https://example.com/r?a=1&b=2).\n\n- one\n- two <script>alert(1)</script> :tada: *";

eachEngine("what subscribers read", (engine) => {
  test("is of what is over from when to when it was, and how long", async () => {
    const all = await startSubscribing({ engine });
    const { mail, report, post, notify, pass } = all;
    await subscribed(all, "ada@example.com");
    const incident = await report("Payments fail");
    await notify();
    pass(65 * MINUTE);
    await post(incident, "It works again.", "resolved");
    await notify();
    const [opened, resolved] = mail.mails;
    expect(opened?.text).toContain("\nSince Nov 23, 09:30 UTC\n");
    expect(resolved?.text).toContain("\nFrom Nov 23, 09:30 UTC to Nov 23, 10:35 UTC, 1 hr 5 min in all\n");
  });

  test("is Markdown as the page shows it in mails, and plain text elsewhere", async () => {
    const all = await startSubscribing({ engine });
    const { server, page, mail, report, post, notify, pass } = all;
    const slack = await startHttpTarget();
    onTestFinished(slack.close);
    await server.api("POST", `${PAGES}/${page.id}/subscribers`, { kind: "slack", address: slack.url });
    await subscribed(all, "ada@example.com");
    const incident = await report("Payments *fail* <!channel>");
    await notify();
    pass(MINUTE);
    await post(incident, WRITTEN);
    await notify();
    const [, received] = mail.mails;
    expect(received?.html).toContain("<p><strong>Identified</strong>");
    expect(received?.html).toMatch(
      /<p><strong>We<\/strong> found it: <a href="https:\/\/example\.com\/r\?a=1&amp;b=2"/,
    );
    expect(received?.html).toContain("<li>two &lt;script&gt;alert(1)&lt;/script&gt; :tada: *</li>");
    expect(received?.html).not.toContain("<script");
    expect(received?.text).toContain(
      "We found it: a report (https://example.com/r?a=1&b=2).\n\n- one\n- two <script>",
    );
    const { attachments, mrkdwn } = JSON.parse(slack.requests[1]?.body ?? "{}");
    const [header, ...sections] = attachments[0].blocks;
    expect([mrkdwn, header]).toMatchObject([
      false,
      { type: "header", text: { text: "Example: Update: Payments *fail* &lt;!channel&gt;" } },
    ]);
    const said = sections.filter(({ type }: { type: string }) => type === "section");
    expect(new Set(said.map((one: { text: { type: string } }) => one.text.type))).toEqual(
      new Set(["plain_text"]),
    );
    expect(said[1].text).toMatchObject({
      text: expect.stringContaining("- two &lt;script&gt;alert(1)&lt;/script&gt; :tada: *"),
      emoji: false,
    });
  });
});
