import { createHmac } from "node:crypto";
import { isSameSecret } from "../../platform/access/random-tokens.ts";
import { type MessageDescriptor, msg } from "../../platform/i18n/message.ts";
import { type Json, objectIn, textIn, timeIn, webAddressOf } from "../provider-error.ts";
import type { DeploymentDetails } from "../queries/deployments.ts";
import type { GitProviderName } from "./git-provider-names.ts";
import type { DeploymentStatus } from "./rules.ts";

/** Header names in lower case. */
export interface Delivered {
  body: Buffer;
  header(name: string): string | undefined;
  /** Milliseconds. */
  now: number;
}

export interface DeploymentEvent {
  /** The Git provider's own id. */
  externalId: string;
  /** Milliseconds. */
  reportedAt: number;
  details: DeploymentDetails;
}

interface GitProvider {
  /** Whether the signature is valid. */
  isSigned(delivered: Delivered, secret: string): boolean;
  /** Null: usable. */
  secretProblem?(secret: string): MessageDescriptor | null;
  /** Null: not about a deployment. */
  read(event: string, json: Json): DeploymentEvent | null;
  eventHeader: string;
}

const GITLAB_STATES: Readonly<Record<string, DeploymentStatus>> = {
  // `created` and `blocked` wait for a person's approval.
  running: "started",
  success: "succeeded",
  failed: "failed",
  canceled: "cancelled",
  skipped: "cancelled",
};
/** Age of a signature with a timestamp. */
const TOLERANCE_MS = 5 * 60_000;
/** Prefix of signing secrets. */
const SIGNING = "whsec_";
const BASE64 = /^[\w+/-]*={0,2}$/;
const LEAST_KEY_BYTES = 8;

/**
 * Deployment events, authenticated by the secret itself (`X-Gitlab-Token`) or a signature (Standard Webhooks,
 * a secret that begins `whsec_`).
 */
const gitlabProvider: GitProvider = {
  eventHeader: "x-gitlab-event",
  isSigned(delivered: Delivered, secret: string): boolean {
    if (secret.startsWith(SIGNING)) return isSignedAsStandard(delivered, secret);
    return isSameSecret(delivered.header("x-gitlab-token") ?? "", secret);
  },
  secretProblem: (secret) =>
    secret.startsWith(SIGNING) && keyOf(secret) === null ? msg("deployment.no_key") : null,
  read(_event: string, json: Json): DeploymentEvent | null {
    if (json["object_kind"] !== "deployment") return null;
    const project = objectIn(json, "project");
    const id = textIn(json, "deployment_id");
    const reportedAt = gitlabTime(textIn(json, "status_changed_at"));
    const status = GITLAB_STATES[String(json["status"])];
    if (id === null || reportedAt === null || status === undefined) return null;
    return {
      externalId: `${textIn(project, "id") ?? ""}/${id}`,
      reportedAt,
      details: {
        name: textIn(project, "name") ?? textIn(project, "path_with_namespace") ?? "-",
        version: commitIn(json) ?? textIn(json, "short_sha"),
        environment: textIn(json, "environment"),
        status,
        author: textIn(objectIn(json, "user"), "name") ?? textIn(objectIn(json, "user"), "username"),
        message: textIn(json, "commit_title", 500),
        url: webAddressOf(textIn(json, "deployable_url", 2048)),
        // GitLab sends the time of the status, not of the start, which is that of the first event.
        startedAt: reportedAt,
        finishedAt: status === "started" ? null : reportedAt,
      },
    };
  },
};

/** Null: not base64, or too short to be secret. */
function keyOf(secret: string): Buffer | null {
  const text = secret.slice(SIGNING.length);
  const key = Buffer.from(text, "base64");
  return BASE64.test(text) && key.length >= LEAST_KEY_BYTES ? key : null;
}

/** Standard Webhooks: HMAC-SHA256 over id, time and body; several signatures during key rotation. */
function isSignedAsStandard({ body, header, now }: Delivered, secret: string): boolean {
  const at = Number(header("webhook-timestamp")) * 1000;
  if (!(Math.abs(now - at) <= TOLERANCE_MS)) return false;
  const key = keyOf(secret);
  if (key === null) return false;
  const before = `${header("webhook-id") ?? ""}.${header("webhook-timestamp")}.`;
  const wanted = `v1,${createHmac("sha256", key).update(before).update(body).digest("base64")}`;
  return (header("webhook-signature") ?? "").split(" ").some((one) => isSameSecret(one, wanted));
}

/** Only its URL contains the whole commit. */
const commitIn = (json: Json) =>
  /\/commit\/([0-9a-f]{40})\b/.exec(textIn(json, "commit_url", 2048) ?? "")?.[1] ?? null;

/** `2021-04-28 21:50:00 +0200` */
function gitlabTime(text: string | null): number | null {
  const parts = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d+)?) ?(UTC|Z|[+-]\d\d:?\d\d)$/.exec(text ?? "");
  if (!parts) return null;
  const [, day, time, zone = "Z"] = parts;
  const offset = zone === "UTC" || zone === "Z" ? "Z" : zone.replace(/^([+-]\d\d):?(\d\d)$/, "$1:$2");
  const at = Date.parse(`${day}T${time}${offset}`);
  return Number.isNaN(at) || at <= 0 ? null : at;
}

const STATES: Readonly<Record<string, DeploymentStatus>> = {
  success: "succeeded",
  failure: "failed",
  error: "failed",
};
/** Waiting for an approval or a runner, or replaced by a newer one: nothing is deployed. */
const SILENT = new Set(["waiting", "queued", "inactive"]);

/** Events `deployment` and `deployment_status`, HMAC-SHA256 over the raw body. */
const githubProvider: GitProvider = {
  eventHeader: "x-github-event",
  isSigned({ body, header }: Delivered, secret: string): boolean {
    const wanted = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
    return isSameSecret(header("x-hub-signature-256") ?? "", wanted);
  },
  read(event: string, json: Json): DeploymentEvent | null {
    if (event !== "deployment_status" && event !== "deployment") return null;
    const deployment = objectIn(json, "deployment");
    const status = event === "deployment" ? {} : objectIn(json, "deployment_status");
    const repository = objectIn(json, "repository");
    const id = textIn(deployment, "id");
    const startedAt = timeIn(deployment, "created_at");
    const reportedAt = timeIn(status, "created_at") ?? startedAt;
    const state = textIn(status, "state") ?? "pending";
    if (id === null || startedAt === null || reportedAt === null || SILENT.has(state)) return null;
    const is = STATES[state] ?? "started";
    return {
      externalId: `${textIn(repository, "id") ?? ""}/${id}`,
      reportedAt,
      details: {
        name: textIn(repository, "name") ?? textIn(repository, "full_name") ?? "-",
        version: textIn(deployment, "sha"),
        environment: textIn(deployment, "environment"),
        status: is,
        author: textIn(objectIn(deployment, "creator"), "login"),
        message: textIn(deployment, "description", 500),
        url: webAddressOf(textIn(status, "log_url", 2048) ?? textIn(status, "target_url", 2048)),
        // Created earlier, perhaps days ago, and waited.
        startedAt: state === "in_progress" ? reportedAt : startedAt,
        finishedAt: is === "started" ? null : reportedAt,
      },
    };
  },
};

export const GIT_PROVIDERS: Readonly<Record<GitProviderName, GitProvider>> = {
  github: githubProvider,
  gitlab: gitlabProvider,
};
