import { createHmac } from "node:crypto";
import { isSameSecret } from "../../account/token.ts";
import { type Json, objectIn, textIn, timeIn, webAddressOf } from "../read-json.ts";
import type { ForgeName } from "./forge-names.ts";
import type { Delivered, Forge, ForgeNews } from "./forge-types.ts";
import { gitlabForge } from "./gitlab.ts";
import type { DeploymentStatus } from "./rules.ts";

const STATES: Readonly<Record<string, DeploymentStatus>> = {
  success: "succeeded",
  failure: "failed",
  error: "failed",
};
/** Nothing is deployed yet: it waits for an approval or a runner. And one that a newer one has replaced says nothing any more. */
const SILENT = new Set(["waiting", "queued", "inactive"]);

/** GitHub: the events `deployment` and `deployment_status`, signed with HMAC-SHA256 over the raw body. */
const githubForge: Forge = {
  eventHeader: "x-github-event",
  isSigned({ body, header }: Delivered, secret: string): boolean {
    const wanted = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
    return isSameSecret(header("x-hub-signature-256") ?? "", wanted);
  },
  read(event: string, json: Json): ForgeNews | null {
    if (event !== "deployment_status" && event !== "deployment") return null;
    const deployment = objectIn(json, "deployment");
    const status = event === "deployment" ? {} : objectIn(json, "deployment_status");
    const repository = objectIn(json, "repository");
    const id = textIn(deployment, "id");
    const startedAt = timeIn(deployment, "created_at");
    const toldAt = timeIn(status, "created_at") ?? startedAt;
    const state = textIn(status, "state") ?? "pending";
    if (id === null || startedAt === null || toldAt === null || SILENT.has(state)) return null;
    const is = STATES[state] ?? "started";
    return {
      externalId: `${textIn(repository, "id") ?? ""}/${id}`,
      toldAt,
      facts: {
        name: textIn(repository, "name") ?? textIn(repository, "full_name") ?? "-",
        version: textIn(deployment, "sha"),
        environment: textIn(deployment, "environment"),
        status: is,
        author: textIn(objectIn(deployment, "creator"), "login"),
        message: textIn(deployment, "description", 500),
        url: webAddressOf(textIn(status, "log_url", 2048) ?? textIn(status, "target_url", 2048)),
        // It was made before that, perhaps days ago, and waited.
        startedAt: state === "in_progress" ? toldAt : startedAt,
        finishedAt: is === "started" ? null : toldAt,
      },
    };
  },
};

/** Every forge; adding one is a file, a line here and its name in forge-names.ts. */
export const FORGE_KINDS: Readonly<Record<ForgeName, Forge>> = { github: githubForge, gitlab: gitlabForge };
