import type { DefineBoth } from "../../platform/http/both-families.ts";
import * as deployments from "../deployments/deployments.ts";
import * as webhooks from "../deployments/webhooks.ts";

const collection = { url: "/api/deployments" };
const item = { url: "/api/deployments/:id" };

export function describeDeployments(define: DefineBoth): void {
  define({
    ...collection,
    verb: deployments.listDeployments,
    method: "GET",
    summary: "List deployments",
    description: "The newest first, each with the domains and services that it touches. Stored for 400 days.",
  });
  define({
    ...collection,
    verb: deployments.createDeployment,
    method: "POST",
    status: 201,
    upserts: true,
    statusOf: ({ isNew }) => (isNew ? 201 : 200),
    failures: [409],
    summary: "Report a deployment",
    description:
      "For pipelines, with an API key: a mark on the charts of what it touches, and named by an incident that starts within 15 minutes. Send it at the start with status started, and again at the end with the same `externalId`: 201 for a new one, 200 for one that is known. A start that comes after the end changes nothing.",
    message: ({ isNew }) => (isNew ? "Deployment recorded." : "Deployment updated."),
  });
  describeWebhooks(define);
  define({
    ...item,
    verb: deployments.getDeployment,
    method: "GET",
    summary: "Get a deployment",
    description: "With the domains and services that it touches.",
  });
  define({
    ...item,
    verb: deployments.updateDeployment,
    method: "PUT",
    summary: "Change a deployment",
    description: "Any subset of the fields; what is not sent stays. `monitors` is replaced as a whole.",
    message: "Deployment updated.",
  });
  define({
    ...item,
    verb: deployments.deleteDeployment,
    method: "DELETE",
    summary: "Delete a deployment",
    description: "Its mark goes, and incidents do not name it any more.",
    message: "Deployment deleted.",
  });
}

function describeWebhooks(define: DefineBoth): void {
  const url = "/api/deployments/webhooks";
  define({
    verb: webhooks.listDeploymentWebhooks,
    method: "GET",
    url,
    summary: "List deployment webhooks",
    description:
      "Oldest first, each with when something came last and why that was refused. Secrets are never shown again.",
  });
  define({
    verb: webhooks.createDeploymentWebhook,
    method: "POST",
    url,
    status: 201,
    failures: [409],
    summary: "Create a deployment webhook",
    description:
      "For GitHub or GitLab: enter its address and secret there. The secret is in this answer only.",
    message: "Webhook created. Its secret is not shown again.",
  });
  define({
    verb: webhooks.getDeploymentWebhook,
    method: "GET",
    url: `${url}/:id`,
    summary: "Get a deployment webhook",
    description: "Everything about it except its secret.",
  });
  define({
    verb: webhooks.updateDeploymentWebhook,
    method: "PUT",
    url: `${url}/:id`,
    summary: "Change a deployment webhook",
    description: "Any subset of the fields. A new secret is in this answer only; the old one ends at once.",
    message: "Webhook updated.",
  });
  define({
    verb: webhooks.deleteDeploymentWebhook,
    method: "DELETE",
    url: `${url}/:id`,
    summary: "Delete a deployment webhook",
    description: "Nothing is taken at its address any more; what it reported stays.",
    message: "Webhook deleted.",
  });
}
