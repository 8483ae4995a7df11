import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import type { Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { eventually } from "../../server/test/harness/eventually.ts";
import { startServerProcess, temporaryFolder } from "../../server/test/harness/process.ts";
import { type MailServer, startMailServer } from "../../server/test/harness/smtp.ts";
import { openPage } from "./browser.ts";
import { callApi, owner } from "./installation.ts";

/** A port that is free now: links in mail must name it before the server has it. */
async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}

export interface Mailing {
  page: Page;
  mail: MailServer;
  /** Where the installation is. */
  url: string;
}

/**
 * An installation that sends mail with links to itself, with `settings` of its environment besides, and a page where its owner is
 * signed in. `host`: what this machine is called in its address.
 */
export async function startMailing(
  settings: Record<string, string> = {},
  host = "127.0.0.1",
): Promise<Mailing> {
  const data = temporaryFolder();
  const mail = await startMailServer();
  const port = await freePort();
  const url = `http://${host}:${port}`;
  const environment = {
    VEDETTE_RATE_LIMITS: "off",
    VEDETTE_PUBLIC_URL: url,
    SMTP_URL: mail.url,
    ...settings,
  };
  const server = await startServerProcess(data.folder, environment, port);
  onTestFinished(async () => {
    await server.stop();
    await mail.stop();
    data.remove();
  });
  const page = await openPage(url);
  await page.goto("/");
  // At a public address it is required.
  const setupToken = /set-up#(\S+)/.exec(server.output.stdout)?.[1];
  await callApi(page, "POST", "/api/auth/setup", { ...owner, setupToken });
  return { page, mail, url };
}

/** The link of the next mail; what else came is forgotten. */
export async function nextLink(mail: MailServer): Promise<string> {
  const mails = await eventually(
    () => mail.mails,
    (all) => all.length > 0,
  );
  const [link] = /http:\S+/.exec(mails.splice(0)[0]?.text ?? "") ?? [];
  return link ?? "";
}
