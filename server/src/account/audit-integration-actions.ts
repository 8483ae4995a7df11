/** What is recorded of integrations and deployments (audit-actions.ts). */
export const INTEGRATION_SENTENCES = {
  "link integration": {
    named: "{who} linked the integration {subject}.",
    unnamed: "{who} linked an integration.",
  },
  "update integration": {
    named: "{who} changed the integration {subject}.",
    unnamed: "{who} changed an integration.",
  },
  "unlink integration": {
    named: "{who} unlinked the integration {subject}.",
    unnamed: "{who} unlinked an integration.",
  },
  "monitor resource": {
    named: "{who} had the resource {subject} of an integration monitored.",
    unnamed: "{who} had a resource of an integration monitored.",
  },
  "create deployments": {
    named: "{who} recorded a deployment of {subject}.",
    unnamed: "{who} recorded a deployment.",
  },
  "update deployments": {
    named: "{who} changed a deployment of {subject}.",
    unnamed: "{who} changed a deployment.",
  },
  "delete deployments": {
    named: "{who} deleted a deployment of {subject}.",
    unnamed: "{who} deleted a deployment.",
  },
  "create deployment webhook": {
    named: "{who} created the deployment webhook {subject}.",
    unnamed: "{who} created a deployment webhook.",
  },
  "update deployment webhook": {
    named: "{who} changed the deployment webhook {subject}.",
    unnamed: "{who} changed a deployment webhook.",
  },
  "delete deployment webhook": {
    named: "{who} deleted the deployment webhook {subject}.",
    unnamed: "{who} deleted a deployment webhook.",
  },
} as const;
